"""Where the plain client's lines go: what one came for on stdout, messages about it on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from shanghai_client.language import begun
from shanghai_client.present.cells import wrap
from shanghai_client.scene import USUAL_WIDTH
from shanghai_wire.shown_text import visible

NARROWEST = 40
"""A terminal that says it has fewer cells is taken to have these."""


class Voice:
    """Prints lines as they come, on the streams that are standard when it does, without what acts on a terminal.

    On a terminal a line that is wider than it is broken at spaces; what goes elsewhere is left whole.
    """

    @property
    def width(self) -> int:
        """How many cells a line has: those of the terminal, but 40 at least."""
        return max(terminal_width(sys.stdout) or USUAL_WIDTH, NARROWEST)

    def say(self, lines: Sequence[str]) -> None:
        """Print lines of the game."""
        if lines:
            sys.stdout.write("".join(f"{line}\n" for line in fitted([visible(line) for line in lines], sys.stdout)))
            sys.stdout.flush()

    def note(self, sentence: str) -> None:
        """Print a message: a refusal, a lost connection."""
        lines = fitted([visible(begun(sentence))], sys.stderr)
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        sys.stderr.flush()


def terminal_width(stream: TextIO) -> int:
    """Give the cells of a line of the terminal that a stream is; 0 where it is none, or does not say."""
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):
        return 0


def fitted(lines: Sequence[str], stream: TextIO) -> list[str]:
    """Break what is wider than the terminal that a stream is, at spaces."""
    width = terminal_width(stream)
    if not width:
        return list(lines)
    return [part for line in lines for part in wrap(line, width=max(width, NARROWEST), indent=_indent(line))]


def _indent(line: str) -> str:
    return " " * (len(line) - len(line.lstrip(" ")) + 2)
