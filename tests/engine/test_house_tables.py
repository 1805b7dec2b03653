"""R16 where it says what is bought, counted and reshuffled, and when a hand ends."""

from __future__ import annotations

from typing import Any

import pytest
from positions import accepted, all_pass, position, refused

from shanghai_engine.action import Answer, Claim, Deal, Discard, TimeOut
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS
from shanghai_engine.event import DrawSource, Drew, EndReason, HandEnded, OfferClosed, Reshuffled
from shanghai_engine.game import Game
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase


def offered(rules: RuleSet = STANDARD, *, turn: int = 0, **parts: Any) -> Game:  # noqa: ANN401 any part of a position
    """Give an open offer of 5H among four, dealer 3 unless the seed says otherwise."""
    parts = {"discards": "3D 4D 5H", "discarder": (turn - 1) % parts.get("players", 4), **parts}
    return position(phase=Phase.OFFER, turn=turn, rules=rules, **parts)


def buy(game: Game, buyer: int) -> Game:
    """Let one seat buy the upcard and everybody else pass, on a copy."""
    game = game.copy()
    while game.state.phase is Phase.OFFER:
        seat = min(game.decisions())
        game.apply(Answer(seat, Claim.BUY if seat == buyer else Claim.PASS))
    return game


@pytest.mark.parametrize("extra", [0, 1, 2, 3])
def test_r16_buy_extra_cards_is_the_price_of_a_buy(extra: int) -> None:
    """The buyer takes the upcard and so many cards from the stock's top, and the player on turn the next."""
    game = offered(RuleSet(buy_extra_cards=extra), stock="6C 7C 8C 9C TC JC")
    buyer = game.state.asked.order[1]
    held = game.state.hands[buyer]
    after = buy(game, buyer)
    top = parse_cards("6C 7C 8C 9C")
    assert after.state.hands[buyer] == (*held, Card.H5, *top[:extra])
    assert after.events[-1] == Drew(0, DrawSource.STOCK, top[extra])


@pytest.mark.parametrize("extra", [0, 1, 2, 3])
def test_r16_buy_extra_cards_must_lie_in_the_stock(extra: int) -> None:
    """A buy is offered while the stock holds the extra cards, and not with one less (R7.8)."""
    rules = RuleSet(buy_extra_cards=extra)
    stock = "6C 7C 8C"[: 3 * extra]
    enough = offered(rules, stock=stock)
    assert len(enough.state.asked.order) == 3
    after = buy(enough, enough.state.asked.order[1])
    assert any(isinstance(event, Reshuffled) for event in after.events)
    if extra:
        short = offered(rules, stock=stock[3:])
        assert short.state.asked.order == (0,)
        refused(short, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)


def test_r16_buys_are_counted_by_hand() -> None:
    """Each hand has its own number; 0 sells nothing."""
    rules = RuleSet(buys=(0, 1, 3, 3, 3, 3, 3, 3, 4, 4))
    none = offered(rules)
    assert none.state.asked.order == (0,)
    refused(none, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)
    one = offered(rules, hand=2)
    buyer = one.state.asked.order[1]
    after = buy(one, buyer)
    assert after.state.buys_left[buyer] == 0
    after.apply(TimeOut(0))
    assert buyer not in after.state.asked.order[1:]


def test_r16_buys_of_minus_one_never_run_out() -> None:
    """The number stays -1 after a buy, and the buyer is asked again."""
    game = offered(RuleSet(buys=(-1,) * 10))
    buyer = game.state.asked.order[1]
    after = buy(game, buyer)
    assert after.state.buys_left == [-1] * 4
    assert after.view(None).public.seats[buyer].buys_left == -1
    after.apply(TimeOut(0))
    assert buyer in after.state.asked.order


def test_r16_buy_priority_dealer_left_serves_from_the_dealers_left() -> None:
    """Whoever's turn it is, the first buyer is the dealer's left and the dealer comes last (R7.4)."""
    game = offered(turn=2)
    dealer = game.state.dealer
    order = [seat for step in range(1, 5) if (seat := (dealer + step) % 4) not in {1, 2}]
    assert list(game.state.asked.order) == [2, *order]


@pytest.mark.parametrize("turn", range(4))
def test_r16_buy_priority_turn_left_serves_from_the_left_of_the_turn(turn: int) -> None:
    """The order of the buyers is that of their turns, whoever dealt; the best placed of two buyers gets the card."""
    game = offered(RuleSet(buy_priority="turn_left"), turn=turn)
    first, second = (turn + 1) % 4, (turn + 2) % 4
    assert game.state.asked.order == (turn, first, second)
    game.apply(Answer(second, Claim.BUY))
    game.apply(Answer(first, Claim.BUY))
    game.apply(Answer(turn, Claim.PASS))
    closed = next(event for event in game.events if isinstance(event, OfferClosed))
    assert closed.seat == first


def test_r16_down_may_buy_false_asks_nobody_who_is_down() -> None:
    """Who is down has no part in an offer but on his turn (R7.3)."""
    game = offered(down=(1, 2))
    assert set(game.decisions()).isdisjoint({1, 2})
    refused(game, Answer(1, Claim.BUY), Refusal.NOT_IN_THE_OFFER)


