"""A glance at a hand never says anything else than the solver."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from strategies import any_contracts, hands, long_suits, meld_rules, rule_sets, small_contracts

from shanghai_engine.card import CARDS, Card, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.reach import Reach, cards_come, changes
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import Glance, can_lay_down, distance, least_missing


@given(hand=hands(least=6, most=16) | long_suits(), contract=any_contracts, rules=rule_sets())
def test_the_bound_is_0_where_the_hand_can_lay_down_and_else_not_above_the_distance(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet
) -> None:
    """Whatever the hand, the contract and the rules."""
    least = least_missing(hand, contract, rules)
    assert (least == 0) == can_lay_down(hand, contract, rules)
    assert least <= distance(hand, contract, rules)


def test_what_is_remembered_of_a_hand_never_hides_a_lay_down() -> None:
    """Over turns of drawing, buying and discarding, the answer is the solver's each time."""
    rng = random.Random(5)
    found = 0
    for contract in STANDARD_CONTRACTS * 6:
        reach = Reach()
        stock = [*CARDS, *CARDS, *CARDS[-1:]]
        rng.shuffle(stock)
        hand = tuple(stock.pop() for _ in range(11))
        for _ in range(25):
            for _ in range(rng.choice((1, 1, 3))):
                hand = (*hand, stock.pop())
            able = reach.least_missing(0, hand, contract, STANDARD) == 0
            assert able == can_lay_down(hand, contract, STANDARD)
            found += able
            place = rng.randrange(len(hand))
            hand = hand[:place] + hand[place + 1 :]
    assert 100 < found < 1400


@given(st.data(), hands(least=8, most=12), small_contracts, meld_rules)
def test_what_is_remembered_never_hides_a_lay_down_under_any_rules(
    data: st.DataObject, hand: tuple[Card, ...], contract: Contract, rules: RuleSet
) -> None:
    """Whatever comes and goes, and whatever counts as a meld."""
    reach = Reach()
    for _ in range(6):
        assert (reach.least_missing(0, hand, contract, rules) == 0) == can_lay_down(hand, contract, rules)
        place = data.draw(st.integers(0, len(hand) - 1))
        hand = (*hand[:place], *hand[place + 1 :], *data.draw(hands(least=1, most=2)))


@given(hand=hands(least=6, most=12) | long_suits(), contract=small_contracts, rules=meld_rules)
def test_a_card_without_which_there_is_no_lay_down_serves(
    hand: tuple[Card, ...], contract: Contract, rules: RuleSet
) -> None:
    """A glance that gives a card no part in a lay-down is right."""
    glance = Glance(hand, rules)
    if not can_lay_down(hand, contract, rules):
        return
    for place, card in enumerate(hand):
        assert glance.serves(card, contract) or can_lay_down(hand[:place] + hand[place + 1 :], contract, rules)


@given(before=hands(), now=hands(), rules=meld_rules)
def test_a_glance_goes_along_with_its_hand(before: tuple[Card, ...], now: tuple[Card, ...], rules: RuleSet) -> None:
    """What is worked out from the cards that came and went is what a new glance sees."""
    after, anew = Glance(before, rules).after(now, *changes(before, now)), Glance(now, rules)
    assert (after.counts, after.suits, after.wild) == (anew.counts, anew.suits, anew.wild)


def test_what_is_remembered_is_forgotten_with_the_contract() -> None:
    """A hand far from one contract may fulfil the next."""
    reach, hand = Reach(), parse_cards("3C 3D 3H 4C 4D 4H 5S 6S 9S JS KS")
    assert reach.least_missing(0, hand, STANDARD_CONTRACTS[9], STANDARD) > 0
    assert reach.least_missing(0, hand, STANDARD_CONTRACTS[0], STANDARD) == 0
    assert reach.least_missing(0, hand, STANDARD_CONTRACTS[9], RuleSet(jokers_per_meld="any")) > 0


@given(before=hands(), now=hands())
def test_cards_that_have_come_are_never_counted_too_few(before: tuple[Card, ...], now: tuple[Card, ...]) -> None:
    """At least as many came as the hand holds beyond what it held."""
    beyond = list(now)
    for card in before:
        if card in beyond:
            beyond.remove(card)
    assert len(beyond) <= cards_come(before, now) <= len(now)
    gone, come = changes(before, now)
    assert Counter(before) - Counter(gone) + Counter(come) == Counter(now)


def test_one_card_drawn_is_one_card_come() -> None:
    """A discard from anywhere and a draw count as one."""
    assert cards_come(parse_cards("3C 4D 5H 6S"), parse_cards("3C 5H 6S 8S")) == 1
