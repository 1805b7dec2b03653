"""What a table of four in use takes in memory with the streams of its seats, against four streams of a bare server."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.bare_host import STREAM, stream_bytes
from bench.scripted_table import ScriptedTable
from bench.serving import data_folder, game_server, serving

TABLES = 150
SEATS = 4
FIRST = 10
"""So many tables come before the counting begins: what a server takes once is not a table's."""
TABLES_PER_CHANNEL = 10
MOST = 250 * 1024


def measure() -> Iterator[str]:
    """Open tables that stand at their first offer, and look at the server's memory before and after."""
    with data_folder() as folder:
        ours = asyncio.run(_ours(Path(folder)))
        bare = asyncio.run(_bare(Path(folder)))
    yield (
        f"{ours / MOST:.2f} of the 250 KiB that an idle table of {SEATS} with its streams may take: "
        f"{ours / 1024:.0f} KiB, {bare / 1024:.0f} KiB of it what {SEATS} streams of a bare server take"
    )


async def _ours(folder: Path) -> float:
    program = game_server(str(folder / "data"), "quiet")
    async with program as server, server.channels(TABLES // TABLES_PER_CHANNEL) as channels:
        tables = [ScriptedTable(channels[place % len(channels)], SEATS) for place in range(TABLES)]
        for table in tables[:FIRST]:
            await table.open()
        await asyncio.sleep(1)
        before = server.memory()
        for table in tables[FIRST:]:
            await table.open()
        await asyncio.sleep(2)
        taken = server.memory() - before
        for table in tables:
            await table.close()
        return taken / (TABLES - FIRST)


async def _bare(folder: Path) -> float:
    path = folder / "script"
    path.write_bytes(pickle.dumps([]))
    program = ("bench.bare_host", str(path))
    async with serving(*program) as server, server.channels(TABLES // TABLES_PER_CHANNEL) as channels:
        calls: list[Any] = []

        def open_table(number: int) -> None:
            watch: Any = channels[number % len(channels)].unary_stream(STREAM)
            calls.extend(watch(stream_bytes(number, seat)) for seat in range(SEATS))

        for number in range(FIRST):
            open_table(number)
        await asyncio.sleep(1)
        before = server.memory()
        for number in range(FIRST, TABLES):
            open_table(number)
        await asyncio.sleep(2)
        taken = server.memory() - before
        for call in calls:
            call.cancel()
        return taken / (TABLES - FIRST)
