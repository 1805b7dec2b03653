"""The streams that a program is started with: some may be missing, and none may end the program by what it holds."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys


def prepare_streams() -> None:
    """Let a missing stream be an empty one, and show what an encoding has no sign for by its escape.

    Where the descriptor of a stream is closed, the next file that is opened would get its number, and be written over.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            # Never closed: it is the stream until the program ends.
            setattr(sys, name, os.fdopen(descriptor, "r" if number == 0 else "w", encoding="utf-8", closefd=False))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if number == 0 else "backslashreplace")


def terminal_is_gone(error: Exception) -> bool:
    """Say whether an error is that of a stream whose terminal was closed: of a file its name would be known."""
    return isinstance(error, OSError) and error.errno == errno.EIO and error.filename is None


def let_go_of_streams() -> None:
    """Write what waits in the streams; where nobody reads them any more, as in a closed terminal, it is lost.

    The interpreter would write it at its end, fail there, and end with an exit code of its own.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
