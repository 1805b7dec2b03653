"""What the values of options may be, beyond what click knows: seconds that are a number, text that is text, bytes."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from shanghai_client.language import _
from shanghai_engine.rules import PRESETS


class Whole(click.IntRange):
    """A whole number from a least to a most one; none where it has no such end, or what is wrong is said elsewhere."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """Give the number; refuses what is none, and what is out of range."""
        try:
            number = int(value)
        except ValueError:
            self.fail(_("{value!r} is no whole number.").format(value=value), param, ctx)
        _check_range(self, number, param, ctx)
        return number


SHORTEST = 0.001
"""The shortest time that there is, in seconds: a shorter one would come out as 0, which means that no clock runs."""


class Seconds(click.FloatRange):
    """Seconds, 0 or from the shortest to a longest time; `nan` lies in no range, though no comparison says so."""

    name = "seconds"

    def __init__(self, longest: float) -> None:
        """Take the longest time."""
        super().__init__(0, longest)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Give the number; refuses what is none, and what is out of range."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            self.fail(_("{value!r} is no number of seconds.").format(value=value), param, ctx)
        _check_range(self, seconds, param, ctx)
        if 0 < seconds < SHORTEST:
            text = _("{value} is too small: right would be 0, or {least} or more.")
            self.fail(text.format(value=f"{seconds:.15g}", least=f"{SHORTEST:.15g}"), param, ctx)
        return seconds


def _check_range(
    kind: click.IntRange | click.FloatRange, number: float, param: click.Parameter | None, ctx: click.Context | None
) -> None:
    """Refuse a number that is too small or too large."""
    if kind.min is not None and number < kind.min:
        text = _("{value} is too small: right would be {least} or more.")
        kind.fail(text.format(value=f"{number:.15g}", least=f"{kind.min:.15g}"), param, ctx)
    if kind.max is not None and number > kind.max:
        text = _("{value} is too large: right would be {most} or less.")
        kind.fail(text.format(value=f"{number:.15g}", most=f"{kind.max:.15g}"), param, ctx)


class Text(click.types.StringParamType):
    """Text that can be sent: a command line may hold bytes that are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """Give the text; refuses bytes that are not UTF-8."""
        text: str = super().convert(value, param, ctx)
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.fail(_("{text} is not UTF-8 text.").format(text=ascii(text)), param, ctx)
        return text


class Key(Text):
    """Text that lets one in, or keeps others out. An empty one is a slip, as of a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """Give the text; refuses an empty one, which would be as if none were asked for."""
        text = super().convert(value, param, ctx)
        if not text:
            self.fail(_("it is empty: leave it out, or give one."), param, ctx)
        return text


class Hex(click.types.StringParamType):
    """A number of bytes as hexadecimal digits, two for each."""

    name = "hex"

    def __init__(self, length: int) -> None:
        """Take how many bytes it must be."""
        self._length = length

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Give the bytes; refuses what is no such number of digits."""
        digits = str(value)
        if len(digits) != 2 * self._length or not set(digits) <= set(string.hexdigits):
            text = _("{value!r} is not {digits} hexadecimal digits, which are {bytes} bytes.")
            self.fail(text.format(value=digits, digits=2 * self._length, bytes=self._length), param, ctx)
        return bytes.fromhex(digits)


class RulesName(click.types.StringParamType):
    """A preset of the rules, or a file of house rules: both are completed."""

    def __init__(self, *, others: Callable[[], Iterable[str]] = tuple) -> None:
        """Take what else can be named there."""
        self._others = others

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Give the names that begin so; where there are none it is a file's."""
        del ctx, param
        names = [name for name in (*PRESETS, *self._others()) if name.startswith(incomplete)]
        return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


TEXT = Text()
KEY = Key()
RULES = RulesName()
