"""What reaches a table: calls of seats, streams that come and go, bots that have chosen, and clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import Message

from shanghai_server.ledger import Call, Ledger
from shanghai_server.thinking import Choice
from shanghai_server.watcher import Watcher


@dataclass(frozen=True, slots=True)
class Asked:
    """A call, and where its answer goes."""

    call: Call
    answer: asyncio.Future[Message | bytes]


@dataclass(frozen=True, slots=True)
class Looked:
    """A question that changes nothing, answered from how the table stands on disk."""

    look: Callable[[Ledger], Message | bytes]
    answer: asyncio.Future[Message | bytes]


@dataclass(frozen=True, slots=True)
class Attached:
    """A stream was opened; the answer comes when the viewer has its first view, or is refused."""

    watcher: Watcher
    answer: asyncio.Future[Message | bytes]


@dataclass(frozen=True, slots=True)
class Detached:
    """A stream was closed."""

    watcher: Watcher


@dataclass(frozen=True, slots=True)
class Chosen:
    """Bots have chosen."""

    choices: list[Choice]


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The table is to be closed for good; with `if_old` only if nobody has been there for too long."""

    reason: str
    if_old: bool


@dataclass(frozen=True, slots=True)
class Ticked:
    """Something is due."""


Intent = Asked | Looked | Attached | Detached | Chosen | Dismissed | Ticked
