"""What is raised for input that is no well-formed value: text that is no card, a rule set with an unknown field.

ShanghaiError            everything that the engine raises on purpose
├── Malformed            input that cannot be read at all
│   ├── BadRules         a rule set that is unknown, not supported, or cannot be played (R16)
│   └── BadRecord        a game record that cannot be read, or a line of it that cannot be right
└── RuleViolation        a well-formed action that breaks a rule (R15.1), in violation.py
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

_LONGEST = 200
"""Characters of a value that a sentence quotes."""


def quoted(value: object) -> str:
    """Give a value as a sentence quotes it: its `repr`, cut where it is long."""
    try:
        return shortened(repr(value))
    except (ValueError, RecursionError):
        # Numbers of thousands of digits, and what is nested without end, have none.
        return f"a {type(value).__name__} too large to be shown"


def shortened(text: str) -> str:
    """Give a text as a sentence says it: cut where it is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


class ShanghaiError(Exception):
    """The root of everything that the engine raises on purpose."""


class Malformed(ShanghaiError, ValueError):
    """Input that cannot be read: what it was, and what would be right."""

    def __init__(self, value: object, right: str) -> None:
        """Take the value as it was given and a clause saying what would be right."""
        super().__init__(f"{quoted(value)} cannot be read: {right}")
        self.value = value
        self.right = right

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of, so that a worker process can raise it too."""
        return type(self), (self.value, self.right)


def check_row(values: object, right: str) -> None:
    """Raise `Malformed` for what is no row of values; text, bytes and tables are rows of something else."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        raise Malformed(values, right)


class BadRules(Malformed):
    """A rule set that is unknown, not supported, or cannot be played (R16)."""

    def __init__(self, field: str, value: object, right: str) -> None:
        """Take the name of the field (or of the preset), its value, and a clause saying what would be right."""
        super().__init__(value, right)
        self.field = field
        # A clause that names a rule of its own names R16 beside it.
        named = f"{right[:-1]}, R16)" if right.endswith(")") and "(R" in right else f"{right} (R16)"
        name = shortened(str(field))
        shown = name if name.isprintable() else repr(name)
        self.args = (f"rules: {shown} = {shortened(written(value))} cannot be used: {named}",)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of."""
        return type(self), (self.field, self.value, self.right)


def written(value: object) -> str:
    """Give a value as it is written in a TOML file, as far as it is one of those that stand there."""
    match value:
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"[{', '.join(written(each) for each in value)}]"
        case dict():
            return f"{{{', '.join(f'{key} = {written(each)}' for key, each in value.items())}}}"
        case _:
            return quoted(value)


class BadRecord(Malformed):
    """A game record that cannot be read, or a line of it that cannot be right.

    `rule` is the number of the rule that the line breaks, or `record` where it does not keep to the format;
    `line` counts from 1 and is none while only the line itself is known. `found` says what stands there and
    `right` what would be right: together they are the `sentence`.
    """

    def __init__(self, found: str, right: str, *, rule: str = "record", line: int | None = None) -> None:
        """Take both halves of the sentence, the rule, and the number of the line where it is known."""
        super().__init__(found, right)
        self.found = found
        self.rule = rule
        self.line = line
        self.args = (found, right, rule, line)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of."""
        return partial(type(self), rule=self.rule, line=self.line), (self.found, self.right)

    @property
    def sentence(self) -> str:
        """What stands there and what would be right, in one sentence without the rule's number."""
        return f"{self.found}: {self.right}" if self.right else self.found

    def __str__(self) -> str:
        """Give the line's number where it is known, the sentence and the rule."""
        where = "" if self.line is None else f"line {self.line}: "
        return f"{where}{self.sentence} ({self.rule})"
