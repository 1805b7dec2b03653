"""Pauses: by the host, by everybody, and because nobody is there; what stands still meanwhile, and who ends them."""

import asyncio

import grpc
import pytest
from first_hand import to_the_score_sheet
from server_table import Player, playground, refusal, seated

from shanghai.v1 import table_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire.actions import GoOn

PAUSED, PLAYING = table_pb2.TABLE_STATUS_PAUSED, table_pb2.TABLE_STATUS_PLAYING
USUAL = Options()


def reason(player: Player) -> int:
    """Give why the table is paused, as a player sees it."""
    return player.last.public.table.pause_reason


def wishes(player: Player) -> list[int]:
    """Give everybody's wish, as a player sees it."""
    return [seat.wish for seat in player.last.public.table.seats]


async def test_the_host_pauses_and_resumes_and_clocks_keep_what_is_left() -> None:
    """Nobody owes anything meanwhile, an act is refused with the reason, and the clock goes on where it stood."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=USUAL)
        ground.clock.advance(15)
        assert ann.decision is not None
        decision = ann.decision.id
        await ann.call("PauseGame")
        await ben.until(lambda: ben.last.public.table.status == PAUSED)
        assert reason(ben) == table_pb2.PAUSE_REASON_HOST
        assert (ben.decision, ben.last.public.HasField("clock")) == (None, False)
        refused = await refusal(ben.answer_again(Claim.PASS, decision))
        assert (refused.reason, refused.status_code) == ("PAUSED", grpc.StatusCode.FAILED_PRECONDITION)
        assert refused.values["who"] == "the host"
        assert (await refusal(ann.call("PauseGame"))).reason == "ALREADY_PAUSED"
        await ben.say("a short break")
        ground.clock.advance(10_000)
        await ann.call("ResumeGame")
        await ben.until(lambda: ben.last.public.table.status == PLAYING)
        assert reason(ben) == table_pb2.PAUSE_REASON_UNSPECIFIED
        assert ben.decision is not None
        assert ben.decision.id == decision
        assert ben.last.public.clock == table_pb2.Clock(kind=table_pb2.CLOCK_KIND_OFFER, left_ms=5000)
        assert (await refusal(ann.call("ResumeGame"))).reason == "NOT_PAUSED"


async def test_everybody_pauses_and_resumes() -> None:
    """It takes every person who is there; a wish may be taken back, and is forgotten once it has happened."""
    async with playground() as ground:
        ann, ben, cleo = players = await seated(ground, ("Ann", "Ben", "Cleo"), seats=4, options=USUAL)
        await cleo.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[2].connected)
        await ben.call("PauseGame")
        await ann.until(lambda: wishes(ann) == [0, table_pb2.WISH_PAUSE, 0, 0])
        await ben.call("ResumeGame")
        await ann.until(lambda: wishes(ann) == [0] * 4)
        assert (await refusal(ben.call("ResumeGame"))).reason == "NOT_PAUSED"
        await ben.call("PauseGame")
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        assert reason(ben) == 0
        await ben.call("PauseGame")
        await ben.say("alone for a moment")
        await ben.until(lambda: bool(ben.last.public.table.chat))
        assert reason(ben) == 0
        ground.clock.advance(60)
        await ben.until(lambda: ben.last.public.table.status == PAUSED)
        assert (reason(ben), wishes(ben)) == (table_pb2.PAUSE_REASON_EVERYBODY, [0] * 4)
        await cleo.watch()
        # Who goes while the game is paused holds nobody up.
        await ann.watch()
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        await ben.call("ResumeGame")
        await cleo.until(lambda: wishes(cleo)[1] == table_pb2.WISH_RESUME)
        await ben.call("PauseGame")
        await cleo.until(lambda: wishes(cleo)[1] == 0)
        assert (await refusal(ben.call("PauseGame"))).values["who"] == "everybody"
        await ben.call("ResumeGame")
        await cleo.call("ResumeGame")
        await ben.until(lambda: ben.last.public.table.status == PLAYING)
        assert players[0] is ann


async def test_bots_and_graces_stand_still_while_the_game_is_paused() -> None:
    """A bot on turn does nothing, and nobody becomes absent, however long the pause lasts."""
    async with playground() as ground:
        options = Options(offer_ms=0, turn_ms=0, pause_ms=0, bot_pace_ms=1000)
        ann, ben = await seated(ground, ("Ann", "Ben"), seats=4, options=options)
        await ann.call("PauseGame")
        await ben.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        seen = ann.last.public.game
        ground.clock.advance(100_000)
        await ann.say("tick")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert ann.last.public.game == seen
        assert not ann.last.public.table.seats[1].stand_in
        await ann.call("ResumeGame")
        await ann.until(lambda: reason(ann) == 0)
        ground.clock.advance(60)
        await ann.until(lambda: ann.last.public.table.seats[1].stand_in)


async def test_r2_4_no_hand_is_dealt_while_the_game_is_paused() -> None:
    """Between two hands the pause keeps everybody at the score sheet, and going on is refused."""
    async with playground() as ground:
        ann, ben = await to_the_score_sheet(ground, ("Ann", "Ben"), USUAL)
        assert ann.decision is not None
        decision = ann.decision.id
        await ben.act(GoOn(1))
        await ann.until(lambda: ann.last.public.table.seats[1].ready)
        await ann.call("PauseGame")
        assert (await refusal(ann.act(GoOn(0), decision=decision))).reason == "PAUSED"
        await ann.unwatch()
        ground.clock.advance(100)
        await ben.say("tick")
        await ben.until(lambda: bool(ben.last.public.table.chat))
        assert ben.last.public.game.phase == view_pb2.PHASE_HAND_OVER
        await ann.call("ResumeGame")
        await ben.until(lambda: ben.last.public.game.hand == 2)


async def test_nobody_is_there_is_a_reason_of_its_own_and_ends_by_itself() -> None:
    """A spectator sees why nothing happens; the first person who is back ends it."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=USUAL)
        spectator = await Player.spectate(ground, ann.table)
        await ann.unwatch()
        await ben.unwatch()
        await spectator.until(lambda: spectator.last.public.table.status == PAUSED)
        assert reason(spectator) == table_pb2.PAUSE_REASON_NOBODY_THERE
        await ann.watch()
        await spectator.until(lambda: reason(spectator) == 0)


