"""Where the lobby is left to: a seat at a table, a table to look at, a game alone, or out of the program."""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_client.connection import Connection
from shanghai_client.seat import Seat


@dataclass(frozen=True, slots=True)
class Seated:
    """One has sat down at a table, or come back to it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Spectating:
    """One looks on at a table."""

    connection: Connection
    table: str
    passcode: str


@dataclass(frozen=True, slots=True)
class Alone:
    """One plays against bots, on a server inside this program."""


Outcome = Seated | Spectating | Alone | None
"""Where the lobby was left to; none for leaving the program."""
