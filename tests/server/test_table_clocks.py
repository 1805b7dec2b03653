"""The clocks of a table, turned by hand: offers, turns, graces, pauses, the pace of bots, and who stands in."""

import json
from collections import Counter

import pytest
from first_hand import passed_to, settled, to_the_score_sheet
from server_table import Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Claim
from shanghai_engine.game import Game
from shanghai_server.house.settings import Options
from shanghai_wire.actions import GoOn

USUAL = Options()
SEEN_MOVES = {"laid_down", "laid_off", "swapped", "discarded"}


def clock(kind: table_pb2.ClockKind.ValueType, left_ms: int, seat: int | None = None) -> table_pb2.Clock:
    """Give a clock as it is shown."""
    return table_pb2.Clock(kind=kind, seat=seat, left_ms=left_ms)


async def test_r7_11_a_missing_answer_becomes_a_pass_at_the_offers_deadline() -> None:
    """The offer has one clock for all, and whoever has not answered passes when it runs out."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"), options=USUAL)
        assert players[0].last.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 20_000)
        ground.clock.advance(19.9)
        await players[0].say("tick")
        await players[0].until(lambda: len(players[0].last.public.table.chat) == 1)
        assert players[0].last.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 100)
        assert players[0].last.public.game.phase == view_pb2.PHASE_OFFER
        ground.clock.advance(0.1)
        await settled(players, 3)
        game = players[0].last.public.game
        assert not game.events[1].offer_settled.HasField("seat")
        assert players[0].last.public.clock == clock(table_pb2.CLOCK_KIND_TURN, 90_000, game.turn)


async def test_r7_11_the_deadline_passes_for_others_only_until_the_outcome_is_certain() -> None:
    """Who has claimed gets the card as soon as those before him have passed by the clock."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"), options=USUAL)
        order = list(players[0].last.public.game.claim_order)
        await players[order[1]].answer(Claim.BUY)
        ground.clock.advance(20)
        await settled(players, 3)
        bought = players[0].last.public.game.events[1].offer_settled
        assert (bought.seat, bought.extra_cards) == (order[1], 2)
        assert len(players[order[1]].last.private.own.hand) == 9


async def test_r14_2_a_turn_that_is_not_played_ends_with_the_least_that_is_lawful() -> None:
    """The card just drawn is discarded, and the player is still present after one missed turn."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"), options=USUAL)
        turn = await passed_to(players)
        drawn = turn.last.private.own.drawn
        ground.clock.advance(90)
        await settled(players, 4)
        discarded = turn.last.public.game.events[3].discarded
        assert (discarded.seat, discarded.card) == (turn.seat, drawn)
        assert not turn.last.public.table.seats[turn.seat].stand_in


async def test_a_turn_has_one_clock_for_all_its_plays() -> None:
    """The time runs from the draw to the discard, whatever is played between."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"), options=USUAL)
        for _ in range(200):
            game = players[0].last.public.game
            if game.phase == view_pb2.PHASE_OFFER:
                await passed_to(players)
                continue
            turn = players[game.turn]
            assert turn.decision is not None
            if turn.decision.play.lay_down and len(turn.last.private.own.hand) > sum(
                len(meld.cards) for meld in turn.decision.play.lay_down
            ):
                break
            await turn.act(view_pb2.Action(discard=view_pb2.Discard(card=turn.last.private.own.drawn)))
            await settled(players, len(game.events) + 1)
        else:
            pytest.fail("nobody could lay down in 200 steps")
        ground.clock.advance(30)
        drafts = turn.decision.play.lay_down
        await turn.act(view_pb2.Action(lay_down=view_pb2.LayDown(melds=drafts)))
        await settled(players, len(game.events) + 1)
        assert turn.last.public.clock == clock(table_pb2.CLOCK_KIND_TURN, 60_000, turn.seat)


async def missed_twice(ground: Playground, *, sitting: str = "") -> tuple[Player, list[Player]]:
    """Let one player miss two turns in a row; gives him, and everybody, each in a sitting of this name."""
    players = await seated(ground, ("Ann", "Ben"), options=USUAL)
    for player in players if sitting else ():
        await player.unwatch()
        player.sitting = sitting
        await player.watch()
    first = players[0].last.public.game.turn
    missing = players[first]
    while not missing.last.public.table.seats[first].stand_in:
        turn = await passed_to(players)
        events = len(players[0].last.public.game.events)
        if turn is missing:
            ground.clock.advance(90)
        else:
            await turn.act(view_pb2.Action(discard=view_pb2.Discard(card=turn.last.private.own.drawn)))
        await settled(players, events + 1)
    return missing, players


