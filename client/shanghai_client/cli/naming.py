"""The names that people give themselves."""

from __future__ import annotations

import getpass

from shanghai_client.cli.wrong import WrongInput

MOST = 24
"""Characters in a name."""
_NOBODY = "Player"


def read_name(text: str | None) -> str:
    """Give the name, or that of the user where none is given; raises `WrongInput` for one that nobody could read."""
    if text is None:
        return _user()
    name = text.strip()
    if any(not sign.isprintable() for sign in name):
        raise WrongInput(f"the name {text!a} cannot be used: it has characters that cannot be printed")
    if not name:
        raise WrongInput(f"the name {text!r} cannot be used: a name has at least one character that can be seen")
    if len(name) > MOST:
        raise WrongInput(f"the name {name!r} cannot be used: it has {len(name)} characters, and {MOST} are the most")
    return name


def _user() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return _NOBODY
    name = "".join(sign for sign in name if sign.isprintable()).strip()[:MOST]
    return name[:1].upper() + name[1:] if name else _NOBODY
