"""The numbered rules of what is laid on the table (R8 to R10), each shown on a position of its own."""

from __future__ import annotations

import pytest
from positions import lay_down, position

from shanghai_engine.action import Discard, LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card, parse_cards
from shanghai_engine.event import (
    LaidDown,
    Swapped,
)
from shanghai_engine.meld import End
from shanghai_engine.violation import RuleViolation


def test_r8_5_all_melds_of_the_contract_at_once() -> None:
    """Fewer melds, more melds, other kinds or shorter melds are refused, and nothing has changed."""
    hand = "8C 8D 8S 9C 9D 9S KC KD KS 4H 5H 6H 7H"
    for melds in (("8C 8D 8S",), ("8C 8D 8S", "9C 9D 9S", "KC KD KS"), ("8C 8D 8S", "4H 5H 6H 7H")):
        game = position(turn=0, hands={0: hand})
        before = game.state.copy()
        with pytest.raises(RuleViolation, match=r"hand 1 asks for 2 sets of 3.*R8\.5"):
            game.apply(lay_down(0, *melds))
        assert game.state == before


def test_r8_5_no_melds_are_no_lay_down() -> None:
    """An empty lay-down is refused."""
    with pytest.raises(RuleViolation, match=r"nothing to lay down.*R8\.5"):
        position(turn=0).apply(LayDown(0, ()))


