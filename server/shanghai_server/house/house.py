"""The house: what all tables of a server share."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field

from structlog.typing import FilteringBoundLogger

from shanghai_server.house.clock import Clock
from shanghai_server.house.counts import Counts
from shanghai_server.house.notice import NoticeBoard
from shanghai_server.house.peers import Peers
from shanghai_server.house.secret import Secrets
from shanghai_server.house.settings import Settings
from shanghai_server.journal.journal import Journal


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
