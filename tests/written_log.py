"""The part of a journal's log that is written: behind it stand the zeros that were put there ahead."""

from pathlib import Path

HEADER, FRAME = 32, 24 + 4096
"""The bytes at its beginning, and those of one page in it."""


def written_bytes(log: Path) -> int:
    """Give where the last frame ends of a log that was never folded in; 0 where there is none."""
    last = len(log.read_bytes().rstrip(b"\0"))
    return HEADER + -(-(last - HEADER) // FRAME) * FRAME if last else 0
