"""The house: what all tables of a server share."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field

from structlog.typing import FilteringBoundLogger

from shanghai_server.clock import Clock
from shanghai_server.counts import Counts
from shanghai_server.journal import Journal
from shanghai_server.notice import NoticeBoard
from shanghai_server.peers import Peers
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
    peers: Peers
    log: FilteringBoundLogger
    counts: Counts = field(default_factory=Counts)
    board: NoticeBoard = field(default_factory=NoticeBoard)
