"""The rules as a player reads them: a text that comes with the program, found by the numbers of its rules."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from shanghai_client.present.cells import wrap

_CHAPTER = re.compile(r"## (R\d+) (.+)")
_RULE = re.compile(r"(\d+)\. (.+)")
_ASKED = re.compile(r"[rR]?(\d{1,2})(?:\.(\d{1,2}))?")


class UnknownRule(ValueError):
    """There is no rule of a number."""

    def __init__(self, number: str) -> None:
        """Take the number as it was given."""
        super().__init__(f"there is no rule {number!r}: name one of R1 to R16, as in 7, R7 or R7.4")


@cache
def rulebook_text() -> str:
    """Give the whole text, in Markdown."""
    return files("shanghai_client").joinpath("rules.md").read_text(encoding="utf-8")


@cache
def _chapters() -> dict[str, tuple[str, ...]]:
    """Give the lines of each chapter by its number, its heading first."""
    chapters: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rulebook_text().splitlines():
        heading = _CHAPTER.fullmatch(line)
        if heading is not None:
            lines = chapters.setdefault(heading[1], [f"{heading[1]} {heading[2]}"])
        elif chapters:
            lines.append(line)
    return {number: tuple(found) for number, found in chapters.items()}


def rule_numbers() -> list[str]:
    """Give the numbers of the chapters, `R1` to `R16`."""
    return list(_chapters())


def rule_lines(number: str = "", *, width: int = 80) -> list[str]:
    """Give the whole rules, a chapter (`R7` or `7`) or one rule (`R7.4`), broken to a width; raises `UnknownRule`."""
    if not number:
        lines = [line for chapter in _chapters().values() for line in (*_wrapped(chapter, width), "")]
        return lines[:-1]
    asked = _ASKED.fullmatch(number)
    chapter = _chapters().get(f"R{int(asked[1])}") if asked is not None else None
    if asked is None or chapter is None:
        raise UnknownRule(number)
    if asked[2] is None:
        return _wrapped(chapter, width)
    return _one_rule(chapter, number, int(asked[2]), width)


def _one_rule(chapter: tuple[str, ...], number: str, wanted: int, width: int) -> list[str]:
    for paragraph in _paragraphs(chapter[1:]):
        rule = _RULE.fullmatch(paragraph)
        if rule is not None and int(rule[1]) == wanted:
            name = f"{chapter[0].split(' ', 1)[0]}.{wanted}"
            return wrap(f"{name} {_plain(rule[2])}", width=width, indent="  ")
    raise UnknownRule(number)


def _wrapped(chapter: tuple[str, ...], width: int) -> list[str]:
    lines = [chapter[0]]
    for paragraph in _paragraphs(chapter[1:]):
        if paragraph.startswith("|"):
            lines += _table_line(paragraph, width)
            continue
        rule = _RULE.match(paragraph)
        indent = "    " if rule is not None or paragraph.startswith("- ") else "  "
        start = "  " if rule is None or int(rule[1]) < 10 else " "  # noqa: PLR2004 (two digits take one blank less)
        lines += wrap(f"{start}{_plain(paragraph)}", width=width, indent=indent)
    return lines


def _paragraphs(lines: tuple[str, ...]) -> list[str]:
    """Join the lines of each paragraph, rule and row of a table into one."""
    found: list[str] = []
    fresh = True
    for line in lines:
        text = line.strip()
        if not text:
            fresh = True
            continue
        if fresh or _RULE.match(text) or text.startswith(("|", "- ")) or found[-1].startswith("|"):
            found.append(text)
        else:
            found[-1] += f" {text}"
        fresh = False
    return found


def _table_line(row: str, width: int) -> list[str]:
    cells = [_plain(cell.strip()) for cell in row.strip("|").split("|")]
    if all(set(cell) <= set("-:") for cell in cells):
        return []
    return wrap("  " + "  ".join(cell for cell in cells if cell), width=width, indent="      ")


def _plain(text: str) -> str:
    return text.replace("`", "").replace("**", "")