async def test_r14_2_a_second_turn_missed_in_a_row_makes_absent_and_a_stand_in_plays() -> None:
    """The stand-in answers and plays at the pace of bots, and an act of the player brings him back."""
    async with playground() as ground:
        missing, players = await missed_twice(ground)
        other = next(player for player in players if player is not missing)
        discards = [event for event in other.last.public.game.events if event.discarded.HasField("seat")]
        assert [event.discarded.seat for event in discards].count(missing.seat) == 2
        await passed_to([missing, other] if missing.seat == 0 else [other, missing])
        await other.act(view_pb2.Action(discard=view_pb2.Discard(card=other.last.private.own.drawn)))
        # The stand-in is asked, which no clock is needed for, and answers and plays after its pace.
        await other.until(lambda: other.last.public.game.turn == missing.seat)
        assert not other.last.public.HasField("clock")
        ground.clock.advance(0.8)
        await other.until(lambda: other.last.public.game.phase == view_pb2.PHASE_PLAY)
        # What is asked is shown to the player as well, who has been there all the time.
        await missing.until(lambda: missing.decision is not None and missing.decision.HasField("play"))
        await missing.act(view_pb2.Action(discard=view_pb2.Discard(card=missing.last.private.own.drawn)))
        await other.until(lambda: not other.last.public.table.seats[missing.seat].stand_in)
        assert other.last.public.game.turn == other.seat


async def test_r14_2_a_stream_that_comes_back_by_itself_shows_nobody_to_be_back() -> None:
    """Who has missed two turns is back when he sits down anew, or acts; a blip of his connection is no sign of him."""
    async with playground() as ground:
        missing, players = await missed_twice(ground, sitting="evening")
        other = next(player for player in players if player is not missing)
        await missing.unwatch()
        await other.until(lambda: not other.last.public.table.seats[missing.seat].connected)
        assert (await missing.watch()).public.table.seats[missing.seat].stand_in
        await missing.call("Say", text="my client is here")
        await other.until(lambda: bool(other.last.public.table.chat))
        assert other.last.public.table.seats[missing.seat].stand_in
        await missing.unwatch()
        missing.sitting = "later"
        assert not (await missing.watch()).public.table.seats[missing.seat].stand_in


