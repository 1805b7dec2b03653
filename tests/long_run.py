"""The best lay-down of one run and at most one set, by trying every run that the hand holds.

Slow and plain, and good for hands too large for `packing`: the run is tried in every stretch and with every choice of
its cards replaced by wild ones; the set then takes all of one rank and as many wild cards as it may, and the wild cards
that count most are the ones that are laid down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from packing import is_wild, jokers_allowed, stretches

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet

Worth = tuple[int, int]
"""Points and number of the cards laid down."""
Laid = tuple[Counter[Card], int]
"""Natural cards that are laid down, and the number of wild ones with them."""


def runs(hand: Counter[Card], least: int, rules: RuleSet) -> Iterator[Laid]:
    """Give every run of so many cards or more."""
    wilds = sum(number for card, number in hand.items() if is_wild(card, rules))
    for size in range(least, 14):
        for _, stretch in stretches(size, rules):
            held = [card for card in stretch if hand[card]]
            gaps = size - len(held)
            for more in range(min(wilds, jokers_allowed(size, rules)) - gaps + 1):
                for replaced in combinations(held, more):
                    yield Counter(held) - Counter(replaced), gaps + more


def sets(left: Counter[Card], contract: Contract, rules: RuleSet) -> Iterator[Laid]:
    """Give for each rank the set of all its cards, with any number of wild ones; nothing where no set is asked for."""
    if not contract.sets:
        yield Counter(), 0
        return
    naturals = [card for card in left if left[card] and not is_wild(card, rules)]
    for rank in {card.rank for card in naturals}:
        cards = Counter({card: left[card] for card in naturals if card.rank == rank})
        for jokers in range(sum(left.values()) + 1):
            size = cards.total() + jokers
            if size >= contract.sets[0] and jokers <= jokers_allowed(size, rules):
                yield cards, jokers


def most_worth(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> Worth | None:
    """Give the most points, then the most cards, that can be laid down; none where nothing can."""
    (least,) = contract.runs
    counts = Counter(hand)
    points = rules.card_points
    found: list[Worth] = []
    for run, gaps in runs(counts, least, rules):
        left = counts - run
        wilds = sorted((points[card] for card in left.elements() if is_wild(card, rules)), reverse=True)
        for cards, jokers in sets(left, contract, rules):
            if gaps + jokers <= len(wilds):
                naturals = run + cards
                worth = sum(points[card] * number for card, number in naturals.items())
                found.append((worth + sum(wilds[: gaps + jokers]), naturals.total() + gaps + jokers))
    return max(found, default=None)
