"""The rules as a player reads them: a text that comes with the program, found by the numbers of its rules."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import groupby

from shanghai_client.language import LANGUAGES, _, spoken
from shanghai_client.present.cells import cells, left, wrap

_CHAPTER = re.compile(r"## (R\d+) (.+)")
_RULE = re.compile(r"(\d+)\. (.+)")
_ASKED = re.compile(r"[rR]?(\d{1,2})(?:\.(\d{1,2}))?")


class UnknownRule(ValueError):
    """There is no rule of a number."""

    def __init__(self, number: str) -> None:
        """Take the number as it was given."""
        super().__init__(
            _("there is no rule {number!r}: name one of R1 to R16, as in 7, R7 or R7.4").format(number=number)
        )


@cache
def rulebook_text(language: str) -> str:
    """Give the whole text in a language, in Markdown."""
    name = "rules.md" if language == LANGUAGES[0] else f"rules.{language}.md"
    return files("shanghai_client").joinpath(name).read_text(encoding="utf-8")


def _chapters() -> dict[str, tuple[str, ...]]:
    """Give the lines of each chapter in the player's language by its number, its heading first."""
    return _chapters_in(spoken())


@cache
def _chapters_in(language: str) -> dict[str, tuple[str, ...]]:
    chapters: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rulebook_text(language).splitlines():
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
    for is_table, paragraphs in groupby(_paragraphs(chapter[1:]), key=lambda each: each.startswith("|")):
        if is_table:
            lines += _table_lines(list(paragraphs), width)
        else:
            lines += [line for paragraph in paragraphs for line in _paragraph_lines(paragraph, width)]
    return lines


def _paragraph_lines(paragraph: str, width: int) -> list[str]:
    rule = _RULE.match(paragraph)
    start = "" if rule is None else f"{rule[1]:>3}. "
    text = _plain(paragraph if rule is None else rule[2])
    return wrap(f"{start or '  '}{text}", width=width, indent=" " * (len(start) or 2))


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
            # Beside a wide sign there is no space, also where a line of the text ended there.
            wide = cells(found[-1][-1]) > 1 or cells(text[0]) > 1
            found[-1] += text if wide else f" {text}"
        fresh = False
    return found


def _table_lines(rows: list[str], width: int) -> list[str]:
    """Give a table in columns; where it is too wide, the last column goes on a line of its own."""
    table = [[_plain(cell.strip()) for cell in row.strip("|").split("|")] for row in rows]
    table = [row for row in table if not all(set(cell) <= set("-:") for cell in row)]
    columns = [max(cells(cell) for cell in column) for column in zip(*table, strict=True)]
    lines: list[str] = []
    for row in table:
        fitted = [left(cell, size) for cell, size in zip(row, columns, strict=True)]
        if sum(columns) + 2 * len(columns) <= width:
            lines.append(f"  {'  '.join(fitted)}".rstrip())
        else:
            lines += wrap(f"  {'  '.join(row[:-1])}", width=width, indent="      ")
            lines += wrap(f"      {row[-1]}", width=width, indent="      ")
    return lines


def _plain(text: str) -> str:
    return text.replace("`", "").replace("**", "")


def field_meaning(field: str) -> str:
    """Say what a field of R16 is about, in the words of its row there."""
    for paragraph in _paragraphs(_chapters()["R16"][1:]):
        row = [cell.strip() for cell in paragraph.strip("|").split("|")]
        if row[0] == f"`{field}`":
            return _plain(row[-1])
    raise UnknownRule(field)
