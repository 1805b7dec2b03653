"""A table with fifty spectators that never read, against the same table without them: what an action costs, and memory.

At first their connections take what is sent; then nothing gets through any more, and a table must not notice them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc.aio

from bench.scripted_table import ScriptedTable
from bench.serving import data_folder, game_server
from shanghai.v1 import service_pb2

READERS = 50
SEATS = 2
FILLING = 400
"""So many actions fill what the connections take."""
ACTIONS = 800
SMALL = (("grpc.enable_http_proxy", 0), ("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16 * 1024))
"""A connection that takes little before a write has to wait."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time for an action, and bytes of memory that came while they were made."""

    cpu: float
    memory: int


def measure() -> Iterator[str]:
    """Play with and without them."""
    with data_folder() as folder:
        bare = asyncio.run(_cost(Path(folder) / "without", 0))
        ours = asyncio.run(_cost(Path(folder) / "with", READERS))
    yield (
        f"{ours.cpu / bare.cpu:.2f} times an action without them: {READERS} spectators that never read, "
        f"{ours.cpu * 1e6:.0f} µs of processor time against {bare.cpu * 1e6:.0f} µs; {ACTIONS} actions took "
        f"{ours.memory / 2**20:.1f} MiB of memory against {bare.memory / 2**20:.1f} MiB"
    )


async def _cost(folder: Path, readers: int) -> Cost:
    async with game_server(str(folder), "quiet") as server, server.channel() as channel:
        table = ScriptedTable(channel, SEATS)
        await table.open()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=SMALL) as deaf:
            watch: Any = deaf.unary_stream("/shanghai.v1.TableService/Watch")
            request = service_pb2.WatchRequest(table=table.code).SerializeToString()
            calls = [watch(request) for _ in range(readers)]
            for _ in range(FILLING):
                await table.act_once()
            cpu, memory = server.cpu(), server.memory()
            for _ in range(ACTIONS):
                await table.act_once()
            cost = Cost((server.cpu() - cpu) / ACTIONS, server.memory() - memory)
            for call in calls:
                call.cancel()
        await table.close()
        return cost
