"""`--level`: how well the bots play."""

from __future__ import annotations

from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _
from shanghai_engine.bots import LEVELS


def levels_help() -> str:
    """Give the help of the option."""
    return _("How well the bots play: {levels}.").format(levels=", ".join(LEVELS))


def check_level(level: str) -> None:
    """Raise `WrongInput` for what is no level."""
    if level not in LEVELS:
        text = _("there is no level {level!r} (levels: {levels})")
        raise WrongInput(text.format(level=level, levels=", ".join(LEVELS)))
