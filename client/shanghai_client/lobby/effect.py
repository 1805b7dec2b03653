"""What a key of the lobby asks for besides another picture."""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_client.lobby.draft import Draft


@dataclass(frozen=True, slots=True)
class PlayHere:
    """Play against bots, on a server inside this program."""


@dataclass(frozen=True, slots=True)
class Connect:
    """Open a server; `tls` says whether it says that it speaks TLS."""

    address: str
    tls: bool = False


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close the server that is open."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Sit down at a table, or come back to one's seat there."""

    table: str
    passcode: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class LookOn:
    """Watch a table as a spectator."""

    table: str
    passcode: str = ""


@dataclass(frozen=True, slots=True)
class Make:
    """Make a table, and sit down at it."""

    draft: Draft


@dataclass(frozen=True, slots=True)
class Type:
    """Open the line to type in, with what is there now: what is typed takes its place."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the lobby, and the program."""


Effect = PlayHere | Connect | Disconnect | Sit | LookOn | Make | Type | Leave
