"""The language that a player reads: every text is written in English in the code, and looked up when it is shown."""

from __future__ import annotations

import gettext

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def _(message: str) -> str:
    """Give a text in the player's language; it is looked up at the call, so never call this while importing."""
    return _catalogue.gettext(message)


def plural(one: str, many: str, count: int) -> str:
    """Give the one of two texts that goes with a count, in the player's language; `{count}` is left to the caller."""
    return _catalogue.ngettext(one, many, count)


def later(message: str) -> str:
    """Mark a text that is translated where it is shown, as in a table of sentences; gives it as it is."""
    return message
