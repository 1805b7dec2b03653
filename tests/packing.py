"""A second way to find lay-downs, to hold the solver against: all disjoint choices among all subsets of the cards.

It knows nothing of windows, plans or bounds. A subset is a bit mask over the cards' positions in the hand, and is
judged by the words of R8 and R16 alone: a run is one where some places suit its cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import STANDARD, RuleSet

Cards = tuple[Card, ...]
SUITS = range(4)


def jokers_allowed(size: int, rules: RuleSet) -> int:
    """Give how many jokers a meld of a size may hold (R8.3, R16)."""
    match rules.jokers_per_meld:
        case "at_most_naturals":
            return size // 2
        case "any":
            return size - 1
        case number:
            return min(number, size - 1)


def is_wild(card: Card, rules: RuleSet) -> bool:
    """Say whether a card may stand for another."""
    return card == JOKER or (rules.wild == "jokers_and_twos" and card.rank == 2)


def stretches(size: int, rules: RuleSet) -> Iterator[tuple[int, Cards]]:
    """Give every suit with every stretch of so many of its ranks in a row, the ace first where it may lie low."""
    for suit in SUITS:
        whole = CARDS[13 * suit : 13 * suit + 13]
        if rules.aces == "high_or_low":
            whole = (whole[-1], *whole)
        for low in range(len(whole) - size + 1):
            if size <= 13:
                yield suit, whole[low : low + size]


def set_sizes(cards: Cards, rules: RuleSet) -> list[int]:
    """Give the sizes that a set of these cards and further naturals can have, up to 15."""
    naturals = [card for card in cards if not is_wild(card, rules)]
    if len({card.rank for card in naturals}) > 1:
        return []
    jokers = len(cards) - len(naturals)
    return [size for size in range(max(3, len(cards)), 16) if jokers <= jokers_allowed(size, rules)]


def run_sizes(cards: Cards, rules: RuleSet) -> list[tuple[int, int]]:
    """Give the sizes, with the suit, that a run of these cards and further naturals can have."""
    naturals = [card for card in cards if not is_wild(card, rules)]
    if len(set(naturals)) < len(naturals):
        return []
    found = []
    for size in range(max(4, len(cards)), 14):
        for suit, stretch in stretches(size, rules):
            twos = [card for card in stretch if is_wild(card, rules) and card in cards]
            jokers = len(cards) - len(naturals) - len(twos)
            if set(naturals) <= set(stretch) and jokers <= jokers_allowed(size, rules):
                found.append((size, suit))
    return found


def is_set(cards: Cards, rules: RuleSet = STANDARD) -> bool:
    """Say whether the cards are a set by R8.1 and R8.3."""
    return len(cards) in set_sizes(cards, rules)


def run_suits(cards: Cards, rules: RuleSet = STANDARD) -> set[int]:
    """Give the suits in which the cards, put in some order, are a run by R8.2 and R8.3."""
    return {suit for size, suit in run_sizes(cards, rules) if size == len(cards)}


def _subsets(hand: Cards) -> Iterator[tuple[int, Cards]]:
    for mask in range(1 << len(hand)):
        yield mask, tuple(card for index, card in enumerate(hand) if mask >> index & 1)


def _rank(cards: Cards, rules: RuleSet) -> int:
    """Give the rank of a set; 0 where it has no natural card."""
    return next((card.rank for card in cards if not is_wild(card, rules)), 0)


def lay_downs(
    hand: Sequence[Card], contract: Contract, rules: RuleSet = STANDARD
) -> set[tuple[tuple[str, Cards], ...]]:
    """Give every lay-down as its melds' kinds and sorted cards, sorted.

    Runs that differ only in the places of their jokers are one here.
    """
    cards = tuple(sorted(hand))
    melds: dict[str, list[tuple[int, Cards, str]]] = {"set": [], "run": []}
    for mask, chosen in _subsets(cards):
        if is_set(chosen, rules):
            melds["set"].append((mask, chosen, f"rank {_rank(chosen, rules)}" if rules.distinct_set_ranks else ""))
        for suit in run_suits(chosen, rules):
            melds["run"].append((mask, chosen, f"suit {suit}" if rules.distinct_run_suits else ""))
    found = set()

    def choose(slots: list[tuple[str, int]], used: int, alike: set[str], laid: tuple[tuple[str, Cards], ...]) -> None:
        if not slots:
            found.add(tuple(sorted(laid)))
            return
        kind, size = slots[0]
        for mask, chosen, name in melds[kind]:
            if len(chosen) >= size and not mask & used and name not in alike:
                choose(slots[1:], used | mask, alike | {name} - {""}, (*laid, (kind, chosen)))

    choose([*(("set", size) for size in contract.sets), *(("run", size) for size in contract.runs)], 0, set(), ())
    return found


def fewest_further_cards(hand: Sequence[Card], contract: Contract, rules: RuleSet = STANDARD) -> int:
    """Give the fewest naturals that, added to disjoint subsets of the cards, make them the contract's melds.

    Whether melds may be alike is left out: `rules` must allow it.
    """
    cards = tuple(sorted(hand))
    costs: dict[tuple[str, int], dict[int, int]] = {}
    slots = [*(("set", size) for size in contract.sets), *(("run", size) for size in contract.runs)]
    for mask, chosen in _subsets(cards):
        sizes = {"set": set_sizes(chosen, rules), "run": [size for size, _ in run_sizes(chosen, rules)]}
        for kind, size in set(slots):
            enough = [possible - len(chosen) for possible in sizes[kind] if possible >= size]
            if enough:
                costs.setdefault((kind, size), {})[mask] = min(enough)

    @cache
    def least_for(index: int, used: int) -> int:
        if index == len(slots):
            return 0
        return min(
            cost + least_for(index + 1, used | mask) for mask, cost in costs[slots[index]].items() if not mask & used
        )

    return least_for(0, 0)
