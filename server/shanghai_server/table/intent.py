"""What reaches a table: calls of seats, streams that come and go, bots that have chosen, and clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.message import Message

from shanghai_server.standing.ledger import Call
from shanghai_server.table.watcher import Watcher
from shanghai_server.verbs.thinking import Choice

Answer = Message | bytes
"""What a call is answered with, where it is not refused."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A call, and where its answer goes."""

    call: Call
    answer: asyncio.Future[Answer]


@dataclass(frozen=True, slots=True)
class Attached:
    """A stream was opened; the answer comes when the viewer has its first view, or is refused."""

    watcher: Watcher
    answer: asyncio.Future[Answer]


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
class Refreshed:
    """Something around the table has changed that everybody is to be shown."""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Something is due."""


Outcomes = list[tuple[asyncio.Future[Answer], Answer | Exception]]
"""Where an answer goes, and what it is, or why there is none."""
Intent = Asked | Attached | Detached | Chosen | Dismissed | Refreshed | Ticked


def answers_of(intents: Iterable[Intent]) -> list[asyncio.Future[Answer]]:
    """Give the answers that are waited for."""
    return [intent.answer for intent in intents if isinstance(intent, Asked | Attached)]


def give_answers(outcomes: Outcomes) -> None:
    """Give every call its answer, unless whoever made it has gone."""
    for future, outcome in outcomes:
        if future.done():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
