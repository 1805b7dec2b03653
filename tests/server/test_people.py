"""Who sits where: kicks, seats that are handed over, latecomers, bots by level, and whose rights the host's are."""

import asyncio
import hashlib
from collections.abc import Coroutine
from typing import Any

import grpc
import pytest
from seen_seat import moved, seat_at
from server_table import AT_ONCE, Player, playground, refusal, seated, token_of

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.bots import LEVELS
from shanghai_engine.verify import verify
from shanghai_server.house.refusal import CallRefused
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.fact import BotLevelSet, read_fact
from shanghai_server.table.table import Table
from shanghai_server.table.watcher import Watcher
from shanghai_server.verbs.gates import read_call

BOT, PERSON, NOBODY = table_pb2.OCCUPANT_BOT, table_pb2.OCCUPANT_PERSON, table_pb2.OCCUPANT_NOBODY
CODE = "river-stone-7"


async def test_a_seat_is_handed_over_in_the_middle_of_a_game() -> None:
    """The newcomer has the seat and its cards, the old token opens nothing, and its stream ends with HANDED_OVER."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        before = ben.last.sequence
        assert (await ben.call("HandOverSeat", code=CODE)).valid_ms == 600_000
        assert ann.last.sequence == before
        cards = list(ben.last.private.own.hand)
        cleo = await Player.join(ground, ann.table, "Cleo", code="River Stone 7", nonce=b"c" * 16)
        assert (cleo.seat, list(cleo.last.private.own.hand)) == (1, cards)
        assert await ben.ended() == table_pb2.CLOSE_REASON_HANDED_OVER
        await ann.until(lambda: seat_at(ann, 1).name == "Cleo")
        assert not seat_at(ann, 1).nonce_promised
        assert (await refusal(ben.say("still me"))).reason == "BAD_TOKEN"
        await cleo.say("hello")
        late = await refusal(Player.join(ground, ann.table, "Dan", code=CODE))
        assert (late.reason, late.status_code) == ("WRONG_HAND_OVER_CODE", grpc.StatusCode.PERMISSION_DENIED)


async def test_a_hand_over_code_lives_for_ten_minutes_and_is_replaced_or_taken_back() -> None:
    """An old code, one that was replaced, and one that was taken back open nothing; the time counts over a restart."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        await ann.call("HandOverSeat", code="FIRSTCODE")
        await ann.call("HandOverSeat", code="SECONDCODE")
        assert (await refusal(Player.join(ground, table, "Ben", code="FIRSTCODE"))).reason == "WRONG_HAND_OVER_CODE"
        assert (await ann.call("HandOverSeat", code="")).valid_ms == 0
        assert (await refusal(Player.join(ground, table, "Ben", code="SECONDCODE"))).reason == "WRONG_HAND_OVER_CODE"
        await ann.call("HandOverSeat", code="THIRDCODE")
        await ann.call("HandOverSeat", code="FOURTHCODE")
        ground.clock.advance(599)
        clock = ground.clock
    async with playground(journal=journal, clock=clock) as ground:
        ben = await Player.join(ground, table, "Ben", code="FOURTHCODE")
        assert ben.seat == 0
        await ben.call("HandOverSeat", code="FIFTHCODE")
        ground.clock.advance(600)
        assert (await refusal(Player.join(ground, table, "Cleo", code="FIFTHCODE"))).reason == "WRONG_HAND_OVER_CODE"


@pytest.mark.parametrize("code", ["SHORT", "x" * 33, "--------", "\u202e" * 9])
async def test_a_code_that_could_be_guessed_or_not_typed_is_refused(code: str) -> None:
    """A code has 8 to 32 letters and figures; the refusal does not repeat it."""
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann")
        refused = await refusal(ann.call("HandOverSeat", code=code))
        assert refused.reason == "BAD_HAND_OVER_CODE"
        assert code not in f"{refused.message}{dict(refused.values)}"


@pytest.mark.parametrize("typed", ["abcdefgh", "AB CD - EF GH", "ab_cd/ef.gh", " ABCD\u2013EFGH "])
async def test_a_code_is_its_letters_and_figures_whatever_stands_between_them(typed: str) -> None:
    """People write codes down in groups, each in his own way."""
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann")
        await ann.call("HandOverSeat", code="ab_cd_ef_gh")
        assert (await Player.join(ground, ann.table, "Ben", code=typed)).seat == 0


