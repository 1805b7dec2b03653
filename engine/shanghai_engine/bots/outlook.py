"""The outlook of a hand: a soft measure of how near it is to its contract, by which single cards can be compared.

The solver's distance is exact but blunt: most cards leave it as it is. Here every way to fulfil the contract (a
window for each run, a rank for each set) counts, with a weight that falls by `WEIGHT` for every card it misses; the
outlook is the logarithm of the sum in units of one card. So a hand with one plan that misses two cards is at -2, one
with many such plans somewhat higher, and a card that serves several plans is worth more than one that serves one.

Suits do not share runs, nor ranks sets, so the sums are products of small polynomials, whose coefficient of degree `k`
belongs to `k` melds; those of a suit are remembered. Sets and runs are counted as if they did not want the same cards:
where that matters the bot asks the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import log

from shanghai_engine.card import JOKER, RANK, SUIT, Card
from shanghai_engine.contract import Contract
from shanghai_engine.solver.holding import RANKS, Layers
from shanghai_engine.solver.window import windows

WEIGHT = 0.22
"""What a missing card leaves of a plan's weight."""
GONE = 0.15
"""What is left of it besides where every copy of that card has been seen: then only a joker can stand there."""
JOKER_WORTH = 1.25
"""What a joker adds, in cards: it fills any one place, and more often the one that is hard to fill."""
SUITS = 4
MOST_RUNS_OF_SUIT = 2
"""More runs in one suit are too rare to be looked for."""

_POWERS = tuple(WEIGHT**missing for missing in range(64))
_GONE_POWERS = tuple(GONE**missing for missing in range(64))
_UNIT = -log(WEIGHT)

Polynomial = tuple[float, ...]


class Outlook:
    """The outlook of one hand on one contract, and what one card more or less would make of it.

    `seen` counts by card number the copies that cannot come any more, those in the hand included; `packs` is how
    many copies of a card there are (jokers apart).
    """

    __slots__ = ("gone", "ranks", "runs", "sets", "suits", "value", "without_rank", "without_suit")

    def __init__(self, hand: Sequence[Card], contract: Contract, seen: Counter[Card], packs: int) -> None:
        """Sum up all plans."""
        counts = Counter(hand)
        self.suits = [_layers(counts, suit) for suit in range(SUITS)]
        self.ranks = [0] * RANKS
        self.gone = [0] * SUITS
        for card, count in counts.items():
            if card != JOKER:
                self.ranks[RANK[card] - 2] += count
        for card, count in seen.items():
            if count >= packs and card != JOKER:
                self.gone[SUIT[card]] |= 1 << RANK[card] - 2
        self.runs = tuple((size, min(n, SUITS * MOST_RUNS_OF_SUIT)) for size, n in Counter(contract.runs).items())
        self.sets = tuple((size, min(n, RANKS)) for size, n in Counter(contract.sets).items())
        self.without_suit = [[_others(self._suits(size, n), n) for size, n in self.runs]]
        self.without_rank = [[_others(self._ranks(size, n), n) for size, n in self.sets]]
        self.value = self._value(0, self.suits[0], 0, self.ranks[0]) + JOKER_WORTH * counts[JOKER]

    def _suits(self, size: int, most: int) -> list[Polynomial]:
        return [_runs_of_suit(layers, size, gone, most) for layers, gone in zip(self.suits, self.gone, strict=True)]

    def _ranks(self, size: int, most: int) -> list[Polynomial]:
        return [_sets_of_rank(count, size, most) for count in self.ranks]
