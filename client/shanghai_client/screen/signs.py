"""The signs that the screen is drawn with: shapes of suits and lines, or plain ASCII for terminals that lack them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from shanghai_client.screen.pieces import Line, Piece
from shanghai_engine.card import JOKER, RANK_LETTERS, SUIT, Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """Everything that is drawn with more than letters and figures; each sign of a card takes one cell."""

    suits: str
    """Clubs, diamonds, hearts, spades."""
    rule: str
    """A horizontal line."""
    box: str
    """Top left, top right, bottom left, bottom right, horizontal and vertical."""
    here: str
    """Stands before who is on turn, and before what is chosen."""
    linked: str
    """The connection is whole."""
    broken: str
    """The connection is lost."""
    dot: str
    """Parts two things in one line."""
    more_above: str
    more_below: str
    cut: str
    """Stands where something was left out."""
    dash: str
    """From one card to another."""
    bar: str
    """What the bars of a chart are made of."""
    right: str
    """Behind a meld that is one."""
    wrong: str
    """Behind cards that are no meld."""
    only_ascii: bool = False
    """Whether names and talk, too, are shown in signs that are one cell wide everywhere."""

    def card(self, card: Card) -> str:
        """Give a card in two cells, as in `8♥`, and `JK` for a joker."""
        return card.text if card == JOKER else card.text[0] + self.suits[SUIT[card]]

    def suit(self, suit: int) -> str:
        """Give a suit's sign."""
        return self.suits[suit]


SHAPES = Signs(
    suits="♣♦♥♠",
    rule="─",
    box="╭╮╰╯─│",
    here="▶",
    linked="●",
    broken="○",
    dot="·",
    more_above="▲",
    more_below="▼",
    cut="…",
    dash="–",  # noqa: RUF001 (from one card to another)
    bar="█",
    right="✓",
    wrong="✗",
)
"""For terminals that show Unicode, and give one cell to these signs."""
LETTERS = Signs(
    suits="CDHS",
    rule="-",
    box="++++-|",
    here=">",
    linked="*",
    broken="o",
    dot="|",
    more_above="^",
    more_below="v",
    cut="~",
    dash="-",
    bar="#",
    right="ok",
    wrong="no",
    only_ascii=True,
)
"""Plain ASCII: suits are letters."""
CLASS_OF_SUIT = ("clubs", "diamonds", "hearts", "spades")
_BYTE = "[0-9A-Fa-f]"
_CARD = re.compile(rf"(?<![A-Za-z0-9])(?<!{_BYTE}:)(?:([{RANK_LETTERS}])([CDHS])|JK)(?![A-Za-z0-9])(?!:{_BYTE})")
"""A card in a text; the bytes of a fingerprint, with colons between them, are none."""


def style_of(card: Card) -> str:
    """Give the style of a card: its suit's, or the joker's."""
    return "class:joker" if card == JOKER else f"class:{CLASS_OF_SUIT[SUIT[card]]}"


def card_piece(card: Card, signs: Signs, *, style: str = "", press: str = "") -> Piece:
    """Give a card in its colour, with more style behind it."""
    return Piece(f"{style_of(card)} {style}".rstrip(), signs.card(card), press)


def with_cards(text: str, signs: Signs, *, style: str = "", press: str = "") -> Line:
    """Give a text in which every card, as in `8H` and `JK`, stands in its sign and its colour."""
    return tuple(_pieces(text, signs, style, press))


def _pieces(text: str, signs: Signs, style: str, press: str) -> Iterator[Piece]:
    end = 0
    for found in _CARD.finditer(text):
        if found.start() > end:
            yield Piece(style, text[end : found.start()], press)
        yield card_piece(Card.parse(found[0]), signs, style=style, press=press)
        end = found.end()
    if end < len(text):
        yield Piece(style, text[end:], press)


def of_known_width(text: str) -> str:
    """Give a text in signs whose width every terminal agrees on: letters lose their marks, the rest becomes `?`.

    Some terminals give two cells to what Unicode calls ambiguous. What is wide everywhere, as kanji, stays.
    """
    return "".join(_known(sign) for sign in text)


def in_encoding(text: str, encoding: str) -> str:
    """Give a text as a terminal of that encoding can be sent it: a `?` for each cell of what it has no sign for."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_sent(sign, encoding) for sign in text)
    return text


def _sent(sign: str, encoding: str) -> str:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return "?" * get_cwidth(sign)
    return sign


def _known(sign: str) -> str:
    if sign.isascii() or unicodedata.east_asian_width(sign) in {"W", "F"}:
        return sign
    if unicodedata.east_asian_width(sign) not in {"A", "N"}:
        return sign
    bare = "".join(each for each in unicodedata.normalize("NFKD", sign) if each.isascii())
    return bare or "?"
