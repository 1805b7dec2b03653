"""The best lay-down of one run and at most one set, by trying every run that the hand holds.

Slow and plain, and good for hands too large for `packing`: the run is tried in every stretch and with every choice of
its cards replaced by jokers; the set then takes all of one rank and as many jokers as it may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.contract import Contract

Worth = tuple[int, int]
"""Points and number of the cards laid down."""


def runs(hand: Counter[Card], least: int) -> Iterator[Counter[Card]]:
    """Give the cards of every run of so many cards or more."""
    for suit in range(4):
        for low in range(13):
            for high in range(low + least, 14):
                stretch = CARDS[13 * suit + low : 13 * suit + high]
                held = [card for card in stretch if hand[card]]
                gaps = len(stretch) - len(held)
                for more in range(min(hand[JOKER], len(stretch) // 2) - gaps + 1):
                    for replaced in combinations(held, more):
                        run = Counter(held)
                        run.subtract(replaced)
                        run[JOKER] = gaps + more
                        yield run


def most_worth(hand: Sequence[Card], contract: Contract, points: Sequence[int]) -> Worth | None:
    """Give the most points, then the most cards, that can be laid down; none where nothing can."""
    (least,) = contract.runs
    counts = Counter(hand)
    found: list[Worth] = []
    for run in runs(counts, least):
        left = counts.copy()
        left.subtract(run)
        points_of_run = sum(points[card] * number for card, number in run.items())
        for points_of_set, cards in sets(left, contract, points):
            found.append((points_of_run + points_of_set, run.total() + cards))
    return max(found, default=None)


def sets(left: Counter[Card], contract: Contract, points: Sequence[int]) -> Iterator[Worth]:
    """Give the worth of the largest set of each rank that has one; of no set at all where none is asked for."""
    if not contract.sets:
        yield (0, 0)
        return
    (least,) = contract.sets
    of_rank: Counter[int] = Counter()
    worth: Counter[int] = Counter()
    for card, number in left.items():
        of_rank[card.rank] += number
        worth[card.rank] += number * points[card]
    del of_rank[JOKER.rank]
    for rank, held in of_rank.items():
        jokers = min(held, left[JOKER])
        if held and held + jokers >= least:
            yield (worth[rank] + jokers * points[JOKER], held + jokers)
