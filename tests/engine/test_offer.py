"""The arbitration of an offer: who is asked, in which order, and who gets the card whatever arrives first."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shanghai_engine.action import Answer, Claim, TimeOut
from shanghai_engine.event import DrawSource, Drew, OfferClosed, OfferResult
from shanghai_engine.game import Game
from shanghai_engine.history import OfferSettled
from shanghai_engine.offer import NOBODY_ASKED, Asked, ask, settle
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation


@st.composite
def offers(draw: st.DrawFn) -> dict[str, Any]:
    """Give any situation of an offer: players, dealer, seat on turn, who discarded, who is down, buys and stock."""
    players = draw(st.integers(2, 8))
    seat = st.integers(0, players - 1)
    turn = draw(seat)
    return {
        "dealer": draw(seat),
        "turn": turn,
        "discarder": draw(st.sampled_from([None, (turn - 1) % players])),
        "down": draw(st.lists(st.booleans(), min_size=players, max_size=players)),
        "buys_left": draw(st.lists(st.integers(0, 4), min_size=players, max_size=players)),
        "stock": draw(st.integers(0, 5)),
    }


def the_claim_order(offer: dict[str, Any]) -> list[int]:
    """Give the claim order in the words of R7.11, seat by seat."""
    players, turn = len(offer["down"]), offer["turn"]
    order = [] if offer["down"][turn] else [turn]
    seat = offer["dealer"]
    for _ in range(players):
        seat = 0 if seat == players - 1 else seat + 1
        not_excluded = seat not in {turn, offer["discarder"]} and not offer["down"][seat]
        if not_excluded and offer["buys_left"][seat] > 0 and offer["stock"] >= 2:
            order.append(seat)
    return [*order, turn] if offer["down"][turn] else order


@given(offers())
def test_r7_11_the_claim_order_is_turn_then_dealers_left_and_a_down_turn_last(offer: dict[str, Any]) -> None:
    """The claim order is that of the rule, whatever the situation."""
    assert list(ask(rules=STANDARD, **offer).order) == the_claim_order(offer)


@given(offers())
def test_r7_9_only_with_two_players_the_turn_may_buy(offer: dict[str, Any]) -> None:
    """The player on turn may buy with two players, not being down, with a buy left and two cards in the stock."""
    turn = offer["turn"]
    able = not offer["down"][turn] and offer["buys_left"][turn] > 0 and offer["stock"] >= 2
    assert ask(rules=STANDARD, **offer).turn_may_buy == (able and len(offer["down"]) == 2)


@given(offers(), st.data())
def test_r7_12_the_order_of_arrival_never_changes_who_gets_the_card(offer: dict[str, Any], data: st.DataObject) -> None:
    """Answers given one by one, in any order, until the offer closes, lead to the same seat as all at once."""
    asked = ask(rules=STANDARD, **offer)
    wants = data.draw(st.lists(st.booleans(), min_size=len(asked.order), max_size=len(asked.order)))
    claims = {
        seat: (Claim.TAKE if seat == offer["turn"] else Claim.BUY) if want else Claim.PASS
        for seat, want in zip(asked.order, wants, strict=True)
    }
    winner = next((seat for seat in asked.order if claims[seat].wants), None)
    arrived: dict[int, Claim] = {}
    outcome = None
    for seat in data.draw(st.permutations(asked.order)):
        arrived[seat] = claims[seat]
        outcome = settle(asked.order, arrived)
        if outcome is not None:
            break
    assert outcome is not None
    assert outcome.seat == winner
    assert outcome.answers == settle(asked.order, claims).answers  # type: ignore[union-attr]
    decided = [seat for seat, _ in outcome.answers]
    assert decided == list(asked.order[: len(decided)])


def offered(players: int, *, down: set[int] | None = None, seed: int = 1, turns: int = 0) -> Game:
    """Give a game at an offer after some turns in which everybody passed, with these seats down."""
    game = Game.new(seed=bytes([seed]) * 32, players=players)
    for _ in range(turns):
        while game.state.phase is Phase.OFFER:
            game.apply(Answer(min(game.decisions()), Claim.PASS))
        game.apply(TimeOut(game.state.turn))
    state = game.state
    for seat in down or ():
        state.down[seat] = True
    state.asked = state.ask()
    return game


@pytest.mark.parametrize("players", range(2, 9))
def test_r7_12_games_end_alike_whatever_arrives_first(players: int) -> None:
    """For every number of seats, dealer, seat on turn and who is down, all orders of arrival give an equal game."""
    rng = random.Random(players)
    for seed in range(12):
        for turns in range(players + 1):
            down = {seat for seat in range(players) if rng.random() < 0.3}
            game = offered(players, down=down, seed=seed, turns=turns)
            order = game.state.asked.order
            claims = {s: rng.choice([c for c in game.decisions()[s].claims if c is not Claim.TIMEOUT]) for s in order}
            ends = [play_out(game.copy(), claims, arrival) for arrival in some_orders(order, rng)]
            assert all(end.state == ends[0].state for end in ends)
            assert all(end.view(None) == ends[0].view(None) for end in ends)


def some_orders(order: tuple[int, ...], rng: random.Random) -> list[tuple[int, ...]]:
    """Give all orders of a few seats, or a sample of those of many."""
    if len(order) <= 3:
        return list(permutations(order))
    return [order, order[::-1], *(tuple(rng.sample(order, len(order))) for _ in range(6))]


def play_out(game: Game, claims: Mapping[int, Claim], arrival: tuple[int, ...]) -> Game:
    """Let the answers arrive in an order; those that come after the close are refused."""
    for seat in arrival:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, claims[seat]))
        else:
            with pytest.raises(RuleViolation):
                game.apply(Answer(seat, claims[seat]))
    return game


@pytest.mark.parametrize("players", range(2, 9))
def test_r7_14_an_answer_before_the_close_changes_no_view_but_ones_own(players: int) -> None:
    """Until the offer closes, nobody else's view differs by anything, a spectator's neither."""
    game = offered(players)
    first, *others = game.state.asked.order[::-1]
    before = {seat: game.view(seat) for seat in [None, *range(players)]}
    decisions = game.decisions()
    if not others:
        return
    game.apply(Answer(first, Claim.PASS))
    for seat in [None, *range(players)]:
        if seat != first:
            assert game.view(seat) == before[seat]
    assert game.view(first).public == before[first].public
    own = game.view(first).own
    assert own is not None
    assert own.answer is Claim.PASS
    assert {seat: decisions[seat] for seat in others} == game.decisions()


def test_r7_14_nobody_is_told_who_else_wanted_the_card() -> None:
    """What everybody sees of a closed offer is its outcome, not the answers."""
    game = offered(4)
    for seat in game.state.asked.order[::-1]:
        game.apply(Answer(seat, Claim.TAKE if seat == game.state.turn else Claim.BUY))
    settled = game.view(None).public.events[1]
    assert isinstance(settled, OfferSettled)
    assert (settled.result, settled.seat) == (OfferResult.TAKEN, game.state.turn)
    assert set(OfferSettled.__slots__) == {"card", "turn", "result", "seat", "extra_cards"}


def test_r7_1_a_buyer_takes_the_upcard_and_two_cards_from_the_top_of_the_stock() -> None:
    """The buy costs one of the buys; the player on turn then draws the next card of the stock (R7.7)."""
    game = offered(4)
    state = game.state
    buyer = state.asked.order[1]
    upcard, top = state.discards[-1], state.stock[::-1][:3]
    hand = state.hands[buyer]
    for seat in state.asked.order:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, Claim.BUY if seat == buyer else Claim.PASS))
    assert sorted(state.hands[buyer]) == sorted((*hand, upcard, *top[:2]))
    assert state.buys_left[buyer] == 2
    assert game.events[-1] == Drew(state.turn, DrawSource.STOCK, top[2])
    assert state.discards == []


def test_r7_5_the_player_on_turn_denies_a_buy_by_taking() -> None:
    """Taking costs no buy and no extra cards, and beats every claim."""
    game = offered(5)
    state = game.state
    for seat in state.asked.order[::-1]:
        game.apply(Answer(seat, Claim.TAKE if seat == state.turn else Claim.BUY))
    assert len(state.hands[state.turn]) == 12
    assert state.buys_left == [3] * 5


def test_r7_6_a_player_on_turn_who_is_down_cannot_deny() -> None:
    """Every claim beats the wish of a player on turn who is down; with none he may take the card."""
    turn = offered(4).state.turn
    for somebody_buys in (True, False):
        game = offered(4, down={turn})
        order = game.state.asked.order
        assert order[-1] == turn
        game.apply(Answer(turn, Claim.TAKE))
        for seat in order[:-1]:
            if game.state.phase is Phase.OFFER:
                game.apply(Answer(seat, Claim.BUY if somebody_buys and seat == order[2] else Claim.PASS))
        closed = next(event for event in game.events if isinstance(event, OfferClosed))
        assert closed.seat == (order[2] if somebody_buys else turn)


def test_r7_8_who_discarded_the_upcard_cannot_buy_it_back() -> None:
    """The discarder has no part in the offer, and is told so."""
    game = offered(4, turns=1)
    discarder = (game.state.turn - 1) % 4
    assert discarder not in game.decisions()
    with pytest.raises(RuleViolation, match=r"has no part in the offer.*R7\.10"):
        game.apply(Answer(discarder, Claim.BUY))


def test_r7_10_an_answer_is_final() -> None:
    """A second answer of the same seat is refused, and the first stands."""
    game = offered(4)
    seat = game.state.asked.order[-1]
    game.apply(Answer(seat, Claim.BUY))
    with pytest.raises(RuleViolation, match=r"already answered.*R7\.10"):
        game.apply(Answer(seat, Claim.PASS))
    assert game.state.answers == {seat: Claim.BUY}


def test_r7_11_a_missing_answer_becomes_a_pass_at_the_deadline() -> None:
    """The table times every silent seat out, and the offer closes as if they had passed."""
    game = offered(4)
    order = game.state.asked.order
    game.apply(Answer(order[2], Claim.BUY))
    for seat in order:
        if seat in game.decisions():
            game.apply(TimeOut(seat))
    closed = next(event for event in game.events if isinstance(event, OfferClosed))
    assert closed.answers == ((order[0], Claim.TIMEOUT), (order[1], Claim.TIMEOUT), (order[2], Claim.BUY))
    assert closed.seat == order[2]


def test_r7_9_with_two_players_the_turn_buys_takes_or_passes() -> None:
    """The player on turn who buys gets the upcard and two cards, draws from the stock, and plays on."""
    game = offered(2, turns=1)
    state = game.state
    turn = state.turn
    assert game.decisions()[turn].claims == (Claim.TAKE, Claim.BUY, Claim.PASS)
    upcard, top = state.upcard, state.stock[::-1][:3]
    game.apply(Answer(turn, Claim.BUY))
    assert state.phase is Phase.PLAY
    assert state.turn == turn
    assert len(state.hands[turn]) == 15
    assert state.buys_left[turn] == 2
    assert state.drawn == top[2]
    assert upcard in state.hands[turn]


def test_r7_9_a_turn_that_cannot_buy_now_is_told_why() -> None:
    """With two players and no buy left the answer buy is refused by the rule; with four it never was possible."""
    game = offered(2)
    game.state.buys_left = [0, 0]
    game.state.asked = Asked(order=(game.state.turn,), others=(), turn_may_buy=False)
    with pytest.raises(RuleViolation, match=r"cannot buy .* now.*R7\.9"):
        game.apply(Answer(game.state.turn, Claim.BUY))
    four = offered(4)
    with pytest.raises(RuleViolation, match=r"does not buy.*R7\.9"):
        four.apply(Answer(four.state.turn, Claim.BUY))


def test_r7_4_buy_priority_may_be_counted_from_the_turns_left() -> None:
    """The house rule `turn_left` begins at the left of the player on turn; the standard at the dealer's."""
    situation: dict[str, Any] = {
        "dealer": 0,
        "turn": 2,
        "discarder": 1,
        "down": [False] * 5,
        "buys_left": [3] * 5,
        "stock": 20,
    }
    assert ask(rules=STANDARD, **situation).order == (2, 3, 4, 0)
    assert ask(rules=RuleSet(buy_priority="turn_left"), **(situation | {"dealer": 3})).order == (2, 3, 4, 0)
    assert ask(rules=STANDARD, **(situation | {"dealer": 3})).order == (2, 4, 0, 3)


def test_between_hands_nobody_is_asked() -> None:
    """No offer is open when a hand is over."""
    game = offered(2)
    while game.state.phase in {Phase.OFFER, Phase.PLAY}:
        game.apply(TimeOut(min(game.decisions())))
    assert game.state.asked == NOBODY_ASKED
    assert game.decisions() == {}
