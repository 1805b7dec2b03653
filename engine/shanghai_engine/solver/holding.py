"""A hand as counts: what every search of the solver reads, and the same for any order of the cards.

A suit is a tuple of *layers*, each a mask of 13 bits with the two at bit 0 and the ace at bit 12: the first
layer holds the ranks of which there is a card, the second those of which there are two, and so on. Taking a
run's cards out of a suit is then a matter of three bit operations for each layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, Card

RANKS = ACE - LOWEST_RANK + 1
"""How many ranks there are; a rank's place in masks and lists is the rank less two."""

Layers = tuple[int, ...]
Suits = tuple[Layers, ...]
_PLACE: tuple[tuple[int, int, int], ...] = (
    (0, 0, 0),
    *((suit, rank, 1 << rank) for suit in range(4) for rank in range(RANKS)),
)
"""Suit, place of the rank, and its bit, by card number."""


class Holding:
    """The cards of a hand: `suits` as layers, `ranks` as a count by place, and the number of jokers."""

    __slots__ = ("jokers", "ranks", "suits")

    def __init__(self, hand: Sequence[Card]) -> None:
        """Count the cards of a hand."""
        suits: list[list[int]] = [[0], [0], [0], [0]]
        ranks = [0] * RANKS
        jokers = 0
        for card in hand:
            if card == JOKER:
                jokers += 1
                continue
            suit, rank, bit = _PLACE[card]
            ranks[rank] += 1
            layers = suits[suit]
            if not layers[0] & bit:
                layers[0] |= bit
                continue
            for index in range(1, len(layers)):
                if not layers[index] & bit:
                    layers[index] |= bit
                    break
            else:
                layers.append(bit)
        self.suits: Suits = tuple(map(tuple, suits))
        self.ranks = ranks
        self.jokers = jokers


def without(layers: Layers, window: int) -> Layers:
    """Give the layers of a suit after one card of each rank in a mask, where there is one, has been taken."""
    if len(layers) == 1:
        return (layers[0] & ~window,)
    return tuple((layer & ~window) | (above & window) for layer, above in zip(layers, (*layers[1:], 0), strict=True))


@lru_cache(maxsize=1 << RANKS)
def places(mask: int) -> tuple[int, ...]:
    """Give the places of the bits of a mask, ascending."""
    return tuple(place for place in range(RANKS) if mask >> place & 1)


def without_ranks(ranks: Sequence[int], taken: Sequence[int]) -> list[int]:
    """Give the count by rank after one card of each rank in each mask has been taken."""
    left = list(ranks)
    for mask in taken:
        for rank in places(mask):
            left[rank] -= 1
    return left
