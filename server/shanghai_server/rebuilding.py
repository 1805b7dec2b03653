"""How a table comes back from the journal: from its last snapshot and the facts behind it, without judging anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from shanghai_engine.line import line_text
from shanghai_engine.malformed import ShanghaiError
from shanghai_engine.record import JOURNAL_ANSWER
from shanghai_server.fact import Created, Snapshot, is_snapshot, read_fact
from shanghai_server.journal import DamagedRecord, Entry, Journal
from shanghai_server.settings import Settings
from shanghai_server.snapshot import stand
from shanghai_server.standing import Standing
from shanghai_server.taking import take

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
    """How a table stands, the sequence of its last record, and that of the last snapshot (0: none)."""

    standing: Standing
    written: int
    snapshot: int


async def rebuild(journal: Journal, table: str, settings: Settings, *, snapshot: int = 0) -> Rebuilt:
    """Give how a table stands; raises `JournalError` and `BadTable`.

    `snapshot` is the sequence of a snapshot of the table, 0 for none. Where that cannot be read, the table is rebuilt
    from its first record.
    """
    if snapshot > 1:
        try:
            return standing_of(table, await journal.read(table, snapshot - 1), settings)
        except (BadTable, DamagedRecord) as error:
            if error.sequence != snapshot:
                raise
    return standing_of(table, await journal.read(table, 0), settings)


def standing_of(table: str, entries: Iterable[Entry], settings: Settings) -> Rebuilt:
    """Give how a table stands after its records, of which the first tells how it was made, or is a snapshot.

    Raises `BadTable`.
    """
    standing: Standing | None = None
    sequence = snapshot = 0
    for entry in entries:
        sequence = entry.sequence
        if is_snapshot(entry.record):
            snapshot = sequence
            if standing is not None:
                continue
        try:
            fact = read_fact(entry.record)
            if isinstance(fact, Snapshot):
                standing = stand(table, fact, settings)
            elif isinstance(fact, Created):
                standing = Standing(table, fact, settings)
            elif standing is None:
                raise BadTable(table, sequence, "does not say how the table was made")
            else:
                take(standing, fact)
        except _UNREADABLE as error:
            raise BadTable(table, sequence, f"cannot be taken in: {error}") from error
    if standing is None:
        raise BadTable(table, max(sequence, 1), "is missing")
    return Rebuilt(standing, sequence, snapshot)


def record_of(table: str, entries: Iterable[Entry], number: int) -> str:
    """Give the record of a game of a table, by its number from 1, from all its records, one JSON object a line.

    Raises `BadTable`.
    """
    lines: list[str] = []
    games = 0
    for entry in entries:
        try:
            told = msgspec.json.decode(entry.record, type=_Told)
        except msgspec.MsgspecError as error:
            raise BadTable(table, entry.sequence, f"cannot be read: {error}") from error
        for line in told.lines:
            games += line["event"] == "game"
            if games == number and line["event"] != JOURNAL_ANSWER:
                lines.append(f"{line_text(line)}\n")
    return "".join(lines)


class _Told(msgspec.Struct, frozen=True):
    """Of a fact, what happened in the game."""

    lines: list[dict[str, object]] = []
