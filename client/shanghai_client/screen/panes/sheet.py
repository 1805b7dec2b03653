"""What lies over the table: a title, lines of text, and where one is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import EMPTY, Line, Piece, both_ends, fitted
from shanghai_client.screen.signs import with_cards


def sheet_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give the text over the table in so many lines."""
    overlay, scene = model.overlay, model.scene
    if overlay is None or scene is None:
        return []
    text = _broken(overlay.present(replace(scene, width=width - 2)), width - 2)
    room = shown_lines(height)
    first = max(0, min(overlay.scroll, len(text) - room))
    shown = text[first : first + room]
    where = _("{first}-{last} of {all}").format(first=first + 1, last=first + len(shown), all=len(text))
    right = [Piece("class:overlay.title", f" {where} " if len(text) > room else " ")]
    title = both_ends([Piece("class:overlay.title", f" {overlay.title} ")], right, width, style="class:overlay.title")
    return [title, *text_lines(model, shown, width=width, height=room)]


def text_lines(model: Model, text: Sequence[str], *, width: int, height: int) -> list[Line]:
    """Give plain lines with their cards in colour, in exactly so many lines."""
    shown = [fitted((Piece("", " "), *with_cards(each, model.signs)), width) for each in text[:height]]
    return shown + [fitted(EMPTY, width)] * (height - len(shown))


def _broken(text: Sequence[str], width: int) -> list[str]:
    return [part for each in text for part in wrap(each, width=width, indent=_indent(each))]


def _indent(text: str) -> str:
    return " " * (len(text) - len(text.lstrip(" ")) + 2)


def last_scroll(model: Model, *, width: int, height: int) -> int:
    """Give the first line of the last page of what lies over the table."""
    overlay, scene = model.overlay, model.scene
    if overlay is None or scene is None:
        return 0
    return max(0, len(_broken(overlay.present(replace(scene, width=width - 2)), width - 2)) - shown_lines(height))


def shown_lines(height: int) -> int:
    """Give how many lines of text are seen at once, below the title."""
    return height - 1
