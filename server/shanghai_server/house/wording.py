"""Text that people give: names and chat, cleaned before anybody else sees it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_wire.shown_text import can_be_seen, cleaned

_UNSEEN = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Marks that show nothing by themselves, though they may stand in a name: joiners and selectors of variants."""


def read_name(text: str, *, limit: int) -> str:
    """Give a person's name as it is shown; raises `CallRefused` for an empty one and for one that is too long."""
    name = read_label(text, limit=limit)
    if not can_be_seen(name):
        raise CallRefused(TableRefusal.EMPTY_NAME, name=text[:limit])
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
        raise CallRefused(TableRefusal.EMPTY_CHAT, text=text[:limit])
    if len(said) > limit:
        raise CallRefused(TableRefusal.LONG_CHAT, limit=limit, length=len(said))
    return said


def told_apart(name: str, taken: Iterable[str], *, limit: int) -> str:
    """Give the name, with the first free number from 2 behind it where somebody has it already."""
    used = {_seen(other) for other in taken}
    given, number = name, 1
    while _seen(given) in used:
        number += 1
        suffix = f" {number}"
        given = name[: limit - len(suffix)].rstrip() + suffix
    return given


def bot_name(taken: Iterable[str]) -> str:
    """Give a bot a name: with the first number from 1 that nobody has."""
    used = {_seen(other) for other in taken}
    return next(name for number in itertools.count(1) if _seen(name := f"Bot {number}") not in used)


def _seen(name: str) -> str:
    """Give what is seen of a name where two are compared: no case, and no mark that only says how a sign is drawn."""
    return _UNSEEN.sub("", name.casefold())
