"""A thousand spectators at one table against a bare server that sends the same messages to a thousand streams.

What counts is the processor time of the server's process from one update to the next.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc.aio

from bench.bare_host import CALL, STREAM, Script, call_bytes, stream_bytes
from bench.scripted_table import ScriptedTable
from bench.serving import data_folder, game_server, serving
from shanghai.v1 import service_pb2

SPECTATORS = 1000
CHANNELS = 20
UPDATES = 60
"""At least so many updates are sent."""
CALL_BYTES = 150


def measure() -> Iterator[str]:
    """Play before spectators, then send the same again."""
    with data_folder() as folder:
        ours, messages, moments = asyncio.run(_play(folder))
        bare = asyncio.run(_replay(Path(folder), messages, moments))
        # By turns, and the best of each: what else the machine does is nobody's cost.
        ours = min(ours, asyncio.run(_play(folder))[0])
        bare = min(bare, asyncio.run(_replay(Path(folder), messages, moments)))
    size = sum(map(len, messages)) / len(messages)
    yield (
        f"{ours / bare:.2f} times a bare fan-out: an update to {SPECTATORS} spectators, {ours * 1e3:.1f} ms of "
        f"processor time against {bare * 1e3:.1f} ms; {len(messages)} updates of {size:.0f} bytes"
    )


async def _play(folder: str) -> tuple[float, list[bytes], list[float]]:
    async with (
        game_server(f"{folder}/data", "quiet") as server,
        server.channels(CHANNELS + 1) as channels,
    ):
        table = ScriptedTable(channels[0], 2)
        await table.open()
        watch = service_pb2.WatchRequest(table=table.code).SerializeToString()
        crowd = Crowd(channels[1:], "/shanghai.v1.TableService/Watch", [watch] * SPECTATORS)
        # Each newcomer is shown to all: wait until there is nothing more to show.
        await crowd.quiet()
        crowd.begin()
        before, shown = server.cpu(), 0
        while shown < UPDATES:
            await table.act_once()
            # A sealed answer shows nothing; otherwise the next act follows when everybody has seen this one.
            shown = await crowd.all_have_as_many()
        cpu = server.cpu() - before
        await crowd.close()
        await table.close()
        return cpu / shown, crowd.messages, crowd.moments


async def _replay(folder: Path, messages: list[bytes], moments: list[float]) -> float:
    # Two streams stand for the players, who are sent about as much.
    script: Script = [[[[message]] * (SPECTATORS + 2) for message in messages]]
    path = folder / "script"
    path.write_bytes(pickle.dumps(script))
    async with serving("bench.bare_host", str(path)) as server, server.channels(CHANNELS + 1) as channels:
        asked = [stream_bytes(0, number) for number in range(SPECTATORS + 2)]
        crowd = Crowd(channels[1:], STREAM, asked)
        call: Any = channels[0].unary_unary(CALL)
        await asyncio.sleep(2)
        before, shift = server.cpu(), time.monotonic() - moments[0]
        for number, moment in enumerate(moments):
            # At the pace of the other: what has just been used is at hand, for this one too.
            await asyncio.sleep(max(moment + shift - time.monotonic(), 0))
            await call(call_bytes(0, number, CALL_BYTES))
            await crowd.until(number + 1)
        cpu = server.cpu() - before
        await crowd.close()
        return cpu / len(messages)


class Crowd:
    """Many streams, of which it is counted what comes; the messages of the first are kept, and when they came."""

    def __init__(self, channels: list[grpc.aio.Channel], method: str, requests: list[bytes]) -> None:
        """Open a stream for each request, on the channels by turns."""
        self.messages: list[bytes] = []
        self.moments: list[float] = []
        self._got = [0] * len(requests)
        self._behind = 0
        self._goal = 0
        self._news = asyncio.Event()
        self._last = time.monotonic()
        self._tasks = [
            asyncio.create_task(self._read(channels[place % len(channels)], method, request, place))
            for place, request in enumerate(requests)
        ]

    async def _read(self, channel: grpc.aio.Channel, method: str, request: bytes, place: int) -> None:
        watch: Any = channel.unary_stream(method)
        stream = watch(request)
        try:
            async for message in stream:
                self._take(place, message)
        finally:
            stream.cancel()

    def _take(self, place: int, message: bytes) -> None:
        self._got[place] += 1
        self._last = time.monotonic()
        if place == 0:
            self.messages.append(message)
            self.moments.append(self._last)
        if self._got[place] == self._goal:
            self._behind -= 1
            if not self._behind:
                self._news.set()

    async def quiet(self) -> None:
        """Wait until every stream is open and nothing has come for two seconds; fails where a stream ends."""
        while not all(self._got) or time.monotonic() - self._last < 2:
            assert not [task for task in self._tasks if task.done()], "a stream has ended"
            await asyncio.sleep(0.2)

    def begin(self) -> None:
        """Count from here on."""
        self.messages.clear()
        self.moments.clear()
        self._got = [0] * len(self._got)

    async def until(self, number: int) -> None:
        """Wait until so many messages have come on every stream."""
        self._goal = number
        self._behind = sum(got < number for got in self._got)
        self._news.clear()
        if self._behind:
            await asyncio.wait_for(self._news.wait(), 120)

    async def all_have_as_many(self) -> int:
        """Wait until every stream has as many messages as the one that has most after a moment; gives the number."""
        await asyncio.sleep(0.02)
        most = max(self._got)
        if most:
            await self.until(most)
        return most

    async def close(self) -> None:
        """Let go of the streams."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # The library lets go of cancelled calls a moment later, and needs the event loop for it.
        await asyncio.sleep(0.5)
