"""A server that is started again on its journal goes on where it was, to the byte."""

import asyncio

import grpc
import pytest
from server_table import SHORT, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_engine.line import line_text
from shanghai_engine.rules import RuleSet
from shanghai_server.house.settings import Options, Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import Created, read_fact
from shanghai_server.standing.rebuilding import standing_of
from shanghai_server.table import steward as steward_module
from shanghai_server.tables import tables as tables_module

NAMES = ("Ann", "Ben", "Cleo", "Dan")


def moved(player: Player, ground: Playground) -> Player:
    """Give the same player, with the same token, at a server that was started again."""
    return Player(ground, player.table, player.name, player.token, player.seat)


async def record_of(ground: Playground, table: str) -> str:
    """Give the record of a finished game."""
    return (await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table))).record


async def test_an_offer_half_answered_is_as_it_was_after_a_restart() -> None:
    """Tokens, request ids, the sealed answer, the decision's id and every view survive, and the game ends the same."""
    async with playground() as ground:
        players = await seated(ground, NAMES)
        last = players[players[0].last.public.game.claim_order[-1]]
        await last.answer(Claim.PASS, request_id="sealed")
        await asyncio.gather(*(player.play() for player in players))
        uninterrupted = await record_of(ground, players[0].table)

    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES)
        last = players[players[0].last.public.game.claim_order[-1]]
        first = await last.answer(Claim.PASS, request_id="sealed")
        before = [player.last for player in players]
    async with playground(journal=journal, seed="another") as ground:
        players = [moved(player, ground) for player in players]
        for player in players:
            await player.watch(after_sequence=before[player.seat].sequence)
        await players[0].until(lambda: all(seat.connected for seat in players[0].last.public.table.seats))
        for player, old in zip(players, before, strict=True):
            assert player.last.public.game == old.public.game
            assert player.last.private.own.hand == old.private.own.hand
            assert player.updates[0].sequence > old.sequence
            assert player.updates[0].new_from == len(old.public.game.events)
            assert not player.updates[0].events_skipped
        last = players[last.seat]
        assert last.last.private.own.answer == view_pb2.CLAIM_PASS
        assert last.decision is None
        assert (await refusal(last.answer_again(Claim.BUY, "1.1.1.0"))).reason == "ALREADY_ANSWERED"
        again = await last.act(
            view_pb2.Action(answer=view_pb2.AnswerOffer(claim=view_pb2.CLAIM_PASS)),
            decision="1.1.1.0",
            request_id="sealed",
        )
        assert again == first
        await asyncio.gather(*(player.play() for player in players))
        assert await record_of(ground, players[0].table) == uninterrupted


async def test_a_lobby_is_as_it_was_after_a_restart() -> None:
    """Seats, names, the host, bots, chat, rules, options and the promised seed are the same; joining goes on."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(4, name="kitchen", options=Options(turn_ms=1234))
        ann = await Player.join(ground, table, "Ann", seat=2)
        await Player.join(ground, table, "Ben")
        await ann.say("hello")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        before = ann.last.public.table
    async with playground(journal=journal, seed="another") as ground:
        ann = moved(ann, ground)
        await ann.watch()
        after = ann.last.public.table
        before.seats[0].connected = False
        assert after == before
        again = await Player.join(ground, table, "Ben", watch=False)
        assert again.seat == 0
        cleo = await Player.join(ground, table, "Cleo")
        assert cleo.seat == 1
        request = service_pb2.CreateTableRequest(request_id="again", seats=2)
        made = await ground.stub.CreateTable(request)
    async with playground(journal=journal, seed="third") as ground:
        assert await ground.stub.CreateTable(request) == made
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert [each.table for each in listed.tables] == [table, made.table]


async def test_after_a_restart_a_seats_clock_waits_until_it_is_back_or_its_grace_is_over() -> None:
    """While nobody is back nothing runs; with another person there the grace runs, and then a stand-in plays."""
    options = Options(bot_pace_ms=0)
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, ("Ann", "Ben"), options=options)
        order = list(players[0].last.public.game.claim_order)
    async with playground(journal=journal) as ground:
        ground.clock.advance(10_000)
        here = moved(players[order[0]], ground)
        await here.watch()
        assert here.last.public.game.phase == view_pb2.PHASE_OFFER
        assert not here.last.public.HasField("clock")
        ground.clock.advance(59)
        await here.say("tick")
        await here.until(lambda: len(here.last.public.table.chat) == 1)
        assert not here.last.public.table.seats[order[1]].stand_in
        ground.clock.advance(1)
        await here.until(lambda: here.last.public.table.seats[order[1]].stand_in)
        assert here.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=20_000)
    async with playground(journal=journal) as ground:
        both = [moved(player, ground) for player in players]
        for player in both:
            await player.watch()
        assert both[1].last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=20_000)
        assert not any(seat.stand_in for seat in both[1].last.public.table.seats)


async def test_a_game_restarted_after_every_act_is_the_same_game() -> None:
    """Whatever the moment of the restart, the record at the end is that of the game that was never interrupted."""
    rules = RuleSet(contracts=SHORT.contracts[:1], buys=(3,), cards_dealt=(6,))
    async with playground() as ground:
        players = await seated(ground, NAMES[:2], rules=rules, seats=3)
        await asyncio.gather(*(player.play() for player in players))
        uninterrupted = await record_of(ground, players[0].table)
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES[:2], rules=rules, seats=3)
    for _ in range(500):
        async with playground(journal=journal) as ground:
            players = [moved(player, ground) for player in players]
            for player in players:
                await player.watch()
            first = players[0]
            await first.until(lambda first=first: first.last.public.table.seats[1].connected)  # type: ignore[misc]
            player = next((player for player in players if player.decision is not None), players[0])
            while player.decision is None and player.last.public.table.status != table_pb2.TABLE_STATUS_OVER:
                await player.next()
            if player.last.public.table.status == table_pb2.TABLE_STATUS_OVER:
                break
            try:
                await player.act(player.choose())
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.ABORTED  # noqa: PT017 # the offer closed meanwhile
    async with playground(journal=journal) as ground:
        assert await record_of(ground, players[0].table) == uninterrupted


async def test_a_table_that_cannot_be_read_is_left_out_and_left_alone() -> None:
    """The others are served, its records stay, and no new table gets its code."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        good = await ground.create(2)
        spoilt = await ground.create(2)
        await journal.append(spoilt, 1, [b'{"fact":"from the future"}'])
    async with playground(journal=journal) as ground:
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert [each.table for each in listed.tables] == [good]
        made = {await ground.create(2) for _ in range(3)}
        assert spoilt not in made
        assert len(await journal.read(spoilt, 0)) == 2


