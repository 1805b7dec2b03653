"""A table as the server keeps it: in use, or put away with what is to be known of it all the same."""

from __future__ import annotations

from dataclasses import dataclass

from shanghai.v1 import table_pb2
from shanghai_server.standing.timing import Timing
from shanghai_server.table.table import Table


@dataclass(slots=True)
class Kept:
    """A table of the journal, in use or not.

    Only a table in use is in memory. Of the others, `summary` is the line in the list, empty until it has been rebuilt
    once, and `status` the status in it; `snapshot` is where to read it from, `sequence` that of the last update that
    this server showed (0: none), `timing` its clocks, `visited` when somebody was there last, and `old_at` when it is
    to be disposed of (0: not known), both in seconds since 1970. `damage` says why it cannot be rebuilt.
    """

    snapshot: int = 0
    table: Table | None = None
    sequence: int = 0
    timing: Timing | None = None
    summary: bytes = b""
    status: table_pb2.TableStatus.ValueType = table_pb2.TABLE_STATUS_UNSPECIFIED
    visited: float = 0.0
    old_at: float = 0.0
    damage: str = ""

    @property
    def is_over(self) -> bool:
        """Whether its game is over."""
        return self.shown[1] == table_pb2.TABLE_STATUS_OVER

    @property
    def is_in_use(self) -> bool:
        """Whether somebody is at it, or something waits there."""
        return self.table is not None and not self.table.is_idle

    @property
    def is_old_at(self) -> float:
        """When it is to be disposed of, in seconds since 1970; 0: not known."""
        return self.old_at if self.table is None else self.table.old_at

    @property
    def shown(self) -> tuple[bytes, table_pb2.TableStatus.ValueType]:
        """The line in the list, and the status in it."""
        return (self.summary, self.status) if self.table is None else (self.table.summary, self.table.status)
