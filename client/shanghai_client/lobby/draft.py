"""A table in the making: its fields, what each can be, and the options of a table that come of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
LONGEST_S = 24 * 60 * 60
"""Seconds that a clock may have at most: a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A table as it shall be: `rules` is a preset or a file, the times are seconds, none for what is usual.

    `usual` are the options that the server has where none are named; an older server does not tell them.
    """

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
    usual: table_pb2.TableOptions = field(default_factory=table_pb2.TableOptions)

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

    `turn` gives the draft with the next value, or the one before; none where it is only typed. `read` reads what is
    typed, none where nothing can be, and raises `ValueError` with what would be right. `begun` is what stands in the
    line to be changed. `about` says what the field, or its value, is for.
    """

    name: str
    label: str
    about: Callable[[Draft], str]
    shown: Callable[[Draft], str]
    turn: Callable[[Draft, int], Draft] | None = None
    read: Callable[[str], object] | None = None
    begun: Callable[[Draft], str] = lambda _draft: ""


def with_field(draft: Draft, name: str, value: object) -> Draft:
    """Give the draft with another value of a field."""
    changed: dict[str, Any] = {name: value}
    after = replace(draft, **changed)
    # One seat at least is a person's.
    return replace(after, bots=min(after.bots, after.players - 1))


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


def _as_typed(name: str) -> Callable[[Draft], str]:
    return lambda draft: str(getattr(draft, name))


def _rules(text: str) -> str:
    return text or STANDARD


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise ValueError(
                _("{text} is no number from {least} to {most}").format(text=repr(text), least=least, most=most)
            )
        return int(text)

    return read


def _time(text: str) -> int | None:
    """Read seconds; nothing at all is what is usual."""
    return _whole(0, LONGEST_S)(text) if text else None


def _seconds(name: str) -> Callable[[Draft], str]:
    def shown(draft: Draft) -> str:
        seconds: int | None = getattr(draft, name)
        if seconds is not None:
            return _time_text(seconds)
        usual = _usual(draft, name)
        if usual is None:
            return _("as usual at the server")
        return _("as usual at the server: {time}").format(time=_time_text(usual))

    return shown


def _usual(draft: Draft, name: str) -> int | None:
    """Give the seconds that a time has at the server where none are named; none where it does not tell."""
    told = {option.name: value for option, value in draft.usual.ListFields()}
    usual = told.get(f"{name.removesuffix('_s')}_ms")
    return None if usual is None else math.ceil(usual / 1000)


def _time_text(seconds: int) -> str:
    return count(seconds, "second") if seconds else _("no clock")


def _yes_or_no(name: str) -> Callable[[Draft], str]:
    return lambda draft: _("yes") if getattr(draft, name) else _("no")


def _clock(name: str, label: str, values: tuple[object, ...], about: str) -> Field:
    return Field(
        name=name, label=label, about=_says(about), shown=_seconds(name), turn=_turns(name, values), read=_time
    )


def _says(text: str) -> Callable[[Draft], str]:
    return lambda _draft: _(text)


_PRESETS = {
    "standard": later("standard: ten hands, by the rules that F1 shows at the table; an evening's game."),
    "literal": later("literal: as standard, but the dead cards are never shuffled again."),
    "classic": later("classic: twos are wild as jokers are, aces are high or low, and a discard may win the hand."),
    "quick": later("quick: five hands, with the contracts of hands 1, 2, 4, 6 and 10; an hour's game."),
}
"""What each preset of the rules is, in a sentence."""


def _about_rules(draft: Draft) -> str:
    known = _PRESETS.get(draft.rules)
    return _(known) if known else _("A file with house rules (R16): whoever sits down is told what they change.")


_ALL: tuple[Field, ...] = (
    Field(
        name="name",
        label=later("Name"),
        about=_says(later("What the table is called in the list, if anything; its code stays the same.")),
        shown=_text("name", later("none")),
        read=str,
        begun=_as_typed("name"),
    ),
    Field(
        name="rules",
        label=later("Rules"),
        about=_about_rules,
        shown=_text("rules"),
        turn=_turns("rules", tuple(PRESETS)),
        read=_rules,
        begun=_as_typed("rules"),
    ),
    Field(
        name="players",
        label=later("Seats"),
        about=_says(later("How many play, bots among them.")),
        shown=_as_typed("players"),
        turn=_players,
        read=_whole(FEWEST_PLAYERS, MOST_PLAYERS),
    ),
    Field(
        name="bots",
        label=later("Bots"),
        about=_says(later("How many seats bots take at once; at the start they take all that are free.")),
        shown=_as_typed("bots"),
        turn=_bots,
        read=_whole(0, MOST_PLAYERS - 1),
    ),
    Field(
        name="level",
        label=later("Level of the bots"),
        about=_says(later("How well the bots play.")),
        shown=_text("level"),
        turn=_turns("level", tuple(LEVELS)),
    ),
    _clock(
        "offer_s",
        later("Time for an offer"),
        OFFER_S,
        later("How long everybody may think about an upcard; no answer is a pass (R7.11)."),
    ),
    _clock(
        "turn_s", later("Time for a turn"), TURN_S, later("How long a turn may take; then the table ends it (R14.2).")
    ),
    _clock(
        "grace_s",
        later("Wait for a lost player"),
        GRACE_S,
        later("How long a player may be away before a stand-in plays for him; he may come back at any time (R14.2)."),
    ),
    _clock(
        "pause_s",
        later("Time between hands"),
        PAUSE_S,
        later("How long the score sheet is shown, unless everybody goes on before."),
    ),
    Field(
        name="passcode",
        label=later("Passcode"),
        about=_says(later("Only who knows it can sit down or look on.")),
        shown=_text("passcode", later("none: everybody can join")),
        read=str,
        begun=_as_typed("passcode"),
    ),
    Field(
        name="spectators",
        label=later("Spectators"),
        about=_says(later("Whether others may look on; they see nobody's cards.")),
        shown=_yes_or_no("spectators"),
        turn=_turns("spectators", (True, False)),
    ),
    Field(
        name="hints",
        label=later("Hints"),
        about=_says(
            later("Whether the players' programs shall give hints when asked: a courtesy, nothing enforces it.")
        ),
        shown=_yes_or_no("hints"),
        turn=_turns("hints", (True, False)),
    ),
)
FIELDS: tuple[Field, ...] = tuple(field for field in _ALL if field.name != "level" or len(LEVELS) > 1)
"""Every field of a new table that can be more than one thing, in the order of the page; below them is what makes it."""
