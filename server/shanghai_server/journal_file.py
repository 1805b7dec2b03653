"""The SQLite file of a journal: made whole or not at all, checked before it is touched, written and read.

Everything here blocks; `SqliteJournal` calls it from its own threads. A connection stays in the thread it was made in.
"""

import contextlib
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from shanghai_server.folder_lock import FolderLock
from shanghai_server.journal import (
    BadJournal,
    Conflict,
    DamagedRecord,
    Entry,
    JournalError,
    JournalUnavailable,
    TableEntry,
)
from shanghai_server.journal_log import NOTHING, missing_page, read_log

FILE_NAME: Final = "journal.sqlite3"
APPLICATION_ID: Final = int.from_bytes(b"ShRm", "big")
SCHEMA_VERSION: Final = 2

_SCHEMA: Final = (
    "CREATE TABLE game_table (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, snapshot INTEGER NOT NULL)",
    # Without row ids the records of a table lie side by side, in order, and there is no second tree to write.
    (
        "CREATE TABLE record (table_id INTEGER NOT NULL, sequence INTEGER NOT NULL, checksum INTEGER NOT NULL,"
        " bytes BLOB NOT NULL, PRIMARY KEY (table_id, sequence)) WITHOUT ROWID"
    ),
)
_LAST_SEQUENCE: Final = "(SELECT max(sequence) FROM record WHERE table_id = game_table.id)"
_SELECT_TABLE: Final = f"SELECT id, {_LAST_SEQUENCE} FROM game_table WHERE name = ?"  # noqa: S608  a constant
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
_SELECT_CHECKSUMS: Final = "SELECT name, sequence, checksum, bytes FROM record JOIN game_table ON id = table_id"
_SELECT_TABLE_WITH_GAPS: Final = (
    "SELECT name FROM game_table LEFT JOIN record ON table_id = id GROUP BY id"
    " HAVING count(sequence) = 0 OR min(sequence) <> 1 OR max(sequence) <> count(sequence)"
)

# The header of a SQLite file, by its published format.
_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\0"
_PAGE_SIZE: Final = slice(16, 18)
_PAGE_COUNT: Final = slice(28, 32)
_USER_VERSION: Final = slice(60, 64)
_APPLICATION_ID: Final = slice(68, 72)

_LEAST_PAGE: Final = 512

CHECKED_WHOLE: Final = 128 * 2**20
"""Up to so many bytes a file is read whole before it is used, in about half a second. Of a larger one every record is
checked when it is read, so that a server with many games is back as soon as one with few."""

_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE: Final = 0xFF

