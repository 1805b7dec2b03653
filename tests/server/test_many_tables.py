"""A server with many unfinished tables: it serves at once after a restart, and holds only what is in use."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from server_process import ServerProcess, server_process
from server_table import AT_ONCE, Player, Playground, playground, seated, token_of

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.action import Claim
from shanghai_engine.rules import STANDARD
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.journal.sqlite_journal import SqliteJournal

NAMES = ("Ann", "Ben", "Cleo", "Dan")
SERVES_WITHIN = 2.0
BACK_WITHIN = 20.0
"""Seconds after the start of the process until it answers, and until every table is back."""
MEMORY = 2**30
"""The most that a server with ten thousand unfinished tables may take, in bytes."""


async def who_owes(players: list[Player]) -> Player:
    """Wait until anybody owes a decision; each is told on a stream of its own, in any order."""

    async def owes(player: Player) -> None:
        await player.until(lambda: player.decision is not None)

    waiting = [asyncio.create_task(owes(player)) for player in players]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    return next(player for player in players if player.decision is not None)


async def unfinished(hand: int) -> tuple[list[bytes], int, str]:
    """Give the records of a game of four that is in the middle of a hand, the place of its snapshot, and its code."""
    journal = MemoryJournal()
    async with playground(journal=journal, seed="unfinished") as ground:
        players = await seated(ground, NAMES, rules=STANDARD, options=AT_ONCE)
        await asyncio.gather(*(player.play(hand=hand) for player in players))
        turns = 0

        def played_enough() -> bool:
            return players[0].last.public.game.turn_number > 20

        for player in players:
            await player.until(lambda player=player: player.last.public.game.hand == hand)  # type: ignore[misc]
        while not played_enough() and turns < 400:
            turns += 1
            owing = await who_owes(players)
            assert owing.decision is not None
            decision = owing.decision
            if decision.HasField("offer"):
                await owing.answer(Claim.PASS)
                await owing.watch(after_sequence=owing.last.sequence)
            else:
                await owing.act(owing.choose())
                await owing.past(decision.id)
        entries = await journal.read(players[0].table, 0)
        (listed,) = await journal.tables()
        return [entry.record for entry in entries], listed.snapshot - 1, players[0].table


async def fill(folder: Path, tables: int, hand: int) -> str:
    """Make a data folder with so many copies of one table, `T00000` and so on; gives the code that tokens belong to."""
    records, snapshot, code = await unfinished(hand)
    async with SqliteJournal(folder) as journal:
        for start in range(0, tables, 100):
            await asyncio.gather(
                *(
                    journal.append(f"T{number:05}", 0, records, snapshot=snapshot)
                    for number in range(start, min(start + 100, tables))
                )
            )
    return code


async def all_back(server: ServerProcess, tables: int) -> list[table_pb2.TableSummary]:
    """Wait until so many tables are in the list."""
    stream = server.stub.WatchTables(service_pb2.WatchTablesRequest())
    async for answer in stream:
        if len(answer.tables) == tables:
            stream.cancel()
            return list(answer.tables)
    raise AssertionError("the list of tables ended")


@pytest.mark.long
@pytest.mark.parametrize(
    ("tables", "hand"),
    [(60, 3), pytest.param(1000, 6, marks=pytest.mark.soak), pytest.param(10_000, 2, marks=pytest.mark.soak)],
)
async def test_a_server_with_many_tables_is_back_at_once(tmp_path: Path, tables: int, hand: int) -> None:
    """It serves within 2 s, has all of a thousand back within 20 s, and of ten thousand takes less than 1 GiB."""
    code = await fill(tmp_path / "data", tables, hand)
    began = time.monotonic()
    async with server_process(tmp_path / "data") as server:
        await server.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        serving = time.monotonic() - began
        # Nobody waits for the others: the last table is there before all are.
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        last = f"T{tables - 1:05}"
        ann = Player(ground, last, "Ann", token_of("Ann", code), 0)
        first = await ann.watch()
        assert first.public.game.hand == hand
        assert len(first.private.own.hand) > 0
        # Who asks for the list soon after the start gets all of a moderate number.
        if tables < 1000:
            listed = await server.stub.ListTables(service_pb2.ListTablesRequest())
            assert len(listed.tables) == tables
        found = await all_back(server, tables)
        back = time.monotonic() - began
        assert {table.status for table in found[:-1]} == {table_pb2.TABLE_STATUS_PAUSED}
        assert [table.table for table in found] == [f"T{number:05}" for number in range(tables)]
        await ann.say("Good evening")
        await ann.unwatch()
        memory = server.memory()
    assert memory < MEMORY
    if tables == 1000:
        assert serving < SERVES_WITHIN
        assert back < BACK_WITHIN
