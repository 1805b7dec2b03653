"""A journal in memory, for tests: the same answers as a durable one, and failures on request."""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from shanghai_server.journal.journal import Conflict, Entry, JournalUnavailable, TableEntry, check_append, check_read


class MemoryJournal:
    """A `Journal` that lives as long as the object: close it and open it again to play a restart of the server.

    While `failure` is set to a sentence, appends raise `JournalUnavailable` with it and write nothing.
    """

    def __init__(self) -> None:
        self.failure: str | None = None
        self._records: dict[str, list[bytes]] = {}
        self._snapshots: dict[str, int] = {}
        self._is_open = False

    async def open(self) -> None:
        """Make it usable. Raises `RuntimeError` if it is open."""
        if self._is_open:
            raise RuntimeError("the journal is open already")
        self._is_open = True

    async def close(self) -> None:
        """Make it unusable until it is opened again; the records stay."""
        self._is_open = False

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Write as `Journal.append` does, after giving way once to other tasks, as every durable journal does."""
        check_append(table, after_sequence, records, snapshot)
        self._check_open()
        kept = [bytes(record) for record in records]
        await asyncio.sleep(0)
        if self.failure is not None:
            raise JournalUnavailable(self.failure)
        found = len(self._records.get(table, ()))
        if found != after_sequence:
            raise Conflict(table, after_sequence, found)
        self._records.setdefault(table, []).extend(kept)
        if snapshot is not None:
            self._snapshots[table] = after_sequence + 1 + snapshot
        return after_sequence + len(kept)

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Read as `Journal.read` does."""
        check_read(after, most)
        self._check_open()
        await asyncio.sleep(0)
        end = None if most is None else after + most
        return [Entry(after + n, record) for n, record in enumerate(self._records.get(table, [])[after:end], start=1)]

    async def tables(self) -> list[TableEntry]:
        """List as `Journal.tables` does."""
        self._check_open()
        await asyncio.sleep(0)
        return [
            TableEntry(table, len(records), self._snapshots.get(table, 0)) for table, records in self._records.items()
        ]

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def _check_open(self) -> None:
        if not self._is_open:
            raise JournalUnavailable("it is not open")
