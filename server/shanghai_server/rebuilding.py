"""How a table comes back from the journal: from its facts, in order, without judging or shuffling anything."""

from __future__ import annotations

import msgspec

from shanghai_engine.malformed import ShanghaiError
from shanghai_server.fact import Created, read_fact
from shanghai_server.journal import Entry, Journal
from shanghai_server.settings import Settings
from shanghai_server.standing import Standing


class BadTable(Exception):
    """The records of a table cannot be read by this version: which table, which record, and why."""

    def __init__(self, table: str, sequence: int, reason: str) -> None:
        """Name the table, the sequence of the record, and what is wrong with it."""
        super().__init__(f"the table {table!r} cannot be rebuilt: its record {sequence} {reason}")
        self.table = table
        self.sequence = sequence


async def rebuild(journal: Journal, table: str, settings: Settings) -> tuple[Standing, int]:
    """Give how a table stands, and the sequence of its last record; raises `JournalError` and `BadTable`."""
    return standing_of(table, await journal.read(table, 0), settings)


def standing_of(table: str, entries: list[Entry], settings: Settings) -> tuple[Standing, int]:
    """Give how a table stands after its records, and the sequence of the last one; raises `BadTable`."""
    standing: Standing | None = None
    sequence = 0
    for entry in entries:
        sequence = entry.sequence
        try:
            fact = read_fact(entry.record)
            if isinstance(fact, Created):
                standing = Standing(table, fact, settings)
            elif standing is None:
                raise BadTable(table, sequence, "does not say how the table was made")
            else:
                standing.take(fact)
        except (msgspec.MsgspecError, ShanghaiError, LookupError, ValueError, TypeError, AssertionError) as error:
            raise BadTable(table, sequence, f"cannot be taken in: {error}") from error
    if standing is None:
        raise BadTable(table, sequence, "is missing")
    return standing, sequence
