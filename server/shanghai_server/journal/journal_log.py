"""The write-ahead log beside a journal's file, by its published format: which pages of the file stand in it.

After a kill the file may lawfully end early, as long as the log holds what it lacks. SQLite takes it that the two
belong together, and that a log ends where its first frame is wrong; this looks whether either is so.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_HEADER_BYTES = 32
_FRAME_BYTES = 24
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""How a log begins, and the order of bytes in which its checksums are made."""
_WORD = 0xFFFF_FFFF
_LEAST_PAGE = 512
_MOST_PAGES = 1 << 31

Checksum = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Logged:
    """The numbers of the pages in a log, and how many pages the file has with them (0: the log tells nothing).

    `damage` says what is wrong with a log that holds more than SQLite would find; empty for one that is whole, or
    that ends in what was being written when the power failed.
    """

    pages: frozenset[int]
    size: int
    damage: str = ""


NOTHING = Logged(frozenset(), 0)


@dataclass(frozen=True, slots=True)
class _Frame:
    """One page in the log: `after_commit` is the size of the file where it ends a transaction, else 0.

    `is_current` says that it belongs to this use of the log, `follows` that its checksum goes on from the one that
    stands in the frame before it.
    """

    page: int
    after_commit: int
    is_current: bool
    follows: bool

    @property
    def ends_transaction(self) -> bool:
        """Whether it says so, and names a size that a file can have: it may be the frame that is wrong."""
        return self.page <= self.after_commit <= _MOST_PAGES


def read_log(path: Path) -> Logged:
    """Give what a log holds up to its last commit; `NOTHING` where there is no log, or none that counts.

    Each commit is on the disk before the next frame is written. So a frame that goes on from a commit proves that this
    was whole: where it cannot be read any more, the log is damaged, and not torn by a failure of the power.
    """
    if not path.exists():
        return NOTHING
    with path.open("rb") as log:
        header = log.read(_HEADER_BYTES)
        if len(header) < _HEADER_BYTES:
            return NOTHING
        if not _is_whole(header):
            # The header is on the disk before the first frame is written.
            return Logged(frozenset(), 0, "its first bytes are wrong") if log.read(1) else NOTHING
        pages: set[int] = set()
        committed, size = frozenset[int](), 0
        wrong_at: int | None = None
        after_commit = False
        for place, frame in enumerate(_frames(log, header), start=1):
            if not (frame.is_current and frame.follows) and wrong_at is None:
                wrong_at = place
            if wrong_at is None:
                pages.add(frame.page)
                if frame.after_commit:
                    committed, size = frozenset(pages), frame.after_commit
            elif after_commit and frame.is_current and frame.follows:
                return Logged(committed, size, f"its frame {wrong_at} is not what was written")
            after_commit = wrong_at is not None and frame.is_current and frame.ends_transaction
    return Logged(committed, size)


def _is_whole(header: bytes) -> bool:
    order = _MAGIC.get(int.from_bytes(header[:4], "big"))
    if order is None or int.from_bytes(header[8:12], "big") < _LEAST_PAGE:
        return False
    return _checksum(header[:24], order, (0, 0)) == _stored(header[24:32])


def _frames(log: BinaryIO, header: bytes) -> Iterator[_Frame]:
    """Give the frames behind the header, those left from an earlier use of the log too."""
    order, page_size = _MAGIC[int.from_bytes(header[:4], "big")], int.from_bytes(header[8:12], "big")
    before = _stored(header[24:32])
    while len(frame := log.read(_FRAME_BYTES)) == _FRAME_BYTES:
        page = log.read(page_size)
        if len(page) < page_size:
            return
        is_current = frame[8:16] == header[16:24]
        stored = _stored(frame[16:24])
        follows = is_current and _checksum(page, order, _checksum(frame[:8], order, before)) == stored
        yield _Frame(int.from_bytes(frame[:4], "big"), int.from_bytes(frame[4:8], "big"), is_current, follows)
        before = stored


def _stored(eight: bytes) -> Checksum:
    first, second = struct.unpack(">II", eight)
    return first, second


def _checksum(data: bytes, order: str, before: Checksum) -> Checksum:
    """Give the checksum of bytes, of which there are a multiple of eight, behind others with a checksum."""
    first, second = before
    for one, two in struct.iter_unpack(f"{order}II", data):
        first = first + one + second & _WORD
        second = second + two + first & _WORD
    return first, second


def missing_page(file_bytes: int, page_size: int, pages: int, logged: Logged) -> int | None:
    """Give the first page that neither a file of so many bytes nor its log holds; none where nothing is missing.

    `pages` is the number of pages by the file's own header, which counts where the log tells nothing.
    """
    whole = file_bytes // page_size
    return next((page for page in range(whole + 1, (logged.size or pages) + 1) if page not in logged.pages), None)


def log_of(path: Path) -> Path:
    """Give where the log of a journal is."""
    return path.with_name(f"{path.name}-wal")
