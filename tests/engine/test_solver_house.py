"""The solver under each value of R16 that makes melds otherwise, by name; `test_solver` draws the rules at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hands, meld_rules, small_contracts

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld, refuse_alike
from shanghai_engine.rules import PRESETS, STANDARD, RuleSet
from shanghai_engine.solver import all_lay_downs, best_lay_down, can_lay_down, distance, fulfils, outs
from shanghai_engine.solver.nearness import can_lay_down_apart
from shanghai_engine.solver.terms import RANKS

RUN = Contract(runs=(4,))
SET = Contract(sets=(3,))
TWO_SETS = Contract(sets=(3, 3))
TWO_RUNS = Contract(runs=(4, 4))
TWOS = RuleSet(wild="jokers_and_twos")
LOW_ACES = RuleSet(aces="high_or_low")


def text(hand: str, contract: Contract, rules: RuleSet) -> list[str] | None:
    """Give the melds of the best lay-down as text, each being one, together lawful."""
    best = best_lay_down(parse_cards(hand), contract, rules)
    if best is None:
        return None
    read = [read_meld(draft, meld_id=0, owner=0, rules=rules) for draft in best]
    melds = [meld for meld in read if isinstance(meld, Meld)]
    assert len(melds) == len(best)
    assert fulfils(best, contract)
    assert refuse_alike(melds, rules) is None
    return [str(draft) for draft in best]


def missing(hand: str, contract: Contract, rules: RuleSet) -> int:
    """Give the distance of a hand in text form."""
    return distance(parse_cards(hand), contract, rules)


def helping(hand: str, contract: Contract, rules: RuleSet) -> set[str]:
    """Give the outs of a hand as text."""
    return {str(card) for card in outs(parse_cards(hand), contract, rules)}


def test_r16_aces_high_or_low_makes_runs_from_the_ace() -> None:
    """A 2 3 4 can be laid down, and three of them miss the fourth."""
    assert text("AH 2H 3H 4H", RUN, LOW_ACES) == ["AH 2H 3H 4H"]
    assert text("AH 2H 3H 4H", RUN, STANDARD) is None
    assert missing("AH 2H 3H", RUN, LOW_ACES) == 1
    assert helping("AH 2H 3H", RUN, LOW_ACES) == {"4H", "JK"}
    assert helping("AH 2H 3H", RUN, STANDARD) == {"4H", "5H", "JK"}


def test_r16_aces_high_or_low_has_an_ace_once_only() -> None:
    """One ace is low or high; two aces may be both, in two runs."""
    assert text("AH 2H 3H 4H JH QH KH", TWO_RUNS, LOW_ACES) is None
    assert text("AH AH 2H 3H 4H JH QH KH", TWO_RUNS, LOW_ACES) == ["JH QH KH AH", "AH 2H 3H 4H"]


def test_r16_aces_high_or_low_ends_at_13_cards_and_never_wraps() -> None:
    """Of 14 hearts in a row, with an ace at both ends, one stays; Q K A 2 is none."""
    hearts = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    assert text(hearts, RUN, LOW_ACES) == [hearts.removesuffix(" AH")]
    assert text("QH KH AH 2H", RUN, LOW_ACES) is None


def test_r16_wild_jokers_and_twos_stands_for_any_card() -> None:
    """Twos fill sets and runs like jokers, as many as R8.3 allows, and make no set of their own."""
    assert text("8C 8D 2S 2H", SET, TWOS) == ["8C 8D 2H 2S"]
    assert text("4H 2S 6H 7H", RUN, TWOS) == ["4H 2S 6H 7H"]
    assert text("2C 2D 2H 2S", SET, TWOS) is None
    assert text("2C 2D 2H 2S", SET, STANDARD) == ["2C 2D 2H 2S"]
    assert text("8C 2D JK", SET, TWOS) is None


def test_r16_wild_jokers_and_twos_is_natural_at_its_own_place() -> None:
    """With the 2H the run 2H JK JK 5H has two naturals, with the 2S it has one."""
    assert text("2H JK JK 5H", RUN, TWOS) == ["2H JK JK 5H"]
    assert text("2S JK JK 5H", RUN, TWOS) is None
    assert missing("2S JK JK 5H", RUN, TWOS) == 1


def test_r16_wild_jokers_and_twos_leaves_the_wild_card_of_fewer_points() -> None:
    """Of two wild cards for one place the joker is laid down, and the two, 20 points, stays."""
    rules = RuleSet(wild="jokers_and_twos", jokers_per_meld=1)
    assert text("8C 8D 2S JK", SET, rules) == ["8C 8D JK"]
    dear = RuleSet(wild="jokers_and_twos", jokers_per_meld=1, points=(30, *STANDARD.points[1:]))
    assert text("8C 8D 2S JK", SET, dear) == ["8C 8D 2S"]


def test_r16_wild_jokers_and_twos_brings_nearer_like_a_joker() -> None:
    """A two of any suit is an out where a joker is one."""
    assert helping("8C 8D", SET, TWOS) == {"8C", "8D", "8H", "8S", "2C", "2D", "2H", "2S", "JK"}


def test_r16_wild_jokers_and_twos_reads_a_run_of_one_two_as_it_was_meant() -> None:
    """Of a two and wild cards alone, two runs of different suits can be made, each beginning with its two."""
    rules = RuleSet(aces="high_or_low", wild="jokers_and_twos", jokers_per_meld="any", distinct_run_suits=True)
    melds = text("2H 2S JK JK JK JK JK JK", TWO_RUNS, rules)
    assert melds is not None
    assert {meld[:2] for meld in melds} == {"2H", "2S"}


@pytest.mark.parametrize(("limit", "hand", "lies"), [
    (0, "8C 8D JK", None),
    (1, "8C 8D JK JK", "8C 8D JK"),
    (2, "8C JK JK", "8C JK JK"),
    (1, "4H JK JK 7H", None),
    (2, "4H JK JK 7H", "4H JK JK 7H"),
    ("any", "8C JK JK JK JK", "8C JK JK JK JK"),
    ("any", "JK JK JK", None),
    ("at_most_naturals", "8C 8D JK JK JK", "8C 8D JK JK"),
])  # fmt: skip
def test_r16_jokers_per_meld_is_the_most_that_a_meld_holds(limit: int | str, hand: str, lies: str | None) -> None:
    """A lay-down has no more jokers than the table allows, and always a natural card."""
    rules = RuleSet(jokers_per_meld=limit)  # type: ignore[arg-type]
    contract = RUN if "4H" in hand else SET
    assert text(hand, contract, rules) == (None if lies is None else [lies])


def test_r16_jokers_per_meld_number_asks_for_naturals_instead() -> None:
    """Where a meld has one joker at most, a set with one natural misses one, jokers or no jokers."""
    rules = RuleSet(jokers_per_meld=1)
    assert missing("8C JK JK JK", SET, rules) == 1
    assert JOKER not in outs(parse_cards("8C JK JK JK"), SET, rules)
    assert missing("8C JK JK JK", SET, RuleSet(jokers_per_meld=2)) == 0


def test_r16_jokers_per_meld_any_fills_a_run_of_13() -> None:
    """A run has no room beyond 13 cards: twelve jokers of 25 points go in with one natural, and two fives stay."""
    rules = RuleSet(jokers_per_meld="any")
    hand = "3H 4H 5H " + "JK " * 12
    best = best_lay_down(parse_cards(hand), RUN, rules)
    assert best is not None
    assert (best[0].cards.count(JOKER), len(best[0].cards)) == (12, 13)


def test_r16_distinct_set_ranks_true_needs_two_ranks() -> None:
    """Six eights are two sets only where they need not differ."""
    rules = RuleSet(distinct_set_ranks=True)
    eights = "8C 8C 8D 8D 8H 8H 9C"
    assert text(eights, TWO_SETS, rules) is None
    assert text(eights, TWO_SETS, STANDARD) is not None
    assert missing(eights, TWO_SETS, rules) == 2
    assert Card.H9 in outs(parse_cards(eights), TWO_SETS, rules)
    assert Card.H8 not in outs(parse_cards(eights), TWO_SETS, rules)


def test_r16_distinct_run_suits_true_needs_two_suits() -> None:
    """Eight hearts in a row are two runs only where they need not differ in suit."""
    rules = RuleSet(distinct_run_suits=True)
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H 3S 4S"
    assert text(hearts, TWO_RUNS, rules) is None
    assert text(hearts, TWO_RUNS, STANDARD) is not None
    assert missing(hearts, TWO_RUNS, rules) == 2
    assert helping(hearts, TWO_RUNS, rules) == {"2S", "5S", "6S", "JK"}


def test_r16_distinct_melds_are_listed_only_so() -> None:
    """Of all lay-downs those are left out whose sets share a rank."""
    hand = parse_cards("8C 8C 8D 8D 8H 8H 9C 9D 9H")
    listed = list(all_lay_downs(hand, TWO_SETS, RuleSet(distinct_set_ranks=True)))
    assert listed
    assert all(_ranks(drafts) == {8, 9} for drafts in listed)
    every = list(all_lay_downs(hand, TWO_SETS, STANDARD))
    assert len(listed) == sum(_ranks(drafts) == {8, 9} for drafts in every) < len(every)


def _ranks(drafts: Sequence[MeldDraft]) -> set[int]:
    return {draft.cards[0].rank for draft in drafts}


def test_r16_contracts_of_any_shape() -> None:
    """Sets of five and runs of thirteen, four runs, four sets: each is found where it is held."""
    suits = [" ".join(f"{rank}{suit}" for rank in "3456") for suit in "CDHS"]
    assert text(" ".join(suits), Contract(runs=(4, 4, 4, 4)), STANDARD) == suits
    assert text(" ".join(suits), Contract(sets=(4, 4, 4, 4)), STANDARD) is not None
    assert text(" ".join(suits), Contract(sets=(5,)), STANDARD) is None
    whole = " ".join(f"{rank}S" for rank in "23456789TJQKA")
    assert text(whole, Contract(runs=(13,)), STANDARD) == [whole]
    assert missing(whole, Contract(runs=(13, 4)), STANDARD) == 4


def test_r16_points_of_nothing_still_leave_the_fewest_cards() -> None:
    """Where no card counts anything the best lay-down is that of the most cards."""
    rules = RuleSet(points=(0,) * 14)
    assert text("3C 3D 3H KC KD KH KS", SET, rules) == ["KC KD KH KS"]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_r16_every_preset_is_solved(preset: str) -> None:
    """Random hands of each of its contracts can be laid down just where the distance is 0, and are if they can."""
    rules = PRESETS[preset]
    rng = random.Random(preset)
    pack = [*Card, JOKER] * 2
    found: Counter[bool] = Counter()
    for number in range(200):
        contract = rules.contract(1 + number % rules.hands)
        hand = rng.sample(pack, rng.randint(11, 23))
        able = can_lay_down(hand, contract, rules)
        assert able == (distance(hand, contract, rules) == 0)
        assert able == (best_lay_down(hand, contract, rules) is not None)
        found[able] += 1
    assert min(found[True], found[False]) > 5


@given(
    hand=hands(least=6, most_jokers=3),
    contract=small_contracts,
    rules=meld_rules,
    ranks=st.sets(st.integers(1, RANKS - 1), max_size=4),
    suits=st.sets(st.integers(0, 3), max_size=2),
)
def test_laying_down_apart_leaves_some_ranks_and_suits_alone(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet, ranks: set[int], suits: set[int]
) -> None:
    """What can be laid down apart from some ranks and suits is what some lay-down does without them."""
    listed = list(islice(all_lay_downs(hand, contract, rules), 2000))
    apart = any(
        all(
            meld.rank - LOWEST_RANK not in ranks if meld.kind is MeldKind.SET else meld.suit not in suits
            for meld in (read_meld(draft, meld_id=0, owner=0, rules=rules) for draft in melds)
            if isinstance(meld, Meld)
        )
        for melds in listed
    )
    if apart or len(listed) < 2000:
        assert can_lay_down_apart(hand, contract, rules, ranks=ranks, suits=suits) == apart


def test_r16_distinct_run_suits_true_lists_the_one_suit_beside_which_another_is() -> None:
    """The thousand runs of diamonds that leave no second suit are not gone through: the first run is of hearts."""
    rules = replace(STANDARD, distinct_run_suits=True)
    hand = parse_cards("3D 3D 5D 6D 6D 7D 7D 8D 9D TD JD QD KD AD 2H 4H 6H 8H TH JK JK")
    listed = list(islice(all_lay_downs(hand, Contract(runs=(4, 4)), rules), 50))
    assert len(listed) == 50
    for melds in listed:
        read = [read_meld(draft, meld_id=0, owner=0, rules=rules) for draft in melds]
        assert sorted(meld.suit for meld in read if isinstance(meld, Meld)) == [1, 2]
