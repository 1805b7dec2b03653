"""The mark beside a journal's file: it is there while the file is not whole without its log.

That is from the first commit to the orderly end of a server. The log may go without us: whoever opens the file of a
killed server with SQLite, or reads it at the end of one that lives, folds the log in when he goes. So the mark names a
number of records that the file has only where all of the log was folded in: it is renewed with the first commit after
each change of the file, and counts what that wrote. A file that holds as many needs no log.

Beside that it is renewed when nobody waits for it (`renew_mark`), so that a log which was emptied or cut short is
missed as one that is gone: the two together hold less than the mark says. It is never ahead of what is on the disk.
"""

from __future__ import annotations

import os
from pathlib import Path

from shanghai_server.journal.durable import sync_names

_DIGITS = 20
"""So many each time, so that an old number is written over whole."""


def mark_of(path: Path) -> Path:
    """Give where the mark of a journal is."""
    return path.with_name(f"{path.name}-needs-log")


def set_mark(path: Path, records: int) -> None:
    """Mark a journal durably, or anew: with its log it holds so many records. Raises `OSError`."""
    handle = os.open(mark_of(path), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(handle, f"{records:0{_DIGITS}}".encode("ascii"))
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_names(path.parent)


def renew_mark(path: Path, records: int) -> None:
    """Let the mark name more records, without waiting for the disk. Raises `OSError`.

    A kill leaves it; after a power cut it may name what it named before. One that was taken away is there again.
    """
    handle = os.open(mark_of(path), os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.write(handle, f"{records:0{_DIGITS}}".encode("ascii"))
    finally:
        os.close(handle)


def marked_records(path: Path) -> int | None:
    """Give how many records make a marked journal whole; none where the mark does not say it. Raises `OSError`."""
    text = mark_of(path).read_bytes()
    return int(text) if len(text) <= _DIGITS and text.isdigit() else None


def remove_mark(path: Path) -> None:
    """Say that a journal needs no log any more. Raises `OSError`."""
    mark_of(path).unlink(missing_ok=True)