async def test_guessing_codes_is_slowed_down() -> None:
    """After twenty wrong codes one waits, and is told how long."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        await ann.call("HandOverSeat", code="GOODENOUGH")
        for number in range(20):
            refused = await refusal(Player.join(ground, table, "Eve", code=f"WRONGCODE{number}"))
            assert refused.reason == "WRONG_HAND_OVER_CODE"
        refused = await refusal(Player.join(ground, table, "Eve", code="GOODENOUGH"))
        assert (refused.reason, refused.retry_after_ms) == ("TOO_MANY_TRIES", 1000)
        ground.clock.advance(1)
        assert (await Player.join(ground, table, "Eve", code="GOODENOUGH")).seat == 0


async def test_r2_3_a_latecomer_takes_a_bots_seat_as_it_stands() -> None:
    """The first bot's seat or the one asked for; the game's players and nonces stay as they were."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), seats=4)
        await ben.leave()
        await ann.until(lambda: seat_at(ann, 1).occupant == BOT)
        assert (await refusal(Player.join(ground, ann.table, "Cleo", seat=0))).reason == "SEAT_TAKEN"
        cleo = await Player.join(ground, ann.table, "Cleo", seat=3, nonce=b"n" * 16)
        again = await ground.stub.JoinTable(
            service_pb2.JoinTableRequest(table=ann.table, request_id="x", seat_token=cleo.token, name="Cleo")
        )
        assert (cleo.seat, again.seat, again.nonce_promised) == (3, 3, False)
        back = await Player.join(ground, ann.table, "Ben", seat=1, request_id="back again")
        assert (back.seat, back.name) == (1, "Ben")
    async with playground(journal=journal) as ground:
        ann, cleo, back = (moved(player, ground) for player in (ann, cleo, back))
        for player in (ann, cleo, back):
            await player.watch()
        assert [seat.occupant for seat in ann.last.public.table.seats] == [PERSON, PERSON, BOT, PERSON]
        assert list(ann.last.public.game.nonces) == [bytes(16)] * 4


async def test_latecomers_may_be_forbidden() -> None:
    """The option keeps bots' seats theirs; where there is no bot, the table is full."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann", "Ben"), seats=3, options=Options(bot_pace_ms=0, latecomers=False))
        assert (await refusal(Player.join(ground, ann.table, "Cleo"))).reason == "NO_LATECOMERS"
        full, *_ = await seated(ground, ("Dan", "Eve"))
        assert (await refusal(Player.join(ground, full.table, "Cleo"))).reason == "TABLE_FULL"


async def test_nobody_comes_while_the_nonces_are_shown() -> None:
    """A join is told to try again in a moment, with a status that clients repeat by themselves."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", nonce=b"a" * 16)
        await ann.start()
        refused = await refusal(Player.join(ground, table, "Ben"))
        assert (refused.reason, refused.status_code) == ("GAME_STARTING", grpc.StatusCode.UNAVAILABLE)
        assert refused.retry_after_ms == 2000
        ground.clock.advance(5)
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert (await Player.join(ground, table, "Ben")).seat == 1


async def test_bots_are_removed_and_given_other_levels() -> None:
    """Before the game they come and go; a level may be changed then and later, also of who plays on for a person."""
    level = list(LEVELS)[-1]
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(3)
        ann, ben = await Player.join(ground, table, "Ann"), await Player.join(ground, table, "Ben")
        await ann.call("AddBot", seat=2)
        assert (await refusal(ben.call("RemoveBot", seat=2))).reason == "NOT_HOST"
        await ann.call("RemoveBot", seat=2)
        await ann.until(lambda: seat_at(ann, 2).occupant == NOBODY)
        assert (await refusal(ann.call("RemoveBot", seat=2))).reason == "NOT_A_BOT"
        assert (await refusal(ann.call("RemoveBot", seat=1))).reason == "NOT_A_BOT"
        await ann.call("AddBot", seat=2)
        answer = await ann.call("AddBot", seat=2, level=level)
        assert (answer.seat, answer.name) == (2, "Bot 1")
        assert (await refusal(ann.call("AddBot", seat=1, level=level))).reason == "TABLE_FULL"
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        assert (await refusal(ann.call("RemoveBot", seat=2))).reason == "GAME_STARTED"
        assert (await refusal(ann.call("AddBot"))).reason == "GAME_STARTED"
        await ben.leave()
        await ann.call("AddBot", seat=1, level=level)
        assert (await refusal(ann.call("AddBot", seat=1, level="god"))).reason == "NO_SUCH_LEVEL"
    async with journal:
        facts = [read_fact(entry.record) for entry in await journal.read(table, 0)]
    assert [fact.level for fact in facts if isinstance(fact, BotLevelSet)] == [level, level]
    async with playground(journal=journal) as ground:
        ann = moved(ann, ground)
        await ann.watch()
        assert [seat.level for seat in ann.last.public.table.seats] == ["", level, level]


