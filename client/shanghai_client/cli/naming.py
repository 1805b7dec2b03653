"""The names that people give themselves, read as the server reads them, so that nothing is made for one it refuses."""

from __future__ import annotations

import getpass

from shanghai_client.cli.chosen import chosen_settings
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later
from shanghai_wire.shown_text import can_be_seen, cleaned

MOST = 24
"""Characters in a name."""
_NOBODY = later("Player")


def read_name(text: str | None) -> str:
    """Give the name, or that of the user where none is given; raises `WrongInput` for one that nobody could read."""
    if text is None:
        return _user()
    name = text.strip()
    if any(not sign.isprintable() for sign in name):
        sentence = _("the name {name} cannot be used: it has characters that cannot be printed")
        raise WrongInput(sentence.format(name=ascii(_short(name))))
    name = cleaned(name)
    if not can_be_seen(name):
        sentence = _("the name {name} cannot be used: a name has at least one character that can be seen")
        raise WrongInput(sentence.format(name=ascii(_short(text))))
    check_length(name, most=MOST)
    return name


def check_length(name: str, *, most: int) -> None:
    """Raise `WrongInput` for a name of more characters than a server takes."""
    if len(name) > most:
        sentence = _("the name {name!r} cannot be used: it has {length} characters, and {most} are the most")
        raise WrongInput(sentence.format(name=_short(name), length=len(name), most=most))


def own_name(text: str | None) -> str:
    """Give the name that an option says, or else the settings, or else that of the user's account.

    Raises `WrongInput` for one that nobody could read.
    """
    return read_name(text if text is not None else chosen_settings().settings.name or None)


def _short(text: str) -> str:
    return text if len(text) <= 2 * MOST else f"{text[:MOST]}..."


def _user() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _(_NOBODY)
    name = cleaned(name)[:MOST].rstrip()
    return name[:1].upper() + name[1:] if can_be_seen(name) else _(_NOBODY)
