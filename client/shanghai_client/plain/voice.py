"""Where the plain client's lines go: what one came for on stdout, messages about it on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence


class Voice:
    """Prints lines as they come, on the streams that are standard when it does."""

    def say(self, lines: Sequence[str]) -> None:
        """Print lines of the game."""
        if lines:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()

    def note(self, sentence: str) -> None:
        """Print a message: a refusal, a lost connection."""
        sys.stderr.write(f"{sentence[:1].upper()}{sentence[1:]}\n")
        sys.stderr.flush()
