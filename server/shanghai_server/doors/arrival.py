"""The arrival of requests: each call has one, which comes soon or not at all.

The library calls a method with one request only once that is there, and waits for it as long as the connection lives: a
client that sends none would hold the call for ever. So every method is served as if it had a stream of requests, which
on the wire is the same, and takes the one of its call from here.
"""

from __future__ import annotations

import asyncio

import grpc.aio
from google.protobuf.message import Message

from shanghai_server.doors.answering import Context, readable
from shanghai_server.house.clock import Clock
from shanghai_server.house.refusal import CallRefused, TableRefusal

PATIENCE = 10.0
"""The seconds that a call has for its request, at least; it is looked at every now and then."""
TOGETHER = 200
"""So many calls are given up at once: that takes some hundredths of a second, for which everybody waits."""
PAUSE = 0.05
"""The seconds until the next of them are given up."""
LULL, LONGEST_LULL = 0.02, 0.3
"""A server that stops waits until no call has come for so many seconds, and for so many in all."""


class Arrivals:
    """The calls of a server whose requests have not come yet, in the order in which they were made."""

    def __init__(self, clock: Clock) -> None:
        """Begin with none."""
        self._clock = clock
        self._waiting: dict[asyncio.Task[object], float] = {}
        self._given_up: set[asyncio.Task[object]] = set()
        self._is_over = False
        self._turned_away = 0

    async def request(self, context: Context, kind: type[Message]) -> Message:
        """Wait for the request of a call, a message of a kind, and give it.

        Raises `CallRefused` where it cannot be read, and where none comes: within some time, or at all.
        """
        task = asyncio.current_task()
        if task is None or self._is_over:
            self._turned_away += 1
            raise CallRefused(TableRefusal.SHUTTING_DOWN)
        self._waiting[task] = self._clock.now()
        try:
            request = await context.read()
        except asyncio.CancelledError:
            if task not in self._given_up:
                # The client has gone.
                raise
            self._given_up.discard(task)
            task.uncancel()
            raise self._none_came(kind) from None
        finally:
            self._waiting.pop(task, None)
        if request is grpc.aio.EOF:
            raise self._none_came(kind)
        return readable(request)

    def _none_came(self, kind: type[Message]) -> CallRefused:
        if self._is_over:
            return CallRefused(TableRefusal.SHUTTING_DOWN)
        return CallRefused(TableRefusal.BAD_MESSAGE, message=kind.DESCRIPTOR.name)

    def sweep(self) -> None:
        """Refuse the calls that have waited for too long; where they are many, some now and the others soon."""
        now = self._clock.now()
        for _ in range(TOGETHER):
            task, since = next(iter(self._waiting.items()), (None, now))
            if task is None or since > now - PATIENCE:
                return
            self._give_up(task)
        self._clock.call_at(now + PAUSE, self.sweep)

    def end(self) -> None:
        """Refuse all that wait, and whatever comes: the server stops."""
        self._is_over = True
        for task in list(self._waiting):
            self._give_up(task)

    async def lull(self) -> None:
        """Wait until calls have ceased to come after the end, though not for long.

        What is on its way when the library is stopped it cuts off without a word: so each caller is refused once in our
        words before that, and told for how long to wait.
        """
        until = asyncio.get_running_loop().time() + LONGEST_LULL
        seen = -1
        while seen != self._turned_away and asyncio.get_running_loop().time() < until:
            seen = self._turned_away
            await asyncio.sleep(LULL)

    def _give_up(self, task: asyncio.Task[object]) -> None:
        del self._waiting[task]
        self._given_up.add(task)
        task.cancel()
