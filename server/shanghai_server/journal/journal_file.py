"""The SQLite file of a journal: made whole or not at all, written and read.

Everything here blocks; `SqliteJournal` calls it from its own threads. A connection stays in the thread it was made in.
"""

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, cast

from shanghai_server.journal.durable import sync, sync_names
from shanghai_server.journal.folder_lock import FolderLock
from shanghai_server.journal.journal import (
    BadJournal,
    Conflict,
    DamagedRecord,
    Entry,
    JournalError,
    JournalUnavailable,
    TableEntry,
)
from shanghai_server.journal.journal_check import (
    APPLICATION_ID,
    FILE_NAME,
    SCHEMA,
    SCHEMA_VERSION,
    check_file,
    connect,
    is_as_written,
    records_in,
)
from shanghai_server.journal.journal_log import log_of
from shanghai_server.journal.log_mark import mark_of, remove_mark, renew_mark, set_mark

_LAST_SEQUENCE: Final = "(SELECT max(sequence) FROM record WHERE table_id = game_table.id)"
_SELECT_TABLE: Final = f"SELECT id, {_LAST_SEQUENCE} FROM game_table WHERE name = ?"  # noqa: S608  a constant
FOLD_PATIENCE_MS: Final = 200
"""So long an end waits for those who read the file beside it, a copy say: the log keeps what is not folded in."""
ALLOTMENT: Final = 1 << 20
"""By so many bytes the log is made longer ahead of what is written: a commit that only fills them is the sooner on the
disk, because the length of the log, in the file system's own books, stays as it is."""
LONGEST_LOG: Final = 16 << 20
"""So long the log becomes before it is folded into the file and filled from its start again."""
ROWS_TOGETHER: Final = 16
"""So many records are inserted by one statement at most."""
_INSERT_RECORDS: Final = [
    "INSERT INTO record (table_id, sequence, checksum, bytes) VALUES " + ", ".join(["(?, ?, ?, ?)"] * rows)  # noqa: S608  constants
    for rows in range(ROWS_TOGETHER + 1)
]
_SELECT_TABLES: Final = f"SELECT name, {_LAST_SEQUENCE}, snapshot FROM game_table ORDER BY id"  # noqa: S608  a constant
_SELECT_RECORDS: Final = (
    "SELECT sequence, checksum, bytes FROM record JOIN game_table ON id = table_id"
    " WHERE name = ? AND sequence > ? ORDER BY sequence LIMIT ?"
)
_SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    # Where fsync leaves data in the drive's memory (macOS), this goes on to the medium; elsewhere it changes nothing.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # Each append rewrites its table's last page. The longer the log may grow before it is folded into the file, here in
    # pages, the fewer of these pages are written twice. After a burst it gives back what it took beyond that.
    f"PRAGMA wal_autocheckpoint = {LONGEST_LOG // 4096}",
    f"PRAGMA journal_size_limit = {LONGEST_LOG}",
)


@dataclass(frozen=True, slots=True)
class Append:
    """What `Journal.append` was asked for: at least one record, to follow record `after_sequence` of the table."""

    table: str
    after_sequence: int
    records: tuple[bytes, ...]
    snapshot: int | None = None


