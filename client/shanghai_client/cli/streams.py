"""The streams that a program is started with: some may be missing, and none may end the program by what it holds."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys

_ASCII = "us_ascii_alone"
"""ASCII under a name of our own: click writes UTF-8 on a stream whose encoding it knows to be ASCII."""


def prepare_streams() -> None:
    """Let a missing stream be an empty one, and show what an encoding has no sign for by its escape.

    Where the descriptor of a stream is closed, the next file that is opened would get its number, and be written over.
    """
    codecs.register(_ascii_alone)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            # Never closed: it is the stream until the program ends.
            setattr(sys, name, os.fdopen(descriptor, "r" if number == 0 else "w", encoding="utf-8", closefd=False))
        elif isinstance(stream, io.TextIOWrapper):
            ascii_alone = number > 0 and codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(
                encoding=_ASCII if ascii_alone else None, errors="replace" if number == 0 else "backslashreplace"
            )


def _ascii_alone(name: str) -> codecs.CodecInfo | None:
    """Give the codec of that name."""
    if name != _ASCII:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        incrementalencoder=known.incrementalencoder,
        incrementaldecoder=known.incrementaldecoder,
        name=name,
    )


def shown_encoding() -> str:
    """Give the name of the encoding of what is printed, as its users know it."""
    encoding = sys.stdout.encoding or "utf-8"
    return "ascii" if encoding == _ASCII else codecs.lookup(encoding).name


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
