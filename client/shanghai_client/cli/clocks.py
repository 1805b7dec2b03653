"""The clocks of a new table as options of the command line, in seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from shanghai.v1 import table_pb2
from shanghai_client.cli.option_types import Seconds
from shanghai_client.cli.worded import option
from shanghai_client.language import later

CLOCKS = ("offer_time", "turn_time", "grace", "pause", "pace")
"""The parameters of a command that has these options."""
_LONGEST = 24 * 60 * 60
"""Seconds that a clock may have at most: a day."""
_LONGEST_PACE = 60
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """The clocks of a table in seconds: 0 is no such clock, none what is usual at the server."""

    offer_time: float | None = None
    turn_time: float | None = None
    grace: float | None = None
    pause: float | None = None
    pace: float | None = None

    def options(self) -> table_pb2.TableOptions:
        """Give them as the options of a table, in milliseconds."""
        return table_pb2.TableOptions(
            offer_ms=_milliseconds(self.offer_time),
            turn_ms=_milliseconds(self.turn_time),
            grace_ms=_milliseconds(self.grace),
            pause_ms=_milliseconds(self.pause),
            bot_pace_ms=_milliseconds(self.pace),
        )


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def clock_options(command: Command) -> Command:
    """Add the options of `CLOCKS` to a command."""
    options = (
        ("--offer-time", _LONGEST, later("Seconds to answer an offer, 0 for no clock; usually 20.")),
        ("--turn-time", _LONGEST, later("Seconds for a turn, 0 for no clock; usually 90.")),
        ("--grace", _LONGEST, later("Seconds until a stand-in plays for a lost player, 0 for never; usually 60.")),
        (
            "--pause",
            _LONGEST,
            later("Seconds between hands if not everybody goes on before, 0 for no clock; usually 30."),
        ),
        ("--pace", _LONGEST_PACE, later("Seconds that a bot takes for what it does; usually 0.8.")),
    )
    added = command
    for name, longest, text in reversed(options):
        added = option(name, type=Seconds(longest), metavar="SECONDS", help=text)(added)
    return added
