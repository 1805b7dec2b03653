"""How the basic bot plays its turn, in named situations."""

from __future__ import annotations

import pytest
from bot_seat import MELDS, choice, offer, turn_of
from positions import position

from shanghai_engine.action import Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.bots.seen import collected
from shanghai_engine.card import JOKER, Card
from shanghai_engine.game import Game
from shanghai_engine.meld import End
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import distance


def test_lays_down_at_once_and_plays_off_what_fits() -> None:
    """The lay-down comes first, then every lay-off, then the discard of the dearest card that is left."""
    game = position(turn=1, hands={1: "8C 8D 8H 5C 5D 5S 9H KC 3H AS 4D"}, melds=[(0, "4H 5H 6H 7H")], down=[0])
    actions = turn_of(game)
    assert isinstance(actions[0], LayDown)
    assert actions[1:] == [LayOff(1, 0, Card.H3, End.LOW), Discard(1, Card.SA)]


def test_lays_off_at_both_ends_and_floats() -> None:
    """The low and the high card go to their ends, and the last card, which fits nowhere, is discarded."""
    game = position(turn=1, hands={1: "3H 8H KC"}, melds=[(1, "4H 5H 6H 7H")])
    actions = turn_of(game)
    assert set(actions[:-1]) == {LayOff(1, 0, Card.H3, End.LOW), LayOff(1, 0, Card.H8, End.HIGH)}
    assert actions[-1] == Discard(1, Card.CK)
    assert game.state.floats(1)


def test_r11_goes_out_rather_than_discarding_the_last_card() -> None:
    """A last card that fits is laid off, which wins the hand."""
    game = position(turn=1, hands={1: "8H"}, melds=MELDS)
    turn_of(game)
    assert game.state.results[-1].winner == 1


def test_lays_off_where_the_next_card_can_follow() -> None:
    """The eight goes to the run and not to the eights, since the nine then fits too."""
    game = position(turn=1, hands={1: "8H 9H"}, melds=MELDS)
    assert turn_of(game) == [LayOff(1, 1, Card.H8, End.HIGH), LayOff(1, 1, Card.H9, End.HIGH)]
    assert game.state.results[-1].winner == 1


def test_a_joker_bridges_to_a_card_that_does_not_fit() -> None:
    """The joker becomes the eight, so that the nine can follow, and the hand is won."""
    game = position(turn=1, hands={1: "9H JK"}, melds=[(1, "4H 5H 6H 7H"), (1, "QC QD QS")])
    assert turn_of(game) == [LayOff(1, 0, JOKER, End.HIGH), LayOff(1, 0, Card.H9, End.HIGH)]
    assert game.state.results[-1].winner == 1


def test_two_jokers_bridge_only_where_the_run_takes_both() -> None:
    """A run of two naturals and two jokers takes none; the jokers go to the set, and the nine is discarded (R8.3)."""
    game = position(turn=1, hands={1: "9H JK JK"}, melds=[(1, "4H 5H JK JK"), (1, "QC QD QS QH")])
    actions = turn_of(game)
    assert actions == [LayOff(1, 1, JOKER), LayOff(1, 1, JOKER), Discard(1, Card.H9)]


def test_swaps_a_card_that_fits_nowhere_and_plays_the_joker() -> None:
    """Down with the card that a joker stands for, a seat swaps it, lays the joker off and is out."""
    game = position(turn=1, hands={1: "5H"}, melds=[(0, "4H JK 6H 7H")], down=[1])
    actions = turn_of(game)
    assert actions[0] == Swap(1, 0, 1, Card.H5)
    assert isinstance(actions[1], LayOff)
    assert game.state.results[-1].winner == 1


def test_swaps_for_a_joker_that_bridges() -> None:
    """A card that would fit a set is swapped instead where the joker lets another card be played."""
    game = position(turn=1, hands={1: "8H TC"}, melds=[(0, "8C 8D JK"), (0, "5C 6C 7C 8C")], down=[1])
    actions = turn_of(game)
    assert actions == [Swap(1, 0, 2, Card.H8), LayOff(1, 1, JOKER, End.HIGH), LayOff(1, 1, Card.CT, End.HIGH)]


