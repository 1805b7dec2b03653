"""What an action costs a server with one table, and with a thousand, all in use and watched: it is to be the same.

The tables act by turns, one action at a time, so that no server saves anything by doing two at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

from bench.scripted_table import ScriptedTable
from bench.serving import data_folder, game_server

NUMBERS = (1, 30, 1000)
SEATS = 2
ACTIONS = 1500
WARM_UP = 200
TABLES_PER_CHANNEL = 20
OPENED_TOGETHER = 20


def measure() -> Iterator[str]:
    """Let so many tables act, and give what an action costs beside that of a single table."""
    costs = {}
    for number in NUMBERS:
        with data_folder() as folder:
            costs[number] = asyncio.run(_cost(Path(folder), number))
    bare = costs[NUMBERS[0]]
    for number in NUMBERS[1:]:
        yield (
            f"{costs[number] / bare:.2f} times what an action costs with one table: with {number} tables in use, "
            f"{costs[number] * 1e6:.0f} µs of processor time against {bare * 1e6:.0f} µs"
        )


async def _cost(folder: Path, number: int) -> float:
    program = game_server(str(folder / "data"), "quiet")
    async with program as server, server.channels(-(-number // TABLES_PER_CHANNEL)) as channels:
        tables = [ScriptedTable(channels[place // TABLES_PER_CHANNEL], SEATS) for place in range(number)]
        for start in range(0, number, OPENED_TOGETHER):
            await asyncio.gather(*(table.open() for table in tables[start : start + OPENED_TOGETHER]))
        for turn in range(WARM_UP):
            await tables[turn % number].act_once()
        before = server.cpu()
        for turn in range(ACTIONS):
            await tables[turn % number].act_once()
        cpu = server.cpu() - before
        for table in tables:
            await table.close()
        return cpu / ACTIONS
