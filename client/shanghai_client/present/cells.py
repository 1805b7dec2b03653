"""Columns of text: everything is measured in the cells that a terminal gives to a sign, never in characters."""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth

CUT = "~"
"""Stands at the end of a text that was too wide."""


def clip(text: str, width: int) -> str:
    """Give the text, cut to a width in cells where it is wider."""
    if get_cwidth(text) <= width:
        return text
    kept = ""
    for sign in text:
        if get_cwidth(kept + sign) > width - len(CUT):
            break
        kept += sign
    return kept + CUT


def left(text: str, width: int) -> str:
    """Give the text at the left of so many cells, cut where it is wider."""
    text = clip(text, width)
    return text + " " * (width - get_cwidth(text))


def right(text: str, width: int) -> str:
    """Give the text at the right of so many cells, cut where it is wider."""
    text = clip(text, width)
    return " " * (width - get_cwidth(text)) + text


def wrap(text: str, *, width: int, indent: str = "") -> list[str]:
    """Break a text at spaces into lines of at most so many cells; later lines begin with the indent."""
    start = text[: len(text) - len(text.lstrip(" "))]
    lines: list[str] = []
    line, empty = start, True
    for word in text[len(start) :].split(" "):
        longer = line + word if empty else f"{line} {word}"
        if not empty and get_cwidth(longer) > width:
            lines.append(line.rstrip())
            longer = indent + word
        line, empty = longer, False
    return [*lines, line.rstrip()]


def count(number: int, noun: str) -> str:
    """Give a number with its noun, as in `1 card` and `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def and_list(words: list[str]) -> str:
    """Give words as a list in a sentence: `A`, `A and B`, `A, B and C`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
