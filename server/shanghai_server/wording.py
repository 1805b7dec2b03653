"""Text that people give: names and chat, cleaned before anybody else sees it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from shanghai_server.refusal import CallRefused, TableRefusal

# Cc control, Cf format (bidi marks, zero-width characters), Cs surrogates, Co private use, Cn unassigned, Zl and Zp
# the separators of lines and paragraphs: nothing of them belongs into one line of text.
_LOST = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Blank, but letters or symbols to Unicode: the Hangul fillers and the empty Braille pattern.
_BLANK = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}


def cleaned(text: str) -> str:
    """Give a text as it is shown: NFC, one line, without control, bidi and zero-width characters and outer blanks."""
    lines = "".join(" " if character in "\t\n\r\v\f\u2028\u2029" else character for character in text)
    kept = "".join(c for c in lines if c not in _BLANK and unicodedata.category(c) not in _LOST)
    # Last, since what is left may compose where something stood between.
    return " ".join(unicodedata.normalize("NFC", kept).split())


def read_name(text: str, *, limit: int) -> str:
    """Give a person's name as it is shown; raises `CallRefused` for an empty one and for one that is too long."""
    name = read_label(text, limit=limit)
    if not any(unicodedata.category(character)[0] not in "ZM" for character in name):
        raise CallRefused(TableRefusal.EMPTY_NAME, name=ascii(text[:limit]))
    return name


def read_label(text: str, *, limit: int) -> str:
    """Give the name of a table as it is shown, which may be empty; raises `CallRefused` for one that is too long."""
    name = cleaned(text)
    if len(name) > limit:
        raise CallRefused(TableRefusal.LONG_NAME, limit=limit, length=len(name))
    return name


def read_chat(text: str, *, limit: int) -> str:
    """Give a line of chat as it is shown; raises `CallRefused` for an empty one and for one that is too long."""
    said = cleaned(text)
    if not said:
        raise CallRefused(TableRefusal.EMPTY_CHAT, text=ascii(text[:limit]))
    if len(said) > limit:
        raise CallRefused(TableRefusal.LONG_CHAT, limit=limit, length=len(said))
    return said


def told_apart(name: str, taken: Iterable[str], *, limit: int) -> str:
    """Give the name, with the first free number from 2 behind it where somebody has it already."""
    used = {other.casefold() for other in taken}
    given, number = name, 1
    while given.casefold() in used:
        number += 1
        suffix = f" {number}"
        given = name[: limit - len(suffix)].rstrip() + suffix
    return given
