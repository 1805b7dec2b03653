"""Who takes a bot's seat while a hand is played has it from the next deal on, and sees nothing of that hand (R2.3)."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from seen_seat import moved, seat_at
from server_table import AT_ONCE, Player, Playground, fresh_id, playground, refusal, seated

from shanghai.v1 import service_pb2, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim
from shanghai_engine.bots import LEVELS
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_server.house.settings import Options
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire.actions import GoOn

CODE = "river-stone-7"
LEVEL = list(LEVELS)[-1]
THREE_HANDS = RuleSet(contracts=(Contract(sets=(3,), runs=()),) * 3, buys=(3, 3, 3), cards_dealt=(6, 6, 6))
SLOW = Options(offer_ms=0, turn_ms=0, grace_ms=1000, pause_ms=0, bot_pace_ms=5000)


def check_waits(player: Player) -> None:
    """Check that all updates of a player show a seat that waits: no card, no answer, and no decision of a hand."""
    for update in player.updates:
        shown = update.public.table.seats[player.seat]
        assert (shown.occupant, shown.waits_for_deal, shown.stand_in) == (table_pb2.OCCUPANT_PERSON, True, True)
        assert update.private.own == view_pb2.OwnView(seat=player.seat)
        assert update.private.decision.WhichOneof("ask") in {None, "go_on"}
        if update.public.game.phase != view_pb2.PHASE_HAND_OVER:
            assert not update.private.HasField("decision")


def has_dealt(player: Player, hand: int) -> bool:
    """Say whether a player has seen the deal of a hand."""
    return player.last.public.game.hand == hand


async def plays_the_hand(player: Player) -> None:
    """Let a player play until the hand is over."""
    while player.last.public.game.phase != view_pb2.PHASE_HAND_OVER:
        if player.decision is not None:
            decision = player.decision.id
            await player.act(player.choose())
            await player.past(decision)
        else:
            await player.next()


async def goes_on(player: Player, hand: int) -> None:
    """Let a player who waits go on after a hand."""
    await player.until(lambda: player.decision is not None)
    check_waits(player)
    await player.act(GoOn(player.seat))
    await player.until(lambda: has_dealt(player, hand))


async def test_r2_3_who_sits_down_in_a_hand_sees_nothing_of_it_and_plays_from_the_deal_on() -> None:
    """So also in a stream that is opened again, and after restarts in the hand, between hands and after the deal."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3)
        token = bytes(range(16))
        cleo = Player(ground, ann.table, "Cleo", token, 2)
        join = service_pb2.JoinTableRequest(
            table=ann.table, request_id=fresh_id(), seat_token=token, name="Cleo", seat=2
        )
        answer = await ground.stub.JoinTable(join)
        assert (answer.seat, answer.waits_for_deal) == (2, True)
        await cleo.watch()
        await cleo.unwatch()
        await cleo.watch(after_sequence=cleo.last.sequence)
        join.request_id = fresh_id()
        assert (await ground.stub.JoinTable(join)).waits_for_deal
        check_waits(cleo)
        assert not ann.last.public.table.takeovers
        assert not cleo.last.public.table.takeovers
    async with playground(journal=journal) as ground:
        ann, cleo = moved(ann, ground), moved(cleo, ground)
        await cleo.watch()
        await ann.watch()
        await plays_the_hand(ann)
        await cleo.until(lambda: cleo.decision is not None)
        check_waits(cleo)
    async with playground(journal=journal) as ground:
        ann, cleo = moved(ann, ground), moved(cleo, ground)
        await ann.watch()
        await cleo.watch()
        check_waits(cleo)
        await ann.act(GoOn(ann.seat))
        await goes_on(cleo, 2)
        assert len(cleo.last.private.own.hand) >= 6
        assert not seat_at(cleo, 2).waits_for_deal
        assert not seat_at(cleo, 2).stand_in
    async with playground(journal=journal) as ground:
        ann, cleo = moved(ann, ground), moved(cleo, ground)
        await ann.watch()
        await cleo.watch()
        assert len(cleo.last.private.own.hand) >= 6
        await asyncio.gather(ann.play(), cleo.play())
        assert any(update.private.decision.HasField("play") for update in cleo.updates)