async def test_an_act_in_time_forgives_a_missed_turn() -> None:
    """Only turns missed one after another count (R14.2)."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"), options=USUAL)
        first = players[0].last.public.game.turn
        for turns in range(6):
            turn = await passed_to(players)
            events = len(players[0].last.public.game.events)
            if turn.seat == first and turns % 4 == 0:
                ground.clock.advance(90)
            else:
                await turn.act(view_pb2.Action(discard=view_pb2.Discard(card=turn.last.private.own.drawn)))
            await settled(players, events + 1)
        assert not players[0].last.public.table.seats[first].stand_in


async def test_with_no_person_there_the_table_pauses() -> None:
    """Nothing runs out and no bot moves while nobody is connected; what was left runs on later."""
    async with playground() as ground:
        players = await seated(ground, ("Ann",), seats=3, options=USUAL)
        ann = players[0]
        spectator = await Player.spectate(ground, ann.table)
        ground.clock.advance(0.5)
        await ann.unwatch()
        await spectator.until(lambda: spectator.last.public.table.status == table_pb2.TABLE_STATUS_PAUSED)
        assert not spectator.last.public.HasField("clock")
        ground.clock.advance(100_000)
        first = await ann.watch()
        assert first.public.table.status == table_pb2.TABLE_STATUS_PLAYING
        assert first.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 19_500)
        assert len(first.public.game.events) == 1


async def test_a_seat_whose_stream_broke_is_waited_for_and_then_played_by_a_stand_in() -> None:
    """The grace runs only for whom is away, and ends with the stand-in; coming back ends that."""
    options = Options(offer_ms=0, turn_ms=0)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await ben.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        ground.clock.advance(59.9)
        await ann.say("tick")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert not ann.last.public.table.seats[1].stand_in
        ground.clock.advance(0.1)
        await ann.until(lambda: ann.last.public.table.seats[1].stand_in)
        await ann.answer(Claim.PASS)
        ground.clock.advance(0.8)
        await ann.until(lambda: len(ann.last.public.game.events) > 1)
        first = await ben.watch()
        assert not first.public.table.seats[1].stand_in
        assert first.public.table.seats[1].connected


async def test_a_table_that_waits_for_the_absent_gives_them_no_stand_in_and_no_clock() -> None:
    """By the option the game stands still until the player is back."""
    options = Options(wait_for_absent=True)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await ben.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        ground.clock.advance(10)
        ground.clock.advance(10)
        await settled([ann], 3)
        turn = ann.last.public.game.turn
        ground.clock.advance(60)
        if turn == 0:
            ground.clock.advance(30)
        await ann.say("anybody?")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert not ann.last.public.table.seats[1].stand_in
        events = len(ann.last.public.game.events)
        ground.clock.advance(10_000)
        await ann.say("still nobody?")
        await ann.until(lambda: len(ann.last.public.table.chat) == 2)
        assert not ann.last.public.HasField("clock")
        assert len(ann.last.public.game.events) == events


async def test_an_offer_that_only_bots_could_still_answer_closes_after_their_pace() -> None:
    """When a bot thinks does not show: whatever the person answers at once, the offer stays open as long."""
    async with playground() as ground:
        players = await seated(ground, ("Ann",), seats=4, options=USUAL)
        ann = players[0]
        if ann.decision is not None:
            await ann.answer(Claim.PASS)
        await ann.say("quick")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert ann.last.public.game.phase == view_pb2.PHASE_OFFER
        ground.clock.advance(0.7)
        await ann.say("wait")
        await ann.until(lambda: len(ann.last.public.table.chat) == 2)
        assert ann.last.public.game.phase == view_pb2.PHASE_OFFER
        ground.clock.advance(0.1)
        await ann.until(lambda: ann.last.public.game.phase == view_pb2.PHASE_PLAY)


async def heard(player: Player) -> None:
    """Let somebody say something, and wait until he hears it: whatever happened before is seen then."""
    number = (await player.say("Well?")).number
    await player.until(lambda: [line.number for line in player.last.public.table.chat][-1:] == [number])


async def test_bots_take_their_pace_for_each_thing_that_they_are_seen_to_do() -> None:
    """A turn comes move by move, each no sooner than the pace after the one before, and so do answers to an offer."""
    moves: Counter[str] = Counter()
    async with playground() as ground:
        (ann,) = await seated(ground, ("Ann",), seats=3, options=USUAL)
        while ann.last.public.game.phase != view_pb2.PHASE_HAND_OVER:
            game = ann.last.public.game
            if ann.decision is not None:
                await (ann.answer(Claim.PASS) if ann.decision.HasField("offer") else ann.act(ann.choose()))
                await heard(ann)
                continue
            ground.clock.advance(0.75)
            await heard(ann)
            assert ann.last.public.game == game
            ground.clock.advance(0.25)
            await ann.until(lambda game=game: ann.last.public.game != game)  # type: ignore[misc]
            seen = [event.WhichOneof("event") for event in ann.last.public.game.events[len(game.events) :]]
            assert sum(kind in SEEN_MOVES for kind in seen) == (game.phase == view_pb2.PHASE_PLAY)
            moves.update(str(kind) for kind in seen)
    assert moves["discarded"] > 1
    assert moves["laid_down"] > 0


async def test_r2_4_the_next_hand_is_dealt_when_all_have_gone_on() -> None:
    """Everybody is asked once, sees who is ready, and the deal follows the last one."""
    async with playground() as ground:
        ann, ben = players = await to_the_score_sheet(ground, ("Ann", "Ben"), USUAL)
        assert ann.last.public.clock == clock(table_pb2.CLOCK_KIND_PAUSE, 30_000)
        assert ann.decision is not None
        assert ann.decision.HasField("go_on")
        decision = ann.decision.id
        await ann.act(GoOn(0))
        await ben.until(lambda: ben.last.public.table.seats[0].ready)
        await ann.until(lambda: ann.decision is None)
        assert (await refusal(ann.act(GoOn(0), decision=decision))).reason == "ALREADY_GONE_ON"
        await ben.act(GoOn(1))
        for player in players:
            await player.until(lambda player=player: player.last.public.game.hand == 2)  # type: ignore[misc]
        assert not any(seat.ready for seat in ann.last.public.table.seats)
        assert (await refusal(ann.act(GoOn(0), decision=decision))).reason == "STALE_DECISION"


async def test_r2_4_the_next_hand_is_dealt_after_the_pause() -> None:
    """Who does not go on holds nobody up for longer than the pause."""
    async with playground() as ground:
        ann, _ = await to_the_score_sheet(ground, ("Ann", "Ben"), USUAL)
        await ann.act(GoOn(0))
        ground.clock.advance(29.9)
        await ann.say("tick")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert ann.last.public.game.hand == 1
        ground.clock.advance(0.1)
        await ann.until(lambda: ann.last.public.game.hand == 2)


async def test_r2_4_whoever_is_away_is_not_waited_for() -> None:
    """All players present have gone on: that of the others does not count."""
    async with playground() as ground:
        ann, ben = await to_the_score_sheet(ground, ("Ann", "Ben"), Options(pause_ms=0))
        await ann.act(GoOn(0))
        await ann.say("Ben?")
        await ann.until(lambda: len(ann.last.public.table.chat) == 1)
        assert ann.last.public.game.hand == 1
        await ben.unwatch()
        await ann.until(lambda: ann.last.public.game.hand == 2)


async def test_r2_3_a_bot_plays_the_seat_of_who_has_left() -> None:
    """The seat keeps its name, its total counts, and its token opens nothing any more."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=Options(bot_pace_ms=0))
        await ben.leave()
        await ann.until(lambda: ann.last.public.table.seats[1].occupant == table_pb2.OCCUPANT_BOT)
        assert ann.last.public.table.seats[1].name == "Ben"
        assert (await refusal(ben.say("hello"))).reason == "BAD_TOKEN"
        await ann.play()
        record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
        game = Game.from_record(map(json.loads, record.record.splitlines()))
        assert game.state.names == ("Ann", "Ben")
        assert len(game.state.places) == 2
        assert game.state.totals[1] == sum(result.scores[1] for result in game.state.results)


