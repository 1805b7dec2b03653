"""Cards as layers: masks of which the first holds the cards that there are, the second those there twice, and so on.

A mask holds all four suits, `SUIT_BITS` for each, of which a card takes the one at the place of its rank: bit 0 is the
ace that lies low, bit 1 the two, bit 13 the ace. Jokers are in no layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shanghai_engine.card import CARDS, RANK, SUIT, Card
from shanghai_engine.state import Hand

SUIT_BITS = 16
SUIT_MASK = (1 << SUIT_BITS) - 1
BIT = (0, *(1 << RANK[card] - 1 + SUIT_BITS * SUIT[card] for card in CARDS[:-1]), 0)
"""By card number the bit of the card; none for a joker."""

ALL = sum(BIT)
"""Every card but the joker."""

Layers = tuple[int, ...]


def layers_of(cards: Iterable[Card]) -> Layers:
    """Give the layers of some cards, in any order; there are two at least."""
    first = second = 0
    more: list[int] = []
    for card in cards:
        bit = BIT[card]
        if not first & bit:
            first |= bit
        elif not second & bit:
            second |= bit
        else:
            place = next((place for place, layer in enumerate(more) if not layer & bit), len(more))
            if place == len(more):
                more.append(0)
            more[place] |= bit
    return (first, second, *more)


def by_suit(mask: int) -> tuple[int, int, int, int]:
    """Give the masks of the ranks of each suit."""
    return (
        mask & SUIT_MASK,
        mask >> SUIT_BITS & SUIT_MASK,
        mask >> 2 * SUIT_BITS & SUIT_MASK,
        mask >> 3 * SUIT_BITS,
    )


@lru_cache(maxsize=1 << 8)
def layers_of_hand(hand: Hand) -> Layers:
    """Give the same for a hand, and remember it: a seat is asked again before its hand changes."""
    return layers_of(hand)


def all_there(some: Layers, others: Layers, copies: int) -> int:
    """Give as a mask the cards of which there are so many copies, or more, among some cards and others together."""
    some, others = (ALL, *some), (ALL, *others)
    mask = 0
    for number, layer in enumerate(some[: copies + 1]):
        if copies - number < len(others):
            mask |= layer & others[copies - number]
    return mask
