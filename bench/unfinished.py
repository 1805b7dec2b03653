"""Data folders with many unfinished games: copies of one that is in the middle of a hand, with nobody there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import grpc.aio

from bench.scripted_table import ScriptedTable
from shanghai_server.doors.server import GameServer
from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.journal.sqlite_journal import SqliteJournal

SEATS = 4
TOGETHER = 100
"""So many tables go into the journal at once."""
OFTEN = Rate(burst=1_000_000, per_second=1_000_000)


@dataclass(frozen=True, slots=True)
class Game:
    """The records of a table with an unfinished game, and the place of its last snapshot among them."""

    records: list[bytes]
    snapshot: int


async def unfinished(acts: int) -> Game:
    """Play so many acts of a game of four, and give its records."""
    async with MemoryJournal() as journal:
        server = GameServer(journal, settings=Settings(calls=OFTEN, calls_per_peer=OFTEN))
        port = await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)]) as channel:
            table = ScriptedTable(channel, SEATS)
            await table.open()
            for _ in range(acts):
                await table.act_once()
            entries = await journal.read(table.code, 0)
            (listed,) = await journal.tables()
            await table.close()
        await server.stop(0)
    return Game([entry.record for entry in entries], listed.snapshot - 1)


async def fill(folder: Path, game: Game, tables: int) -> None:
    """Make a data folder with so many tables, `T00000` and so on."""
    async with SqliteJournal(folder) as journal:
        for start in range(0, tables, TOGETHER):
            numbers = range(start, min(start + TOGETHER, tables))
            appends = [journal.append(f"T{number:05}", 0, game.records, snapshot=game.snapshot) for number in numbers]
            await asyncio.gather(*appends)
