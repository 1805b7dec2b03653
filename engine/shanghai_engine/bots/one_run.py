"""One run of a size, in whichever suit: what all plans for it weigh, and what each card is to them.

A plan puts the run on a window of its suit and weighs `WEIGHT` to the power of the cards that it misses there. How many
those are is found for all windows of all suits at once: the cards that each place misses are the digits of one number,
and the digits of its product with a row of ones are their sums over as many places as there are ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import log1p

from shanghai_engine.bots.suit_runs import LESS, MISSING, MISSING_WHERE_GONE, MORE, STATES, UNIT, WEIGHT
from shanghai_engine.bots.tally import BITS, FIRSTS, GONE, PLACES, RANKS
from shanghai_engine.card import Card

_ACROSS = GONE
"""What is added to the cards that a window misses which reaches into the next suit: it is no plan."""
_WEIGHTS = [WEIGHT**missing for missing in range(MISSING_WHERE_GONE * RANKS + 1)]
_WEIGHTS += [0.0] * (2 * _ACROSS - len(_WEIGHTS))
"""By number of cards missing what a plan weighs."""
_MORE, _LESS = (
    tuple(WEIGHT ** (MISSING[step[state]] - MISSING[state]) - 1 for state in STATES) for step in (MORE, LESS)
)
"""By what a tally says of a place, the part by which the plans on it change with one card more, and with one less."""


class OneRun:
    """All plans for one run of a size: `weight` is that of all together."""

    __slots__ = ("_cards", "_size", "_weights", "weight")

    def __init__(self, size: int, cards: bytes) -> None:
        """Weigh all plans; `cards` are the bytes of the hand's tally."""
        ones, across = _rows(size)
        missing = int.from_bytes(cards.translate(MISSING), "little") * ones >> BITS * (size - 1)
        self._size, self._cards = size, cards
        self._weights = list(map(_WEIGHTS.__getitem__, (missing + across).to_bytes(PLACES, "little")))
        self.weight = sum(self._weights)

    def change_with(self, card: Card) -> float:
        """Give what a further card changes of the outlook on this run."""
        place = card - 1
        on_place = sum(self._weights[max(0, place + 1 - self._size) : card])
        return log1p(_MORE[self._cards[place]] * on_place / self.weight) / UNIT

    def changes_without(self, cards: Sequence[Card]) -> list[float]:
        """Give what the loss of one card changes of the outlook on this run, for each of some cards of the hand."""
        held, weight = self._cards, self.weight
        up_to = [*[0.0] * self._size, *accumulate(self._weights)]
        size = self._size - 1
        return [log1p(_LESS[held[card - 1]] * (up_to[card + size] - up_to[card - 1]) / weight) / UNIT for card in cards]


@lru_cache(maxsize=RANKS)
def _rows(size: int) -> tuple[int, int]:
    """Give a row of as many ones, and what is added to the windows of that size that reach into the next suit."""
    ones = sum(1 << BITS * place for place in range(size))
    reaching = [first + place for first in FIRSTS for place in range(RANKS - size + 1, RANKS)]
    return ones, sum(_ACROSS << BITS * place for place in reaching)
