"""The write-ahead log beside a journal's file, by its published format: which pages of the file stand in it.

After a kill the file may lawfully end early, as long as the log holds what it lacks. SQLite takes it that the two
belong together; this looks, without reading a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_HEADER_BYTES = 32
_FRAME_BYTES = 24
_MAGIC = (0x377F0682, 0x377F0683)
_SALTS = slice(16, 24)


@dataclass(frozen=True, slots=True)
class Logged:
    """The numbers of the pages in a log, and how many pages the file has with them (0: the log tells nothing)."""

    pages: frozenset[int]
    size: int


NOTHING = Logged(frozenset(), 0)


def read_log(path: Path) -> Logged:
    """Give what a log holds up to its last commit; `NOTHING` where there is no log, or none that counts."""
    if not path.exists():
        return NOTHING
    with path.open("rb") as log:
        header = log.read(_HEADER_BYTES)
        if len(header) < _HEADER_BYTES or int.from_bytes(header[:4], "big") not in _MAGIC:
            return NOTHING
        page_size = int.from_bytes(header[8:12], "big")
        pages: set[int] = set()
        committed, size = frozenset[int](), 0
        # A frame with other salts is left from an earlier use of the log, and so is all that follows.
        while len(frame := log.read(_FRAME_BYTES)) == _FRAME_BYTES and frame[8:16] == header[_SALTS]:
            pages.add(int.from_bytes(frame[:4], "big"))
            after_commit = int.from_bytes(frame[4:8], "big")
            if after_commit:
                committed, size = frozenset(pages), after_commit
            log.seek(page_size, 1)
    return Logged(committed, size)


def missing_page(file_bytes: int, page_size: int, pages: int, logged: Logged) -> int | None:
    """Give the first page that neither a file of so many bytes nor its log holds; none where nothing is missing.

    `pages` is the number of pages by the file's own header, which counts where the log tells nothing.
    """
    whole = file_bytes // page_size
    return next((page for page in range(whole + 1, (logged.size or pages) + 1) if page not in logged.pages), None)
