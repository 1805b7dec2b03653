"""The house: what all tables of a server share."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

from structlog.typing import FilteringBoundLogger

from shanghai_server.clock import Clock
from shanghai_server.journal import Journal
from shanghai_server.secret import Secrets
from shanghai_server.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What all tables of a server share. `executor` is where bots think; none is the event loop's own."""

    journal: Journal
    clock: Clock
    settings: Settings
    secrets: Secrets
    executor: Executor | None
    log: FilteringBoundLogger
