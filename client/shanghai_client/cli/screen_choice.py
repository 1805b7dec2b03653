"""Whether a table is shown on the whole screen or line by line, and how the screen looks."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shanghai_client.cli.chosen import LOOK, chosen_settings, setting_options
from shanghai_client.cli.running import in_terminal, moves_cursor
from shanghai_client.cli.telling import remark
from shanghai_client.language import _
from shanghai_client.quoted import shortened
from shanghai_client.settings import Chosen, Source

if TYPE_CHECKING:
    from shanghai_client.screen.model import Look

screen_options = setting_options(*LOOK, "plain")
"""Adds the options of the screen to a command; `chosen_screen` reads them."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The whole screen: how it looks, and the settings that can be changed there."""

    look: Look
    chosen: Chosen


def said_plain() -> bool:
    """Say whether lines were asked for in so many words: those who have them in their settings may have no terminal."""
    chosen = chosen_settings()
    return chosen.settings.plain and chosen.origins["plain"].source in {Source.FLAG, Source.ENVIRONMENT}


def chosen_screen(*, says: bool = True) -> Screen | None:
    """Give how the screen looks; none where a table is shown line by line, which is told where a small terminal is why.

    That is where it was asked for, where no terminal is, where it cannot move its cursor or is too small.
    """
    chosen = chosen_settings()
    if chosen.settings.plain or not in_terminal():
        return None
    if not moves_cursor():
        if says:
            why = _("This terminal cannot move its cursor (TERM is {term!r}), so the table is shown line by line.")
            remark(why.format(term=shortened(os.environ.get("TERM", ""))))
        return None
    # Loaded here: who plays line by line need not wait for it.
    from shanghai_client.screen.liking import look_of
    from shanghai_client.screen.model import LOWEST, NARROWEST

    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if columns < NARROWEST or rows < LOWEST:
        if not says:
            return None
        small = _(
            "This terminal has {columns} x {rows} signs and the table needs {least_columns} x {least_rows}, so it is"
            " shown line by line."
        )
        said = small.format(columns=columns, rows=rows, least_columns=NARROWEST, least_rows=LOWEST)
        remark(said)
        return None
    return Screen(look_of(chosen.settings, shapes=shows_shapes()), chosen)


def shows_shapes() -> bool:
    """Say whether the terminal is sent what it can show as shapes."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
