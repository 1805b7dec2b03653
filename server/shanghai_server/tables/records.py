"""The records of games that are over: made from the journal for whoever asks, a few at a time.

A table may have written far more than one game's record. So it is read in parts, of which only what belongs to the game
is kept, and whoever asks for a record that is just being made gets the same.
"""

from __future__ import annotations

import asyncio
import functools

from shanghai.v1 import service_pb2
from shanghai_server.journal.journal import Journal
from shanghai_server.standing.rebuilding import READ_TOGETHER, RecordReading

AT_ONCE = 2
"""So many records are made at the same time; the next ones wait."""


class Records:
    """Makes the records of the games of one server."""

    def __init__(self, journal: Journal) -> None:
        """Take the journal; nothing is made yet."""
        self._journal = journal
        self._free = asyncio.Semaphore(AT_ONCE)
        self._making: dict[tuple[str, int], asyncio.Task[bytes]] = {}

    async def record(self, table: str, game: int) -> bytes:
        """Give the record of a game of a table that is over, by its number from 1 (`GetRecordResponse`).

        All who ask at the same time are given the same bytes. Raises `BadTable` and `JournalError`.
        """
        key = (table, game)
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.get_running_loop().create_task(self._make(table, game))
            making.add_done_callback(functools.partial(self._made, key))
        # Whoever goes takes it from nobody else.
        return await asyncio.shield(making)

    def _made(self, key: tuple[str, int], making: asyncio.Task[bytes]) -> None:
        """Let go of what is made; what it raised is told to who asks, and to nobody where they have gone."""
        del self._making[key]
        if not making.cancelled():
            making.exception()

    async def _make(self, table: str, game: int) -> bytes:
        reading = RecordReading(table, game)
        async with self._free:
            after = 0
            while True:
                entries = await self._journal.read(table, after, most=READ_TOGETHER)
                # Beside the others who are served.
                await asyncio.to_thread(reading.take_in, entries)
                if len(entries) < READ_TOGETHER or reading.is_past:
                    return await asyncio.to_thread(_answer, reading.record, game)
                after = entries[-1].sequence


def _answer(record: str, game: int) -> bytes:
    return service_pb2.GetRecordResponse(record=record, game_number=game).SerializeToString()