def test_r8_5_once_per_hand_and_from_ones_own_cards() -> None:
    """A second lay-down is refused, and so are cards that the hand lacks, also the second of a kind."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S 2C"})
    with pytest.raises(RuleViolation, match=r"lacks 8C \(R8\.5\)"):
        game.apply(lay_down(0, "8C 8C 8S", "9C 9D 9S"))
    game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    with pytest.raises(RuleViolation, match=r"seat 0 is down already.*R8\.5"):
        game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))


def test_r8_5_a_meld_may_be_longer_than_asked() -> None:
    """4H JK JK JK 8H 9H serves where a run of 5 is asked, although no five of its cards do."""
    game = position(turn=0, hand=6, hands={0: "2C 2D 2S 3C 3D 3S 4H JK JK JK 8H 9H KC"})
    events = game.apply(lay_down(0, "2C 2D 2S", "3C 3D 3S", "4H JK JK JK 8H 9H"))
    assert isinstance(events[0], LaidDown)
    assert game.state.melds[2].rank == 4
    assert game.state.melds[2].stands_for(1) == Card.H5


def test_r8_6_two_sets_of_one_rank_are_two_melds() -> None:
    """Six eights fulfil hand 1."""
    game = position(players=5, turn=0, hands={0: "8C 8D 8S 8C 8D 8H 2C"})
    game.apply(lay_down(0, "8C 8D 8S", "8C 8D 8H"))
    assert [meld.rank for meld in game.state.melds] == [8, 8]


def test_r9_1_only_who_is_down_lays_off_also_at_once() -> None:
    """Before laying down a lay-off is refused; in the turn of the lay-down it is not."""
    game = position(turn=0, hands={0: "8C 8D 8S 9C 9D 9S 2C KH"}, melds=[(1, "KC KD KS")])
    with pytest.raises(RuleViolation, match=r"seat 0 is not down.*R9\.1"):
        game.apply(LayOff(0, 0, Card.HK))
    game.apply(lay_down(0, "8C 8D 8S", "9C 9D 9S"))
    game.apply(LayOff(0, 0, Card.HK))
    assert str(game.state.melds[0]) == "KC KD KS KH"


def test_r9_1_the_meld_must_be_there() -> None:
    """A meld that is not on the table is refused by its number."""
    game = position(turn=0, hands={0: "KH 2C"}, melds=[(0, "KC KD KS")])
    with pytest.raises(RuleViolation, match=r"no meld 1 on the table: the first is 0, and the last 0 \(R9\.1\)"):
        game.apply(LayOff(0, 1, Card.HK))


@pytest.mark.parametrize(
    ("card", "end", "after"),
    [("3H", End.LOW, "3H 4H 5H 6H 7H"), ("8H", End.HIGH, "4H 5H 6H 7H 8H"), ("JK", End.LOW, "JK 4H 5H 6H 7H")],
)
def test_r9_2_a_run_takes_the_next_card_at_either_end(card: str, end: End, after: str) -> None:
    """The next card of its suit, or a joker at the end that is chosen."""
    game = position(turn=0, hands={0: f"{card} 2C"}, melds=[(0, "4H 5H 6H 7H")])
    game.apply(LayOff(0, 0, Card.parse(card), end))
    assert str(game.state.melds[0]) == after


@pytest.mark.parametrize(
    ("meld", "card", "end", "says"),
    [
        ("4H 5H 6H 7H", "9H", End.HIGH, "9H does not fit the high end"),
        ("4H 5H 6H 7H", "8D", End.HIGH, "8D does not fit the high end"),
        ("4H 5H 6H 7H", "8H", End.LOW, "8H does not fit the low end"),
        ("4H 5H 6H 7H", "8H", None, "has two ends"),
        ("JH QH KH AH", "JK", End.HIGH, "takes nothing more at its high end"),
        ("2H 3H 4H 5H", "AH", End.LOW, "takes nothing more at its low end"),
        ("8C 8D 8S", "9H", None, "9H does not fit the set"),
        ("8C 8D 8S", "8H", End.HIGH, "a set has no ends"),
    ],
)
def test_r9_2_what_does_not_fit_is_refused(meld: str, card: str, end: End | None, says: str) -> None:
    """Wrong rank, suit or end, and beyond 2 and A, a joker too."""
    game = position(turn=0, hands={0: f"{card} 2C"}, melds=[(0, meld)])
    with pytest.raises(RuleViolation, match=rf"{says}.*R9\.2"):
        game.apply(LayOff(0, 0, Card.parse(card), end))


def test_r8_3_holds_after_every_lay_off() -> None:
    """A meld with as many jokers as other cards takes no further joker, but a natural card and then a joker."""
    game = position(turn=0, hands={0: "8H JK 2C"}, melds=[(0, "8C 8D JK JK")])
    with pytest.raises(RuleViolation, match=r"cannot take another joker.*R8\.3"):
        game.apply(LayOff(0, 0, JOKER))
    game.apply(LayOff(0, 0, Card.H8))
    game.apply(LayOff(0, 0, JOKER))
    assert game.state.melds[0].jokers == 3


def test_r10_1_the_card_that_a_joker_stands_for_takes_its_place() -> None:
    """In a run exactly that card, in a set any of the rank; the joker comes into the hand (R10.3)."""
    game = position(turn=0, hands={0: "6H 8H KC"}, melds=[(1, "4H 5H JK 7H"), (0, "8C 8D JK")])
    assert game.apply(Swap(0, 0, 2, Card.H6))[0] == Swapped(0, 2, Card.H6, game.state.melds[0])
    game.apply(Swap(0, 1, 2, Card.H8))
    assert game.state.hands[0] == parse_cards("KC JK JK")
    game.apply(Discard(0, Card.CK))
    assert game.state.hands[0] == (JOKER, JOKER)


@pytest.mark.parametrize(
    ("card", "meld", "index", "says"),
    [
        (Card.H9, 0, 2, "9H is not what the joker at place 2 of 4H 5H JK 7H stands for"),
        (Card.H6, 0, 1, "no joker at place 1"),
        (Card.H6, 0, 7, "no joker at place 7"),
        (JOKER, 0, 2, "not for another joker"),
        (Card.H6, 1, 2, "6H is not what the joker"),
    ],
)
def test_r10_1_any_other_swap_is_refused(card: Card, meld: int, index: int, says: str) -> None:
    """Another card, a place without a joker, and a joker for a joker."""
    game = position(turn=0, hands={0: "6H 9H JK KC"}, melds=[(1, "4H 5H JK 7H"), (0, "8C 8D JK")])
    with pytest.raises(RuleViolation, match=rf"{says}.*R10\.1"):
        game.apply(Swap(0, meld, index, card))


def test_r10_2_who_is_not_down_must_be_able_to_lay_down_with_the_joker() -> None:
    """The swap is refused where the hand could not; where it could, the lay-down is owed before the discard."""
    game = position(turn=0, hands={0: "8H 9C 9D 9S KC KD 2C"}, melds=[(1, "8C 8D JK")])
    game.apply(Swap(0, 0, 2, Card.H8))
    assert game.state.must_lay_down
    decision = game.decisions()[0]
    assert decision.must_lay_down
    assert decision.discards == ()
    with pytest.raises(RuleViolation, match=r"must lay down before discarding.*R10\.2"):
        game.apply(Discard(0, Card.C2))
    game.apply(lay_down(0, "9C 9D 9S", "KC KD JK"))
    game.apply(Discard(0, Card.C2))
    poor = position(turn=0, hands={0: "8H 9C 9D 3S KC KD 2C"}, melds=[(1, "8C 8D JK")])
    with pytest.raises(RuleViolation, match=r"could not lay down 2 sets of 3 with this joker.*R10\.2"):
        poor.apply(Swap(0, 0, 2, Card.H8))


def test_r10_2_may_swap_again_under_the_same_condition() -> None:
    """A second swap before the lay-down is lawful where the hand after it can still lay down, and only there."""
    game = position(turn=0, hands={0: "8H 6H 9C 9D 9S KC KD 2C"}, melds=[(1, "8C 8D JK"), (1, "4H 5H JK 7H")])
    game.apply(Swap(0, 0, 2, Card.H8))
    game.apply(Swap(0, 1, 2, Card.H6))
    assert game.state.hands[0].count(JOKER) == 2
    assert game.state.must_lay_down
    other = position(turn=0, hands={0: "8H KH 9C 9D 9S KC 2C 2D"}, melds=[(1, "8C 8D JK"), (1, "JH QH JK AH")])
    other.state.hands[0] = tuple(sorted(parse_cards("8H KH 9C 9D 9S KC 3C 4D")))
    other.apply(Swap(0, 0, 2, Card.H8))
    with pytest.raises(RuleViolation, match=r"R10\.2"):
        other.apply(Swap(0, 1, 2, Card.HK))
