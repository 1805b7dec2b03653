"""Tables at which something happens though nobody is there: a server that is started again goes on with them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import grpc.aio
import pytest
from hand_clock import HandClock
from server_table import MOST_PATIENCE, SHORT, TALKATIVE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_engine.verify import verify
from shanghai_server.doors.server import GameServer
from shanghai_server.house.secret import SeededSecrets
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.journal import Entry
from shanghai_server.journal.memory_journal import MemoryJournal

SLOW_BOTS = Options(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=1000)


async def status(stub: service_pb2_grpc.TableServiceAsyncStub, table: str) -> table_pb2.TableStatus.ValueType:
    """Give the status of a table as the list has it, which brings no table into use."""
    listed = await stub.ListTables(service_pb2.ListTablesRequest())
    (found,) = [each.status for each in listed.tables if each.table == table]
    return found


async def until(
    clock: HandClock,
    stub: service_pb2_grpc.TableServiceAsyncStub,
    table: str,
    wanted: table_pb2.TableStatus.ValueType,
) -> None:
    """Let time pass until the list shows a table with a status."""
    async with asyncio.timeout(MOST_PATIENCE):
        while await status(stub, table) != wanted:
            clock.advance(1)


async def left(ground: Playground) -> str:
    """Give a table with a game that every person has left; its bots wait for the clock."""
    ann, ben = await seated(ground, ("Ann", "Ben"), options=SLOW_BOTS, seats=3)
    await ben.leave()
    await ann.leave()
    assert await status(ground.stub, ann.table) == table_pb2.TABLE_STATUS_PLAYING
    return ann.table


async def test_r2_3_a_game_that_is_left_to_bots_is_played_to_its_end_after_a_restart() -> None:
    """Nobody need name it; when it is over it is put away, and its record can be had."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await left(ground)
    async with playground(journal=journal, seed="another") as ground:
        assert await status(ground.stub, table) == table_pb2.TABLE_STATUS_PLAYING
        await until(ground.clock, ground.stub, table, table_pb2.TABLE_STATUS_OVER)
        record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table))
        verdict = verify(record.record.splitlines())
        assert verdict.lawful, verdict.finding


async def test_a_game_that_was_about_to_begin_begins_after_a_restart() -> None:
    """Whose nonce never comes is waited for as long as ever, whether somebody is there or not."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(3, rules=SHORT)
        ann = await Player.join(ground, table, "Ann", nonce=b"a" * 16)
        await ann.start()
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_STARTING)
    async with playground(journal=journal, seed="another") as ground:
        assert await status(ground.stub, table) == table_pb2.TABLE_STATUS_STARTING
        ground.clock.advance(4.9)
        assert await status(ground.stub, table) == table_pb2.TABLE_STATUS_STARTING
        # Nobody has come back, so the game that has begun waits.
        await until(ground.clock, ground.stub, table, table_pb2.TABLE_STATUS_PAUSED)


class UnreadJournal(MemoryJournal):
    """A journal that does not give a table's whole records before it may."""

    held = ""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()
        self.asked = asyncio.Event()

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Read, once it may."""
        if table == self.held and most != 1:
            self.asked.set()
            await self.may.wait()
        return await super().read(table, after, most=most)


@pytest.mark.parametrize("call", ["GetRecord", "Say"])
async def test_r2_3_whoever_is_refused_at_a_table_before_it_is_restored_does_not_stop_its_bots(call: str) -> None:
    """What brings it into use is not always something that it does, and then it is not looked at again."""
    journal = UnreadJournal()
    async with playground(journal=journal) as ground:
        journal.held = await ground.create(2)
        table = await left(ground)
    clock = HandClock()
    async with journal:
        settings = Settings(chat=TALKATIVE, calls=TALKATIVE)
        server = GameServer(journal, settings=settings, secrets=SeededSecrets("another"), clock=clock)
        port = await server.start()
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        ) as channel:
            stub = service_pb2_grpc.TableServiceStub(channel)
            await journal.asked.wait()
            say = service_pb2.SayRequest(table=table, request_id="x", seat_token=b"x" * 16, text="here")
            record = service_pb2.GetRecordRequest(table=table)
            asked: Awaitable[object] = stub.GetRecord(record) if call == "GetRecord" else stub.Say(say)
            assert (await refusal(asked)).reason in {"GAME_NOT_OVER", "BAD_TOKEN"}
            journal.may.set()
            await server.restored()
            await until(clock, stub, table, table_pb2.TABLE_STATUS_OVER)
            await server.stop(5)
