"""The part of a journal's log that is written: behind it stand the zeros that were put there ahead."""

from pathlib import Path

_HEADER, _FRAME = 32, 24 + 4096


def written_bytes(log: Path) -> int:
    """Give where the last frame ends of a log that was never folded in; 0 where there is none."""
    last = len(log.read_bytes().rstrip(b"\0"))
    return _HEADER + -(-(last - _HEADER) // _FRAME) * _FRAME if last else 0