async def test_the_hosts_rights_pass_on_in_a_game_and_while_the_host_is_away() -> None:
    """Who leaves is the host no more; who is absent is not, before the game too, until he is back."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0)
    async with playground() as ground:
        table = await ground.create(3, options=options)
        ann, ben, cleo = [await Player.join(ground, table, name) for name in ("Ann", "Ben", "Cleo")]
        await ann.unwatch()
        await ben.until(lambda: not seat_at(ben, 0).connected)
        ground.clock.advance(60)
        await ben.until(lambda: seat_at(ben, 1).host)
        assert not seat_at(ben, 0).stand_in
        await ann.watch()
        await ben.until(lambda: seat_at(ben, 0).host)
        await ann.start()
        await ben.until(lambda: ben.last.public.HasField("game"))
        await ann.leave()
        await cleo.until(lambda: seat_at(cleo, 1).host)
        await ben.call("KickSeat", seat=2)
        assert await cleo.ended() == table_pb2.CLOSE_REASON_KICKED


async def test_a_host_without_a_stream_is_the_host_again_when_he_acts() -> None:
    """Who only makes calls counts as absent in time, and is back with whatever the host alone may do."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0)
    async with playground() as ground:
        table = await ground.create(3, options=options)
        ann = await Player.join(ground, table, "Ann", watch=False)
        ben = await Player.join(ground, table, "Ben")
        ground.clock.advance(60)
        await ben.until(lambda: seat_at(ben, 1).host)
        await ann.call("AddBot")
        await ben.until(lambda: seat_at(ben, 0).host)
        assert (await refusal(ben.call("AddBot"))).reason == "NOT_HOST"


async def test_the_hosts_rights_go_with_the_seat_that_is_handed_over() -> None:
    """Whoever has the host's seat is the host."""
    async with playground() as ground:
        table = await ground.create(3)
        ann, ben = await Player.join(ground, table, "Ann"), await Player.join(ground, table, "Ben")
        await ann.call("HandOverSeat", code=CODE)
        cleo = await Player.join(ground, table, "Cleo", code=CODE, nonce=b"c" * 16)
        await ben.until(lambda: seat_at(ben, 0).name == "Cleo")
        assert (seat_at(ben, 0).host, seat_at(ben, 0).nonce_promised) == (True, True)
        await cleo.start()