class JournalFile:
    """The journal of a data folder, open for writing and locked against every other server.

    Makes the folder (0700) and the file (0600) if there are none. Raises `JournalLocked`, `BadJournal` (the file
    and its log are then byte for byte what they were), or `JournalUnavailable`.
    """

    def __init__(self, folder: Path) -> None:
        self.path: Final = folder.absolute() / FILE_NAME
        self._log_path: Final = log_of(self.path)
        with _system_errors(self.path), contextlib.ExitStack() as opened:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            opened.callback(FolderLock(self.path.parent).release)
            if self.path.exists() or self.path.is_symlink():
                check_file(self.path)
                self.path.chmod(0o600)
                if not self._log_path.exists():
                    # It holds everything, or it would have been refused.
                    remove_mark(self.path)
            else:
                _make(self.path)
            self._connection: Final = opened.enter_context(contextlib.closing(connect(self.path, "rw")))
            if self._connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise JournalUnavailable(f"the file system of {str(folder)!r} cannot hold a write-ahead log")
            for setting in _SETTINGS:
                self._connection.execute(setting)
            self._file: Final = _look(self.path).file
            # SQLite makes the log at the first commit, and never another one while it has this one open.
            self._log = _look(self._log_path).file if mark_of(self.path).exists() else None
            # How long it was before the last commit, and as long as it was made ahead.
            self._log_bytes = self._allotted = 0
            # Counted from the first commit on, those that the mark names, and when the file had been written to before
            # the last commit.
            self._records: int | None = None
            self._marked: int | None = None
            self._written_at = 0
            # By name the row and the last sequence of each table that was appended to: only this writes here.
            self._known: dict[str, tuple[int, int]] = {}
            self._opened: Final = opened.pop_all()

    def close(self) -> None:
        """Let go of the file and of the folder; what is in the log is folded into the file."""
        log = self._log_path
        was_there = self._log is not None and self._log == _look(log).file
        try:
            if self._log is not None:
                # It stays where nothing can be folded in.
                self.renew_mark()
                self._fold()
        finally:
            self._opened.close()
        if was_there and not log.exists():
            # Whoever read it beside us has gone meanwhile, and it was folded in after all.
            remove_mark(self.path)

    def _fold(self) -> None:
        """Fold the log into the file, and then ask for no log any more; where there is no room, both stay."""
        with contextlib.suppress(sqlite3.Error, OSError):
            self._connection.execute(f"PRAGMA busy_timeout = {FOLD_PATIENCE_MS}")
            (busy, *_) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                # Part of it may be in the file now. Who reads it beside us folds in the rest when he goes.
                set_mark(self.path, records_in(self._connection))
            else:
                remove_mark(self.path)

    def append_all(self, appends: Sequence[Append]) -> list[int | JournalError]:
        """Write the appends in one transaction, in order, and give each one's new last sequence or what refused it.

        An append with a `Conflict` is left out and the others are written. If the transaction fails, nothing of it was
        written and each outcome is a `JournalUnavailable`. What is written is durable. Nothing is written any more
        where the file is not at its place: what has no name is gone when the server ends.
        """
        file = _look(self.path)
        if file.file != self._file:
            gone = f"{str(self.path)!r} was removed or moved while it was open"
            return [JournalUnavailable(gone) for _ in appends]
        if self._log is not None:
            log = _look(self._log_path)
            harm = self._harm_to(log)
            if harm is not None:
                return [harm] * len(appends)
            self._log_bytes = log.size
        try:
            outcomes = self._write(appends)
            self._note(outcomes, appends, file.written_at)
        except sqlite3.Error as error:
            self._roll_back()
            return [JournalUnavailable(str(error)) for _ in appends]
        except BaseException:
            self._roll_back()
            raise
        return outcomes

    def _harm_to(self, log: "_Look") -> JournalUnavailable | None:
        """Say what was done to the log from outside; none for nothing."""
        path = str(self._log_path)
        if log.file != self._log:
            return JournalUnavailable(
                f"its log {path!r} was removed or moved while it was open: stop the server, which saves it"
            )
        # SQLite itself leaves so much of it.
        if log.size < min(self._log_bytes, LONGEST_LOG) and not self._is_folded_in():
            return JournalUnavailable(
                f"its log {path!r} was cut short while it was open: stop the server, and put the log back"
            )
        return None

    def _is_folded_in(self) -> bool:
        """Say whether the file alone holds all that is written: another program that folds the log in may empty it."""
        with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(self.path, "ro&immutable=1")) as alone:
            return records_in(alone) == self._records
        return False

    def allot(self) -> None:
        """Make the log longer where it has grown to its end; to be called when nobody waits for what was written.

        Zeros are no frame of a log: whoever reads it after a kill finds its end before them. Where there is no room for
        them everything can be written as before.
        """
        if self._log is None or self._log_bytes == self._allotted or self._log_bytes >= LONGEST_LOG:
            return
        with contextlib.suppress(OSError), self._log_path.open("r+b") as log:
            self._allotted = log.seek(0, os.SEEK_END)
            self._allotted += log.write(bytes(ALLOTMENT))
            log.flush()
            os.fsync(log.fileno())

    @property
    def is_ahead_of_mark(self) -> bool:
        """Whether more is written than the mark names."""
        return self._marked != self._records

    def renew_mark(self) -> None:
        """Let the mark name all that is written; to be called when nobody waits. Where it cannot, it stays as it is."""
        if self._records is not None:
            with contextlib.suppress(OSError):
                renew_mark(self.path, self._records)
        self._marked = self._records

    def _note(self, outcomes: Sequence[int | JournalError], appends: Sequence[Append], written_at: int) -> None:
        """Note beside the file how many records there are with its log, if the file has changed.

        SQLite folds a part of the log in when it is long. With the next commit it is noted again, as the file alone may
        hold that many by then. `written_at` is when the file had been written to before these. Where it cannot be
        noted, on a full disk say, what was written is durable all the same.
        """
        written = zip(outcomes, appends, strict=True)
        records = sum(len(append.records) for outcome, append in written if isinstance(outcome, int))
        if not records:
            return
        if self._log is None:
            self._log = _look(self._log_path).file
        self._records = records_in(self._connection) if self._records is None else self._records + records
        before, self._written_at = self._written_at, written_at
        if not before == written_at == _look(self.path).written_at:
            with contextlib.suppress(OSError):
                set_mark(self.path, self._records)
                self._marked = self._records

    def _write(self, appends: Sequence[Append]) -> list[int | JournalError]:
        if len(appends) == 1 and self._is_one_statement(appends[0]):
            # A transaction by itself: every statement more is a wait for the interpreter's lock.
            return [self._append(appends[0])]
        self._connection.execute("BEGIN IMMEDIATE")
        outcomes: list[int | JournalError] = [self._append(append) for append in appends]
        self._connection.execute("COMMIT")
        return outcomes

    def _is_one_statement(self, append: Append) -> bool:
        is_known = append.table in self._known and append.snapshot is None
        return is_known and len(append.records) <= ROWS_TOGETHER

    def _append(self, append: Append) -> int | Conflict:
        row = self._known.get(append.table) or self._connection.execute(_SELECT_TABLE, (append.table,)).fetchone()
        table_id, found = (None, 0) if row is None else row
        if found != append.after_sequence:
            return Conflict(append.table, append.after_sequence, found)
        if table_id is None:
            inserted = self._connection.execute(
                "INSERT INTO game_table (name, snapshot) VALUES (?, 0)", (append.table,)
            )
            table_id = cast("int", inserted.lastrowid)
        for start in range(0, len(append.records), ROWS_TOGETHER):
            records = append.records[start : start + ROWS_TOGETHER]
            values: list[int | bytes] = []
            for sequence, record in enumerate(records, start=found + start + 1):
                values += (table_id, sequence, zlib.crc32(record), record)
            self._connection.execute(_INSERT_RECORDS[len(records)], values)
        if append.snapshot is not None:
            place = found + 1 + append.snapshot
            self._connection.execute("UPDATE game_table SET snapshot = ? WHERE id = ?", (place, table_id))
        last = append.after_sequence + len(append.records)
        self._known[append.table] = (table_id, last)
        return last

    def _roll_back(self) -> None:
        self._known.clear()
        # Some errors have rolled back already.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class JournalReader:
    """A second connection to a journal file that a `JournalFile` has open; it sees every commit, and only commits.

    To be closed before the `JournalFile`. Raises `JournalUnavailable`, here and in its methods.
    """

    def __init__(self, folder: Path) -> None:
        self._path: Final = folder.absolute() / FILE_NAME
        with _system_errors(self._path):
            self._connection: Final = connect(self._path, "ro")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def read(self, table: str, after: int, most: int | None = None) -> list[Entry]:
        """Give the records of a table behind a sequence, as `Journal.read` does; raises `DamagedRecord`."""
        entries = []
        with _read_errors():
            rows = self._connection.execute(_SELECT_RECORDS, (table, after, -1 if most is None else most))
            for place, (sequence, checksum, record) in enumerate(rows, start=after + 1):
                if sequence != place or not is_as_written(record, checksum):
                    raise DamagedRecord(table, place)
                entries.append(Entry(sequence, record))
        return entries

    def tables(self) -> list[TableEntry]:
        """Give all tables, as `Journal.tables` does."""
        with _read_errors():
            return [TableEntry(*row) for row in self._connection.execute(_SELECT_TABLES)]