async def test_a_pause_and_the_wishes_survive_a_restart() -> None:
    """The table is paused as it was, for the same reason, and a wish that was made counts."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=USUAL)
        await ann.call("PauseGame", request_id="pause")
        await ben.call("ResumeGame")
    async with playground(journal=journal) as ground:
        ann, ben = (Player(ground, player.table, player.name, player.token, player.seat) for player in (ann, ben))
        await ben.watch()
        assert (reason(ben), wishes(ben)) == (table_pb2.PAUSE_REASON_HOST, [0, table_pb2.WISH_RESUME])
        await ann.watch()
        assert (reason(ann), wishes(ann)) == (table_pb2.PAUSE_REASON_HOST, [0, table_pb2.WISH_RESUME])
        await ann.call("PauseGame", request_id="pause")
        await ann.call("ResumeGame")
        await ann.until(lambda: ann.last.public.table.status == PLAYING)


async def test_a_game_is_paused_only_while_it_is_on() -> None:
    """Before it and after it there is nothing to pause."""
    async with playground() as ground:
        ann = await Player.join(ground, await ground.create(2), "Ann")
        assert (await refusal(ann.call("PauseGame"))).reason == "GAME_NOT_STARTED"
        await ann.start()
        await ann.play()
        assert (await refusal(ann.call("PauseGame"))).reason == "GAME_OVER"
        assert (await refusal(ann.call("ResumeGame"))).reason == "GAME_OVER"


async def test_the_next_host_resumes_what_the_last_one_paused() -> None:
    """A host who pauses and leaves holds nobody up."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ann.call("PauseGame")
        await ann.leave()
        await ben.until(lambda: ben.last.public.table.seats[1].host)
        assert reason(ben) == table_pb2.PAUSE_REASON_HOST
        await ben.call("ResumeGame")
        await ben.until(lambda: reason(ben) == 0)


async def test_whoever_goes_for_good_leaves_the_decision_to_the_others() -> None:
    """A wish that only one person did not share comes true when that one leaves, or has been away too long."""
    async with playground() as ground:
        ann, ben, cleo = await seated(ground, ("Ann", "Ben", "Cleo"), options=USUAL)
        await ben.call("PauseGame")
        await cleo.call("PauseGame")
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        assert reason(ben) == 0
        ground.clock.advance(60)
        await ben.until(lambda: reason(ben) == table_pb2.PAUSE_REASON_EVERYBODY)
        await cleo.call("ResumeGame")
        await cleo.until(lambda: wishes(cleo)[2] == table_pb2.WISH_RESUME)
        assert ben.last.public.table.seats[1].host
        await ben.leave()
        await cleo.until(lambda: reason(cleo) == 0)


@pytest.mark.parametrize("grace_ms", [60_000, 0])
async def test_whoever_is_away_for_a_moment_is_still_one_of_everybody(grace_ms: int) -> None:
    """One blink of the others lets nobody decide alone, but for a table without a grace."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=grace_ms, pause_ms=0, bot_pace_ms=0)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        await ben.call("PauseGame")
        await ben.say("is it paused?")
        await ben.until(lambda: bool(ben.last.public.table.chat))
        assert reason(ben) == (0 if grace_ms else table_pb2.PAUSE_REASON_EVERYBODY)


async def test_a_pause_is_ended_by_who_is_there() -> None:
    """No grace runs while the game is paused, so whoever is away then would be waited for without an end."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=USUAL)
        await ann.call("PauseGame")
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        await ben.call("ResumeGame")
        await ben.until(lambda: ben.last.public.table.status == PLAYING)


async def test_no_rematch_while_somebody_is_away_for_a_moment() -> None:
    """The others have it once his grace is over."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=60_000, pause_ms=0, bot_pace_ms=0)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await asyncio.gather(ann.play(), ben.play())
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        await ben.call("Rematch")
        await ben.until(lambda: wishes(ben) == [0, table_pb2.WISH_REMATCH])
        assert ben.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        ground.clock.advance(60)
        await ben.until(lambda: ben.last.public.table.status == table_pb2.TABLE_STATUS_LOBBY)
