"""What the values of options may be, beyond what click knows: seconds that are a number, text that is text."""

from __future__ import annotations

import math
from typing import Any

import click

from shanghai_client.language import _


class Seconds(click.FloatRange):
    """Seconds from 0 to a longest time; `nan` lies in no range, though no comparison says so."""

    def __init__(self, longest: float) -> None:
        """Take the longest time."""
        super().__init__(0, longest)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Give the number; refuses what is none, and what is out of range."""
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(_("{value!r} is no number of seconds.").format(value=value), param, ctx)
        return seconds


class Text(click.types.StringParamType):
    """Text that can be sent: a command line may hold bytes that are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """Give the text; refuses bytes that are not UTF-8."""
        text: str = super().convert(value, param, ctx)
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            self.fail(_("{text} is not UTF-8 text.").format(text=ascii(text)), param, ctx)
        return text


TEXT = Text()
