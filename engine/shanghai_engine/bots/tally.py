"""Cards as one number, a tally: a byte for each card but the joker, in the order of the card numbers.

A byte counts the copies of its card, of which six packs have six; its highest bit, `GONE`, marks a card of which no
further copy can come. Tallies of different cards are added to tally them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shanghai_engine.card import Card

SUITS, RANKS = 4, 13
PLACES = SUITS * RANKS
FIRSTS = range(0, PLACES, RANKS)
"""Where in the bytes of a tally each suit begins."""
GONE = 1 << 7
"""The mark of a card that is gone."""
BITS = 8
"""Of one card in a tally."""
_ONE_EACH = sum(1 << BITS * place for place in range(PLACES))
_ONE = (0, *(1 << BITS * place for place in range(PLACES)), 0)
_one_of = _ONE.__getitem__


def tally(cards: Iterable[Card]) -> int:
    """Count the copies of each card; jokers are not counted."""
    return sum(map(_one_of, cards))


tally_of_hand = lru_cache(maxsize=1 << 8)(tally)
"""The same for a hand, which is asked about again before it changes."""


def gone(counted: int, copies: int) -> int:
    """Give the marks of those cards of which so many copies, or more, have been counted."""
    return counted + (GONE - copies) * _ONE_EACH & GONE * _ONE_EACH


def in_bytes(counted: int) -> bytes:
    """Give the bytes of all cards in their order: those of each suit, from the two to the ace, begin at `FIRSTS`."""
    return counted.to_bytes(PLACES, "little")
