"""Stopping a server with a thousand open streams, against a bare one that just drops as many."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.bare_host import STREAM, stream_bytes
from bench.scripted_table import ScriptedTable
from bench.serving import Serving, data_folder, game_server, serving
from shanghai.v1 import service_pb2, table_pb2

TABLES = 100
STREAMS = 10
"""Of each table."""
CHANNELS = 20
MOST = 3.0


def measure() -> Iterator[str]:
    """Open the streams, stop the server, and wait until its process has ended."""
    with data_folder() as folder:
        ours, told = asyncio.run(_ours(Path(folder)))
        bare = asyncio.run(_bare(Path(folder)))
    yield (
        f"{ours / MOST:.2f} of the 3 s that a server with {TABLES * STREAMS} open streams may take to stop: "
        f"{ours:.2f} s from SIGTERM to the end of its process, {told} told why; a bare server takes {bare:.2f} s"
    )


async def _ours(folder: Path) -> tuple[float, int]:
    async with game_server(str(folder / "data")) as server, server.channels(CHANNELS) as channels:
        tables = [ScriptedTable(channels[place % CHANNELS], 2) for place in range(TABLES)]
        watching = []
        for table in tables:
            await table.open(watched=False)
            request = service_pb2.WatchRequest(table=table.code)
            watching += [asyncio.create_task(_last(table.stub.Watch(request))) for _ in range(STREAMS)]
        await asyncio.sleep(3)
        seconds = await _stop(server)
        last = await asyncio.gather(*watching)
    assert all(closed.reason == table_pb2.CLOSE_REASON_SHUTTING_DOWN for closed in last)
    return seconds, len(last)


async def _last(stream: Any) -> table_pb2.StreamClosed:  # noqa: ANN401 (the call of a stream)
    closed = table_pb2.StreamClosed()
    async for message in stream:
        closed = message.closed
    return closed


async def _bare(folder: Path) -> float:
    path = folder / "script"
    path.write_bytes(pickle.dumps([]))
    async with serving("bench.bare_host", str(path)) as server, server.channels(CHANNELS) as channels:
        watch: list[Any] = [channel.unary_stream(STREAM) for channel in channels]
        calls = [watch[number % CHANNELS](stream_bytes(0, number)) for number in range(TABLES * STREAMS)]
        await asyncio.sleep(3)
        seconds = await _stop(server)
        for call in calls:
            call.cancel()
        return seconds


async def _stop(server: Serving) -> float:
    began = time.perf_counter()
    server.stop()
    assert await server.stopped() == 0
    return time.perf_counter() - began
