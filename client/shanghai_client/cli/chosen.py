"""The settings of one run of a command: its options for them, and what they are with the environment and the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from shanghai_client.cli.worded import option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.folders import settings_path
from shanghai_client.language import _
from shanghai_client.settings import SETTINGS, BadSetting, Chosen, Setting, Value, choose

Command = TypeVar("Command", bound=Callable[..., Any])
LOOK = ("theme", "background", "colours", "ascii", "ambiguous_wide", "bell", "sort", "auto_pass", "confirm")
"""The settings of what is shown and asked at a table, by field."""
_META = "shanghai_rum.flags"


def setting_options(*fields: str) -> Callable[[Command], Command]:
    """Add an option to a command for each of these settings; `chosen_settings` reads them."""

    def add(command: Command) -> Command:
        for setting in reversed([each for each in SETTINGS if each.field in fields]):
            command = _option(setting)(command)
        return command

    return add


def _option(setting: Setting) -> Callable[[Command], Command]:
    switch = isinstance(setting.usual, bool)
    return option(
        f"{setting.flag}/--no-{setting.key}" if switch else setting.flag,
        setting.field,
        default=None,
        type=None if switch else click.STRING,
        metavar=None if switch else "|".join(setting.choices) or "TEXT",
        expose_value=False,
        callback=_keep,
        shell_complete=_complete(setting),
        help=lambda: _("{text} [usual: {usual}]").format(text=_(setting.text), usual=_shown(setting.usual)),
    )


def _complete(setting: Setting) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    return lambda _context, _option, begun: [each for each in setting.choices if each.startswith(begun)]


def _keep(context: click.Context, parameter: click.Parameter, value: Value | None) -> None:
    context.meta.setdefault(_META, {})[parameter.name] = value


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def chosen_settings(**flags: Value | None) -> Chosen:
    """Give the settings of the running command; `flags` are those for which it has options of its own.

    Raises `WrongInput` for a value that cannot be, and for a settings file that cannot be read.
    """
    context = click.get_current_context(silent=True)
    kept = context.meta.get(_META, {}) if context is not None else {}
    try:
        return choose(file=settings_path(), flags=kept | flags)
    except BadSetting as bad:
        raise WrongInput(str(bad)) from bad
