"""The journal: what every table has done, durable before anybody sees it.

A journal holds one list of records per table. Records are opaque bytes; the sequence of a record is its place in its
table's list, counted from 1 without gaps. Whoever appends names the sequence it builds on, and is refused when the
table has moved on: that is what keeps two writers of one table apart, in one process or in several.

    JournalError
    ├── Conflict             the table has moved on; only this append is refused
    ├── JournalUnavailable   the disk is full or failing, or the journal is not open; nothing was written
    ├── JournalLocked        another server has the data folder open
    ├── DamagedRecord        what stands there is not what was written; only its table is harmed
    └── BadJournal           the file is damaged, or no journal of this version; it is left as it is

`MemoryJournal` is for tests, `SqliteJournal` for servers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self


class JournalError(Exception):
    """Something that the journal could not do; its text is one sentence for the host of the server."""


class Conflict(JournalError):
    """The table is not where the append builds on: somebody else has appended. Nothing of the append was written."""

    def __init__(self, table: str, expected: int, found: int) -> None:
        """Name the table, the sequence the append was to follow, and the table's last sequence (0: no such table)."""
        super().__init__(table, expected, found)
        self.table = table
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        """Give the sentence."""
        return f"table {self.table!r} stands at sequence {self.found}, and the append was to follow {self.expected}"


class JournalUnavailable(JournalError):
    """The journal cannot be read or written now, and nothing of the append was written; a later append may work."""

    def __init__(self, reason: str) -> None:
        """Give what was found, as the system says it."""
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        """Give the sentence."""
        return f"the journal cannot be used: {self.reason}"


class JournalLocked(JournalError):
    """Another server, or another journal of this one, has the data folder open."""

    def __init__(self, folder: Path) -> None:
        """Name the data folder."""
        super().__init__(folder)
        self.folder = folder

    def __str__(self) -> str:
        """Give the sentence."""
        return (
            f"the data folder {str(self.folder)!r} is in use by another server: stop that one, or name another folder"
        )


class BadJournal(JournalError):
    """The file is damaged, foreign, or of another version. It is left as it is, byte for byte."""

    def __init__(self, path: Path, reason: str) -> None:
        """Name the file and what is wrong with it, as the end of a sentence that starts with the file."""
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        """Give the sentence."""
        return (
            f"the journal {str(self.path)!r} {self.reason}; it was left as it is: move it away, or name another folder"
        )


class DamagedRecord(JournalError):
    """A record is not what was written, or is not there. The others, and all other tables, can be read."""

    def __init__(self, table: str, sequence: int) -> None:
        """Name the table and the sequence of the record."""
        super().__init__(table, sequence)
        self.table = table
        self.sequence = sequence

    def __str__(self) -> str:
        """Give the sentence."""
        return f"the journal is damaged: record {self.sequence} of table {self.table!r} is not what was written"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of a table and its sequence, counted from 1."""

    sequence: int
    record: bytes


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table that the journal knows, the sequence of its last record, and that of its last snapshot (0: none)."""

    table: str
    sequence: int
    snapshot: int = 0


class Journal(Protocol):
    """What a server needs of a journal, whatever keeps it. All calls come from one event loop.

    `async with journal:` opens and closes it. A journal that was closed can be opened again.
    """

    async def open(self) -> None:
        """Make the journal ready, new or as it was left.

        Raises `JournalLocked`, `BadJournal`, or `JournalUnavailable` (no permission, no room); nothing stays open then.
        """
        ...

    async def close(self) -> None:
        """Write what is waiting, answer it, and let go of everything; closing twice is the same as once."""
        ...

    async def append(
        self, table: str, after_sequence: int, records: Sequence[bytes], *, snapshot: int | None = None
    ) -> int:
        """Write the records behind record `after_sequence` of the table, all or none, and give the new last sequence.

        They are durable when this returns. `after_sequence` 0 makes a new table. `snapshot` is the place (from 0) in
        `records` of one that tells all that the records before it have told; `tables` names the last such. Raises
        `Conflict` if the table's last sequence is another one, `JournalUnavailable` if nothing could be written,
        `ValueError` for no records, an empty name, a negative sequence or a snapshot that is none of the records.
        Whoever is cancelled while waiting does not know whether the records were written: all of them are, or none;
        `read` tells.
        """
        ...

    async def read(self, table: str, after: int, *, most: int | None = None) -> list[Entry]:
        """Give the table's records behind sequence `after` (0: from the start), in order; none for an unknown table.

        At most so many, where a number is given. Every append that has returned is in it. Raises `DamagedRecord`,
        `JournalUnavailable`, and `ValueError` for a negative sequence or number.
        """
        ...

    async def tables(self) -> list[TableEntry]:
        """Give all tables, in the order of their first records. Raises `JournalUnavailable`."""
        ...

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


def check_append(table: str, after_sequence: int, records: Sequence[bytes], snapshot: int | None = None) -> None:
    """Raise `ValueError` for what no journal accepts, so that all of them refuse the same."""
    if not table or not table.isprintable():
        raise ValueError(f"the name of a table is printable text and not empty, not {table!r}")
    if after_sequence < 0:
        raise ValueError(f"a sequence is 0 (nothing yet) or more, not {after_sequence!r}")
    if not records:
        raise ValueError(f"an append to table {table!r} carries at least one record, not none")
    if snapshot is not None and not 0 <= snapshot < len(records):
        raise ValueError(f"the snapshot is one of the {len(records)} records, 0 to {len(records) - 1}, not {snapshot}")


def check_read(after: int, most: int | None = None) -> None:
    """Raise `ValueError` for what no journal can read from."""
    if most is not None and most < 0:
        raise ValueError(f"a number of records is 0 or more, not {most!r}")
    if after < 0:
        raise ValueError(f"a sequence is 0 (from the start) or more, not {after!r}")
