"""A copy of a journal in one file, taken while a server goes on writing, or while none is there."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shanghai_server.journal.durable import sync, sync_names
from shanghai_server.journal.folder_lock import FolderLock
from shanghai_server.journal.journal import JournalError, JournalLocked, JournalUnavailable
from shanghai_server.journal.journal_check import FILE_NAME, check_file, connect, journal_header
from shanghai_server.journal.journal_log import log_of
from shanghai_server.journal.log_mark import mark_of

PATIENCE = 30.0
"""The seconds that a copy waits for the server that has the journal to itself."""
_PART = ".part"
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE})
"""What SQLite fails with where it cannot write; all that it writes here is the copy."""


class BackupExists(Exception):
    """The file that a backup was to be written to is there already; it was left as it is."""

    def __init__(self, file: Path) -> None:
        """Name the file."""
        super().__init__(f"{str(file)!r} is there already, and is not overwritten: name another file")
        self.file = file


class CopyFailed(JournalError):
    """The copy cannot be written; the journal can be read, and nothing is left of the copy."""

    def __init__(self, file: Path, why: str) -> None:
        """Name the file and say why, as the system does."""
        super().__init__(file, why)
        self.file = file
        self.why = why

    def __str__(self) -> str:
        """Give the sentence."""
        return f"the copy {str(self.file)!r} cannot be written: {self.why}"


def back_up(folder: Path, file: Path) -> int:
    """Copy the journal of a data folder into a new file (0600), and give the number of tables in it.

    The copy is the journal at one moment, with every append that had returned by then, and is durable and checked when
    this returns. Put into an empty data folder under the journal's name (`FILE_NAME`), it is that journal.
    Raises `BackupExists`, `BadJournal` for a folder that no server would start with, because its file is no whole
    journal of this version or its log is missing, `JournalUnavailable` where there is none or it cannot be read, and
    `CopyFailed` where the file cannot be written; no half of a copy is left.
    """
    source = folder.absolute() / FILE_NAME
    if not source.is_file():
        raise JournalUnavailable(f"there is no journal in {str(folder)!r}")
    journal_header(source)
    if os.path.lexists(file):
        raise BackupExists(file)
    try:
        with _part_of(file) as part:
            _copy(source, part)
            check_file(part)
            with contextlib.closing(connect(part, "ro&immutable=1")) as connection:
                (tables,) = connection.execute("SELECT count(*) FROM game_table").fetchone()
            _name(part, file)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) in _NO_ROOM:
            raise CopyFailed(file, str(error)) from error
        raise JournalUnavailable(f"{error}: {str(source)!r}") from error
    except FileExistsError as error:
        raise BackupExists(file) from error
    except OSError as error:
        why, at_fault = error.strerror or str(error), error.filename
        # What has no name, or one that nobody gave it, is the copy on its way to the disk.
        if at_fault is None or str(at_fault).endswith(_PART):
            raise CopyFailed(file, why) from error
        raise JournalUnavailable(f"{why}: {str(at_fault)!r}") from error
    return int(tables)


@contextlib.contextmanager
def _part_of(file: Path) -> Iterator[Path]:
    """Give a new file beside another one: who is killed meanwhile leaves nothing that looks like a copy."""
    handle, name = tempfile.mkstemp(prefix=f"{file.name}.", suffix=_PART, dir=file.absolute().parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
        _drop_beside(part)


def _name(part: Path, file: Path) -> None:
    """Give a copy that is whole its name, and make that durable; raises `FileExistsError` where somebody was faster."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise
    except OSError:
        # Where no file can have two names.
        if os.path.lexists(file):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file)) from None
        part.rename(file)
    sync_names(file.absolute().parent)


def _copy(source: Path, file: Path) -> None:
    with _source(source, file.parent) as connection, contextlib.closing(connect(file, "rw")) as copy:
        copy.execute("PRAGMA synchronous = OFF")
        # All pages in one step, which is one reading transaction: the server writes on beside it.
        connection.backup(copy, pages=-1)
    _drop_beside(file)
    sync(file)


def _drop_beside(file: Path) -> None:
    for name in (f"{file.name}-wal", f"{file.name}-shm", f"{file.name}-journal"):
        file.with_name(name).unlink(missing_ok=True)


@contextlib.contextmanager
def _source(source: Path, room: Path) -> Iterator[sqlite3.Connection]:
    """Connect to the journal, whether a server has it open, has left it in order, or was killed.

    `room` is a folder that can be written to, for a journal that lies where nothing can.
    """
    log = log_of(source)
    with contextlib.ExitStack() as stack:
        mode = "ro"
        try:
            stack.callback(FolderLock(source.parent).release)
        except JournalLocked:
            pass
        except OSError as error:
            if error.errno != errno.EROFS:
                # Where the system names no file: it is this folder's, and not the copy.
                error.filename = error.filename or str(source.parent)
                raise
            # Nobody can write there. A log can be read only where there can be an index beside it.
            source = _moved(source, Path(stack.enter_context(tempfile.TemporaryDirectory(dir=room))))
            mode = "rw"
            check_file(source)
        else:
            check_file(source)
            # Nobody writes: without a log the file can be read as it lies, and nothing is made beside it.
            mode = "ro" if log.exists() else "ro&immutable=1"
        yield stack.enter_context(contextlib.closing(connect(source, mode, patience=PATIENCE)))


def _moved(source: Path, folder: Path) -> Path:
    """Copy a journal, its log and its mark as they lie, and give where the journal is now."""
    for each in (source, log_of(source), mark_of(source)):
        if each.exists():
            shutil.copyfile(each, folder / each.name)
    return folder / source.name
