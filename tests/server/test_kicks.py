"""Kicks: whom the host may send away, and what becomes of the seat."""

import asyncio

import grpc
import pytest
from seen_seat import moved, seat_at
from server_table import Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal

BOT, NOBODY = table_pb2.OCCUPANT_BOT, table_pb2.OCCUPANT_NOBODY


async def test_the_host_sends_somebody_away_before_the_game() -> None:
    """The seat is free, the stream ends with KICKED, and the token does not sit down again."""
    async with playground() as ground:
        table = await ground.create(3)
        ann, ben = await Player.join(ground, table, "Ann"), await Player.join(ground, table, "Ben")
        assert (await refusal(ben.call("KickSeat", seat=0))).reason == "NOT_HOST"
        first = await ann.call("KickSeat", seat=1, request_id="kick")
        assert await ben.ended() == table_pb2.CLOSE_REASON_KICKED
        await ann.until(lambda: seat_at(ann, 1).occupant == NOBODY)
        assert await ann.call("KickSeat", seat=1, request_id="kick") == first
        assert (await refusal(ben.say("hello"))).reason == "BAD_TOKEN"
        join = service_pb2.JoinTableRequest(table=table, request_id="again", seat_token=ben.token, name="Ben")
        refused = await refusal(ground.stub.JoinTable(join))
        assert (refused.reason, refused.status_code) == ("KICKED", grpc.StatusCode.PERMISSION_DENIED)


async def test_r2_3_a_bot_plays_on_for_who_was_sent_away_also_after_a_restart() -> None:
    """The seat keeps its name and is a bot's, and the game goes on to its end."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.call("KickSeat", seat=1)
        assert await ben.ended() == table_pb2.CLOSE_REASON_KICKED
    async with playground(journal=journal) as ground:
        ann = moved(ann, ground)
        await ann.watch()
        assert (seat_at(ann, 1).occupant, seat_at(ann, 1).name) == (BOT, "Ben")
        refused = await refusal(moved(ben, ground).watch())
        assert refused.reason == "BAD_TOKEN"
        await ann.play()
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_OVER


async def test_who_cannot_be_sent_away() -> None:
    """A bot, an empty seat, a seat that is not there, none, and oneself are refused, each with its reason."""
    async with playground() as ground:
        table = await ground.create(3)
        ann = await Player.join(ground, table, "Ann")
        await ann.call("AddBot", seat=1)
        reasons = [(await refusal(ann.call("KickSeat", seat=seat))).reason for seat in (1, 2, 3, -1, None, 0)]
        assert reasons == ["NOT_A_PERSON"] * 2 + ["NO_SUCH_SEAT"] * 2 + ["BAD_MESSAGE", "NOT_YOURSELF"]


@pytest.mark.parametrize("stage", ["lobby", "game"])
async def test_nobody_takes_the_seat_of_who_came_before_him_and_is_only_away(stage: str) -> None:
    """Who is the host while others are absent may do what a host may, but their seats wait for them, and the rights."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0)
    async with playground() as ground:
        ann, ben, cleo, dan = await _at_table(ground, stage, options)
        await ann.unwatch()
        await ben.unwatch()
        await cleo.until(lambda: not seat_at(cleo, 1).connected)
        ground.clock.advance(60)
        await cleo.until(lambda: seat_at(cleo, 2).host)
        for away in (ann, ben):
            refused = await refusal(cleo.call("KickSeat", seat=away.seat))
            assert (refused.reason, refused.status_code) == ("CAME_BEFORE_YOU", grpc.StatusCode.PERMISSION_DENIED)
            assert refused.values == {"name": away.name}
            assert away.name in refused.message
        await cleo.call("KickSeat", seat=dan.seat)
        assert await dan.ended() == table_pb2.CLOSE_REASON_KICKED
        await ann.watch()
        await cleo.until(lambda: seat_at(cleo, 0).host)
        # Who is back is the host again, and sends away whom he likes, also who is away.
        await ann.call("KickSeat", seat=1)
        await ann.call("KickSeat", seat=2)
        assert await cleo.ended() == table_pb2.CLOSE_REASON_KICKED


@pytest.mark.parametrize("stage", ["lobby", "game", "over"])
async def test_a_table_that_waits_for_the_absent_keeps_their_seats_where_nothing_stands_still(stage: str) -> None:
    """So it is in the lobby and after a game; and in one no latecomer sends them away who has not played himself."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0, wait_for_absent=True)
    async with playground() as ground:
        ann, ben, cleo, dan = await _at_table(ground, "lobby" if stage == "lobby" else "game", options)
        if stage == "over":
            await asyncio.gather(*(player.play() for player in (ann, ben, cleo, dan)))
        await cleo.leave()
        late = await Player.join(ground, ann.table, "Late", seat=cleo.seat)
        for away in (ann, ben, dan):
            await away.unwatch()
        await late.until(lambda: not seat_at(late, dan.seat).connected)
        ground.clock.advance(60)
        await late.until(lambda: seat_at(late, late.seat).host)
        for away in (ann, ben, dan):
            assert (await refusal(late.call("KickSeat", seat=away.seat))).reason == "CAME_BEFORE_YOU"


async def test_a_table_that_waits_for_the_absent_lets_every_host_send_them_away() -> None:
    """It would stand still for ever otherwise."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0, wait_for_absent=True)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await ann.unwatch()
        await ben.until(lambda: not seat_at(ben, 0).connected)
        ground.clock.advance(60)
        await ben.until(lambda: seat_at(ben, 1).host)
        await ben.call("KickSeat", seat=0)
        await ben.until(lambda: seat_at(ben, 0).occupant == BOT)
        await ben.play()
        assert ben.last.public.table.status == table_pb2.TABLE_STATUS_OVER


async def _at_table(ground: Playground, stage: str, options: Options) -> list[Player]:
    """Give four people at a table of five, in its lobby or in a game."""
    names = ("Ann", "Ben", "Cleo", "Dan")
    if stage == "game":
        return await seated(ground, names, options=options, seats=5)
    table = await ground.create(5, options=options)
    return [await Player.join(ground, table, name) for name in names]


@pytest.mark.parametrize("method", ["KickSeat", "RemoveBot"])
async def test_a_seat_that_is_not_named_is_said_to_be_missing(method: str) -> None:
    """There is no value then, and none is told."""
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(3), "Ann")
        refused = await refusal(ann.call(method))
        assert (refused.reason, refused.message) == ("BAD_MESSAGE", "seat is missing: it is a number from 0 to 2")
        assert refused.values == {"field": "seat", "right": "a number from 0 to 2"}
