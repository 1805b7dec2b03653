"""The annals of a table: what of it stands in the journal, and how far."""

from __future__ import annotations

import time

import msgspec

from shanghai_server.house.house import House
from shanghai_server.standing.fact import Fact, Snapshot, fact_bytes
from shanghai_server.standing.rebuilding import Rebuilt, rebuild
from shanghai_server.standing.standing import Standing
from shanghai_server.table.discretion import Discretion


class Annals:
    """The records of one table in the journal.

    `noted` is the sequence of the last update that is written down; viewers may have been shown later ones, which only
    told who came and went.
    """

    def __init__(self, table: str, house: House, rebuilt: Rebuilt, discretion: Discretion) -> None:
        """Begin where the journal stands; how long each append takes is counted with the table's discretion."""
        self._table = table
        self._journal = house.journal
        self._settings = house.settings
        self._discretion = discretion
        self._written = rebuilt.written
        self._snapshot = rebuilt.snapshot
        self._size = rebuilt.size
        self.noted = rebuilt.standing.sequence

    @property
    def written(self) -> int:
        """The sequence of the last record."""
        return self._written

    @property
    def snapshot(self) -> int:
        """The sequence of the last snapshot, 0 for none: where to read the table from."""
        return self._snapshot

    @property
    def behind(self) -> int:
        """How many records stand behind the last snapshot: so many are read to bring the table back."""
        return self._written - self._snapshot

    @property
    def size(self) -> int:
        """How many bytes the records have together."""
        return self._size

    async def append(self, facts: list[Fact]) -> None:
        """Write facts down behind the others, all or none; raises `JournalError`."""
        snapshots = [place for place, fact in enumerate(facts) if isinstance(fact, Snapshot)]
        records, size = self._records(facts)
        before, began = self._written, time.perf_counter()
        self._written = await self._journal.append(
            self._table, before, records, snapshot=snapshots[-1] if snapshots else None
        )
        self._size = size
        self._discretion.counts.appends.add(time.perf_counter() - began)
        if snapshots:
            self._snapshot = before + 1 + snapshots[-1]
        self.noted = max([self.noted, *(fact.shown for fact in facts)])

    def _records(self, facts: list[Fact]) -> tuple[list[bytes], int]:
        """Give facts as they are written down, and all bytes with them; a snapshot tells those before it."""
        records, size = [], self._size
        for fact in facts:
            told = msgspec.structs.replace(fact, size=size) if isinstance(fact, Snapshot) else fact
            records.append(fact_bytes(told))
            size += len(records[-1])
        return records, size

    async def read(self) -> Standing:
        """Give how the table stands by what is written; raises `JournalError` and `BadTable`."""
        rebuilt = await rebuild(self._journal, self._table, self._settings, snapshot=self._snapshot)
        self._written, self._snapshot = rebuilt.written, rebuilt.snapshot
        self._size = rebuilt.size
        return rebuilt.standing
