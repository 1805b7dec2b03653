"""Cards: an integer enum, 1 to 53, and their text form (R1).

The same numbers stand in the contract and in the shuffle. Packs repeat a card and equal cards are
interchangeable, so there are no card ids: everything else in the engine counts cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from shanghai_engine.malformed import Malformed


class Suit(IntEnum):
    """The four suits, in the order of the card numbers."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    def __repr__(self) -> str:
        """Give the expression that gives the suit."""
        return f"Suit.{self.name}"

    def __str__(self) -> str:
        """Give the suit's letter, one of C D H S."""
        return "CDHS"[self]


class Card(IntEnum):
    """One card: clubs 2 to A are 1 to 13, then diamonds, hearts and spades; the joker is 53 (R1.1)."""

    C2 = 1
    C3 = 2
    C4 = 3
    C5 = 4
    C6 = 5
    C7 = 6
    C8 = 7
    C9 = 8
    CT = 9
    CJ = 10
    CQ = 11
    CK = 12
    CA = 13
    D2 = 14
    D3 = 15
    D4 = 16
    D5 = 17
    D6 = 18
    D7 = 19
    D8 = 20
    D9 = 21
    DT = 22
    DJ = 23
    DQ = 24
    DK = 25
    DA = 26
    H2 = 27
    H3 = 28
    H4 = 29
    H5 = 30
    H6 = 31
    H7 = 32
    H8 = 33
    H9 = 34
    HT = 35
    HJ = 36
    HQ = 37
    HK = 38
    HA = 39
    S2 = 40
    S3 = 41
    S4 = 42
    S5 = 43
    S6 = 44
    S7 = 45
    S8 = 46
    S9 = 47
    ST = 48
    SJ = 49
    SQ = 50
    SK = 51
    SA = 52
    JOKER = 53

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read the text form, as in `8H`, `TD` or `JK`.

        Raises `Malformed` for anything else.
        """
        try:
            return _BY_TEXT[text]
        except (KeyError, TypeError) as bad:
            right = "a card is a rank of 23456789TJQKA and a suit of CDHS, as in 8H, or JK for a joker"
            raise Malformed(text, right) from bad

    @property
    def rank(self) -> int:
        """The rank, 2 to 14 (the ace); 0 for a joker."""
        return RANK[self]

    @property
    def suit(self) -> Suit | None:
        """The suit; none for a joker."""
        return None if self == JOKER else Suit(SUIT[self])

    @property
    def text(self) -> str:
        """The text form, as in `8H` or `JK`."""
        return TEXT[self]

    def __str__(self) -> str:
        """Give the text form, as in `8H` or `JK`."""
        return TEXT[self]

    def __repr__(self) -> str:
        """Give the expression that rebuilds the card."""
        return f"Card.{self.name}"


JOKER = Card.JOKER
ACE = 14
"""The ace's rank: above the king, and only there (R1.3)."""
TWO = 2
"""The rank of the twos, which some tables play as wild (R16)."""
LOWEST_RANK = 2
JOKERS_PER_PACK = 2
"""R1.1."""
RANK_LETTERS = "23456789TJQKA"
"""The letter of every rank, from the lowest up; a rank's place is the rank less two."""

CARDS: tuple[Card, ...] = tuple(Card)
"""All cards in number order."""
RANK: tuple[int, ...] = (0, *(2 + (number - 1) % 13 for number in range(1, 53)), 0)
"""Rank by card number, 2 to 14; 0 for the joker."""
SUIT: tuple[int, ...] = (-1, *((number - 1) // 13 for number in range(1, 53)), -1)
"""Suit by card number, 0 to 3; -1 for the joker."""
TEXT: tuple[str, ...] = ("", *(f"{RANK_LETTERS[RANK[n] - 2]}{'CDHS'[SUIT[n]]}" for n in range(1, 53)), "JK")
"""Text form by card number."""
_BY_TEXT = {TEXT[card]: card for card in Card}


def card_of(rank: int, suit: int) -> Card:
    """Give the card of a rank, 2 to 14, and a suit, 0 to 3."""
    return CARDS[suit * 13 + rank - 2]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards parted by white space, in the order given; raises `Malformed`."""
    if not isinstance(text, str):
        raise Malformed(text, "cards are read from text, parted by white space, as in '8H TD JK'")
    return tuple(Card.parse(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    """Give cards in their text form, parted by one space; raises `Malformed` for what are none."""
    try:
        return " ".join([TEXT[card] for card in cards])
    except (TypeError, IndexError) as bad:
        raise Malformed(cards, "cards are values of Card, one after another") from bad
