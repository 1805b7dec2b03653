"""The settings over the table: each can be changed there, shows at once, and is kept for the next time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from msgspec.structs import replace as with_fields

from shanghai_client.language import _
from shanghai_client.present.cells import cells, left, wrap
from shanghai_client.scene import Scene
from shanghai_client.screen.liking import look_of
from shanghai_client.screen.model import Model, Overlay
from shanghai_client.screen.ordering import Order
from shanghai_client.screen.stepping import Fill, Keep, Step, over, stay
from shanghai_client.settings import SETTINGS, BadSetting, Chosen, Origin, Setting, Source, Value

_ABOVE = 3
"""Lines that are shown above the chosen setting where the text is scrolled."""


def begin(model: Model) -> Step:
    """Show the settings; a second time closes them."""
    if model.chosen is None:
        return stay(model, _("there are no settings to change here"))
    return over(model, _overlay(model.chosen, 0))


def move(model: Model, by: int) -> Step:
    """Choose another setting."""
    cursor, chosen = _cursor(model), model.chosen
    if chosen is None:
        return Step(model)
    return Step(replace(model, overlay=_overlay(chosen, (cursor + by) % len(SETTINGS)), note=""))


def change(model: Model, by: int) -> Step:
    """Give the chosen setting another of its values: it shows at once, and is kept."""
    cursor, chosen = _cursor(model), model.chosen
    if chosen is None:
        return Step(model)
    setting = SETTINGS[cursor]
    values = values_of(setting)
    if not values:
        return Step(replace(model, note=""), Fill(setting, str(getattr(chosen.settings, setting.field))))
    value = values[(values.index(getattr(chosen.settings, setting.field)) + by) % len(values)]
    changed = replace(_changed(model, chosen, setting, value), note=_stronger(chosen, setting))
    return Step(changed, Keep(setting, value))


def filled(model: Model, setting: Setting, text: str) -> Step:
    """Give a setting a text that was typed: it is kept, and counts from the next time on; what cannot be is said."""
    if model.chosen is None:
        return Step(model)
    try:
        value = setting.read(text.strip(), strict=True, where=_("the settings"))
    except BadSetting as bad:
        return stay(model, str(bad))
    after = _changed(model, model.chosen, setting, value)
    note = _stronger(model.chosen, setting) or _("{key} counts from the next time on").format(key=setting.key)
    return Step(replace(after, note=note), Keep(setting, value))


def _stronger(chosen: Chosen, setting: Setting) -> str:
    """Say what is stronger than the file the next time, too; nothing where nothing is."""
    origin = chosen.origins[setting.field]
    if origin.source is not Source.ENVIRONMENT:
        return ""
    return _("it is kept, but {variable} is stronger than the file the next time").format(variable=origin.name)


def values_of(setting: Setting) -> tuple[Value, ...]:
    """Give the values that a setting can be changed to by one key; none where it is text."""
    return (False, True) if isinstance(setting.usual, bool) else setting.choices


def _changed(model: Model, chosen: Chosen, setting: Setting, value: Value) -> Model:
    changed = replace(
        chosen,
        settings=with_fields(chosen.settings, **{setting.field: value}),
        origins={**chosen.origins, setting.field: Origin(Source.FILE, str(chosen.file))},
    )
    look = look_of(changed.settings, mouse=model.look.mouse, shapes=model.look.shapes)
    after = replace(model, chosen=changed, look=look, overlay=_overlay(changed, _cursor(model)), note="")
    if setting.field == "sort":
        after = replace(after, order=Order(look.sort, model.order.own))
    if setting.field == "auto_pass":
        after = replace(after, unless=look.unless)
    return after


def in_language(model: Model) -> Model:
    """Give the settings over the table as they are in the language that is spoken now."""
    if model.chosen is None or model.overlay is None or model.overlay.cursor is None:
        return model
    return replace(model, overlay=replace(_overlay(model.chosen, model.overlay.cursor), scroll=model.overlay.scroll))


def _cursor(model: Model) -> int:
    return 0 if model.overlay is None or model.overlay.cursor is None else model.overlay.cursor


def _overlay(chosen: Chosen, cursor: int) -> Overlay:
    return Overlay(_("Settings"), _present(chosen, cursor), scroll=max(0, cursor - _ABOVE), cursor=cursor)


def _present(chosen: Chosen, cursor: int) -> Callable[[Scene], Sequence[str]]:
    def present(scene: Scene) -> Sequence[str]:
        return settings_lines(chosen, cursor, width=scene.width)

    return present


def settings_lines(chosen: Chosen, cursor: int, *, width: int) -> list[str]:
    """Give a line for each setting, with a mark at the chosen one and below that what it is for."""
    keys = max(cells(setting.key) for setting in SETTINGS)
    values = max(cells(_shown(chosen, setting)) for setting in SETTINGS)
    lines: list[str] = []
    for place, setting in enumerate(SETTINGS):
        mark = ">" if place == cursor else " "
        value = left(_shown(chosen, setting), values)
        lines.append(f"{mark} {left(setting.key, keys)}  {value}  {_from(chosen, setting)}".rstrip())
        if place == cursor:
            about = _(setting.text)
            if setting.choices:
                about = f"{about} ({', '.join(setting.choices)})"
            lines += wrap(f"    {about}", width=width, indent="    ")
    file = _("The file is {path}.").format(path=repr(str(chosen.file)))
    return [*lines, *wrap(file, width=width, indent="  ")]


def _from(chosen: Chosen, setting: Setting) -> str:
    """Say where a value comes from; the file's path would not fit, and is told below."""
    origin = chosen.origins[setting.field]
    return _("the file") if origin.source is Source.FILE else origin.text


def _shown(chosen: Chosen, setting: Setting) -> str:
    value: Value = getattr(chosen.settings, setting.field)
    if isinstance(value, bool):
        # As it stands in the file, and is typed: it is no word of any language there.
        return "true" if value else "false"
    return value or "-"
