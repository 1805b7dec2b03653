"""A restart with many unfinished tables: when the server answers, when all tables are back, and what they take."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.serving import data_folder, game_server
from bench.unfinished import fill, unfinished
from shanghai.v1 import service_pb2, service_pb2_grpc

TABLES = 1000
SERVES_WITHIN = 2.0
BACK_WITHIN = 20.0
MANY = 10_000
MEMORY = 2**30
ACTS = 600
FEW_ACTS = 60
"""Of the many tables, so that making them takes no longer than measuring them."""


def measure() -> Iterator[str]:
    """Start a server on a thousand tables, and then on ten thousand; the bare thing is a server on none."""
    with data_folder() as folder:
        bare, _, empty = asyncio.run(_start(Path(folder) / "none", 0))
        game = asyncio.run(unfinished(ACTS))
        asyncio.run(fill(Path(folder) / "data", game, TABLES))
        serves, back, _ = asyncio.run(_start(Path(folder) / "data", TABLES))
    yield (
        f"{serves.seconds / SERVES_WITHIN:.2f} of the 2 s in which a server serves, {back.seconds / BACK_WITHIN:.2f} "
        f"of the 20 s in which all are back: {TABLES} unfinished tables, {serves} and {back}; without a table {bare}"
    )
    with data_folder() as folder:
        asyncio.run(fill(Path(folder) / "data", asyncio.run(unfinished(FEW_ACTS)), MANY))
        _, back, memory = asyncio.run(_start(Path(folder) / "data", MANY))
    yield (
        f"{memory / MEMORY:.3f} of the 1 GiB that {MANY} unfinished tables may take without their persons: "
        f"{memory / 2**20:.0f} MiB, {(memory - empty) / MANY / 1024:.1f} KiB a table; all are back after {back}"
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was so: seconds since the start, and of processor time, which a busy machine does not stretch."""

    seconds: float
    cpu: float

    def __str__(self) -> str:
        """Give both."""
        return f"{self.seconds:.2f} s ({self.cpu:.2f} s of processor time)"


async def _start(folder: Path, tables: int) -> tuple[Moment, Moment, int]:
    """Give when the server answers, when all tables are in the list, and its memory then."""
    # What was just written may still be on its way to the disk, and is not what is measured.
    await asyncio.to_thread(os.sync)
    began = time.perf_counter()
    async with game_server(str(folder)) as server, server.channel() as channel:
        stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
        await stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        serves = Moment(time.perf_counter() - began, server.cpu())
        await _all_back(stub, tables)
        return serves, Moment(time.perf_counter() - began, server.cpu()), server.memory()


async def _all_back(stub: service_pb2_grpc.TableServiceAsyncStub, tables: int) -> None:
    stream = stub.WatchTables(service_pb2.WatchTablesRequest())
    async for answer in stream:
        if len(answer.tables) >= tables:
            break
    stream.cancel()
