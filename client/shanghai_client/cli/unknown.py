"""What is said of a command that there is not, and of an option in a wrong place: what may be meant, and where."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from shanghai_client.commands.table import BY_NAME
from shanghai_client.language import _
from shanghai_client.present.cells import comma_list
from shanghai_client.quoted import quoted
from shanghai_client.settings import SETTINGS

_LIKE = 0.6
"""How much of a name has to be right for it to be meant."""


def unknown_command(name: str, known: Collection[str], *, path: str) -> str:
    """Say that a name is none of the known commands below the path, and what would be right."""
    if name.lower() == "chart":
        text = _("{name} is typed at a table; replay FILE --svg PICTURE.svg draws the totals of a recorded game")
        return text.format(name=quoted(name))
    if name.lower() in BY_NAME and name.lower() != "help":
        return _("{name} is typed at a table, in play, join or watch").format(name=quoted(name))
    begun = [each for each in known if each.startswith(name.lower())]
    near = begun or get_close_matches(name.lower(), known, cutoff=_LIKE)
    if near:
        return _("{name} is no command; there is {names}").format(name=quoted(name), names=comma_list(near))
    return _("{name} is no command: {path} --help lists them").format(name=quoted(name), path=path)


def misplaced_option(option: str) -> str:
    """Say where an option stands that is a command's, as `--plain`; empty for one that no command knows."""
    if option not in {flag for setting in SETTINGS for flag in (setting.flag, f"--no-{setting.key}")} | {"--auto"}:
        return ""
    text = _("{option} stands behind a command, as in {path}")
    return text.format(option=option, path=f"shanghai-rum play {option}")