def test_r16_down_may_buy_true_asks_whoever_has_a_buy_left() -> None:
    """Who is down buys in his place in the order, a floating player too, who has cards again then."""
    game = offered(RuleSet(down_may_buy=True), melds=[(1, "8C 8D 8S")], hands={1: ""})
    assert 1 in game.decisions()
    assert game.state.floats(1)
    after = buy(game, 1)
    assert len(after.state.hands[1]) == 3
    assert not after.state.floats(1)
    assert after.state.buys_left[1] == 2


def test_r16_down_may_buy_true_never_lets_a_down_turn_deny() -> None:
    """On turn and down one still comes last, take or buy (R7.6)."""
    rules = RuleSet(down_may_buy=True, turn_may_buy="always")
    game = offered(rules, down=(0,))
    assert game.state.asked.order[-1] == 0
    assert game.decisions()[0].claims == (Claim.TAKE, Claim.BUY, Claim.PASS)
    other = game.state.asked.order[0]
    game.apply(Answer(0, Claim.BUY))
    game.apply(Answer(other, Claim.BUY))
    closed = next(event for event in game.events if isinstance(event, OfferClosed))
    assert closed.seat == other


@pytest.mark.parametrize(("players", "buys"), [(2, True), (3, False), (4, False), (8, False)])
def test_r16_turn_may_buy_two_players_is_r7_9(players: int, buys: bool) -> None:  # noqa: FBT001 a case
    """With two players the player on turn may also buy, with more not."""
    game = offered(players=players)
    assert (Claim.BUY in game.decisions()[0].claims) == buys
    if not buys:
        refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY)


@pytest.mark.parametrize("players", [2, 4])
def test_r16_turn_may_buy_never_leaves_take_or_pass(players: int) -> None:
    """Not even with two players; the one who discarded cannot buy either, so nobody can then."""
    contracts = STANDARD_CONTRACTS[:3]
    rules = RuleSet(turn_may_buy="never", contracts=contracts, cards_dealt=(11,) * 3, buys=(3,) * 3)
    game = offered(rules, players=players)
    assert game.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
    refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY)
    assert (len(game.state.asked.order) == 1) == (players == 2)


@pytest.mark.parametrize("players", [2, 4, 8])
def test_r16_turn_may_buy_always_gives_the_turn_the_first_buy(players: int) -> None:
    """Who is on turn buys before everybody else, counts it as a buy, draws as well, and plays all of it at once."""
    game = offered(RuleSet(turn_may_buy="always"), players=players, stock="6C 7C 8C 9C TC JC")
    held = game.state.hands[0]
    others = [seat for seat in game.decisions() if seat != 0]
    for seat in others:
        game.apply(Answer(seat, Claim.BUY))
    game.apply(Answer(0, Claim.BUY))
    assert game.state.hands[0] == (*held, Card.H5, *parse_cards("6C 7C 8C"))
    assert game.state.buys_left[0] == 2
    assert game.state.phase is Phase.PLAY
    assert game.state.turn == 0


def test_r16_turn_may_buy_always_needs_a_buy_and_the_stock() -> None:
    """Without a buy left, without the extra cards, or down, the player on turn takes or passes."""
    rules = RuleSet(turn_may_buy="always")
    for game in (offered(rules, stock="6C"), offered(rules, down=(0,))):
        assert game.decisions()[0].claims == (Claim.TAKE, Claim.PASS)
        refused(game, Answer(0, Claim.BUY), Refusal.TURN_CANNOT_BUY_NOW)


@pytest.mark.parametrize("reshuffles", [0, 1, 2, 3])
def test_r16_reshuffles_is_how_often_the_dead_cards_come_back(reshuffles: int) -> None:
    """So often in a hand an empty stock is made anew (R13.2); after that a pass ends the hand (R13.1)."""
    game = offered(RuleSet(reshuffles=reshuffles), stock="")
    for number in range(reshuffles):
        assert not game.decisions()[game.state.turn].passing_ends_hand
        all_pass(game)
        assert game.state.reshuffles == number + 1
        game.state.stock.clear()
        game.apply(Discard(game.state.turn, game.state.hands[game.state.turn][0]))
    assert game.decisions()[game.state.turn].passing_ends_hand
    all_pass(game)
    assert game.state.results[-1].reason is EndReason.STOCK


def test_r16_reshuffles_are_counted_for_each_hand() -> None:
    """The next deal begins the count again."""
    game = offered(stock="")
    all_pass(game)
    game.state.stock.clear()
    game.apply(TimeOut(0))
    all_pass(game)
    game.apply(Deal())
    assert game.state.reshuffles == 0


@pytest.mark.parametrize(("limit", "players"), [(10, 2), (10, 5), (60, 4), (200, 3)])
def test_r16_turn_limit_ends_the_hand(limit: int, players: int) -> None:
    """When everybody has had so many turns the hand ends before the next offer (R14.1), and not one turn before."""
    rules = RuleSet(turn_limit=limit)
    last = position(players=players, turn=0, hands={0: "2C 3C"}, rules=rules)
    last.state.turn_number = limit * players
    ended = accepted(last, Discard(0, Card.C2)).events[-1]
    assert isinstance(ended, HandEnded)
    assert (ended.reason, ended.winner) == (EndReason.TURNS, None)
    before = position(players=players, turn=0, hands={0: "2C 3C"}, rules=rules)
    before.state.turn_number = limit * players - 1
    assert accepted(before, Discard(0, Card.C2)).state.phase is Phase.OFFER
