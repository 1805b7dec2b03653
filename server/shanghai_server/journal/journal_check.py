"""What a journal's file must be before it is touched: a whole SQLite file of this program and of this version.

All of it only reads, and blocks.
"""

import contextlib
import sqlite3
import zlib
from pathlib import Path
from typing import Final

from shanghai_server.journal.journal import BadJournal
from shanghai_server.journal.journal_log import NOTHING, log_of, missing_page, read_log
from shanghai_server.journal.log_mark import mark_of, marked_records

FILE_NAME: Final = "journal.sqlite3"
APPLICATION_ID: Final = int.from_bytes(b"ShRm", "big")
SCHEMA_VERSION: Final = 2

SCHEMA: Final = (
    "CREATE TABLE game_table (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, snapshot INTEGER NOT NULL)",
    # Without row ids the records of a table lie side by side, in order, and there is no second tree to write.
    (
        "CREATE TABLE record (table_id INTEGER NOT NULL, sequence INTEGER NOT NULL, checksum INTEGER NOT NULL,"
        " bytes BLOB NOT NULL, PRIMARY KEY (table_id, sequence)) WITHOUT ROWID"
    ),
)
_SELECT_CHECKSUMS: Final = "SELECT name, sequence, checksum, bytes FROM record JOIN game_table ON id = table_id"
_COUNT_RECORDS: Final = (
    # By the last of each table, since they are counted without gaps: that is found at once.
    "SELECT ifnull(sum((SELECT max(sequence) FROM record WHERE table_id = game_table.id)), 0) FROM game_table"
)
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


def connect(path: Path, mode: str, *, patience: float = 5.0) -> sqlite3.Connection:
    """Connect to a file that exists; transactions begin and end where we say so.

    `patience` is how many seconds it waits while another program has the file to itself.
    """
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=patience)


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
        with contextlib.closing(connect(path, mode)) as connection:
            _check_schema(path, connection)
            _check_mark(path, connection)
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
    if mark_of(path).exists() and not log_of(path).exists() and marked_records(path) is None:
        raise _lacks_log(path)
    logged = read_log(log_of(path))
    if logged.damage:
        raise BadJournal(path, f"is not whole: its log {log_of(path).name!r} is damaged ({logged.damage})")
    if logged is NOTHING and size != pages * page_size and not log_of(path).exists():
        raise BadJournal(path, f"is damaged (of {pages * page_size} bytes it has {size})")
    missing = missing_page(size, page_size, pages, logged) if page_size >= _LEAST_PAGE else 1
    if missing is not None:
        raise BadJournal(path, f"is damaged (it has {size} bytes, and its log does not hold page {missing} either)")


def _lacks_log(path: Path) -> BadJournal:
    return BadJournal(
        path,
        f"is not whole: its log {log_of(path).name!r} is missing; put it back, or, to go on with the older games that"
        f" the file alone holds, remove {mark_of(path).name!r}",
    )


def _lacks_records(path: Path, marked: int, held: int) -> BadJournal:
    return BadJournal(
        path,
        f"is not whole: its log {log_of(path).name!r} was emptied or cut short ({marked} records were written, and"
        f" {held} are there); put it back as it was, or, to go on with the older games that are left, remove"
        f" {mark_of(path).name!r}",
    )


def _check_mark(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `BadJournal` where a file, with its log if there is one, does not hold all records of its mark."""
    if not mark_of(path).exists():
        return
    has_log, marked = log_of(path).exists(), marked_records(path)
    if marked is None:
        # Beside a log it is the mark of a first commit that never ended.
        if not has_log:
            raise _lacks_log(path)
        return
    held = records_in(connection)
    if held < marked:
        raise _lacks_records(path, marked, held) if has_log else _lacks_log(path)


def records_in(connection: sqlite3.Connection) -> int:
    """Give how many records a journal has, all tables together."""
    (records,) = connection.execute(_COUNT_RECORDS).fetchone()
    return int(records)


def _check_schema(path: Path, connection: sqlite3.Connection) -> None:
    schema = {row[0] for row in connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if schema != set(SCHEMA):
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
        if not is_as_written(record, checksum):
            raise BadJournal(path, f"is damaged (record {sequence} of table {table!r} is not what was written)")


def is_as_written(record: object, checksum: object) -> bool:
    """Say whether a record is the one of a checksum; damage can make text or a number of it."""
    return isinstance(record, bytes) and zlib.crc32(record) == checksum


def _is_damage(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE in _DAMAGE
