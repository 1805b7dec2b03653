"""Taking a fact in: the only thing that changes how a table stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shanghai_engine.event import Event
from shanghai_server.standing.arrangement import ARRANGED
from shanghai_server.standing.course import COURSE
from shanghai_server.standing.fact import Fact
from shanghai_server.standing.standing import Standing

_CHANGES: dict[type[Fact], Callable[[Standing, Any, Any], None]] = {**COURSE, **ARRANGED}


def take(standing: Standing, fact: Fact, events: Sequence[Event] | None = None) -> None:
    """Take in what happened. `events` are those of the fact's lines, where they need not be read again."""
    _CHANGES[type(fact)](standing, fact, events)
    standing.at = max(standing.at, fact.at)
    if fact.request is not None:
        standing.keep(fact.request)
    if fact.shown:
        standing.showed(fact.shown)
