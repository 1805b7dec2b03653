"""Spectators who see everything later than it happens: the game, the chat, who comes and goes, and the record."""

import asyncio

import pytest
from server_table import Player, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.table import audience

LATE = Options(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0, spectator_delay_ms=30_000)


async def test_everything_that_a_spectator_sees_is_late() -> None:
    """Play and chat come thirty seconds later, in their order, and never earlier."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=LATE)
        ground.clock.advance(30)
        spectator = await Player.spectate(ground, ann.table)
        assert len(spectator.last.public.game.events) == 1
        ground.clock.advance(10)
        await ann.say("do not look")
        await ben.until(lambda: bool(ben.last.public.table.chat))
        ground.clock.advance(19.9)
        await ann.say("not yet")
        await ben.until(lambda: len(ben.last.public.table.chat) == 2)
        assert not any(update.public.table.chat for update in spectator.updates)
        ground.clock.advance(10.1)
        await spectator.until(lambda: bool(spectator.last.public.table.chat))
        assert [line.text for line in spectator.last.public.table.chat] == ["do not look"]
        ground.clock.advance(20)
        await spectator.until(lambda: len(spectator.last.public.table.chat) == 2)
        sequences = [update.sequence for update in spectator.updates]
        assert sequences == sorted(sequences)


async def test_who_comes_later_sees_the_table_as_it_was() -> None:
    """The first view is that of thirty seconds ago, although nobody watched then; nothing newer leaks."""
    async with playground() as ground:
        ann, _ = await seated(ground, ("Ann", "Ben"), options=LATE)
        for number in range(6):
            await ann.say(f"line {number}")
            await ann.until(lambda number=number: len(ann.last.public.table.chat) == number + 1)  # type: ignore[misc]
            ground.clock.advance(10)
        spectator = await Player.spectate(ground, ann.table)
        assert [line.text for line in spectator.last.public.table.chat] == ["line 0", "line 1", "line 2", "line 3"]
        assert len(spectator.updates) == 1


async def test_a_whole_game_is_seen_to_its_end_and_its_record_as_late() -> None:
    """The record is a seat's at once, and a spectator's when he may know that the game is over."""
    async with playground() as ground:
        ann, *_ = players = await seated(ground, ("Ann",), seats=2, options=LATE)
        spectating = Player(ground, ann.table, "spectator", b"")
        await players[0].play()
        ask = ground.stub.GetRecord
        request = service_pb2.GetRecordRequest(table=ann.table)
        assert (await refusal(ask(request))).reason == "GAME_NOT_OVER"
        request.seat_token = ann.token
        whole = await ask(request)
        ground.clock.advance(30)
        await spectating.watch()
        await spectating.until(lambda: spectating.last.public.table.status == table_pb2.TABLE_STATUS_OVER)
        request.ClearField("seat_token")
        assert await ask(request) == whole


async def test_the_delay_counts_over_a_restart() -> None:
    """What happened just before is seen as late as it would have been; what is old already is seen at once."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=2, options=LATE)
        await ann.play()
        table, clock = ann.table, ground.clock
    request = service_pb2.GetRecordRequest(table=table)
    clock.advance(10)
    async with playground(journal=journal, clock=clock) as ground:
        assert (await refusal(ground.stub.GetRecord(request))).reason == "GAME_NOT_OVER"
        spectating = Player(ground, table, "spectator", b"")
        watching = asyncio.create_task(spectating.watch())
        await asyncio.sleep(0)
        clock.advance(19.9)
        assert (await refusal(ground.stub.GetRecord(request))).reason == "GAME_NOT_OVER"
        assert not spectating.updates
        clock.advance(0.2)
        assert (await watching).public.table.status == table_pb2.TABLE_STATUS_OVER
        assert (await ground.stub.GetRecord(request)).record
        await spectating.unwatch()
        # Nobody is there any more: the table is put away, and knows as much as before when it is asked for.
        for _ in range(4):
            clock.advance(10)
            await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert (await ground.stub.GetRecord(request)).record
    async with playground(journal=journal, clock=clock) as ground:
        assert (await ground.stub.GetRecord(request)).record
        spectator = await Player.spectate(ground, table)
        assert spectator.last.public.table.status == table_pb2.TABLE_STATUS_OVER


async def test_a_delay_is_ten_minutes_at_most() -> None:
    """All of it is kept in memory, so there is an end to it."""
    async with playground() as ground:
        refused = await refusal(ground.create(2, options=Options(spectator_delay_ms=600_001)))
        assert (refused.reason, refused.values["field"]) == ("BAD_FIELD", "options.spectator_delay_ms")


async def test_what_waits_for_late_spectators_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is played faster than anybody reads keeps no more than so much, and its end is shown all the same."""
    monkeypatch.setattr(audience, "MOST_LATE_BYTES", 30_000)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=LATE)
        spectating = Player(ground, ann.table, "spectator", b"")
        ground.clock.advance(30)
        await spectating.watch()
        await asyncio.gather(ann.play(), ben.play())
        ground.clock.advance(30)
        await spectating.until(lambda: spectating.last.public.table.status == table_pb2.TABLE_STATUS_OVER)
        seen, played = len(spectating.updates), len(ann.updates)
        assert seen < played / 4
        assert sum(len(update.SerializeToString()) for update in spectating.updates) < 80_000


async def test_seats_see_everything_at_once_all_the_same() -> None:
    """The delay is the spectators' alone: a seat that comes back has the table as it is."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=LATE)
        await ben.unwatch()
        await ann.say("now")
        update = await ben.watch()
        assert [line.text for line in update.public.table.chat] == ["now"]
        assert update.private.own.hand
