"""The settings file: made with a comment for every setting, and changed without losing what people wrote in it."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

import tomlkit

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.settings import SETTINGS, BadSetting, Setting, Value, read_file
from shanghai_client.system_errors import why

_WIDTH = 100
_MARK = "\ufeff"
"""Says in some editors' files that they are UTF-8."""


def template() -> str:
    """Give the text of a new settings file: every setting, explained, with its usual value behind a comment sign."""
    head = _(
        "Settings of shanghai-rum. Take the # before a setting away to change it. A flag of the command line and a"
        " variable of the environment are stronger than what stands here."
    )
    parts = [_comment(head)]
    for setting in SETTINGS:
        right = "" if isinstance(setting.usual, bool) or not setting.choices else _(" It is {right}.")
        text = _(setting.text) + right.format(right=setting.right)
        parts.append(f"{_comment(text)}\n# {_line(setting, setting.usual)}")
    return "\n\n".join(parts) + "\n"


def make_settings_file(path: Path) -> None:
    """Make a new settings file; raises `BadSetting` where there is one, and where it cannot be written."""
    if os.path.lexists(path):
        raise BadSetting(_("{where} is there already: it stays as it is").format(where=repr(str(path))))
    _write(path, template())


def change_settings_file(path: Path, setting: Setting, value: Value) -> None:
    """Set one setting in the file, which is made where there is none; every other line stays as it is.

    Raises `BadSetting` for a value that cannot be, and where the file cannot be read or written.
    """
    value = setting.read(value, strict=True, where=repr(str(path)))
    there = read_file(path)
    text, mark = _as_it_is(path) if path.exists() else (template(), "")
    if setting.key in there:
        document = tomlkit.parse(text)
        document[setting.key] = value
        changed = document.as_string()
    else:
        changed, found = re.subn(
            rf"(?m)^#[ \t]*{setting.key}[ \t]*=[^\r\n]*", lambda _found: _line(setting, value), text, count=1
        )
        if not found:
            ending = "\r\n" if "\r\n" in text else "\n"
            added = f"\n\n{_comment(_(setting.text))}\n{_line(setting, value)}\n".replace("\n", ending)
            changed = f"{text.rstrip()}{added}".lstrip()
    _write(path, mark + changed)


def _as_it_is(path: Path) -> tuple[str, str]:
    """Give the text of a file, its line endings as they are, and the mark that some editors put before it."""
    text = path.read_bytes().decode()
    mark = _MARK if text.startswith(_MARK) else ""
    return text.removeprefix(mark), mark


def _line(setting: Setting, value: Value) -> str:
    return f"{setting.key} = {tomlkit.item(value).as_string()}"


def _comment(text: str) -> str:
    return "\n".join(wrap(f"# {text}", width=_WIDTH, indent="# "))


def _write(path: Path, text: str) -> None:
    """Write the file whole or not at all; what a link points to is written, and keeps its mode."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            part.write_text(text, encoding="utf-8", newline="")
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise BadSetting(_("{where} cannot be written: {why}").format(where=repr(str(path)), why=why(error))) from error
