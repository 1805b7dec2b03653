"""A second way to find lay-downs, to hold the solver against: all disjoint choices among all subsets of the cards.

It knows nothing of windows, plans or bounds. A subset is a bit mask over the cards' positions in the hand, and is
judged by the words of R8 alone; jokers have no places, a run is one where some places suit them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from shanghai_engine.card import JOKER, Card
from shanghai_engine.contract import Contract

Cards = tuple[Card, ...]


def run_span(naturals: Cards) -> int | None:
    """Give how many ranks the cards span, if they can be in one run; none otherwise."""
    ranks = [card.rank for card in naturals]
    if len({card.suit for card in naturals}) > 1 or len(set(ranks)) < len(ranks):
        return None
    return max(ranks) - min(ranks) + 1 if ranks else 0


def is_set(cards: Cards) -> bool:
    """Say whether the cards are a set by R8.1 and R8.3."""
    naturals = [card for card in cards if card != JOKER]
    return len(cards) >= 3 and len({card.rank for card in naturals}) == 1 and 2 * len(naturals) >= len(cards)


def is_run(cards: Cards) -> bool:
    """Say whether the cards, put in order, are a run by R8.2 and R8.3."""
    naturals = tuple(card for card in cards if card != JOKER)
    span = run_span(naturals)
    return span is not None and 4 <= len(cards) <= 13 and span <= len(cards) <= 2 * len(naturals)


def _subsets(hand: Cards) -> Iterator[tuple[int, Cards]]:
    for mask in range(1 << len(hand)):
        yield mask, tuple(card for index, card in enumerate(hand) if mask >> index & 1)


def lay_downs(hand: Sequence[Card], contract: Contract) -> set[tuple[tuple[str, Cards], ...]]:
    """Give every lay-down as its melds' kinds and sorted cards, sorted.

    Runs that differ only in the places of their jokers are one here.
    """
    cards = tuple(sorted(hand))
    sets, runs = [], []
    for mask, chosen in _subsets(cards):
        if is_set(chosen):
            sets.append((mask, chosen))
        if is_run(chosen):
            runs.append((mask, chosen))
    found = set()

    def choose(slots: list[tuple[str, int]], used: int, melds: tuple[tuple[str, Cards], ...]) -> None:
        if not slots:
            found.add(tuple(sorted(melds)))
            return
        kind, size = slots[0]
        for mask, chosen in sets if kind == "set" else runs:
            if len(chosen) >= size and not mask & used:
                choose(slots[1:], used | mask, (*melds, (kind, chosen)))

    choose([*(("set", size) for size in contract.sets), *(("run", size) for size in contract.runs)], 0, ())
    return found


def fewest_further_cards(hand: Sequence[Card], contract: Contract) -> int:
    """Give the fewest naturals that, added to disjoint subsets of the cards, make them the contract's melds."""
    cards = tuple(sorted(hand))
    costs: dict[tuple[str, int], dict[int, int]] = {}
    slots = [*(("set", size) for size in contract.sets), *(("run", size) for size in contract.runs)]
    for kind, size in set(slots):
        costs[kind, size] = {}
        for mask, chosen in _subsets(cards):
            naturals = tuple(card for card in chosen if card != JOKER)
            jokers = len(chosen) - len(naturals)
            if kind == "set":
                fits = len({card.rank for card in naturals}) <= 1
                least = size
            else:
                span = run_span(naturals)
                fits = span is not None
                least = max(size, span or 0)
            further = max(0, least - len(chosen), jokers - len(naturals))
            if fits and (kind == "set" or len(chosen) + further <= 13):
                costs[kind, size][mask] = further

    @cache
    def least_for(index: int, used: int) -> int:
        if index == len(slots):
            return 0
        return min(
            cost + least_for(index + 1, used | mask) for mask, cost in costs[slots[index]].items() if not mask & used
        )

    return least_for(0, 0)