async def test_r2_3_a_seat_that_waits_answers_nothing_in_the_hand() -> None:
    """Whatever it would do is refused, and nothing has changed; between hands it goes on like everybody."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3, options=SLOW)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=2)
        decision = ann.last.private.decision.id
        refused = await refusal(cleo.act(Answer(2, Claim.PASS), decision=decision))
        assert (refused.reason, refused.rule) == ("SEAT_WAITS", "R2.3")
        assert refused.status_code == grpc.StatusCode.FAILED_PRECONDITION
        assert refused.message == "seat 2 is yours from the next deal on: until then a bot plays it"
        assert (await refusal(cleo.act(GoOn(2), decision=decision))).reason == "NOTHING_TO_GO_ON_FROM"
        stale = await refusal(cleo.act(Answer(2, Claim.PASS), decision="1.1.9.0"))
        assert stale.reason == "STALE_DECISION"
        check_waits(cleo)


async def an_offer(ground: Playground, *, guests: bool) -> list[bytes]:
    """Let a person pass at the first offer, and guests come and go on the bots' seats, or not, until the bots answer.

    Gives the events of the hand after that. The bots take their five seconds, whoever sits down meanwhile.
    """
    ann, *_ = await seated(ground, ("Ann",), seats=4, options=SLOW)
    await ann.answer(Claim.PASS)
    for _ in range(3):
        ground.clock.advance(1.5)
        for seat in (1, 2, 3) if guests else ():
            guest = Player(ground, ann.table, f"Guest {seat}", fresh_id().rjust(16)[-16:].encode(), seat)
            await ground.stub.JoinTable(
                service_pb2.JoinTableRequest(
                    table=ann.table, request_id=fresh_id(), seat_token=guest.token, name=guest.name, seat=seat
                )
            )
            await guest.watch()
            check_waits(guest)
            await guest.leave()
            await guest.until_closed()
    if guests:
        await Player.join(ground, ann.table, "Cleo", seat=2)
    assert len(ann.last.public.game.events) == 1
    assert not ann.last.public.table.takeovers
    ground.clock.advance(0.5)
    await ann.until(lambda: len(ann.last.public.game.events) > 1)
    return [event.SerializeToString() for event in ann.last.public.game.events]


async def test_r7_14_whoever_comes_and_goes_on_bots_seats_sees_no_answer_and_changes_none() -> None:
    """The bots answer what they would have answered, and when they would have."""
    outcomes = []
    for guests in (False, True):
        async with playground() as ground:
            outcomes.append(await an_offer(ground, guests=guests))
    assert outcomes[0] == outcomes[1]


async def answered_by_bots(ground: Playground) -> list[Player]:
    """Give a person who has not answered the open offer, and guests on the seats of two bots that have."""
    ann, *_ = await seated(ground, ("Ann",), seats=3, options=SLOW)
    ground.clock.advance(5.0)
    await ann.say("Well?")
    guests = []
    for seat in (1, 2):
        guests.append(await Player.join(ground, ann.table, f"Guest {seat}", seat=seat))
        await guests[-1].unwatch()
        await guests[-1].watch()
    return [ann, *guests]


async def test_r7_14_who_sits_down_at_an_open_offer_sees_no_answer_that_the_bot_has_given() -> None:
    """Not in the first update, not in a later one, and the offer closes as soon as the person has answered it."""
    async with playground() as ground:
        ann, *guests = await answered_by_bots(ground)
        for guest in guests:
            check_waits(guest)
        await ann.answer(Claim.PASS)
        for guest in guests:
            await guest.until(lambda guest=guest: len(guest.last.public.game.events) > 1)  # type: ignore[misc]
            check_waits(guest)


async def test_r2_3_who_leaves_a_seat_that_waits_gives_it_back_to_the_bot_at_its_level() -> None:
    """So does who is sent away; who leaves and sits down elsewhere waits again."""
    async with playground() as ground:
        table = await ground.create(3, options=SLOW)
        ann = await Player.join(ground, table, "Ann")
        for seat in (1, 2):
            await ann.call("AddBot", seat=seat, level=LEVEL)
        await ann.start()
        await ann.until(lambda: ann.last.public.HasField("game"))
        cleo = await Player.join(ground, table, "Cleo", seat=1)
        dan = await Player.join(ground, table, "Dan", seat=2)
        await ann.until(lambda: seat_at(ann, 2).waits_for_deal)
        assert [seat.level for seat in ann.last.public.table.seats] == ["", "", ""]
        assert [seat.name for seat in ann.last.public.table.seats] == ["Ann", "Cleo", "Dan"]
        # The host says how well it plays meanwhile; there is one level.
        assert (await ann.call("AddBot", seat=1, level=LEVEL)).name == "Bot 1"
        await cleo.leave()
        await ann.call("KickSeat", seat=2)
        await cleo.until_closed()
        await dan.until_closed()
        await ann.until(lambda: seat_at(ann, 2).occupant == table_pb2.OCCUPANT_BOT)
        for seat in (1, 2):
            shown = seat_at(ann, seat)
            assert (shown.occupant, shown.level) == (table_pb2.OCCUPANT_BOT, LEVEL)
            assert (shown.waits_for_deal, shown.stand_in) == (False, False)
            assert shown.name == f"Bot {seat}"
        again = await Player.join(ground, table, "Cleo", seat=2, request_id="again")
        assert again.seat == 2
        check_waits(again)


async def test_r2_3_a_bot_that_plays_on_for_somebody_does_so_whoever_looks_in() -> None:
    """Who leaves before the deal leaves no name behind, and in another game the bot has its own all the same."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=AT_ONCE)
        await ann.until(lambda: ann.decision is not None)
        await ben.leave()
        cleo = await Player.join(ground, ann.table, "Cleo", seat=1)
        assert cleo.seat == 1
        await ann.until(lambda: seat_at(ann, 1).waits_for_deal)
        await cleo.leave()
        await ann.until(lambda: seat_at(ann, 1).occupant == table_pb2.OCCUPANT_BOT)
        assert seat_at(ann, 1).name == "Ben"
        await ann.play()
        await ann.call("Rematch")
        await ann.until(lambda: ann.last.public.table.status == table_pb2.TABLE_STATUS_LOBBY)
        assert seat_at(ann, 1).name == "Bot 1"