@pytest.mark.parametrize("before", ["playing", "paused"])
async def test_r2_3_a_game_that_every_person_has_left_is_played_to_the_end(before: str) -> None:
    """Bots play it on, paused or not, spectators see its end, and its record can be had."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=AT_ONCE, seats=3)
        spectator = await Player.spectate(ground, ann.table)
        if before == "paused":
            await ann.call("PauseGame")
        await ben.leave()
        await ann.leave()
        await spectator.until(lambda: spectator.last.public.table.status == table_pb2.TABLE_STATUS_OVER)
        assert not any(seat.host for seat in spectator.last.public.table.seats)
        record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
        verdict = verify(record.record.splitlines())
        assert verdict.lawful, verdict.finding


async def test_r2_3_a_game_whose_persons_are_only_away_waits_for_them() -> None:
    """A stream that breaks is no farewell: nothing is played while nobody is there."""
    async with playground() as ground:
        (ann,) = await seated(ground, ("Ann",), options=Options(grace_ms=1000), seats=3)
        spectator = await Player.spectate(ground, ann.table)
        await ann.unwatch()
        await spectator.until(lambda: spectator.last.public.table.pause_reason == table_pb2.PAUSE_REASON_NOBODY_THERE)
        events = len(spectator.last.public.game.events)
        ground.clock.advance(10_000)
        await ann.say("still away")
        await spectator.until(lambda: len(spectator.last.public.table.chat) == 1)
        assert len(spectator.last.public.game.events) == events


async def test_equal_names_are_told_apart_whoever_comes_and_goes() -> None:
    """A name that is free again may be had; one that a bot plays on under is not, except on that very seat."""
    async with playground() as ground:
        table = await ground.create(4, options=AT_ONCE)
        tokens = [token_of(f"Ann {number}", table) for number in range(5)]

        async def join(number: int, seat: int | None = None) -> str:
            request = service_pb2.JoinTableRequest(
                table=table, request_id=f"join {number}", seat_token=tokens[number], name="Ann", seat=seat
            )
            return (await ground.stub.JoinTable(request)).name

        async def leave(number: int) -> None:
            await ground.stub.LeaveTable(
                service_pb2.LeaveTableRequest(table=table, request_id="leave", seat_token=tokens[number])
            )

        assert [await join(0), await join(1), await join(2)] == ["Ann", "Ann 2", "Ann 3"]
        await leave(1)
        assert await join(3) == "Ann 2"
        cleo = await Player.join(ground, table, "Cleo", nonce=b"")
        start = service_pb2.StartGameRequest(table=table, request_id="start", seat_token=tokens[0])
        await ground.stub.StartGame(start)
        await cleo.until(lambda: cleo.last.public.HasField("game"))
        await leave(0)
        await leave(2)
        assert await join(4, seat=2) == "Ann 3"
        await cleo.call("HandOverSeat", code=CODE)
        dora = service_pb2.JoinTableRequest(
            table=table, request_id="dora", seat_token=hashlib.sha256(b"dora").digest()[:16], name="Cleo"
        )
        dora.hand_over_code = CODE
        assert (await ground.stub.JoinTable(dora)).name == "Cleo"


def _leave_and_come_again(ben: Player, table: Table) -> tuple[Watcher, list[asyncio.Task[object]]]:
    """Give up a seat, take it and watch it, all in one batch; gives the new stream, and what it is waited for."""
    named: dict[str, Any] = {"table": ben.table, "seat_token": ben.token}
    leaving = read_call("LeaveTable", service_pb2.LeaveTableRequest(**named, request_id="leave"), "peer")
    coming = read_call("JoinTable", service_pb2.JoinTableRequest(**named, request_id="again", name="Ben"), "peer")
    watcher = Watcher(token=coming.token, after_sequence=0, most=8)
    steps: list[Coroutine[Any, Any, object]] = [table.call(leaving), table.call(coming), table.attach(watcher)]
    return watcher, [asyncio.create_task(step) for step in steps]


async def test_who_leaves_and_comes_again_at_once_loses_the_older_stream_alone() -> None:
    """It ends with LEFT; the one of the seat that the token holds now goes on."""
    async with playground() as ground:
        code = await ground.create(2)
        ann, ben = await Player.join(ground, code, "Ann"), await Player.join(ground, code, "Ben")
        table = await ground.server._tables.find(code)  # noqa: SLF001 (calls that come in one batch)
        watcher, steps = _leave_and_come_again(ben, table)
        await asyncio.gather(*steps)
        assert await ben.ended() == table_pb2.CLOSE_REASON_LEFT
        await ann.say("welcome back")
        messages = [service_pb2.WatchResponse.FromString(message) for message in iter(watcher.take, None)]
        assert [message.WhichOneof("message") for message in messages] == ["update"] * 2
        assert messages[1].update.private.own.seat == 1
        assert messages[1].update.public.table.seats[1].connected
        table.detach(watcher)


async def test_who_leaves_while_nothing_can_be_written_down_keeps_his_stream() -> None:
    """Also where he would have come again at once: none of it has happened."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        code = await ground.create(2)
        ann, ben = await Player.join(ground, code, "Ann"), await Player.join(ground, code, "Ben")
        journal.failure = "the disk is full"
        table = await ground.server._tables.find(code)  # noqa: SLF001 (calls that come in one batch)
        _, steps = _leave_and_come_again(ben, table)
        refused = await asyncio.gather(*steps, return_exceptions=True)
        assert [each.refusal.name for each in refused if isinstance(each, CallRefused)] == ["NOT_WRITTEN"] * 3
        assert ben.closed is None
        journal.failure = None
        await ann.say("still there?")
        await ben.until(lambda: len(ben.last.public.table.chat) == 1)
        assert ann.last.public.table.seats[1].connected
