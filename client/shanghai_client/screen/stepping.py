"""What a key does: a step from one model to the next, and what has to happen besides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shanghai_client.commands.command import Leaving
from shanghai_client.screen.model import Looking, Model, Overlay
from shanghai_client.settings import Setting, Value
from shanghai_wire.actions import SeatAction


@dataclass(frozen=True, slots=True)
class Act:
    """Answer the decision that was on the screen."""

    action: SeatAction


@dataclass(frozen=True, slots=True)
class Run:
    """Run a line of the command line."""

    line: str


@dataclass(frozen=True, slots=True)
class Open:
    """Open the command line, with a beginning."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Go:
    """End the client."""

    how: Leaving


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep a changed setting in the player's file, for the next time."""

    setting: Setting
    value: Value


@dataclass(frozen=True, slots=True)
class Fill:
    """Let a text be typed for a setting, which begins as it is now."""

    setting: Setting
    text: str


Effect = Act | Run | Open | Go | Keep | Fill


@dataclass(frozen=True, slots=True)
class Step:
    """The next model, and what has to happen besides, if anything."""

    model: Model
    effect: Effect | None = None


def stay(model: Model, note: str = "") -> Step:
    """Change nothing, and say why."""
    return Step(replace(model, note=note))


def over(model: Model, overlay: Overlay) -> Step:
    """Show something over the table; what is shown already is closed by its own key."""
    if model.overlay is not None and model.overlay.title == overlay.title:
        return Step(replace(model, overlay=None))
    return Step(replace(model, overlay=overlay))


def done(model: Model, effect: Effect) -> Step:
    """Do something, with nothing begun any more."""
    return Step(replace(model, mode=Looking(), note=""), effect)


def at(cards: Sequence[object], cursor: int) -> int:
    """Give a cursor that is on one of the cards."""
    return max(0, min(cursor, len(cards) - 1))
