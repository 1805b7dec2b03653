"""The solver: against the cases, against slow independent references, and by its own definitions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from case_file import cards_of, read_cases
from hypothesis import given
from hypothesis import strategies as st
from long_run import most_worth
from packing import fewest_further_cards, lay_downs
from strategies import contracts, hands, long_suits, meld_rules, small_contracts

from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld, refuse_alike
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import all_lay_downs, best_lay_down, can_lay_down, distance, fulfils, outs

LayDown = tuple[MeldDraft, ...]
SET_AND_RUN = STANDARD_CONTRACTS[1]
TWO_RUNS = STANDARD_CONTRACTS[2]


def left_after(hand: Sequence[Card], melds: LayDown) -> list[Card]:
    """Give the cards that a lay-down leaves in hand, having checked that the hand holds the others."""
    left = Counter(hand)
    left.subtract(card for meld in melds for card in meld.cards)
    assert min(left.values(), default=0) >= 0
    return list(left.elements())


def cost(cards: Sequence[Card], rules: RuleSet) -> tuple[int, int]:
    """Give points and number of the cards left in hand."""
    return sum(rules.card_points[card] for card in cards), len(cards)


def is_lawful(hand: Sequence[Card], melds: LayDown, contract: Contract, rules: RuleSet = STANDARD) -> bool:
    """Say whether each meld is one, all fulfil the contract and are not alike, and the hand holds their cards."""
    left_after(hand, melds)
    read = [read_meld(meld, meld_id=0, owner=0, rules=rules) for meld in melds]
    laid = [meld for meld in read if isinstance(meld, Meld)]
    return fulfils(melds, contract) and len(laid) == len(melds) and refuse_alike(laid, rules) is None


def canonical(melds: LayDown) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """Give a lay-down in the form of `packing`."""
    return tuple(sorted((meld.kind.value, tuple(sorted(meld.cards))) for meld in melds))


def text(melds: LayDown | None) -> list[str]:
    """Give the melds of a lay-down that there is as text."""
    assert melds is not None
    return [str(meld) for meld in melds]


@pytest.mark.parametrize("case", read_cases("lay_down"), ids=str)
def test_lay_down_cases(case: dict[str, Any]) -> None:
    """Each case can or cannot be laid down, and leaves as many points, as the other implementation found."""
    hand, contract = cards_of(case["hand"]), STANDARD.contract(case["contract_of_hand"])
    best = best_lay_down(hand, contract, STANDARD)
    assert can_lay_down(hand, contract, STANDARD) == case["can_lay_down"]
    assert (distance(hand, contract, STANDARD) == 0) == case["can_lay_down"]
    assert (best is None) == (case["least_points_left"] is None)
    if best is not None:
        assert is_lawful(hand, best, contract)
        assert cost(left_after(hand, best), STANDARD)[0] == case["least_points_left"]


@given(hand=hands(least=6, most_jokers=6), contract=small_contracts, rules=meld_rules)
def test_all_lay_downs_are_those_that_packing_finds(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> None:
    """The listing, `can_lay_down` and `best_lay_down` agree with all disjoint choices among all subsets of the hand."""
    known = lay_downs(hand, contract, rules)
    best = best_lay_down(hand, contract, rules)
    assert can_lay_down(hand, contract, rules) == bool(known)
    assert (best is not None) == bool(known)
    if best is not None:
        assert is_lawful(hand, best, contract, rules)
        costs = [
            cost(list((Counter(hand) - Counter(c for _, m in melds for c in m)).elements()), rules) for melds in known
        ]
        assert cost(left_after(hand, best), rules) == min(costs)
    if len(known) <= 2000:
        listed = list(all_lay_downs(hand, contract, rules))
        assert {canonical(melds) for melds in listed} == known
        assert len(set(listed)) == len(listed)
        assert all(is_lawful(hand, melds, contract, rules) for melds in listed)


@given(
    hand=long_suits(),
    contract=st.sampled_from([SET_AND_RUN, STANDARD_CONTRACTS[4], STANDARD_CONTRACTS[7], Contract(runs=(12,))]),
    rules=meld_rules,
)
def test_best_lay_down_of_more_jokers_than_fit(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> None:
    """With a long suit and many jokers the best lay-down is as good as that found by trying every run."""
    known = most_worth(hand, contract, rules)
    best = best_lay_down(hand, contract, rules)
    assert (best is None) == (known is None)
    if best is not None and known is not None:
        assert is_lawful(hand, best, contract, rules)
        points, cards = cost(hand, rules)
        assert cost(left_after(hand, best), rules) == (points - known[0], cards - known[1])


@given(hand=hands(least=8, most=20, most_jokers=6), contract=contracts, rules=meld_rules)
def test_no_listed_lay_down_beats_the_best(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> None:
    """In hands of any size, whatever is listed is lawful and no better than the best lay-down."""
    best = best_lay_down(hand, contract, rules)
    listed = list(islice(all_lay_downs(hand, contract, rules), 40))
    assert bool(listed) == (best is not None)
    if best is not None:
        assert is_lawful(hand, best, contract, rules)
        least = cost(left_after(hand, best), rules)
        for melds in listed:
            assert is_lawful(hand, melds, contract, rules)
            assert least <= cost(left_after(hand, melds), rules)


@given(
    hand=hands(most=9),
    contract=st.sampled_from([*STANDARD_CONTRACTS[:3], Contract(runs=(5, 4)), Contract(sets=(4, 3))]),
    rules=meld_rules,
)
def test_distance_is_what_packing_lacks(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> None:
    """The distance is the fewest cards that any disjoint subsets of the hand lack to be the melds of the contract."""
    # What packing does not tell is whether melds are alike; the tests by definition do.
    rules = replace(rules, distinct_set_ranks=False, distinct_run_suits=False)
    assert distance(hand, contract, rules) == fewest_further_cards(hand, contract, rules)


@given(hand=hands(most=16, most_jokers=6), contract=contracts, rules=meld_rules)
def test_distance_comes_down_by_one_with_the_right_card(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet
) -> None:
    """By definition: 0 just when the hand can be laid down, else 1 more than with the best further card."""
    away = distance(hand, contract, rules)
    assert (away == 0) == can_lay_down(hand, contract, rules)
    if away:
        assert away == 1 + min(distance((*hand, card), contract, rules) for card in CARDS)


@given(hand=hands(most=16, most_jokers=6), contract=contracts, rules=meld_rules)
def test_outs_are_the_cards_that_bring_the_contract_nearer(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet
) -> None:
    """The outs are the cards with which the distance is lower, some wherever it is above 0, and none where it is 0."""
    away = distance(hand, contract, rules)
    nearer = {card for card in CARDS if distance((*hand, card), contract, rules) < away}
    assert outs(hand, contract, rules) == nearer
    assert bool(nearer) == (away > 0)


@given(hand=hands(least=6, most=18, most_jokers=6), contract=contracts, rules=meld_rules, seed=st.integers(0, 9))
def test_order_of_the_hand_makes_no_difference(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet, seed: int
) -> None:
    """Every answer is the same for the same cards in another order."""
    shuffled = list(hand)
    random.Random(seed).shuffle(shuffled)
    for question in (can_lay_down, best_lay_down, distance, outs):
        assert question(shuffled, contract, rules) == question(hand, contract, rules)
    first, second = (list(islice(all_lay_downs(cards, contract, rules), 20)) for cards in (hand, shuffled))
    assert first == second


@given(hand=hands(least=6), contract=small_contracts, rules=meld_rules)
def test_melds_come_in_order(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> None:
    """Sets come before runs, and within a kind the longer before the shorter."""
    for melds in islice(all_lay_downs(hand, contract, rules), 40):
        order = [(meld.kind is MeldKind.RUN, -len(meld.cards)) for meld in melds]
        assert order == sorted(order)
    best = best_lay_down(hand, contract, rules)
    if best is not None:
        order = [(meld.kind is MeldKind.RUN, -len(meld.cards)) for meld in best]
        assert order == sorted(order)


def test_r8_1_a_meld_takes_all_of_its_rank() -> None:
    """A set is as long as the hand allows, suits repeated: what lies on the table does not count."""
    hand = parse_cards("8C 8C 8D 8H 8S 3C 3D 3H")
    assert text(best_lay_down(hand, STANDARD_CONTRACTS[0], STANDARD)) == ["8C 8C 8D 8H 8S", "3C 3D 3H"]


def test_r8_3_one_natural_for_each_joker() -> None:
    """One eight and two jokers are no set: one further card is missing, an eight or what another set needs."""
    hand = parse_cards("8C JK JK 4D 5D 6D 7D")
    assert distance(hand, SET_AND_RUN, STANDARD) == 1
    assert Card.H8 in outs(hand, SET_AND_RUN, STANDARD)
    assert JOKER not in outs(hand, SET_AND_RUN, STANDARD)


def test_r8_3_a_shared_card_goes_where_a_natural_is_lacking() -> None:
    """The 8H leaves the run, where a joker does as well, for the set, which needs a second natural."""
    hand = parse_cards("5H 6H 7H 8H 8S JK JK")
    assert text(best_lay_down(hand, SET_AND_RUN, STANDARD)) == ["8H 8S JK", "5H 6H 7H JK"]


def test_r8_3_a_natural_serves_one_meld_only() -> None:
    """The 8H cannot be the second natural of the set and of the run: one natural is missing, jokers or no jokers."""
    hand = parse_cards("5H 8H 8S JK JK JK JK")
    assert distance(hand, SET_AND_RUN, STANDARD) == 1
    assert not can_lay_down(hand, SET_AND_RUN, STANDARD)
    assert JOKER not in outs(hand, SET_AND_RUN, STANDARD)
    assert can_lay_down((*hand, Card.H6), SET_AND_RUN, STANDARD)


def test_r8_3_a_shared_card_is_passed_on_by_way_of_a_third_meld() -> None:
    """The set needs the 6H of the upper run, which then needs the 5H of the lower run, which can spare it."""
    hand = parse_cards("2H 3H 4H 5H 6H 8H 6S JK JK JK JK")
    contract = Contract(sets=(3,), runs=(4, 4))
    assert distance(hand, contract, STANDARD) == 0
    assert text(best_lay_down(hand, contract, STANDARD)) == ["6H 6S JK", "2H 3H 4H JK", "5H JK JK 8H"]


def test_r8_5_a_longer_run_where_no_run_of_the_size_is_one() -> None:
    """4H and 8H 9H with three jokers are a lawful run of six where five are asked, though no five of them are a run."""
    hand = parse_cards("4H JK JK JK 8H 9H")
    assert text(best_lay_down(hand, Contract(runs=(5,)), STANDARD)) == ["4H JK JK JK 8H 9H"]
    assert distance(hand, Contract(runs=(5,)), STANDARD) == 0


def test_r8_5_a_much_longer_run_where_none_between_is_one() -> None:
    """A run of ten can be lawful where seven are asked, and no run of seven, eight or nine among its cards is."""
    hand = parse_cards("2H 3H JK JK JK JK JK 9H TH JH")
    for size in (7, 8, 9, 10):
        assert can_lay_down(hand, Contract(runs=(size,)), STANDARD)
    assert not can_lay_down(hand[1:], Contract(runs=(7,)), STANDARD)


def test_r8_5_no_meld_beyond_the_contract() -> None:
    """A third set stays in hand where two are asked for, and it is the one of the fewest points."""
    hand = parse_cards("3C 3D 3H KC KD KH AC AD AH")
    assert text(best_lay_down(hand, STANDARD_CONTRACTS[0], STANDARD)) == ["KC KD KH", "AC AD AH"]


def test_r8_6_two_sets_of_one_rank() -> None:
    """Four eights and two jokers are two sets, two naturals in each."""
    hand = parse_cards("8C 8D 8H 8S JK JK")
    melds = best_lay_down(hand, STANDARD_CONTRACTS[0], STANDARD)
    assert melds is not None
    assert [meld.cards.count(JOKER) for meld in melds] == [1, 1]


def test_r8_6_two_runs_that_touch_or_overlap() -> None:
    """Eight hearts in a row are two runs, and so are overlapping runs where the cards are held twice."""
    assert text(best_lay_down(parse_cards("2H 3H 4H 5H 6H 7H 8H 9H"), TWO_RUNS, STANDARD)) == [
        "2H 3H 4H 5H",
        "6H 7H 8H 9H",
    ]
    assert text(best_lay_down(parse_cards("5H 6H 6H 7H 7H 8H 8H 9H"), TWO_RUNS, STANDARD)) == [
        "5H 6H 7H 8H",
        "6H 7H 8H 9H",
    ]


def test_r1_3_a_run_ends_at_the_ace() -> None:
    """A joker lengthens Q K A downwards, and nothing wraps."""
    assert text(best_lay_down(parse_cards("JS QS KS AS JK"), Contract(runs=(4,)), STANDARD)) == ["JK JS QS KS AS"]
    assert not can_lay_down(parse_cards("QS KS AS 2S"), Contract(runs=(4,)), STANDARD)


def test_r12_1_a_joker_rather_than_a_card_of_fewer_points() -> None:
    """Where a run of 13 has room for one of the two, the joker is laid down and a three left: 25 points against 5."""
    hand = parse_cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH JK")
    melds = best_lay_down(hand, Contract(runs=(13,)), STANDARD)
    assert text(melds) == ["2H JK 4H 5H 6H 7H 8H 9H TH JH QH KH AH"]


def test_fulfils_asks_for_number_kind_and_size() -> None:
    """Sizes are matched largest to largest; no meld may be missing, too short, of the other kind, or one too many."""
    contract = Contract(sets=(4, 3), runs=(4,))
    three, four = (MeldDraft(MeldKind.SET, parse_cards(c)) for c in ("8C 8D 8H", "3C 3D 3H 3S"))
    run = MeldDraft(MeldKind.RUN, parse_cards("4H 5H 6H 7H"))
    assert fulfils([three, run, four], contract)
    assert not fulfils([three, run, three], contract)
    assert not fulfils([three, four], contract)
    assert not fulfils([three, four, run, run], contract)
    assert not fulfils([three, four, MeldDraft(MeldKind.SET, run.cards)], contract)


def test_an_empty_hand_lacks_the_whole_contract() -> None:
    """Nothing in hand is as far away as the contract is large, and every natural brings it nearer."""
    for contract in STANDARD_CONTRACTS:
        assert distance((), contract, STANDARD) == contract.size
        assert outs((), contract, STANDARD) >= set(CARDS[:-1])
        assert best_lay_down((), contract, STANDARD) is None
