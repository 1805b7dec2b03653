"""`shanghai-rum settings`: every setting, where its value comes from, and the file that holds them."""

from __future__ import annotations

import json

import click

from shanghai_client.cli.chosen import chosen_settings
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.folders import settings_path
from shanghai_client.language import _, later
from shanghai_client.present.cells import left
from shanghai_client.settings import BY_KEY, SETTINGS, BadSetting, Chosen, Setting, Value, setting_of
from shanghai_client.settings_file import change_settings_file, make_settings_file
from shanghai_wire.shown_text import visible


def _complete_key(_context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    return [key for key in BY_KEY if key.startswith(begun)]


def _complete_value(context: click.Context, _argument: click.Parameter, begun: str) -> list[str]:
    setting = BY_KEY.get(context.params.get("key") or "")
    if setting is None:
        return []
    choices = ("true", "false") if isinstance(setting.usual, bool) else setting.choices
    return [choice for choice in choices if choice.startswith(begun)]


@command(
    help=later(
        "List the settings, with where each value comes from; with a KEY that one, with a VALUE set it in the file.\n\n"
        "A flag is stronger than a variable of the environment (SHANGHAI_RUM_KEY), and that is stronger than the file."
    )
)
@click.argument("key", default="", shell_complete=_complete_key)
@click.argument("value", required=False, shell_complete=_complete_value)
@option("--init", is_flag=True, help=later("Make the settings file, with every setting explained in it."))
@option("--json", "as_json", is_flag=True, help=later("Print one JSON object a setting."))
def settings(key: str, value: str | None, *, init: bool, as_json: bool) -> None:
    """List the settings, show one, or set one."""
    path = settings_path()
    if init and key:
        raise WrongInput(_("--init makes the whole file: {key!r} is too much").format(key=key))
    try:
        if init:
            make_settings_file(path)
            click.echo(_("The settings are in {path}.").format(path=repr(str(path))), err=True)
            return
        chosen_of = [setting_of(key)] if key else list(SETTINGS)
        if value is not None:
            setting = chosen_of[0]
            change_settings_file(path, setting, setting.read(value, strict=False, where=repr(str(path))))
    except BadSetting as bad:
        raise WrongInput(str(bad)) from bad
    chosen = chosen_settings()
    if as_json:
        for setting in chosen_of:
            click.echo(json.dumps(_fields(chosen, setting), ensure_ascii=False))
        return
    for line in _lines(chosen, chosen_of):
        click.echo(visible(line))
    if not key:
        there = _("The file is {path}.") if path.exists() else _("There is no file {path}: --init makes it.")
        click.echo(there.format(path=repr(str(path))), err=True)


def _lines(chosen: Chosen, settings: list[Setting]) -> list[str]:
    keys = max(len(setting.key) for setting in settings)
    values = max(len(_text(chosen.settings, setting)) for setting in settings)
    return [
        f"{left(setting.key, keys)} = {left(_text(chosen.settings, setting), values)}"
        f"  {chosen.origins[setting.field].text}"
        for setting in settings
    ]


def _text(settings: object, setting: Setting) -> str:
    value: Value = getattr(settings, setting.field)
    return json.dumps(value, ensure_ascii=False)


def _fields(chosen: Chosen, setting: Setting) -> dict[str, object]:
    origin = chosen.origins[setting.field]
    return {
        "key": setting.key,
        "value": getattr(chosen.settings, setting.field),
        "source": origin.source.value,
        "from": origin.name,
        "usual": setting.usual,
        "choices": list(setting.choices),
        "variable": setting.variable,
        "about": _(setting.text),
    }
