"""The mark beside a journal's file: it is there while the file is not whole without its log.

That is from the first commit to the orderly end of a server. It is empty while one runs. Where somebody still reads the
file at the end, log and mark stay; the log goes when he does, and nobody is there to take the mark away. So the mark
says then how many records there are: a file that holds them all needs no log.
"""

from __future__ import annotations

import os
from pathlib import Path

from shanghai_server.journal.durable import sync_names


def mark_of(path: Path) -> Path:
    """Give where the mark of a journal is."""
    return path.with_name(f"{path.name}-needs-log")


def set_mark(path: Path, records: int | None = None) -> None:
    """Mark a journal durably, or anew; `records` is how many there are, at the end of its server. Raises `OSError`."""
    handle = os.open(mark_of(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        if records is not None:
            os.write(handle, str(records).encode("ascii"))
        os.fsync(handle)
    finally:
        os.close(handle)
    sync_names(path.parent)


def marked_records(path: Path) -> int | None:
    """Give how many records a marked journal has by its mark; none where that says nothing. Raises `OSError`."""
    text = mark_of(path).read_bytes()
    return int(text) if text.isdigit() else None


def remove_mark(path: Path) -> None:
    """Say that a journal needs no log any more. Raises `OSError`."""
    mark_of(path).unlink(missing_ok=True)
