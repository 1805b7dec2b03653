"""A table in the making: its fields, what each can be, and the options of a table that come of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.rules import FEWEST_PLAYERS, MOST_PLAYERS, PRESETS

OFFER_S = (None, 0, 10, 20, 30, 45, 60, 120)
"""The times for an offer that can be chosen, in seconds: none is what is usual at the server, 0 is no clock."""
TURN_S = (None, 0, 30, 60, 90, 120, 180, 300)
"""The times for a turn."""
GRACE_S = (None, 0, 30, 60, 120, 300, 600)
"""The times for which a lost player is waited for."""
PAUSE_S = (None, 0, 15, 30, 60, 120, 300)
"""The times between two hands."""
STANDARD = next(iter(PRESETS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A table as it shall be: `rules` is a preset or a file, the times are seconds, none for what is usual."""

    name: str = ""
    rules: str = STANDARD
    players: int = 4
    bots: int = 0
    level: str = DEFAULT_LEVEL
    offer_s: int | None = None
    turn_s: int | None = None
    grace_s: int | None = None
    pause_s: int | None = None
    passcode: str = ""
    spectators: bool = True
    hints: bool = True

    @property
    def options(self) -> table_pb2.TableOptions:
        """The options of the table."""
        return table_pb2.TableOptions(
            offer_ms=_ms(self.offer_s),
            turn_ms=_ms(self.turn_s),
            grace_ms=_ms(self.grace_s),
            pause_ms=_ms(self.pause_s),
            spectators=self.spectators,
            no_hints=not self.hints,
        )


def _ms(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a draft: its name and label, how its value is shown, and how a key changes it.

    `turn` gives the draft with the next value, or the one before; none where it is only typed. `typed` says whether it
    can be typed.
    """

    name: str
    label: str
    shown: Callable[[Draft], str]
    turn: Callable[[Draft, int], Draft] | None = None
    typed: bool = False


def with_field(draft: Draft, name: str, value: object) -> Draft:
    """Give the draft with another value of a field."""
    changed: dict[str, Any] = {name: value}
    return replace(draft, **changed)


def _among(values: tuple[object, ...], now: object, by: int) -> object:
    """Give the value that comes next, or before; one that is none of them is followed by the first."""
    return values[(values.index(now) + by) % len(values)] if now in values else values[0]


def _turns(name: str, values: tuple[object, ...]) -> Callable[[Draft, int], Draft]:
    def turn(draft: Draft, by: int) -> Draft:
        return with_field(draft, name, _among(values, getattr(draft, name), by))

    return turn


def _players(draft: Draft, by: int) -> Draft:
    players = max(FEWEST_PLAYERS, min(MOST_PLAYERS, draft.players + by))
    return replace(draft, players=players, bots=min(draft.bots, players - 1))


def _bots(draft: Draft, by: int) -> Draft:
    return replace(draft, bots=max(0, min(draft.players - 1, draft.bots + by)))


def _text(name: str, nothing: str = "") -> Callable[[Draft], str]:
    def shown(draft: Draft) -> str:
        text: str = getattr(draft, name)
        return text or (_(nothing) if nothing else "-")

    return shown


def _seconds(name: str) -> Callable[[Draft], str]:
    def shown(draft: Draft) -> str:
        seconds: int | None = getattr(draft, name)
        if seconds is None:
            return _("as usual at the server")
        return count(seconds, "second") if seconds else _("no clock")

    return shown


def _yes_or_no(name: str) -> Callable[[Draft], str]:
    return lambda draft: _("yes") if getattr(draft, name) else _("no")


FIELDS: tuple[Field, ...] = (
    Field(name="name", label=later("Name"), shown=_text("name", later("none")), typed=True),
    Field(
        name="rules",
        label=later("Rules"),
        shown=_text("rules"),
        turn=_turns("rules", tuple(PRESETS)),
        typed=True,
    ),
    Field(name="players", label=later("Seats"), shown=lambda draft: str(draft.players), turn=_players),
    Field(name="bots", label=later("Bots"), shown=lambda draft: str(draft.bots), turn=_bots),
    Field(name="level", label=later("Level of the bots"), shown=_text("level"), turn=_turns("level", tuple(LEVELS))),
    Field(name="offer_s", label=later("Time for an offer"), shown=_seconds("offer_s"), turn=_turns("offer_s", OFFER_S)),
    Field(name="turn_s", label=later("Time for a turn"), shown=_seconds("turn_s"), turn=_turns("turn_s", TURN_S)),
    Field(
        name="grace_s",
        label=later("Wait for a lost player"),
        shown=_seconds("grace_s"),
        turn=_turns("grace_s", GRACE_S),
    ),
    Field(
        name="pause_s", label=later("Time between hands"), shown=_seconds("pause_s"), turn=_turns("pause_s", PAUSE_S)
    ),
    Field(
        name="passcode",
        label=later("Passcode"),
        shown=_text("passcode", later("none: everybody can join")),
        typed=True,
    ),
    Field(
        name="spectators",
        label=later("Spectators"),
        shown=_yes_or_no("spectators"),
        turn=_turns("spectators", (True, False)),
    ),
    Field(name="hints", label=later("Hints"), shown=_yes_or_no("hints"), turn=_turns("hints", (True, False))),
)
"""Every field of a new table, in the order of the page; below them is what makes it."""