async def test_r2_3_a_seat_that_waits_and_is_handed_over_goes_on_waiting() -> None:
    """Neither has had anything to do with the hand, so that no takeover is told of."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3, options=SLOW)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=2)
        await cleo.call("HandOverSeat", code=CODE)
        dora = await Player.join(ground, ann.table, "Dora", code=CODE)
        assert dora.seat == 2
        check_waits(dora)
        assert not dora.last.public.table.takeovers
        refused = await refusal(dora.act(Answer(2, Claim.PASS), decision=ann.last.private.decision.id))
        assert refused.reason == "SEAT_WAITS"


async def test_r2_3_between_hands_and_after_the_game_a_seat_is_had_at_once() -> None:
    """The takeover is told of, and nobody waits; who waited in the last hand waits no more once the game is over."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3)
        await ann.until(lambda: ann.decision is not None)
        await plays_the_hand(ann)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=1)
        assert cleo.owes(ann.last.private.decision.id)
        assert not seat_at(cleo, 1).waits_for_deal
        assert [each.seat for each in cleo.last.public.table.takeovers] == [1]
        await asyncio.gather(ann.act(GoOn(0)), cleo.act(GoOn(1)))
        await cleo.until(lambda: has_dealt(cleo, 2))
        dan = await Player.join(ground, ann.table, "Dan", seat=2)
        check_waits(dan)
        await asyncio.gather(ann.play(), cleo.play(), dan.play())
        assert not seat_at(dan, 2).waits_for_deal
        check_waits_until_over(dan)
        await cleo.leave()
        eve = await Player.join(ground, ann.table, "Eve", seat=1)
        assert not seat_at(eve, 1).waits_for_deal
        await ann.call("Rematch")
        await dan.until(lambda: dan.last.public.table.game_number == 2)
        assert not any(seat.waits_for_deal for seat in dan.last.public.table.seats)


def check_waits_until_over(player: Player) -> None:
    """Check that a player saw nothing of his seat's hand before the game was over."""
    for update in player.updates:
        if update.public.table.status != table_pb2.TABLE_STATUS_OVER:
            assert update.private.own == view_pb2.OwnView(seat=player.seat)
            assert not update.private.HasField("decision")


async def test_r2_3_a_seat_that_waits_holds_nothing_up_where_the_table_waits_for_the_absent() -> None:
    """Its bot plays the hand to its end, connected or not, and the next one too where its person is not there then."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=1000, pause_ms=0, bot_pace_ms=0, wait_for_absent=True)
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=2, options=options)
        cleo = await Player.join(ground, ann.table, "Cleo")
        await cleo.unwatch()
        await ann.until(lambda: not seat_at(ann, 1).connected)
        assert seat_at(ann, 1).stand_in
        ground.clock.advance(1.0)
        await ann.play(hand=2)
        assert seat_at(ann, 1).stand_in
        assert seat_at(ann, 1).waits_for_deal
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING


async def test_r2_3_who_waits_for_a_deal_and_is_not_there_waits_for_the_next_one() -> None:
    """His bot plays that hand as well, also after a restart in it: whoever never comes holds up nobody's game."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3, rules=THREE_HANDS)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=1)
        dan = await Player.join(ground, ann.table, "Dan", seat=2)
        await cleo.unwatch()
        await ann.until(lambda: not seat_at(ann, 1).connected)
        await plays_the_hand(ann)
        await asyncio.gather(ann.act(GoOn(0)), goes_on(dan, 2))
        assert [seat_at(dan, seat).waits_for_deal for seat in (1, 2)] == [True, False]
        assert len(dan.last.private.own.hand) >= 6
    async with playground(journal=journal) as ground:
        ann, cleo, dan = (moved(player, ground) for player in (ann, cleo, dan))
        for player in (ann, cleo, dan):
            await player.watch()
        check_waits(cleo)
        await asyncio.gather(plays_the_hand(ann), plays_the_hand(dan))
        await asyncio.gather(ann.act(GoOn(0)), dan.act(GoOn(2)), goes_on(cleo, 3))
        assert not seat_at(cleo, 1).waits_for_deal
        assert len(cleo.last.private.own.hand) >= 6


