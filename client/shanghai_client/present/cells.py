"""Columns of text: everything is measured in the cells that a terminal gives to a sign, never in characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prompt_toolkit.utils import get_cwidth

from shanghai_client.language import _
from shanghai_client.present.amounts import count as count  # noqa: PLC0414 (also found here)

CUT = "~"
"""Stands at the end of a text that was too wide."""
_NEVER_FIRST = frozenset("、。，．・：；？！」』）】〉》〕ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々,.:;?!)]}")
"""Signs that no line begins with: they stay with what stands before them."""
_NEVER_LAST = frozenset("「『（【〈《〔([{")
"""Signs that no line ends with: they stay with what stands behind them."""
_NUMBERED = re.compile(r"(.*?)(\d{1,2})", re.ASCII | re.DOTALL)
_PRINT = re.compile(r"(?:[0-9A-F]{2}:){8}")
"""Figures with colons, as of a certificate: they are compared, so none may be left out."""
_FIGURES = re.compile(r"[^:]*:|[^:]+")
_WIDE = 2
_LEAST = 8
"""Cells of a last line that begins within unspaced text: fewer, as an ending alone, take more from the line before."""


def cells(text: str) -> int:
    """Give how many cells a text has."""
    return get_cwidth(text)


def clip(text: str, width: int) -> str:
    """Give the text, cut to a width in cells where it is wider."""
    if get_cwidth(text) <= width:
        return text
    end = used = 0
    for sign in text:
        used += get_cwidth(sign)
        if used > width - len(CUT):
            break
        end += 1
    return text[:end] + CUT


def clip_name(name: str, width: int) -> str:
    """Give a name, cut where it is wider: a number at its end, by which equal names are told apart, stays."""
    numbered = _NUMBERED.fullmatch(name)
    if get_cwidth(name) <= width or numbered is None or get_cwidth(numbered[2]) + _WIDE + len(CUT) > width:
        return clip(name, width)
    return clip(numbered[1] + CUT, width - get_cwidth(numbered[2])) + numbered[2]


def left(text: str, width: int) -> str:
    """Give the text at the left of so many cells, cut where it is wider."""
    text = clip(text, width)
    return text + " " * (width - get_cwidth(text))


def right(text: str, width: int) -> str:
    """Give the text at the right of so many cells, cut where it is wider."""
    text = clip(text, width)
    return " " * (width - get_cwidth(text)) + text


def wrap(text: str, *, width: int, indent: str = "") -> list[str]:
    """Break a text into lines of at most so many cells; later lines begin with the indent.

    Lines end at spaces, and beside wide signs, which are written without spaces between them; punctuation stays with
    its word, a number with what it counts, and the last signs of a sentence do not stand alone.
    """
    start = text[: len(text) - len(text.lstrip(" "))]
    lines: list[list[tuple[str, str]]] = [[]]
    used = get_cwidth(start)
    for gap, piece in _parted(text[len(start) :], width - max(get_cwidth(indent), get_cwidth(start))):
        more = get_cwidth(piece) + (get_cwidth(gap) if lines[-1] else 0)
        if lines[-1] and used + more > width:
            lines.append([])
            used, more = get_cwidth(indent), get_cwidth(piece)
        lines[-1].append((gap, piece))
        used += more
    if len(lines) > 1:
        _fill_last(lines[-2], lines[-1], width=width - get_cwidth(indent))
    return [f"{indent if number else start}{_joined(line)}".rstrip() for number, line in enumerate(lines)]


def _fill_last(before: list[tuple[str, str]], last: list[tuple[str, str]], *, width: int) -> None:
    """Take pieces of unspaced text over from the line before, until the last line is more than an ending."""
    while last[0][0] == "" and len(before) > 1 and get_cwidth(_joined(last)) < _LEAST:
        if get_cwidth(_joined([before[-1], *last])) > width:
            return
        last.insert(0, before.pop())


def _joined(line: list[tuple[str, str]]) -> str:
    """Give the text of a line's pieces; what stands before the first of them is where the line was broken."""
    return "".join(f"{gap if number else ''}{piece}" for number, (gap, piece) in enumerate(line))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Give what no line is broken within, each with what stands between it and the piece before it."""
    for word in text.split(" "):
        if word.isascii():
            yield " ", word
            continue
        gap, piece = " ", ""
        for sign in word:
            if piece and _may_part(piece[-1], sign):
                yield gap, piece
                gap, piece = "", ""
            piece += sign
        yield gap, piece


def _parted(text: str, width: int) -> Iterator[tuple[str, str]]:
    """Give the pieces of a text, and a fingerprint that is wider than a line in parts that end at its colons."""
    for gap, piece in _pieces(text):
        before = gap
        for part in _FIGURES.findall(piece) if get_cwidth(piece) > width and _PRINT.search(piece) else [piece]:
            yield before, part
            before = ""


def _may_part(before: str, after: str) -> bool:
    """Say whether a line may end between two signs that stand side by side."""
    if get_cwidth(before) < _WIDE and get_cwidth(after) < _WIDE:
        return False
    if before.isdecimal():
        return False
    return before not in _NEVER_LAST and after not in _NEVER_FIRST


def and_list(words: list[str]) -> str:
    """Give words as a list in a sentence: `A`, `A and B`, `A, B and C`."""
    if not words:
        return ""
    *first, last = words
    return _("{words} and {last}").format(words=comma_list(first), last=last) if first else last


def comma_list(words: list[str]) -> str:
    """Give words with commas between them, as they are written in the player's language."""
    return _(", ").join(words)
