"""What sets can use: a bound on the worth of the cards that some sets take up, whatever else wants these cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from shanghai_engine.solver.holding import Holding
from shanghai_engine.solver.steps import Steps, rising
from shanghai_engine.solver.terms import Terms


class SetUse:
    """What as many sets as there may be can use of a hand; a set may have any rank that R8.3 lets it have."""

    __slots__ = ("_fewest", "_known", "_size", "_wilds", "number", "ranks")

    def __init__(self, holding: Holding, sizes: Sequence[int], terms: Terms, *, wilds: int) -> None:
        """Take the sizes that are asked for, the smallest last, and how many wild cards there may be."""
        self.ranks = holding.ranks
        self.number = len(sizes)
        self._size = sizes[-1] if sizes else 0
        self._fewest = terms.fewest_naturals(self._size) if sizes else 0
        self._wilds = wilds
        self._known: dict[tuple[int, ...], Steps] = {}

    def most(self, worths: Sequence[int]) -> list[int]:
        """Give the most worths, by rank, that the sets can use, the greatest first."""
        able = [worth if held >= self._fewest else 0 for worth, held in zip(worths, self.ranks, strict=True)]
        return sorted(able, reverse=True)[: self.number]

    def steps(self, worths: Sequence[int], ranks: Sequence[int]) -> Steps:
        """Give what the sets can use of worths by rank, where there are so many cards of each rank for them."""
        key = (*worths, *ranks)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._steps(worths, ranks)
        return known

    def _steps(self, worths: Sequence[int], ranks: Sequence[int]) -> Steps:
        by_missing: list[list[int]] = [[] for _ in range(self._size + 1)]
        for worth, held, whole in zip(worths, ranks, self.ranks, strict=True):
            if worth and whole >= self._fewest:
                by_missing[max(0, self._size - held)].append(worth)
        sums = [[0, *accumulate(sorted(worths, reverse=True))] for worths in by_missing]
        found = [(0, 0, 0)]
        for missing in range(1, self._size + 1):
            if by_missing[missing]:
                found = [
                    (jokers + missing * more, sets + more, used + worth)
                    for jokers, sets, used in found
                    for more, worth in enumerate(sums[missing])
                    if sets + more <= self.number and jokers + missing * more <= self._wilds
                ]
        complete = sums[0]
        most = len(complete) - 1
        return rising([(jokers, used + complete[min(most, self.number - sets)]) for jokers, sets, used in found])
