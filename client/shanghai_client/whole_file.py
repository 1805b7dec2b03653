"""A file that is read and written whole, whatever lies at its path: no pipe keeps the program, and no endless device.

`write_own` and `read_own` are for what the program itself keeps, `read_given` for what its user names, which may be a
pipe too.
"""

from __future__ import annotations

import os
import secrets
import select
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shanghai_client.language import _

PATIENCE = 30.0
"""Seconds that a pipe which the user names may say nothing."""
_PATIENT_FOR = 1.0
"""Seconds for which nobody wonders what a program waits for."""
_PIECE = 1 << 16
_GLANCE = 0.02
_STANDARD_INPUT, _STANDARD_INPUT_FILE = Path("-"), 0


class NoFile(OSError):
    """What lies at a path cannot be read whole; `strerror` says why, in the player's language."""

    def __init__(self, text: str) -> None:
        """Take the reason."""
        super().__init__(0, text)


def _silent() -> None:
    """Say nothing."""


def read_own(path: Path, *, most: int) -> bytes:
    """Give the content of a file; raises `OSError`: `NoFile` for what is no file, and for more than `most` bytes."""
    with _opened(path) as file:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise NoFile(_("it is no regular file"))
        return _read(file, most=most, patience=0.0)


def read_given(path: Path, *, most: int, patience: float = PATIENCE, waiting: Callable[[], None] = _silent) -> bytes:
    """Give the content of a file, a pipe or a device; raises `OSError`: `NoFile` for more than `most` bytes.

    So it is where a pipe says nothing for so many seconds; once it has said nothing for a second, `waiting` is called.
    `-` is the standard input.
    """
    if path == _STANDARD_INPUT:
        return _read(_STANDARD_INPUT_FILE, most=most, patience=patience, waiting=waiting)
    with _opened(path) as file:
        return _read(file, most=most, patience=patience, waiting=waiting)


def write_own(path: Path, text: str) -> None:
    """Write a file whole or not at all, for its owner alone, and its folder if that is missing; raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_suffix(f".{secrets.token_hex(4)}.new")
    try:
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        # Gone already where it has taken its place.
        new.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Open a file for reading: a pipe to which nobody writes does not keep whoever opens it."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        yield file
    finally:
        os.close(file)


def _read(file: int, *, most: int, patience: float, waiting: Callable[[], None] = _silent) -> bytes:
    # A pipe alone may get somebody who writes; what was opened for the program has him, or has come to its end.
    waits = stat.S_ISFIFO(os.fstat(file).st_mode) and file != _STANDARD_INPUT_FILE
    content = bytearray()
    begun = time.monotonic()
    until, told = begun + patience, False
    while len(content) <= most:
        piece = _piece(file, most + 1 - len(content))
        if piece:
            content += piece
            until = time.monotonic() + patience
        elif piece == b"" and (content or not waits):
            return bytes(content)
        elif time.monotonic() >= until:
            raise NoFile(_("nothing came from it in {n} seconds").format(n=round(patience)))
        else:
            # Nobody has written anything yet, or nobody writes at all.
            if not told and not content and time.monotonic() >= begun + _PATIENT_FOR:
                told = True
                waiting()
            time.sleep(_GLANCE)
    raise NoFile(_("it has more than {most} bytes").format(most=most))


def _piece(file: int, most: int) -> bytes | None:
    """Give what can be read now, empty at the end, or where nobody writes; none where somebody may still write."""
    if os.name == "posix" and not select.select([file], [], [], 0)[0]:
        # A standard input is not opened here, so reading it would wait.
        return None
    try:
        return os.read(file, min(_PIECE, most))
    except BlockingIOError:
        return None