def test_r10_2_swaps_before_laying_down_only_to_lay_down() -> None:
    """The joker that completes the contract is fetched, and the contract laid down in the same turn."""
    game = position(turn=1, hands={1: "5H 8C 8D 8H QC QD 2S 9D"}, melds=[(0, "4H JK 6H 7H")])
    actions = turn_of(game)
    assert actions[0] == Swap(1, 0, 1, Card.H5)
    assert isinstance(actions[1], LayDown)
    able = position(turn=1, hands={1: "5H 8C 8D 8H QC QD QS 9D"}, melds=[(0, "4H JK 6H 7H")])
    assert isinstance(choice(able, 1), LayDown)


@pytest.mark.parametrize("number", range(1, 11))
def test_keeps_a_joker(number: int) -> None:
    """Whatever the contract, a joker is not discarded, though it costs most points."""
    game = position(hand=number, turn=1, hands={1: "JK 4C 7D KD 2H 9H QS AS"})
    assert choice(game, 1) != Discard(1, JOKER)


def test_discards_what_serves_the_contract_least_then_what_costs_most() -> None:
    """Of lone cards, where two sets are asked, the two goes first: it costs 20 points."""
    game = position(turn=1, hands={1: "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S 3H"})
    assert choice(game, 1) == Discard(1, Card.C2)


@pytest.mark.parametrize(
    ("number", "hand"),
    [
        (2, "8C 8D 8H 5H 6H 7S QH KC 4S 3S 2C JD"),
        (5, "8C 8D 5H 6H 7H 8H 9H JH QC KC 4S 3S"),
        (8, "3H 4H 5H 6H 7H 8H 9H TH 6C 6D 6S KC QD 2S"),
    ],
)
def test_a_discard_never_leads_away_from_a_mixed_contract(number: int, hand: str) -> None:
    """Where a set and a run want the same card, the hand is no farther from the contract after the discard."""
    game = position(hand=number, turn=1, hands={1: hand})
    before = distance(game.state.hands[1], game.state.contract, STANDARD)
    game.apply(choice(game, 1))
    assert distance(game.state.hands[1], game.state.contract, STANDARD) == before


def test_r16_a_joker_that_may_not_be_laid_off_in_this_turn_bridges_nothing() -> None:
    """Where nothing is laid off in the turn of the lay-down, the bot discards, though a joker would make room."""
    game = Game.from_position(
        """rules {"lay_off_when_laying_down": false}
turn 1 play 1 number 6
seat "A" total 0 buys 3 cards 3C
seat "B" total 0 buys 3 down cards JK JH
meld 1 run 6H 7H 8H 9H
meld 1 set 3C 3D 3S
stock 3D 4D 5D 6D
discards 9S 8S
drawn JH
laid_down_now"""
    )
    assert choice(game, 1) == Discard(1, Card.HJ)


def test_gives_nothing_to_a_next_player_who_could_play_it() -> None:
    """Of two useless cards, the one that the next player, who floats, would win with is kept."""
    hand = "8C 8D 8S 5C 5D 5S 9H AC"
    game = position(hand=4, turn=1, hands={1: hand, 2: ""}, melds=[(2, "AD AH AS"), (2, "TC TD TS"), (2, "QC QD QS")])
    assert choice(game, 1) == Discard(1, Card.H9)
    alone = position(hand=4, turn=1, hands={1: hand})
    assert choice(alone, 1) == Discard(1, Card.CA)


def test_sees_what_the_others_collect() -> None:
    """Upcards taken or bought are remembered by seat until they are discarded."""
    game = offer("5H", "8C 8D 8H 5C 5D 2C 9D JS QH KC 4S", seat=1)
    game.apply(Answer(1, Claim.TAKE))
    other = game.copy()
    assert collected(game.view(3).public) == {1: (Card.H5,)}
    game.apply(Discard(1, Card.H5))
    assert collected(game.view(3).public) == {1: ()}
    # The same hand as it went on elsewhere, and as it was before.
    other.apply(Discard(1, Card.S4))
    assert collected(other.view(3).public) == {1: (Card.H5,)}
    assert collected(game.view(3).public) == {1: ()}