def _make(path: Path) -> None:
    """Make an empty journal beside its place and move it there whole, so that no half-made one is ever found."""
    if (log := log_of(path)).exists():
        # SQLite would play the old log into the new file.
        raise BadJournal(path, f"is missing, but its log {log.name!r} is there")
    draft = path.with_name(f"{path.name}.new")
    try:
        _remove_draft(draft)
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(connect(draft, "rw")) as connection:
            # Nothing is lost with a draft: it goes to the disk once, when it is whole.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            for statement in SCHEMA:
                connection.execute(statement)
            connection.execute("PRAGMA journal_mode = WAL")
        sync(draft)
        draft.replace(path)
    except BaseException:
        _remove_draft(draft)
        raise
    sync_names(path.parent)


def _remove_draft(draft: Path) -> None:
    for file in (draft, draft.with_name(f"{draft.name}-journal"), log_of(draft)):
        file.unlink(missing_ok=True)


class _Look(NamedTuple):
    """Which file is at a place (none: there is none), when it was written to last (nanoseconds), and its bytes."""

    file: tuple[int, int] | None
    written_at: int
    size: int


def _look(path: Path) -> _Look:
    try:
        status = path.stat()
    except OSError:
        return _Look(None, 0, 0)
    return _Look((status.st_dev, status.st_ino), status.st_mtime_ns, status.st_size)


@contextlib.contextmanager
def _system_errors(path: Path) -> Iterator[None]:
    """Say in the journal's words what the system refused while the file was opened."""
    try:
        yield
    except OSError as error:
        raise JournalUnavailable(f"{error.strerror or error}: {str(error.filename or path)!r}") from error
    except sqlite3.Error as error:
        raise JournalUnavailable(f"{error}: {str(path)!r}") from error


@contextlib.contextmanager
def _read_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise JournalUnavailable(str(error)) from error
