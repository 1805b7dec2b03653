"""The numbered rules of the deal and of a turn (R1 to R7), each shown on a position of its own."""

from __future__ import annotations

from collections import Counter

import pytest
from positions import SEED, all_pass, lay_down, position

from shanghai_engine.action import Answer, Claim, Deal, Discard, LayOff, TimeOut
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.event import (
    Discarded,
    Drew,
    EndReason,
    GameEnded,
    HandEnded,
    LaidOff,
    OfferClosed,
    Reshuffled,
)
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.violation import RuleViolation


@pytest.mark.parametrize(("players", "packs"), [(2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_r1_1_r1_2_packs_of_54_by_number_of_players(players: int, packs: int) -> None:
    """Two packs for 2 to 4, three for 5 or 6, four for 7 or 8, each of 52 cards and two jokers."""
    state = Game.new(seed=SEED, players=players).state
    cards = Counter(state.stock) + Counter(state.discards) + Counter(card for hand in state.hands for card in hand)
    assert cards == {card: packs * (2 if card == JOKER else 1) for card in CARDS}


@pytest.mark.parametrize("players", [0, 1, 9])
def test_r1_2_two_to_eight_players(players: int) -> None:
    """Any other number is refused, with the reason."""
    with pytest.raises(BadRules, match=rf"players = {players} .*2 to 8 players \(R1\.2, R16\)"):
        Game.new(seed=SEED, players=players)


def test_r2_1_ten_hands_and_equal_totals_share_the_place() -> None:
    """The game ends after its tenth hand; the lowest total wins."""
    game = position(players=4, hand=10, hands={0: "2C 3C", 1: "5H JK JK", 2: "5H JK JK", 3: "8H"}, turn=3, down=(3,))
    game.state.melds = position(melds=[(3, "8C 8D 8S")]).state.melds
    events = game.apply(LayOff(3, 0, Card.H8))
    assert events[-1] == GameEnded(totals=(25, 55, 55, 0), places=(2, 3, 3, 1))
    assert game.state.phase is Phase.GAME_OVER
    with pytest.raises(RuleViolation, match=r"the game is over.*R2\.1"):
        game.apply(Deal())


def test_r2_1_after_a_shared_place_the_next_one_is_left_out() -> None:
    """Two share the first place, so that the next is third."""
    game = position(players=4, hand=10, hands={0: "2C 3C", 1: "5H JK JK", 2: "3H", 3: "8H"}, turn=3, down=(3,))
    game.state.melds = position(melds=[(3, "8C 8D 8S")]).state.melds
    game.state.totals = (0, 0, 0, 5)
    assert game.apply(LayOff(3, 0, Card.H8))[-1] == GameEnded(totals=(25, 55, 5, 5), places=(3, 4, 1, 1))


def test_r2_2_the_deal_goes_to_the_left() -> None:
    """Each next hand is dealt by the next higher seat, and play begins at the dealer's left (R4.1)."""
    game = Game.new(seed=SEED, players=3)
    first = game.state.dealer
    for hand in range(1, 5):
        assert game.state.dealer == (first + hand - 1) % 3
        assert game.state.turn == (game.state.dealer + 1) % 3
        while game.decisions():
            game.apply(TimeOut(min(game.decisions())))
        game.apply(Deal())


def test_r2_4_no_deal_while_a_hand_is_on() -> None:
    """The next hand is dealt when the last is over, not before."""
    with pytest.raises(RuleViolation, match=r"hand 1 is still being played.*R2\.4"):
        position().apply(Deal())


def test_r3_1_eleven_cards_one_at_a_time_from_the_dealers_left() -> None:
    """Every seat gets each fourth card of the shuffled packs, the dealer's left the first."""
    game = Game.new(seed=SEED, players=4)
    order = game.chance.deal(1, 2)
    state = game.state
    for place in range(4):
        seat = (state.dealer + 1 + place) % 4
        assert state.hands[seat] == order[place:44:4]
    assert state.discards == [order[44]]
    assert state.stock[::-1] == list(order[45:])


def test_r3_2_the_first_upcard_is_offered() -> None:
    """The card beside the stock is live, and the player on the dealer's left is on turn."""
    game = Game.new(seed=SEED, players=4)
    assert game.state.upcard == game.state.discards[0]
    assert game.state.phase is Phase.OFFER
    assert set(game.decisions()) == {0, 1, 2, 3}


def test_r4_2_a_turn_draws_once_plays_and_ends_with_a_discard() -> None:
    """After the discard the next seat is on turn, and the discard is its upcard."""
    game = position(turn=1, hands={1: "2C 3C"})
    events = game.apply(Discard(1, Card.C2))
    assert events == (Discarded(1, Card.C2),)
    assert game.state.turn == 2
    assert game.state.upcard == Card.C2


def test_r4_2_only_who_is_on_turn_and_has_drawn_plays() -> None:
    """Everybody else is refused, and told who is on turn; in an offer nobody plays yet."""
    game = position(turn=1)
    with pytest.raises(RuleViolation, match=r"seat 2 is not on turn: it is seat 1's turn \(R4\.1\)"):
        game.apply(Discard(2, game.state.hands[2][0]))
    offer = Game.new(seed=SEED, players=4)
    turn = offer.state.turn
    with pytest.raises(RuleViolation, match=r"cannot play yet: the offer of .. is open.*R4\.2"):
        offer.apply(Discard(turn, offer.state.hands[turn][0]))


def test_r4_2_only_cards_of_ones_own_hand_are_discarded() -> None:
    """A card that is not held is refused."""
    with pytest.raises(RuleViolation, match=r"9H is not in the hand of seat 0.*R4\.2"):
        position(turn=0, hands={0: "2C 3C"}).apply(Discard(0, Card.H9))


def test_r4_3_r11_1_the_last_card_played_to_the_table_ends_the_hand_without_a_discard() -> None:
    """Laying off the last card wins at once; the winner scores 0 and the others their cards (R12.1)."""
    game = position(turn=0, hands={0: "8H", 1: "3C 9C TC KC", 2: "AC 2C JK", 3: "4D"}, melds=[(0, "8C 8D 8S")])
    events = game.apply(LayOff(0, 0, Card.H8))
    assert isinstance(events[0], LaidOff)
    assert events[1] == HandEnded(
        reason=EndReason.OUT,
        winner=0,
        hands=((), parse_cards("3C 9C TC KC"), parse_cards("AC 2C JK"), parse_cards("4D")),
        scores=(0, 30, 60, 5),
        totals=(0, 30, 60, 5),
    )
    assert game.state.phase is Phase.HAND_OVER


def test_r4_3_laying_down_ones_last_cards_wins() -> None:
    """A lay-down that empties the hand ends the hand as well."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S"})
    events = game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    assert isinstance(events[-1], HandEnded)
    assert events[-1].winner == 0


def test_r4_4_a_player_who_is_down_still_draws_and_discards() -> None:
    """Being down ends nothing: the seat draws, and owes a discard."""
    game = position(phase=Phase.OFFER, turn=0, hands={0: "KC QD"}, melds=[(0, "8C 8D 8S")], discards="2H", discarder=3)
    all_pass(game)
    assert isinstance(game.events[-1], Drew)
    assert set(game.decisions()[0].discards) == set(game.state.hands[0])
    assert len(game.state.hands[0]) == 3


def test_r5_1_the_upcard_is_dead_once_the_turn_has_drawn_from_the_stock() -> None:
    """After a pass the card lies dead; nobody can take it any more (R5.3)."""
    game = position(phase=Phase.OFFER, discards="5H 2H", discarder=3, turn=0)
    all_pass(game)
    assert game.state.upcard is None
    assert game.state.dead == list(parse_cards("5H 2H"))
    with pytest.raises(RuleViolation, match=r"no offer to answer.*R7\.10"):
        game.apply(Answer(0, Claim.TAKE))


def test_r5_1_the_turn_draws_the_top_of_the_stock() -> None:
    """Once everybody has passed: the others stay in their order."""
    game = position(phase=Phase.OFFER, discards="5H", discarder=3, turn=0, stock="9C TC JC")
    all_pass(game)
    assert game.state.drawn == Card.C9
    assert game.state.hands[0][-1] == Card.C9
    assert game.state.stock == list(parse_cards("JC TC"))


def test_r5_2_nothing_beneath_a_taken_upcard_comes_back() -> None:
    """Taking the upcard leaves the dead cards dead: the next upcard is the next discard."""
    game = position(phase=Phase.OFFER, discards="5H 2H", discarder=3, turn=0)
    game.apply(Answer(0, Claim.TAKE))
    assert game.state.discards == game.state.dead == [Card.H5]
    game.apply(Discard(0, Card.H2))
    assert game.state.upcard == Card.H2
    assert game.state.dead == [Card.H5]


def test_r6_contracts_and_buys() -> None:
    """The ten contracts, their sizes and the buys are those of the table in R6."""
    rules = RuleSet()
    assert [contract.size for contract in rules.contracts] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert str(rules.contract(2)) == "1 set of 3, 1 run of 4"
    assert rules.buys == (3,) * 8 + (4,) * 2


def test_r7_2_buys_are_counted_down_and_run_out() -> None:
    """Who has no buy left is not asked."""
    game = position(phase=Phase.OFFER, turn=0, discards="5H", discarder=3)
    game.state.buys_left[1] = 1
    game.apply(Answer(0, Claim.PASS))
    for seat in game.state.asked.order[1:]:
        if game.state.phase is Phase.OFFER:
            game.apply(Answer(seat, Claim.BUY if seat == 1 else Claim.PASS))
    assert game.state.buys_left[1] == 0
    game.apply(Discard(0, game.state.hands[0][0]))
    all_pass(game)
    game.apply(Discard(1, game.state.hands[1][0]))
    assert 1 not in game.state.asked.order
    assert 0 in game.state.asked.order


def test_r7_8_a_buy_needs_two_cards_in_the_stock_and_never_reshuffles() -> None:
    """With two cards in the stock a buy is offered; the player on turn then draws from a new stock (R13.2)."""
    game = position(phase=Phase.OFFER, turn=0, discards="3D 5D 5H", discarder=3, stock="9C TC")
    buyer = game.state.asked.order[1]
    game.apply(Answer(0, Claim.PASS))
    events = game.apply(Answer(buyer, Claim.BUY))
    assert [type(event) for event in events[1:]] == [OfferClosed, Reshuffled, Drew]
    assert sorted(events[2].stock) == sorted(parse_cards("3D 5D"))  # type: ignore[union-attr]
    poor = position(phase=Phase.OFFER, turn=0, discards="3D 5D 5H", discarder=3, stock="9C")
    assert poor.state.asked.order == (0,)
