"""A journal in memory that writes only while it is let."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from shanghai_server.journal.memory_journal import MemoryJournal


class HeldJournal(MemoryJournal):
    """A journal that writes nothing while it is held; `is_asked` says that it was asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.free = asyncio.Event()
        self.free.set()
        self.is_asked = asyncio.Event()

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Write once it is let go."""
        self.is_asked.set()
        await self.free.wait()
        return await super().append(table, after_sequence, records, snapshot=snapshot)