async def test_facts_read_back_give_the_same_standing_as_when_they_happened() -> None:
    """The journal holds all that a table is: rebuilt twice it is equal, and its game's record is the one given out."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, NAMES[:3], seats=4)
        await players[0].say("hello")
        await asyncio.gather(*(player.play() for player in players))
        table = players[0].table
        record = await record_of(ground, table)
        entries = await journal.read(table, 0)
    rebuilt = standing_of(table, entries, Settings())
    standing = rebuilt.standing
    assert rebuilt.written == len(entries)
    assert standing.game is not None
    lines = [line for entry in entries for line in getattr(read_fact(entry.record), "lines", [])]
    kept = [line_text(line) for line in lines if line["event"] != "x_answer"]
    assert record == "".join(f"{line}\n" for line in kept)
    assert isinstance(read_fact(entries[0].record), Created)


async def test_a_sequence_never_comes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates that only showed who came and went are in no journal, and a restarted server goes on behind them."""
    monkeypatch.setattr(steward_module, "UNNOTED_UPDATES", 5)
    monkeypatch.setattr(tables_module, "UNNOTED_UPDATES", 5)
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        code = await ground.create(2)
        spectator = await Player.spectate(ground, code)
        for number in range(23):
            await spectator.unwatch()
            first = await spectator.watch(after_sequence=spectator.last.sequence)
            assert first.sequence > number
        written = await journal.read(code, 0)
        assert 2 < len(written) < 20
    last = spectator.last.sequence
    for _ in range(5):
        # A server may be started again and again without anything happening but that somebody looks.
        async with playground(journal=journal) as ground:
            again = moved(spectator, ground)
            for _ in range(3):
                first = await again.watch(after_sequence=last)
                await again.unwatch()
                assert first.sequence > last
                last = first.sequence


async def test_no_token_stands_in_the_journal() -> None:
    """Only hashes of tokens are kept."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        written = b"".join(entry.record for entry in await journal.read(table, 0))
        assert ann.token.hex().encode() not in written
        assert ann.token not in written


async def test_who_sits_down_after_a_restart_is_not_waited_for() -> None:
    """Who sits down on a seat that was waited for, and does not come, takes the clock from nobody."""
    options = Options(bot_pace_ms=60_000)
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"), options=options)
        await players[1].call("HandOverSeat", code="GIVENAWAY")
    async with playground(journal=journal) as ground:
        ann, _, cleo = (moved(player, ground) for player in players)
        await ann.watch()
        await cleo.watch()
        assert not ann.last.public.HasField("clock")
        await Player.join(ground, ann.table, "Yan", watch=False, code="GIVENAWAY")
        await ann.until(lambda: ann.last.public.table.seats[1].name == "Yan")
        assert ann.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=20_000)


async def test_who_was_absent_and_comes_back_by_a_call_alone_is_not_waited_for_again() -> None:
    """The grace after a restart is given once: else a call now and then would hold the table up for ever."""
    options = Options(offer_ms=600_000, bot_pace_ms=60_000)
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"), options=options)
    async with playground(journal=journal) as ground:
        ann, ben, cleo = (moved(player, ground) for player in players)
        await ann.watch()
        await cleo.watch()
        assert not ann.last.public.HasField("clock")
        ground.clock.advance(60)
        await ann.until(lambda: ann.last.public.table.seats[1].stand_in)
        assert ann.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=600_000)
        ground.clock.advance(10)
        await ben.call("PauseGame")
        await ann.until(lambda: not ann.last.public.table.seats[1].stand_in)
        assert ann.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=590_000)
