"""The worth of cards: one number, points first and cards second, so that sums can be compared."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shanghai_engine.card import LOWEST_RANK, Card, card_of
from shanghai_engine.solver.holding import Layers, ranks_of
from shanghai_engine.solver.terms import LOW_ACE, RANKS

POINT = 1 << 10
"""The worth of a point; that of a card is 1, and no hand holds so many cards."""
ANY_WORTH = 1 << 40
"""More than any bound on what a plan is worth."""


def worth_of(points: Sequence[int], card: Card) -> int:
    """Give the worth of a card, with the points of a card by its number."""
    return points[card] * POINT + 1


class Worths:
    """What cards are worth `by_rank`, and so whole masks and suits of them; each is added up once."""

    __slots__ = ("_of", "_of_suit", "by_rank")

    def __init__(self, points: Sequence[int], free: Collection[int]) -> None:
        """Take the points of a card by its number; the cards of the `free` ranks are of no worth."""
        self.by_rank = [
            0 if rank in free else worth_of(points, card_of(LOWEST_RANK + rank, 0)) for rank in range(RANKS)
        ]
        self._of: dict[int, int] = {}
        self._of_suit: dict[Layers, int] = {}

    def of(self, places: int) -> int:
        """Give the worth of the cards at the places of a mask."""
        worth = self._of.get(places)
        if worth is None:
            worth = self._of[places] = sum([self.by_rank[rank] for rank in ranks_of(places)])
        return worth

    def of_suit(self, layers: Layers) -> int:
        """Give the worth of all cards of a suit."""
        worth = self._of_suit.get(layers)
        if worth is None:
            worth = self._of_suit[layers] = sum([self.of(layer & ~LOW_ACE) for layer in layers])
        return worth
