"""The runs of one size in one suit: what all plans for one of them weigh, or for two, and what each card is to them.

A plan puts one run or two somewhere on the places of the suit. Its weight is the product of what its places leave: all
of it where there is a card for each run on the place, and else `WEIGHT`. The product over a stretch of places is the
quotient of two products from the lowest place on, by which all plans are weighed at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import add, mul, sub, truediv

from shanghai_engine.bots.tally import GONE

WEIGHT = 0.15
"""What one missing card leaves of a plan's weight."""
WEIGHT_OF_GONE = WEIGHT * 0.15
"""The same where every copy of that card has been seen, so that only a joker can stand there."""
Weights = tuple[float, float]
"""What all plans for one run weigh, and all plans for two; or what that changes by."""


def _leaves(state: int, copies: int) -> float:
    """Give what a place of which a tally says so much leaves where so many copies of its card are needed."""
    held = state & ~GONE
    if held >= copies:
        return 1.0
    return WEIGHT_OF_GONE if state == GONE else WEIGHT


_STATES = range(GONE << 1)
_FIRST, _SECOND = (tuple(_leaves(state, copies) for state in _STATES) for copies in (1, 2))
"""By what a tally says of a place, what it leaves to the first run on it, and to the second."""
PLAIN = {copies: bytes(min(state & ~GONE, copies) or state for state in _STATES) for copies in (1, 2)}
"""By number of runs a table that translates what a tally says of places to what matters to so many of them."""


def _part_without_one(state: int) -> Weights:
    """Give the part by which plans change with one run on a place, and with two, once there is one card less."""
    less = max(state & GONE, state - 1)
    first = _FIRST[less] / _FIRST[state]
    return first - 1, first * _SECOND[less] / _SECOND[state] - 1


_WITHOUT_ONE = tuple(map(_part_without_one, _STATES))


@lru_cache(maxsize=1 << 14)
def weights_of_runs(cards: bytes, size: int, number: int) -> Weights:
    """Give the weights of all plans for one run of a size, and for two, or no weight for two where `number` is 1.

    `cards` is what a tally says of the suit, best in its `PLAIN` form for that number, which tells no more apart than
    matters.
    """
    if number == 1:
        return OneRun(cards, size).weight, 0.0
    runs = TwoRuns(cards, size)
    return runs.single.weight, runs.weight


@lru_cache(maxsize=1 << 12)
def changes_without_each(cards: bytes, size: int, number: int) -> tuple[tuple[int, float, float], ...]:
    """Give by how much the weights change with one card less, for each place with a card, counted from the two."""
    held = [(place, *_WITHOUT_ONE[state]) for place, state in enumerate(cards) if state & ~GONE]
    if number == 1:
        on_place = OneRun(cards, size).on_each_place()
        return tuple([(place, once * on_place[place], 0.0) for place, once, _ in held])
    runs = TwoRuns(cards, size)
    on_place, pairs_on_place = runs.single.on_each_place(), runs.on_each_place()
    changes = []
    for place, once, twice in held:
        # Those with both runs on the place are counted twice there.
        both = runs.both_on(place) if twice else 0.0
        changes.append((place, once * on_place[place], once * pairs_on_place[place] + (twice - 2 * once) * both))
    return tuple(changes)


class OneRun:
    """All plans for one run of a size in a suit: `weight` is that of all, `weights` have those of each window."""

    __slots__ = ("size", "up_to", "weight", "weights")

    def __init__(self, cards: bytes, size: int) -> None:
        """Weigh all plans."""
        self.size = size
        self.up_to = _products(cards, _FIRST)
        self.weights = list(map(truediv, self.up_to[size:], self.up_to))
        self.weight = sum(self.weights)

    def on_each_place(self) -> list[float]:
        """Give for each place the weight of the plans with the run on it."""
        return _on_each_place(self.weights, self.size)


class TwoRuns:
    """All plans for two runs of a size in a suit: `weight` is that of all; `single` are those for one."""

    __slots__ = ("_above", "_lower", "_touching", "_upper", "single", "weight")

    def __init__(self, cards: bytes, size: int) -> None:
        """Weigh all plans."""
        self.single = OneRun(cards, size)
        up_to, up_to_again, weights = self.single.up_to, _products(cards, _SECOND), self.single.weights
        # Two runs that touch leave what all their places leave to the first run, times what those that they share leave
        # to the second: these lie between the begin of the upper run and the end of the lower one.
        self._lower = list(map(truediv, up_to_again[size:], up_to))
        self._upper = upper = list(map(truediv, up_to[size:], up_to_again))
        self._touching = [sum(upper[low : low + size]) for low in range(len(upper))]
        self._above = list(accumulate(reversed(weights)))[-size - 1 :: -1]
        self.weight = sum(map(mul, self._lower, self._touching)) + sum(map(mul, weights, self._above))

    def on_each_place(self) -> list[float]:
        """Give for each place the weight of the plans with a run on it; those with both count twice."""
        size, lower, weights = self.single.size, self._lower, self.single.weights
        nothing = [0.0] * size
        apart = map(add, [*nothing, *accumulate(weights)], [*self._above, *nothing])
        touching = [sum(lower[max(0, high - size) : high]) for high in range(1, len(lower) + 1)]
        with_each = map(add, map(mul, lower, self._touching), map(mul, self._upper, touching))
        return _on_each_place(list(map(add, map(mul, weights, apart), with_each)), size)

    def both_on(self, place: int) -> float:
        """Give the weight of the plans with both runs on a place."""
        windows = slice(max(0, place + 1 - self.single.size), place + 1)
        return sum(map(mul, self._upper[windows], accumulate(self._lower[windows])), start=0.0)


def _products(cards: bytes, leaves: Sequence[float]) -> list[float]:
    """Give what all places below leave together, from none of them up to all."""
    return [1.0, *accumulate(map(leaves.__getitem__, cards), mul)]


def _on_each_place(weights: Sequence[float], size: int) -> list[float]:
    """Give for each place the weight of the windows on it, where windows from the lowest up have these weights."""
    up_to = [0.0, *accumulate(weights)]
    padded = [*up_to[:1] * (size - 1), *up_to, *up_to[-1:] * (size - 1)]
    return list(map(sub, padded[size:], padded))
