"""What is left in Latin letters in a text of another language: it must be what is typed, or a name."""

from __future__ import annotations

import re

from shanghai_client.commands.table import COMMANDS
from shanghai_client.rulebook import rulebook_text
from shanghai_client.settings import SETTINGS
from shanghai_engine.bots import LEVELS

CARD = re.compile(r"(?:[2-9TJQKA][CDHS]|JK)(?![A-Za-z])")
_WORD = re.compile(r"[A-Za-z]{2,}(?:[-_'][A-Za-z]+)*")
_CUT = re.compile(r"[A-Za-z]+~")
"""A name that was too wide."""
_CODE = re.compile(r"(?<=テーブル )[A-Z]{5}")
_KEYS = [
    "Tab",
    "Ctrl",
    "Esc",
    "Enter",
    "Up",
    "Down",
    "Left",
    "Right",
    "Backspace",
    "PgUp",
    "PgDn",
    "Ctrl-C",
    "Ctrl-Z",
    "Home",
    "End",
]
_TYPED = [
    "TOML",
    "svg",
    "SVG",
    "low",
    "high",
    "set",
    "run",
    "yes",
    "on",
    "stop",
    "true",
    "false",
    "sets",
    "runs",
    "HOST",
    "PORT",
    "shanghai-rum",
]


def latin_words(text: str) -> set[str]:
    """Give the words in Latin letters, but for cards, codes of tables, and what is typed or pressed as it stands."""
    commands = {name for command in COMMANDS for name in (command.name, *command.aliases)}
    settings = {word for setting in SETTINGS for word in (setting.key, str(setting.usual), *setting.choices)}
    # What is written in a file of rules is quoted by the rules, in every language.
    quoted = set(_WORD.findall(" ".join(re.findall("`[^`]+`", rulebook_text("en")))))
    settings |= {setting.variable for setting in SETTINGS}
    typed = {*commands, *settings, *quoted, *LEVELS, *_KEYS, *_TYPED}
    words = _WORD.findall(_CODE.sub("", CARD.sub("", _CUT.sub("", text))))
    return set(words) - typed
