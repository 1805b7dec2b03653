"""Styled text: lines of pieces, measured in the cells that a terminal gives to a sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from prompt_toolkit.utils import get_cwidth

from shanghai_client.present.cells import clip
from shanghai_wire.shown_text import visible


class Piece(NamedTuple):
    """Text of one style; `press` is the key that a click on it presses, empty where it presses none."""

    style: str
    text: str
    press: str = ""


Line = tuple[Piece, ...]
"""What stands in one row, from left to right."""
EMPTY: Line = ()


def line(*parts: Piece | str, style: str = "") -> Line:
    """Make a line of pieces and of text in one style; what would act on a terminal is taken out of the text."""
    pieces = (Piece(style, part) if isinstance(part, str) else part for part in parts)
    return tuple(piece._replace(text=visible(piece.text)) for piece in pieces if piece.text)


def width_of(pieces: Iterable[Piece]) -> int:
    """Give the cells that pieces take."""
    return sum(get_cwidth(piece.text) for piece in pieces)


def fitted(pieces: Sequence[Piece], width: int, *, style: str = "") -> Line:
    """Give a line of exactly so many cells: cut where it is wider, else filled with blanks of a style."""
    kept: list[Piece] = []
    left = width
    for piece in pieces:
        cells = get_cwidth(piece.text)
        if cells > left:
            if left > 0:
                kept.append(piece._replace(text=clip(piece.text, left)))
            # A sign of two cells may not fit into the last one.
            left -= get_cwidth(kept[-1].text) if left > 0 else 0
            break
        kept.append(piece)
        left -= cells
    return (*kept, Piece(style, " " * left)) if left > 0 else tuple(kept)


def both_ends(at_left: Sequence[Piece], at_right: Sequence[Piece], width: int, *, style: str = "") -> Line:
    """Give a line with something at either end; the left gives way where both do not fit."""
    right = min(width_of(at_right), width)
    return (*fitted(at_left, width - right, style=style), *fitted(at_right, right, style=style))


def beside(left: Sequence[Line], right: Sequence[Line], *, left_width: int, gap: int = 0) -> list[Line]:
    """Give two columns beside each other, as many lines as the longer has."""
    rows = max(len(left), len(right))
    space = Piece("", " " * gap)
    return [
        (*fitted(left[row] if row < len(left) else EMPTY, left_width), space, *(right[row] if row < len(right) else ()))
        for row in range(rows)
    ]


def block(lines: Sequence[Line], *, width: int, height: int) -> list[Line]:
    """Give exactly so many lines of so many cells: the first ones, and blank ones behind them."""
    shown = [fitted(each, width) for each in lines[:height]]
    return shown + [fitted(EMPTY, width)] * (height - len(shown))


def text_of(pieces: Iterable[Piece]) -> str:
    """Give the bare text."""
    return "".join(piece.text for piece in pieces)
