"""How calls and streams end: counted, and told to the log, with the table and where it stands, and with no secret."""

from __future__ import annotations

import functools
import logging
import time
from enum import Enum

from structlog.typing import FilteringBoundLogger

from shanghai_server.house.counts import Counts
from shanghai_server.tables.tables import Tables

_ANSWERS = "Act"
"""The method by which seats answer an offer: nobody may see that one has before the offer closes (R7.14)."""


class Outcome(Enum):
    """How a call ended; a stream is `DONE` when the server ends it with a reason."""

    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    """By a fault of ours."""
    GONE = "gone"
    """The client let go of it, or its connection broke."""


class Endings:
    """Takes note of how the calls of a server end."""

    def __init__(self, counts: Counts, tables: Tables, log: FilteringBoundLogger) -> None:
        """Take where they are counted, the tables that they are made to, and the log."""
        self._counts = counts
        self._tables = tables
        self._log = log

    def take(self, method: str, outcome: Outcome, began: float, *, table: str, reason: str = "") -> None:
        """Take note of a call that began at a moment of `time.perf_counter`; `reason` is the code of a refusal.

        `table` is what the caller named, of which nothing is told unless there is such a table.
        """
        discretion = self._tables.discretion(table) if method == _ANSWERS else None
        counts = self._counts if discretion is None else discretion.counts
        counts.calls[method, outcome.value] += 1
        if reason:
            counts.refusals[reason] += 1
        if not self._log.is_enabled_for(logging.DEBUG):
            return
        told: dict[str, object] = {"method": method, "outcome": outcome.value}
        if reason:
            told["reason"] = reason
        standing = self._tables.stands_at(table)
        if standing is not None:
            told["table"], told["sequence"] = standing
        told["ms"] = round((time.perf_counter() - began) * 1000, 1)
        line = functools.partial(self._log.debug, "call", **told)
        if discretion is None:
            line()
        else:
            discretion.tell(line)
