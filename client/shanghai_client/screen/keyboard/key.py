"""What a key is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from shanghai_client.screen.keyboard.place import Place
from shanghai_client.screen.model import Looking, Model, Overlay
from shanghai_client.screen.stepping import Run, Step, done, over


def always(_model: Model) -> bool:
    """Say that a key is of use whatever is shown."""
    return True


def never(_model: Model) -> bool:
    """Say that a key need not be named in the key line: it is in the help."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key: its names, where it works, a word for the key line, a sentence for the help, and what it does.

    `named` says when the key line shows it: when it is of use.
    """

    names: tuple[str, ...]
    places: frozenset[Place]
    word: str
    help: str
    do: Callable[[Model], Step]
    named: Callable[[Model], bool] = always


def running(line: str) -> Callable[[Model], Step]:
    """Give what runs a line of the command line."""

    def do(model: Model) -> Step:
        return done(model, Run(line))

    return do


def laying_over(make: Callable[[Model], Overlay]) -> Callable[[Model], Step]:
    """Give what lays something over the table, and takes it away where it lies there already."""

    def do(model: Model) -> Step:
        return over(model, make(model))

    return do


def back(model: Model) -> Step:
    """Give up what was begun."""
    return Step(replace(model, mode=Looking(), note=""))
