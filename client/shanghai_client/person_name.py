"""The names that people give themselves, read as a server reads them, so that nothing is made for one it refuses."""

from __future__ import annotations

import getpass

from shanghai_client.language import _, later
from shanghai_client.quoted import quoted, shortened
from shanghai_wire.shown_text import can_be_seen, cleaned

MOST = 24
"""Characters of a name at most."""
_NOBODY = later("Player")


class BadName(ValueError):
    """A name that nobody could read, or that no server takes; the text says why."""


def read_name(text: str) -> str:
    """Give a name as it is shown at a table; raises `BadName`."""
    name = text.strip()
    if any(not sign.isprintable() for sign in name):
        sentence = _("the name {name} cannot be used: it has characters that cannot be printed")
        raise BadName(sentence.format(name=quoted(name)))
    name = cleaned(name)
    if not can_be_seen(name):
        sentence = _("the name {name} cannot be used: a name has at least one character that can be seen")
        raise BadName(sentence.format(name=ascii(shortened(text))))
    check_length(name, most=MOST)
    return name


def check_length(name: str, *, most: int) -> None:
    """Raise `BadName` for a name of more characters than a server takes."""
    if len(name) > most:
        sentence = _("the name {name} cannot be used: it has {length} characters, and {most} are the most")
        raise BadName(sentence.format(name=quoted(name), length=len(name), most=most))


def account_name() -> str:
    """Give the name of the user's account, with a capital; `Player` where that is no name."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _(_NOBODY)
    name = cleaned(name)[:MOST].rstrip()
    return name[:1].upper() + name[1:] if can_be_seen(name) else _(_NOBODY)
