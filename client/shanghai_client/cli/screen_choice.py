"""Whether a table is shown on the whole screen or line by line, and how the screen looks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from prompt_toolkit.utils import is_dumb_terminal

from shanghai_client.cli.running import in_terminal
from shanghai_client.cli.worded import option
from shanghai_client.language import _, later

if TYPE_CHECKING:
    from shanghai_client.screen.model import Look

Command = TypeVar("Command", bound=Callable[..., Any])
THEMES = ("four-colour", "two-colour", "high-contrast", "mono")
BACKGROUNDS = ("dark", "light")
_OPTIONS = (
    option("--plain", is_flag=True, help=later("Lines only, for screen readers and pipes, even on a terminal.")),
    option(
        "--ascii", "letters", is_flag=True, help=later("Draw with ASCII signs only; suits are the letters C D H S.")
    ),
    option("--theme", type=click.Choice(THEMES), default=THEMES[0], show_default=True, help=later("The colours.")),
    option(
        "--background",
        type=click.Choice(BACKGROUNDS),
        default="dark",
        show_default=True,
        help=later("What it is drawn on."),
    ),
)


def screen_options(command: Command) -> Command:
    """Add the options of the screen to a command."""
    for added in reversed(_OPTIONS):
        command = added(command)
    return command


def chosen_look(*, plain: bool, letters: bool, theme: str, background: str) -> Look | None:
    """Give how the screen looks; none where a table is shown line by line.

    That is where it was asked for, where no terminal is, where it cannot move its cursor or is too small.
    """
    if plain or not in_terminal() or is_dumb_terminal():
        return None
    # Loaded here: who plays line by line need not wait for it.
    from shanghai_client.screen.model import LOWEST, NARROWEST, Look
    from shanghai_client.screen.signs import LETTERS, SHAPES
    from shanghai_client.screen.style import Background, Theme

    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if columns < NARROWEST or rows < LOWEST:
        small = _(
            "This terminal has {columns} x {rows} signs and the table needs {least_columns} x {least_rows}, so it is"
            " shown line by line."
        )
        said = small.format(columns=columns, rows=rows, least_columns=NARROWEST, least_rows=LOWEST)
        click.echo(said, err=True)
        return None
    signs = LETTERS if letters or not _shows_shapes() else SHAPES
    return Look(theme=Theme(theme), background=Background(background), signs=signs)


def _shows_shapes() -> bool:
    """Say whether the terminal is sent what it can show as shapes."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
