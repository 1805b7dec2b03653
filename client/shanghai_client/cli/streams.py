"""The streams that a program is started with: some may be missing, and none may end the program by what it holds."""

from __future__ import annotations

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