@pytest.mark.parametrize("came", [False, True])
@pytest.mark.parametrize("paused", [False, True])
async def test_r2_3_a_game_that_is_left_to_bots_is_played_to_its_end_whoever_sits_down(
    came: bool,  # noqa: FBT001 (a parameter of the test)
    paused: bool,  # noqa: FBT001
) -> None:
    """Nobody waits for him who does not come, or has gone again, before a deal, and others may come meanwhile."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=3, options=SLOW)
        spectator = await Player.spectate(ground, ann.table)
        if paused:
            await ann.call("PauseGame")
        cleo = await Player.join(ground, ann.table, "Cleo", seat=1, watch=came)
        await ann.leave()
        if came:
            await cleo.unwatch()
        dan = await Player.join(ground, ann.table, "Dan", seat=2)
        await dan.leave()
        await spectator.until(lambda: seat_at(spectator, 1).waits_for_deal and not seat_at(spectator, 1).connected)
        hands = set()
        while spectator.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING:
            hands.add(spectator.last.public.game.hand)
            ground.clock.advance(5.0)
            await spectator.next()
        assert spectator.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        assert hands == {1, 2}


async def test_r2_3_who_sits_down_in_a_pause_between_hands_has_no_say_in_it() -> None:
    """He has the seat from the deal on: those who were there then let the game go on."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=SLOW, seats=3)
        players = asyncio.gather(plays_the_hand(ann), plays_the_hand(ben))
        while not players.done():
            ground.clock.advance(5.0)
            await asyncio.sleep(0.01)
        await players
        await ann.call("PauseGame")
        await ann.unwatch()
        cleo = await Player.join(ground, ann.table, "Cleo", seat=2)
        assert seat_at(cleo, 2).waits_for_deal
        await ben.call("ResumeGame")
        await cleo.until(lambda: cleo.last.public.table.status == table_pb2.TABLE_STATUS_PLAYING)
        await asyncio.gather(ben.act(GoOn(1)), goes_on(cleo, 2))
        assert not seat_at(cleo, 2).waits_for_deal


@pytest.mark.parametrize("paused", [False, True])
async def test_r2_3_a_game_goes_on_for_nobody_who_only_waits_for_the_deal(paused: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """So it waits for its players, who sleep, and a pause that they have made stays."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=SLOW, seats=4)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=2)
        check_waits(cleo)
        if paused:
            await ann.call("PauseGame")
        for player in (ann, ben):
            await player.unwatch()
        await cleo.until(lambda: not any(seat_at(cleo, seat).connected for seat in (0, 1)))
        if paused:
            await cleo.call("ResumeGame")
        ground.clock.advance(3600)
        await cleo.until(lambda: paused or seat_at(cleo, 2).host)
        reasons = table_pb2.PAUSE_REASON_HOST, table_pb2.PAUSE_REASON_NOBODY_THERE
        assert cleo.last.public.table.pause_reason == reasons[not paused]
        assert cleo.last.public.table.status == table_pb2.TABLE_STATUS_PAUSED
        assert cleo.last.public.game.turn_number == 1
        await ben.watch()
        await ben.until(lambda: (ben.last.public.table.status == table_pb2.TABLE_STATUS_PAUSED) is paused)


async def test_r2_3_nobody_new_comes_to_a_game_while_none_of_its_players_is_there() -> None:
    """Nor where somebody is there who waits for the deal; once a player is back everybody may come."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"), options=SLOW, seats=5)
        cleo = await Player.join(ground, ann.table, "Cleo", seat=2)
        for player in (ann, ben):
            await player.unwatch()
        await cleo.until(lambda: not any(seat_at(cleo, seat).connected for seat in (0, 1)))
        refused = await refusal(Player.join(ground, ann.table, "Dan", seat=3))
        assert (refused.reason, refused.rule) == ("NOBODY_PLAYS", "R2.3")
        await ben.watch()
        dan = await Player.join(ground, ann.table, "Dan", seat=3)
        check_waits(dan)


async def test_a_seat_of_a_table_that_is_played_at_once_is_taken_from_the_deal_on() -> None:
    """The usual course at a table whose bots do not wait: sit down, look on, go on with the others, and play."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=2, options=AT_ONCE)
        cleo = await Player.join(ground, ann.table, "Cleo")
        await asyncio.gather(ann.play(), cleo.play())
        game = cleo.last.public.game
        assert [result.hand for result in game.results] == [1, 2]
