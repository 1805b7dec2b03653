"""How a table comes back from the journal: from its last snapshot and the facts behind it, without judging anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from shanghai_engine.line import line_text
from shanghai_engine.malformed import ShanghaiError
from shanghai_engine.record import JOURNAL_ANSWER
from shanghai_server.house.settings import Settings
from shanghai_server.journal.journal import DamagedRecord, Entry, Journal
from shanghai_server.standing.fact import Created, Snapshot, is_snapshot, read_fact
from shanghai_server.standing.snapshot import stand
from shanghai_server.standing.standing import Standing
from shanghai_server.standing.taking import take

READ_TOGETHER = 500
"""So many records are read and taken in before the others who are served have their turn: a few milliseconds."""

_UNREADABLE = (msgspec.MsgspecError, ShanghaiError, LookupError, ValueError, TypeError, AssertionError)
"""What reading a record and taking it in raises where it is not what it should be."""


class BadTable(Exception):
    """The records of a table cannot be read by this version: which table, which record, and why."""

    def __init__(self, table: str, sequence: int, reason: str) -> None:
        """Name the table, the sequence of the record, and what is wrong with it."""
        super().__init__(f"the table {table!r} cannot be rebuilt: its record {sequence} {reason}")
        self.table = table
        self.sequence = sequence


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How a table stands, the sequence of its last record, that of the last snapshot (0: none), and all bytes."""

    standing: Standing
    written: int
    snapshot: int
    size: int


async def rebuild(journal: Journal, table: str, settings: Settings, *, snapshot: int = 0) -> Rebuilt:
    """Give how a table stands; raises `JournalError` and `BadTable`.

    `snapshot` is the sequence of a snapshot of the table, 0 for none. Where that cannot be read, the table is rebuilt
    from its first record.
    """
    if snapshot > 1:
        try:
            return await _rebuild_behind(journal, table, settings, snapshot - 1)
        except (BadTable, DamagedRecord) as error:
            if error.sequence != snapshot:
                raise
    return await _rebuild_behind(journal, table, settings, 0)


async def _rebuild_behind(journal: Journal, table: str, settings: Settings, after: int) -> Rebuilt:
    reading = _Reading(table, settings)
    while True:
        entries = await journal.read(table, after, most=READ_TOGETHER)
        reading.take_in(entries)
        if len(entries) < READ_TOGETHER:
            return reading.rebuilt()
        after = entries[-1].sequence


def standing_of(table: str, entries: Iterable[Entry], settings: Settings) -> Rebuilt:
    """Give how a table stands after its records, of which the first tells how it was made, or is a snapshot.

    Raises `BadTable`.
    """
    reading = _Reading(table, settings)
    reading.take_in(entries)
    return reading.rebuilt()


class _Reading:
    """A table while its records are read."""

    def __init__(self, table: str, settings: Settings) -> None:
        self._table = table
        self._settings = settings
        self._standing: Standing | None = None
        self._sequence = self._snapshot = self._size = 0

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Take the next records in; raises `BadTable`."""
        for entry in entries:
            self._sequence = entry.sequence
            self._size += len(entry.record)
            if is_snapshot(entry.record):
                self._snapshot = entry.sequence
                if self._standing is not None:
                    continue
            try:
                self._take(entry.record)
            except _UNREADABLE as error:
                raise self._bad(f"cannot be taken in: {error}") from error

    def _take(self, record: bytes) -> None:
        fact = read_fact(record)
        if isinstance(fact, Snapshot):
            self._standing = stand(self._table, fact, self._settings)
            self._size += fact.size
        elif isinstance(fact, Created):
            self._standing = Standing(self._table, fact, self._settings)
        elif self._standing is None:
            raise self._bad("does not say how the table was made")
        else:
            take(self._standing, fact)

    def _bad(self, reason: str) -> BadTable:
        return BadTable(self._table, max(self._sequence, 1), reason)

    def rebuilt(self) -> Rebuilt:
        """Give how the table stands; raises `BadTable` where there was no record."""
        if self._standing is None:
            raise self._bad("is missing")
        return Rebuilt(self._standing, self._sequence, self._snapshot, self._size)


class RecordReading:
    """The record of one game of a table, by its number from 1, while the table's records are read."""

    def __init__(self, table: str, game: int) -> None:
        """Begin with nothing read."""
        self._table = table
        self._game = game
        self._begun = 0
        self._lines: list[str] = []

    @property
    def is_past(self) -> bool:
        """Whether a later game has begun, so that nothing more of this one follows."""
        return self._begun > self._game

    @property
    def record(self) -> str:
        """What has been read of the game, one JSON object a line."""
        return "".join(self._lines)

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Take the next records in; raises `BadTable`."""
        for entry in entries:
            try:
                told = msgspec.json.decode(entry.record, type=_Told)
            except msgspec.MsgspecError as error:
                raise BadTable(self._table, entry.sequence, f"cannot be read: {error}") from error
            for line in told.lines:
                self._begun += line["event"] == "game"
                if self._begun == self._game and line["event"] != JOURNAL_ANSWER:
                    self._lines.append(f"{line_text(line)}\n")


class _Told(msgspec.Struct, frozen=True):
    """Of a fact, what happened in the game."""

    lines: list[dict[str, object]] = []
