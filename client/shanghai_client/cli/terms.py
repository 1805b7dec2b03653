"""The terms of a new table as options of the command line: its name, its clocks in seconds, what is left out there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from shanghai.v1 import table_pb2
from shanghai_client.cli.option_types import TEXT, Seconds
from shanghai_client.cli.worded import option
from shanghai_client.language import later

TERMS = (
    *("title", "offer_time", "turn_time", "grace", "pause", "pace"),
    *("spectators", "spectator_delay", "latecomers", "hints"),
)
"""The parameters of a command that has these options."""
_LONGEST = 24 * 60 * 60
"""Seconds that a clock may have at most: a day."""
_LONGEST_PACE = 60
_LONGEST_DELAY = 600
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a table, times in seconds: 0 is no such clock, none what is usual at the server."""

    title: str = ""
    """What the table is called in the list."""
    offer_time: float | None = None
    turn_time: float | None = None
    grace: float | None = None
    pause: float | None = None
    pace: float | None = None
    spectators: bool | None = None
    spectator_delay: float | None = None
    latecomers: bool | None = None
    hints: bool | None = None

    def options(self) -> table_pb2.TableOptions:
        """Give them as the options of a table, times in milliseconds."""
        return table_pb2.TableOptions(
            offer_ms=_milliseconds(self.offer_time),
            turn_ms=_milliseconds(self.turn_time),
            grace_ms=_milliseconds(self.grace),
            pause_ms=_milliseconds(self.pause),
            bot_pace_ms=_milliseconds(self.pace),
            spectators=self.spectators,
            spectator_delay_ms=_milliseconds(self.spectator_delay),
            latecomers=self.latecomers,
            no_hints=None if self.hints is None else not self.hints,
        )


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def terms_options(command: Command) -> Command:
    """Add the options of `TERMS` to a command."""
    times = (
        ("--offer-time", _LONGEST, later("Seconds to answer an offer, 0 for no clock; usually 20.")),
        ("--turn-time", _LONGEST, later("Seconds for a turn, 0 for no clock; usually 90.")),
        ("--grace", _LONGEST, later("Seconds until a stand-in plays for a lost player, 0 for never; usually 60.")),
        (
            "--pause",
            _LONGEST,
            later("Seconds between hands if not everybody goes on before, 0 for no clock; usually 30."),
        ),
        ("--pace", _LONGEST_PACE, later("Seconds that a bot takes for what it does; usually 0.8.")),
        ("--spectator-delay", _LONGEST_DELAY, later("Seconds by which spectators see everything late; usually 0.")),
    )
    switches = (
        ("spectators", later("Whether others may look on; usually they may.")),
        ("latecomers", later("Whether a bot's seat may be taken during the game; usually it may.")),
        ("hints", later("Whether the players' programs give hints when asked, a courtesy; usually they do.")),
    )
    added = command
    for name, text in reversed(switches):
        added = option(f"--{name}/--no-{name}", default=None, help=text)(added)
    for name, longest, text in reversed(times):
        added = option(name, type=Seconds(longest), metavar="SECONDS", help=text)(added)
    return option("--title", type=TEXT, default="", help=later("What a new table is called in the list."))(added)
