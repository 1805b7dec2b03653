"""The runs of one size in one suit: what all plans for one of them weigh, or for two, and what each card is to them.

A plan puts one run or two somewhere on the places of the suit. Its weight is the product of what its places leave: all
of it where there is a card for each run on the place, and else `WEIGHT`. The product over a stretch of places is the
quotient of two products from the lowest place on, by which all plans are weighed at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import log
from operator import add, mul, sub, truediv

from shanghai_engine.bots.tally import GONE

WEIGHT = 0.15
"""What one missing card leaves of a plan's weight."""
UNIT = -log(WEIGHT)
"""How far that brings down the logarithm of a weight: outlooks are told in this unit, one card."""
MISSING_WHERE_GONE = 2
"""How many missing cards one counts for of which every copy has been seen, so that only a joker can stand there."""
Weights = tuple[float, float]
"""What all plans for one run weigh, and all plans for two; or what that changes by."""

STATES = range(GONE << 1)
"""All that a tally can say of a place."""
MORE = tuple(min(state + 1, STATES[-1]) for state in STATES)
LESS = tuple(max(state & GONE, state - 1) for state in STATES)
"""By what a tally says of a place what it says with one card more there, and with one less."""
MISSING = bytes(0 if state & ~GONE else MISSING_WHERE_GONE if state == GONE else 1 for state in STATES)
"""A table that translates what a tally says of places to how many cards a run on each of them misses."""
MISSING_AGAIN = bytes(0 if state & ~GONE > 1 else MISSING_WHERE_GONE if state == GONE else 1 for state in STATES)
"""The same for the second run on them."""
_PLAIN = bytes(min(state & ~GONE, 2) or state for state in STATES)
"""A table that translates what a tally says of places to what matters of it."""


def _parts(step: Sequence[int]) -> tuple[Weights, ...]:
    """Give by what a tally says of a place the parts by which a step changes plans with one run on it, and with two."""
    parts = []
    for state in STATES:
        first = MISSING[step[state]] - MISSING[state]
        second = MISSING_AGAIN[step[state]] - MISSING_AGAIN[state]
        parts.append((WEIGHT**first - 1, WEIGHT ** (first + second) - 1))
    return tuple(parts)


WITH_ONE, _WITHOUT_ONE = _parts(MORE), _parts(LESS)
"""Those with one card more, and with one less."""
_FIRST, _SECOND = (tuple(WEIGHT**missing for missing in table) for table in (MISSING, MISSING_AGAIN))
"""By what a tally says of a place, what it leaves to the first run on it, and to the second."""


def runs_of_suit(cards: bytes, size: int) -> SuitRuns:
    """Give the plans for runs of a size in a suit of which a tally says so much; they are remembered."""
    return _runs_of(cards.translate(_PLAIN), size)


@lru_cache(maxsize=1 << 12)
def changes_without_each(cards: bytes, size: int) -> tuple[tuple[int, float, float], ...]:
    """Give by how much the weights change with one card less, for each place with a card, counted from the two."""
    runs = runs_of_suit(cards, size)
    held = [(place, _WITHOUT_ONE[state]) for place, state in enumerate(cards) if state & ~GONE]
    return tuple([(place, *runs.change(place, parts)) for place, parts in held])


class SuitRuns:
    """All plans for one run of a size in a suit, and all for two: `single` and `pairs` are what they weigh."""

    __slots__ = ("_lower", "_pairs_on", "_single_on", "_size", "_upper", "pairs", "single")

    def __init__(self, cards: bytes, size: int) -> None:
        """Weigh all plans."""
        up_to, up_to_again = _products(cards, _FIRST), _products(cards, _SECOND)
        weights = list(map(truediv, up_to[size:], up_to))
        # Two runs that touch leave what all their places leave to the first run, times what those that they share leave
        # to the second: these lie between the begin of the upper run and the end of the lower one.
        lower, upper = tuple(map(truediv, up_to_again[size:], up_to)), tuple(map(truediv, up_to[size:], up_to_again))
        touching_above = [sum(upper[low : low + size]) for low in range(len(upper))]
        touching_below = [sum(lower[max(0, high - size) : high]) for high in range(1, len(lower) + 1)]
        above = list(accumulate(reversed(weights)))[-size - 1 :: -1]
        nothing = [0.0] * size
        apart = map(add, [*nothing, *accumulate(weights)], [*above, *nothing])
        touching = map(add, map(mul, lower, touching_above), map(mul, upper, touching_below))
        self._size, self._lower, self._upper = size, lower, upper
        self.single = sum(weights)
        self.pairs = sum(map(mul, lower, touching_above)) + sum(map(mul, weights, above))
        self._single_on = _on_each_place(weights, size)
        # Those with both runs on a place are counted twice there.
        self._pairs_on = _on_each_place(list(map(add, map(mul, weights, apart), touching)), size)

    def change(self, place: int, parts: Weights) -> Weights:
        """Give by how much the weights change where plans with one run on a place, and with two, change by these parts.

        Places are counted from the two; the parts with one card more are in `WITH_ONE`.
        """
        once, twice = parts
        both = self._both_on(place) if twice else 0.0
        return once * self._single_on[place], once * self._pairs_on[place] + (twice - 2 * once) * both

    def _both_on(self, place: int) -> float:
        """Give the weight of the plans with both runs on a place."""
        windows = slice(max(0, place + 1 - self._size), place + 1)
        return sum(map(mul, self._upper[windows], accumulate(self._lower[windows])), start=0.0)


_runs_of = lru_cache(maxsize=1 << 12)(SuitRuns)


def _products(cards: bytes, leaves: Sequence[float]) -> list[float]:
    """Give what all places below leave together, from none of them up to all."""
    return [1.0, *accumulate(map(leaves.__getitem__, cards), mul)]


def _on_each_place(weights: Sequence[float], size: int) -> tuple[float, ...]:
    """Give for each place the weight of the windows on it, where windows from the lowest up have these weights."""
    up_to = [0.0, *accumulate(weights)]
    padded = [*up_to[:1] * (size - 1), *up_to, *up_to[-1:] * (size - 1)]
    return tuple(map(sub, padded[size:], padded))