_SETTINGS: Final = (
    "PRAGMA synchronous = FULL",
    # Where fsync leaves data in the drive's memory (macOS), this goes on to the medium; elsewhere it changes nothing.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # Each append rewrites its table's last page. The longer the log may grow before it is folded into the file (16 MiB
    # here), the fewer of these pages are written twice. After a burst it gives back what it took beyond that.
    "PRAGMA wal_autocheckpoint = 4096",
    "PRAGMA journal_size_limit = 16777216",
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
        with _system_errors(self.path), contextlib.ExitStack() as opened:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            opened.callback(FolderLock(self.path.parent).release)
            if self.path.exists() or self.path.is_symlink():
                check_file(self.path)
                self.path.chmod(0o600)
            else:
                _make(self.path)
            self._connection: Final = opened.enter_context(contextlib.closing(_connect(self.path, "rw")))
            if self._connection.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise JournalUnavailable(f"the file system of {str(folder)!r} cannot hold a write-ahead log")
            for setting in _SETTINGS:
                self._connection.execute(setting)
            self._file: Final = _identity(self.path)
            # By name the row and the last sequence of each table that was appended to: only this writes here.
            self._known: dict[str, tuple[int, int]] = {}
            self._opened: Final = opened.pop_all()

    def close(self) -> None:
        """Let go of the file and of the folder."""
        self._opened.close()

    def append_all(self, appends: Sequence[Append]) -> list[int | JournalError]:
        """Write the appends in one transaction, in order, and give each one's new last sequence or what refused it.

        An append with a `Conflict` is left out and the others are written. If the transaction fails, nothing of it was
        written and each outcome is a `JournalUnavailable`. What is written is durable. Nothing is written any more
        where the file is not at its place: what has no name is gone when the server ends.
        """
        if _identity(self.path) != self._file:
            gone = f"{str(self.path)!r} was removed or moved while it was open"
            return [JournalUnavailable(gone) for _ in appends]
        try:
            if len(appends) == 1 and self._is_one_statement(appends[0]):
                # A transaction by itself: every statement more is a wait for the interpreter's lock.
                return [self._append(appends[0])]
            self._connection.execute("BEGIN IMMEDIATE")
            outcomes: list[int | JournalError] = [self._append(append) for append in appends]
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            return [JournalUnavailable(str(error)) for _ in appends]
        except BaseException:
            self._roll_back()
            raise
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
            self._connection: Final = _connect(self._path, "ro")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def read(self, table: str, after: int, most: int | None = None) -> list[Entry]:
        """Give the records of a table behind a sequence, as `Journal.read` does; raises `DamagedRecord`."""
        entries = []
        with _read_errors():
            rows = self._connection.execute(_SELECT_RECORDS, (table, after, -1 if most is None else most))
            for place, (sequence, checksum, record) in enumerate(rows, start=after + 1):
                if sequence != place or not _is_as_written(record, checksum):
                    raise DamagedRecord(table, place)
                entries.append(Entry(sequence, record))
        return entries

    def tables(self) -> list[TableEntry]:
        """Give all tables, as `Journal.tables` does."""
        with _read_errors():
            return [TableEntry(*row) for row in self._connection.execute(_SELECT_TABLES)]


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a file that exists; transactions begin and end where we say so."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)


def _make(path: Path) -> None:
    """Make an empty journal beside its place and move it there whole, so that no half-made one is ever found."""
    if (log := log_of(path)).exists():
        # SQLite would play the old log into the new file.
        raise BadJournal(path, f"is missing, but its log {log.name!r} is there")
    draft = path.with_name(f"{path.name}.new")
    try:
        _remove_draft(draft)
        os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with contextlib.closing(_connect(draft, "rw")) as connection:
            # Nothing is lost with a draft: it goes to the disk once, when it is whole.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("PRAGMA journal_mode = WAL")
        _sync(draft)
        draft.replace(path)
    except BaseException:
        _remove_draft(draft)
        raise
    # Windows makes new names durable by itself, and cannot open a folder.
    if sys.platform != "win32":
        _sync(path.parent)


def _remove_draft(draft: Path) -> None:
    for file in (draft, draft.with_name(f"{draft.name}-journal"), log_of(draft)):
        file.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Make a file's content, or the names in a folder, durable."""
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _identity(path: Path) -> tuple[int, int] | None:
    """Give which file is at a place; none where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def log_of(path: Path) -> Path:
    """Give where the log of a journal is."""
    return path.with_name(f"{path.name}-wal")


def journal_header(path: Path) -> bytes:
    """Give the first bytes of a journal of this version; raises `BadJournal` for any other file."""
    if path.is_symlink():
        # SQLite keeps the log beside the file that is meant, where nobody looks for it.
        raise BadJournal(path, "is a link to a file: link the whole folder instead")
    if not (path.is_file() or path.is_dir()):
        # A pipe would be waited for; what a folder is, the system says.
        raise BadJournal(path, "is no file")
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
        raise BadJournal(path, "is no SQLite database" if header else "is empty")
    if int.from_bytes(header[_APPLICATION_ID], "big") != APPLICATION_ID:
        raise BadJournal(path, "is a SQLite database, but not one of this program")
    version = int.from_bytes(header[_USER_VERSION], "big")
    if version != SCHEMA_VERSION:
        raise BadJournal(path, f"has schema version {version}, and this program reads version {SCHEMA_VERSION}")
    return header


def check_file(path: Path) -> None:
    """Raise `BadJournal` unless the file is a whole journal of this version. Writes nothing to it or its log."""
    header = journal_header(path)
    _check_length(path, header)
    # A reader of a log makes an index beside it; without a log the file can be read as it lies.
    mode = "ro" if log_of(path).exists() else "ro&immutable=1"
    try:
        with contextlib.closing(_connect(path, mode)) as connection:
            _check_schema(path, connection)
            if path.stat().st_size <= CHECKED_WHOLE:
                _check_content(path, connection)
    except sqlite3.Error as error:
        if _is_damage(error):
            raise BadJournal(path, f"is damaged ({error})") from error
        raise


def _check_length(path: Path, header: bytes) -> None:
    """Raise `BadJournal` where a part of the file is missing; SQLite would take it for zeros, and write behind it."""
    pages, page_size = (int.from_bytes(header[field], "big") for field in (_PAGE_COUNT, _PAGE_SIZE))
    size = path.stat().st_size
    logged = read_log(log_of(path))
    if logged.damage:
        raise BadJournal(path, f"is not whole: its log {log_of(path).name!r} is damaged ({logged.damage})")
    if logged is NOTHING and size != pages * page_size and not log_of(path).exists():
        raise BadJournal(path, f"is damaged (of {pages * page_size} bytes it has {size})")
    missing = missing_page(size, page_size, pages, logged) if page_size >= _LEAST_PAGE else 1
    if missing is not None:
        raise BadJournal(path, f"is damaged (it has {size} bytes, and its log does not hold page {missing} either)")


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    schema = {row[0] for row in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if schema != set(_SCHEMA):
        raise BadJournal(path, f"does not hold the tables of schema version {SCHEMA_VERSION}")


def _check_content(path: Path, connection: sqlite3.Connection) -> None:
    # Checks the structure only; what stands in the records is compared with their checksums below.
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise BadJournal(path, f"is damaged ({' '.join(found.split())})")
    gap = connection.execute(_SELECT_TABLE_WITH_GAPS).fetchone()
    if gap is not None:
        raise BadJournal(path, f"lacks records of table {gap[0]!r}")
    for table, sequence, checksum, record in connection.execute(_SELECT_CHECKSUMS):
        if not _is_as_written(record, checksum):
            raise BadJournal(path, f"is damaged (record {sequence} of table {table!r} is not what was written)")


def _is_as_written(record: object, checksum: object) -> bool:
    """Say whether a record is the one of a checksum; damage can make text or a number of it."""
    return isinstance(record, bytes) and zlib.crc32(record) == checksum


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE in _DAMAGE


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
