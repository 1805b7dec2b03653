"""Where the plain client's lines go: what one came for on stdout, messages about it on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shanghai_wire.shown_text import visible


class Voice:
    """Prints lines as they come, on the streams that are standard when it does, without what acts on a terminal."""

    def say(self, lines: Sequence[str]) -> None:
        """Print lines of the game."""
        if lines:
            sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
            sys.stdout.flush()

    def note(self, sentence: str) -> None:
        """Print a message: a refusal, a lost connection."""
        sys.stderr.write(f"{visible(sentence[:1].upper() + sentence[1:])}\n")
        sys.stderr.flush()