async def test_who_sits_down_during_the_game_and_never_watches_takes_the_clock_from_nobody() -> None:
    """A latecomer, and who gets a seat by a code, are not waited for: only after a restart is anybody."""
    options = Options(bot_pace_ms=60_000)
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), seats=3, options=options)
        await Player.join(ground, ann.table, "Zoe", watch=False)
        await ann.until(lambda: ann.last.public.table.seats[2].name == "Zoe")
        assert ann.last.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 20_000)
        ground.clock.advance(5)
        await ben.call("HandOverSeat", code="GIVENAWAY")
        await Player.join(ground, ann.table, "Yan", watch=False, code="GIVENAWAY")
        await ann.until(lambda: ann.last.public.table.seats[1].name == "Yan")
        assert ann.last.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 15_000)
        ground.clock.advance(15)
        await settled([ann], 2)
        assert ann.last.public.game.events[1].HasField("offer_settled")


async def test_the_host_who_begins_without_watching_is_not_waited_for() -> None:
    """Who has made the table and never came is no reason for its clocks to stand."""
    async with playground() as ground:
        table = await ground.create(2, options=USUAL)
        ann = await Player.join(ground, table, "Ann", watch=False)
        ben = await Player.join(ground, table, "Ben")
        await ann.start()
        await ben.until(lambda: ben.last.public.HasField("game"))
        assert ben.last.public.clock == clock(table_pb2.CLOCK_KIND_OFFER, 20_000)


async def test_who_leaves_a_seat_on_its_turn_and_takes_it_again_has_left_the_turn_to_the_bot() -> None:
    """No clock runs for him before the next deal: else a stranger could hold a table up by coming and going."""
    options = Options(bot_pace_ms=60_000)
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"), options=options)
        turn = await passed_to(players)
        other = next(player for player in players if player is not turn)
        ground.clock.advance(80)
        await turn.leave()
        await other.until(lambda: other.last.public.table.seats[turn.seat].occupant == table_pb2.OCCUPANT_BOT)
        assert not other.last.public.HasField("clock")
        ground.clock.advance(50)
        again = await Player.join(ground, other.table, "Zoe", seat=turn.seat)
        assert not again.last.public.HasField("clock")
        ground.clock.advance(10)
        await settled([other], 4)
