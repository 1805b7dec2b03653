"""A watcher: one open stream, and what waits to be sent on it.

The queue is bounded. Where a client reads too slowly it loses updates in between and keeps the latest, which is whole,
so nothing is wrong then; the table never waits for anybody.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Self

from shanghai.v1 import service_pb2, table_pb2
from shanghai_wire.updates import update_bytes


@dataclass(slots=True, eq=False)
class Shown:
    """What one viewer is shown: the sequence, the bytes, and which public events of the game they end with.

    `hand_from` is the number of public events before this hand's, `told` that of all so far.
    """

    sequence: int
    hand_from: int
    told: int
    public: bytes
    private: bytes | None
    _joined: tuple[int, bytes] | None = None
    """What a viewer was told before, and the bytes to send then: spectators are nearly all told the same."""

    def message(self, told: int) -> bytes:
        """Give the bytes to send (`WatchResponse`) to a viewer who was told so many public events; -1: not known."""
        if self._joined is None or self._joined[0] != told:
            message = update_bytes(
                sequence=self.sequence,
                new_from=max(told - self.hand_from, 0),
                events_skipped=told < self.hand_from,
                public=self.public,
                private=self.private,
            )
            self._joined = told, message
        return self._joined[1]


class Watcher:
    """One open stream of a seat, or of a spectator where `token` is empty. Iterating gives the bytes to send."""

    def __init__(
        self, *, token: str, after_sequence: int, most: int, passcode: str = "", peer: str = "", sitting: str = ""
    ) -> None:
        """Take the viewer, the sequence of the last update it has, and how many updates may wait for it.

        A spectator of a private table gives its passcode. `peer` is where the viewer is (`peers.peer_of`), `sitting`
        the mark of a person's sitting (`gates.sitting_mark`), empty where its client names none.
        """
        self.token = token
        self.sitting = sitting
        self.peer = peer
        self.passcode = passcode
        self.after_sequence = after_sequence
        self.told = 0
        """How many public events of the game the viewer has been shown; -1 where that is unknown."""
        self._most = most
        self._waiting: deque[Shown] = deque()
        self._sequence = 0
        self._beat = False
        self._has_told = False
        """Whether an update has been taken since the last heartbeat, which says as much: that the stream is alive."""
        self._is_out = False
        self._stuck = 0
        self._closed: table_pb2.StreamClosed | None = None
        self._ended = False
        self._news: asyncio.Future[None] | None = None

    @property
    def waiting(self) -> int:
        """How many updates wait to be sent."""
        return len(self._waiting)

    def show(self, shown: Shown) -> None:
        """Let the viewer see this next; what waits is dropped where it is too much."""
        if self._closed is not None:
            return
        if len(self._waiting) >= self._most:
            self._waiting.clear()
        self._waiting.append(shown)
        self._wake()

    def beat(self) -> None:
        """Say that the stream is alive, if nothing else has since the last time."""
        self._stuck = self._stuck + 1 if self._is_out and self._waiting else 0
        if self._has_told:
            self._has_told = False
            return
        self._beat = True
        self._wake()

    @property
    def stuck(self) -> int:
        """For how many heartbeats in a row the same message has not got through while others wait behind it."""
        return self._stuck

    def give_up(self) -> None:
        """Drop what waits, and end the stream: its client does not read. Whatever it reads last tells it so."""
        self._waiting.clear()
        self.close(table_pb2.CLOSE_REASON_TOO_SLOW)

    def close(self, reason: table_pb2.CloseReason.ValueType, retry_after_ms: int | None = None, text: str = "") -> None:
        """End the stream with a reason, and with what the server's host says about it, behind what waits."""
        if self._closed is None:
            self._closed = table_pb2.StreamClosed(reason=reason, retry_after_ms=retry_after_ms, text=text)
            self._wake()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """Wait for the next message and give its bytes (`WatchResponse`)."""
        while (message := self.take()) is None:
            if self._ended:
                raise StopAsyncIteration
            await self.news()
        return message

    @property
    def is_over(self) -> bool:
        """Whether the last message was taken."""
        return self._ended

    def take(self) -> bytes | None:
        """Give the bytes of the next message (`WatchResponse`); none where nothing is to be sent now.

        The message before has got through then.
        """
        self._stuck = 0
        if self._waiting:
            shown = self._waiting.popleft()
            told, self.told = self.told, shown.told
            self._sequence = shown.sequence
            self._beat, self._has_told, self._is_out = False, True, True
            return shown.message(told)
        message = self._sign()
        self._is_out = message is not None
        return message

    def _sign(self) -> bytes | None:
        """Give what is said beside the updates: that the stream ends, or that it is alive."""
        if self._closed is not None:
            if self._ended:
                return None
            self._ended = True
            return service_pb2.WatchResponse(closed=self._closed).SerializeToString()
        if self._beat:
            self._beat = False
            beat = table_pb2.Heartbeat(sequence=self._sequence)
            return service_pb2.WatchResponse(heartbeat=beat).SerializeToString()
        return None

    async def news(self) -> None:
        """Wait until there may be something to take. Only one may wait."""
        self._news = asyncio.get_running_loop().create_future()
        await self._news

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
