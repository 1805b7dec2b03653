"""What is told before a table is shown: a whole screen would cover it, so it is told there again."""

from __future__ import annotations

import sys

import click

from shanghai_client.plain.voice import fitted

_META = "shanghai_rum.told"


def remark(sentence: str) -> None:
    """Print a sentence as a message: on a terminal in lines of its width, broken between words."""
    for line in fitted([sentence], sys.stderr):
        click.echo(line, err=True)


def tell(sentence: str) -> None:
    """Print a sentence as a message, and keep it for the screen of this command."""
    remark(sentence)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta.setdefault(_META, []).append(sentence)


def told() -> tuple[str, ...]:
    """Give what this command has told so far."""
    context = click.get_current_context(silent=True)
    return () if context is None else tuple(context.meta.get(_META, ()))
