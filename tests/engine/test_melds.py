"""Melds: what is read as one, what may join it, and what may take a joker's place."""

from __future__ import annotations

from typing import Any

import pytest
from case_file import cards_of, read_cases
from hypothesis import given
from hypothesis import strategies as st
from strategies import cards

from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, Card, card_of, parse_cards
from shanghai_engine.meld import (
    End,
    Meld,
    MeldDraft,
    MeldKind,
    laid_off,
    read_meld,
    refuse_lay_off,
    refuse_swap,
    swapped,
)
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import STANDARD


def read(kind: MeldKind, text: str) -> Meld | Refusal:
    """Read cards in text form as a meld of a kind."""
    return read_meld(MeldDraft(kind, parse_cards(text)), meld_id=3, owner=1, rules=STANDARD)


def a_set(text: str) -> Meld:
    """Give a set that is one."""
    meld = read(MeldKind.SET, text)
    assert isinstance(meld, Meld)
    return meld


def a_run(text: str) -> Meld:
    """Give a run that is one."""
    meld = read(MeldKind.RUN, text)
    assert isinstance(meld, Meld)
    return meld


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Draw a lawful meld: naturals first, then as many of them become jokers as R8.3 allows."""
    size = draw(st.integers(4, 13))
    if draw(st.booleans()):
        kind, low = MeldKind.SET, draw(st.integers(LOWEST_RANK, ACE))
        meant = [card_of(low, draw(st.integers(0, 3))) for _ in range(size)]
    else:
        kind, low = MeldKind.RUN, draw(st.integers(LOWEST_RANK, ACE - size + 1))
        suit = draw(st.integers(0, 3))
        meant = [card_of(rank, suit) for rank in range(low, low + size)]
    jokers = draw(st.sets(st.integers(0, size - 1), max_size=size // 2))
    held = tuple(JOKER if index in jokers else card for index, card in enumerate(meant))
    meld = read_meld(MeldDraft(kind, held), meld_id=0, owner=0, rules=STANDARD)
    assert isinstance(meld, Meld)
    return meld


@pytest.mark.parametrize("case", read_cases("melds"), ids=str)
def test_meld_cases(case: dict[str, Any]) -> None:
    """Each case is read as the kind of meld that the other implementation found, and as no other."""
    held = cards_of(case["cards"])
    for kind in MeldKind:
        answer = read_meld(MeldDraft(kind, held), meld_id=0, owner=0, rules=STANDARD)
        assert isinstance(answer, Meld) == (case["kind"] == kind.value)


def test_r8_1_a_set_is_three_or_more_of_one_rank() -> None:
    """Suits do not matter and may repeat; two cards, or two ranks, are none."""
    assert a_set("8C 8C 8H").rank == 8
    assert len(a_set("8C 8D 8H 8S 8S 8C").cards) == 6
    assert read(MeldKind.SET, "8C 8H") is Refusal.SET_TOO_SHORT
    assert read(MeldKind.SET, "8C 8H 9H") is Refusal.NOT_ONE_RANK


def test_r8_2_a_run_is_four_or_more_in_a_row_of_one_suit() -> None:
    """Three cards, two suits, a gap, a repeated rank or a descending order are none."""
    run = a_run("4H 5H 6H 7H")
    assert (run.rank, run.high, run.suit) == (4, 7, 2)
    assert read(MeldKind.RUN, "4H 5H 6H") is Refusal.RUN_TOO_SHORT
    assert read(MeldKind.RUN, "4H 5H 6S 7H") is Refusal.NOT_ONE_SUIT
    for text in ("4H 5H 7H 8H", "4H 5H 5H 6H", "7H 6H 5H 4H"):
        assert read(MeldKind.RUN, text) is Refusal.NOT_CONSECUTIVE


def test_r8_3_no_meld_has_more_jokers_than_naturals() -> None:
    """Two eights and two jokers are a set, one eight and two jokers are none; the same holds for runs."""
    assert a_set("8C 8D JK JK").jokers == 2
    assert read(MeldKind.SET, "8C JK JK") is Refusal.TOO_MANY_JOKERS
    assert a_run("4H JK JK 7H").jokers == 2
    assert read(MeldKind.RUN, "4H JK JK JK 8H") is Refusal.TOO_MANY_JOKERS
    assert read(MeldKind.SET, "JK JK JK") is Refusal.TOO_MANY_JOKERS


def test_r8_4_a_joker_in_a_run_stands_for_one_card_by_its_place() -> None:
    """In a run the place says which card a joker is, at the ends too; in a set it is any card of the rank."""
    run = a_run("JK 5H 6H JK 8H")
    assert [run.stands_for(index) for index in range(5)] == [Card.H4, Card.H5, Card.H6, Card.H7, Card.H8]
    assert a_set("8C JK 8D").stands_for(1) is None


def test_r8_5_a_meld_may_be_longer_than_any_contract_asks() -> None:
    """Six cards of which no five are a run by themselves are a run; and so are all thirteen of a suit."""
    assert a_run("4H JK JK JK 8H 9H").jokers == 3
    assert read(MeldKind.RUN, "4H JK JK JK 8H") is Refusal.TOO_MANY_JOKERS
    assert read(MeldKind.RUN, "JK JK JK 8H 9H") is Refusal.TOO_MANY_JOKERS
    assert len(a_run("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH").cards) == 13


def test_r8_6_melds_of_one_rank_or_suit_stay_two() -> None:
    """Two sets of one rank, and two runs that touch, are read and lengthened each by itself."""
    low, high = a_run("4H 5H 6H 7H"), a_run("8H 9H TH JH")
    assert refuse_lay_off(low, Card.H8, End.HIGH, STANDARD) is None
    assert refuse_lay_off(high, Card.HQ, End.LOW, STANDARD) is Refusal.NOT_THE_NEXT_CARD
    assert laid_off(low, Card.H8, End.HIGH).high == 8
    assert high.rank == 8
    assert a_set("8C 8D 8H").rank == a_set("8C 8S 8S").rank


def test_r1_3_the_ace_is_high_and_a_run_does_not_wrap() -> None:
    """J Q K A is a run; A 2 3 4 and Q K A 2 are none, nor is a joker above the ace or below the two.

    What would follow only if the two came after the ace is refused for that; what would not follow even then is not.
    """
    assert a_run("JH QH KH AH").high == ACE
    for text in ("AH 2H 3H 4H", "QH KH AH 2H", "KH AH JK 3H", "JK AH 2H 3H", "QH KH AH JK", "JK 2H 3H 4H"):
        assert read(MeldKind.RUN, text) is Refusal.BEYOND_THE_RANKS
    for text in ("AH 2H 3H 5H", "AH 2H 4H 5H", "QH KH AH 3H", "AH KH QH JH", "5H 4H 3H 2H", "KH AH 3H 2H"):
        assert read(MeldKind.RUN, text) is Refusal.NOT_CONSECUTIVE


def test_r9_2_a_set_takes_its_rank() -> None:
    """Any card of the rank joins a set, at no end; another rank does not."""
    meld = a_set("8C 8D 8H")
    assert laid_off(meld, Card.C8, None).cards == parse_cards("8C 8D 8H 8C")
    assert refuse_lay_off(meld, Card.C9, None, STANDARD) is Refusal.NOT_THE_SETS_RANK
    assert refuse_lay_off(meld, Card.C8, End.HIGH, STANDARD) is Refusal.SET_HAS_NO_ENDS


def test_r9_2_a_run_takes_the_next_card_at_either_end() -> None:
    """The next card of the suit joins at the end that is named; another end, rank or suit, or no end, is refused."""
    meld = a_run("5H 6H 7H JK")
    longer = laid_off(meld, Card.H4, End.LOW)
    assert (longer.cards, longer.rank, longer.high) == (parse_cards("4H 5H 6H 7H JK"), 4, 8)
    assert laid_off(meld, Card.H9, End.HIGH).cards == parse_cards("5H 6H 7H JK 9H")
    assert refuse_lay_off(meld, Card.H4, End.HIGH, STANDARD) is Refusal.NOT_THE_NEXT_CARD
    assert refuse_lay_off(meld, Card.H8, End.HIGH, STANDARD) is Refusal.NOT_THE_NEXT_CARD
    assert refuse_lay_off(meld, Card.S4, End.LOW, STANDARD) is Refusal.NOT_THE_NEXT_CARD
    assert refuse_lay_off(meld, Card.H4, None, STANDARD) is Refusal.END_MISSING


def test_r9_2_a_joker_joins_between_two_and_ace_only() -> None:
    """A joker joins a run at the end that is chosen, but not above the ace or below the two."""
    assert laid_off(a_run("4H 5H 6H 7H"), JOKER, End.LOW).rank == 3
    assert laid_off(a_run("4H 5H 6H 7H"), JOKER, End.HIGH).high == 8
    assert refuse_lay_off(a_run("JH QH KH AH"), JOKER, End.HIGH, STANDARD) is Refusal.RUN_ENDS_HERE
    assert refuse_lay_off(a_run("2H 3H 4H 5H"), JOKER, End.LOW, STANDARD) is Refusal.RUN_ENDS_HERE


def test_r9_2_r8_3_holds_after_every_lay_off() -> None:
    """A joker is refused where it would be one too many, and allowed once a natural has joined."""
    meld = a_set("8C 8D JK JK")
    assert refuse_lay_off(meld, JOKER, None, STANDARD) is Refusal.TOO_MANY_JOKERS_WITH_IT
    assert refuse_lay_off(laid_off(meld, Card.S8, None), JOKER, None, STANDARD) is None
    assert refuse_lay_off(a_run("4H JK JK 7H"), JOKER, End.HIGH, STANDARD) is Refusal.TOO_MANY_JOKERS_WITH_IT


def test_r10_1_the_card_that_a_joker_stands_for_takes_its_place() -> None:
    """In a run only the very card may be swapped for the joker, in a set any card of the rank."""
    run = a_run("4H JK 6H 7H")
    assert refuse_swap(run, 1, Card.H5, STANDARD) is None
    assert swapped(run, 1, Card.H5) == a_run("4H 5H 6H 7H")
    assert refuse_swap(run, 1, Card.S5, STANDARD) is Refusal.NOT_WHAT_THE_JOKER_IS
    meld = a_set("8C JK 8D")
    assert swapped(meld, 1, Card.C8).cards == parse_cards("8C 8C 8D")
    assert refuse_swap(meld, 1, Card.C9, STANDARD) is Refusal.NOT_WHAT_THE_JOKER_IS


def test_r10_1_only_a_joker_is_swapped_and_only_for_a_natural() -> None:
    """A place without a joker, a place beyond the meld, and a joker for a joker are refused."""
    run = a_run("4H JK 6H 7H")
    for index in (-1, 0, 4):
        assert refuse_swap(run, index, Card.H4, STANDARD) is Refusal.NO_JOKER_THERE
    assert refuse_swap(run, 1, JOKER, STANDARD) is Refusal.JOKER_FOR_JOKER


@given(meld=melds(), card=cards, end=st.sampled_from([None, *End]))
def test_a_lay_off_is_allowed_just_when_the_longer_meld_is_one(meld: Meld, card: Card, end: End | None) -> None:
    """What `refuse_lay_off` allows, and nothing else, gives cards that are read as the meld that `laid_off` gives."""
    longer = (card, *meld.cards) if end is End.LOW else (*meld.cards, card)
    whole = read_meld(MeldDraft(meld.kind, longer), meld_id=meld.id, owner=meld.owner, rules=STANDARD)
    named = (end is None) == (meld.kind is MeldKind.SET)
    allowed = refuse_lay_off(meld, card, end, STANDARD) is None
    assert allowed == (named and isinstance(whole, Meld))
    if allowed:
        assert laid_off(meld, card, end) == whole


@given(meld=melds(), card=cards, index=st.integers(-1, 13))
def test_a_swap_is_allowed_just_when_the_meld_stays_one(meld: Meld, card: Card, index: int) -> None:
    """What `refuse_swap` allows, and nothing else, puts a natural for a joker and leaves a meld of the same meaning."""
    here = 0 <= index < len(meld.cards) and meld.cards[index] == JOKER and card != JOKER
    after = (*meld.cards[:index], card, *meld.cards[index + 1 :]) if here else ()
    whole = read_meld(MeldDraft(meld.kind, after), meld_id=meld.id, owner=meld.owner, rules=STANDARD)
    allowed = refuse_swap(meld, index, card, STANDARD) is None
    assert allowed == isinstance(whole, Meld)
    if allowed:
        assert swapped(meld, index, card) == whole
