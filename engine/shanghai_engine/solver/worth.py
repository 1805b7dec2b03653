"""The worth of cards: one number, points first and cards second, so that sums can be compared."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.card import Card

POINT = 1 << 10
"""The worth of a point; that of a card is 1, and no hand holds so many cards."""
ANY_WORTH = 1 << 40
"""More than any bound on what a plan is worth."""


def worth_of(points: Sequence[int], card: Card) -> int:
    """Give the worth of a card, with the points of a card by its number."""
    return points[card] * POINT + 1
