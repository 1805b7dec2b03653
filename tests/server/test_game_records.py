"""How the record of a game is made for those who ask: once for all of them, in parts, and a few at a time."""

from __future__ import annotations

import asyncio

import grpc
import grpc.aio
import pytest
from server_table import AT_ONCE as NO_CLOCK
from server_table import TALKATIVE, Playground, playground, seated

from shanghai.v1 import service_pb2
from shanghai_engine.verify import verify
from shanghai_server.house.settings import Settings
from shanghai_server.journal.journal import Entry
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing import rebuilding
from shanghai_server.tables import records
from shanghai_server.tables.records import AT_ONCE
from shanghai_wire.refused import Refused


class ReadJournal(MemoryJournal):
    """A journal that notes how much is read at a time, and from which tables, and that can be held meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()
        self.parts: list[int] = []
        self.reading: list[str] = []

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Read once it is let go."""
        self.reading.append(table)
        await self.free.wait()
        entries = await super().read(table, after, most=most)
        self.parts.append(len(entries))
        return entries


async def played(ground: Playground, number: int = 1) -> list[str]:
    """Play games to their ends; gives their tables."""
    tables = []
    for _ in range(number):
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await asyncio.gather(ann.play(), ben.play())
        tables.append(ann.table)
    return tables


def asked(
    ground: Playground, table: str
) -> grpc.aio.UnaryUnaryCall[service_pb2.GetRecordRequest, service_pb2.GetRecordResponse]:
    """Ask for the record of a table's last game."""
    return ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table))


async def taken_up(ground: Playground, journal: ReadJournal) -> None:
    """Wait until what was called before is with the journal."""
    while not journal.reading:
        await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
    for _ in range(5):
        await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())


async def test_a_record_is_made_once_for_all_who_ask_for_it_and_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much a table has written, little of it is in memory at a time; who goes takes it from nobody else."""
    monkeypatch.setattr(rebuilding, "READ_TOGETHER", 20)
    monkeypatch.setattr(records, "READ_TOGETHER", 20)
    journal = ReadJournal()
    async with playground(journal=journal) as ground:
        (table,) = await played(ground)
        written = len(await journal.read(table, 0))
        journal.parts.clear()
        journal.reading.clear()
        journal.free.clear()
        first, *others = (asked(ground, table) for _ in range(20))
        await taken_up(ground, journal)
        first.cancel()
        journal.free.set()
        answers = [await call for call in others]
        assert sum(journal.parts) == written
        assert max(journal.parts) == 20
        assert len({answer.record for answer in answers}) == 1
        assert verify(answers[0].record.splitlines()).lawful


async def test_so_many_records_are_made_at_a_time_and_no_more() -> None:
    """The others wait for their turn, and all get theirs."""
    journal = ReadJournal()
    async with playground(journal=journal) as ground:
        tables = await played(ground, AT_ONCE + 2)
        journal.reading.clear()
        journal.free.clear()
        calls = [asked(ground, table) for table in tables]
        await taken_up(ground, journal)
        assert len(journal.reading) == AT_ONCE
        journal.free.set()
        found = [(await call).record for call in calls]
        assert len(set(found)) == len(tables)
        assert all(verify(record.splitlines()).lawful for record in found)


async def test_of_an_earlier_game_nothing_behind_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may have played many since."""
    monkeypatch.setattr(records, "READ_TOGETHER", 5)
    journal = ReadJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await asyncio.gather(ann.play(), ben.play())
        first = await ann.record()
        await ann.call("Rematch")
        await ann.start()
        await ben.until(lambda: ben.last.public.table.game_number == 2 and ben.last.public.HasField("game"))
        await ann.until(lambda: ann.last.public.table.game_number == 2 and ann.last.public.HasField("game"))
        await asyncio.gather(ann.play(), ben.play())
        written = len(await journal.read(ann.table, 0))
        journal.parts.clear()
        request = service_pb2.GetRecordRequest(table=ann.table, game_number=1)
        assert (await ground.stub.GetRecord(request)).record == first
        assert sum(journal.parts) < written - 5


async def test_who_asks_for_one_record_many_times_at_once_gets_no_more_than_waits_for_an_address() -> None:
    """All of them wait for it to be made, and then it is counted for each."""
    journal = ReadJournal()
    settings = Settings(options=NO_CLOCK, calls=TALKATIVE, calls_per_peer=TALKATIVE, untaken_bytes_per_peer=1000)
    async with playground(journal=journal, settings=settings) as ground:
        (table,) = await played(ground)
        journal.reading.clear()
        journal.free.clear()
        calls = [asked(ground, table) for _ in range(20)]
        await taken_up(ground, journal)
        journal.free.set()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
        assert {Refused.by_call(error).reason for error in refused} == {"PEER_TAKES_NOTHING"}
        assert 0 < len(refused) < len(answers)
