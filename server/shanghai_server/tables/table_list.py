"""The list of tables that everybody sees, asked for once or followed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Iterable

from shanghai.v1 import service_pb2, table_pb2
from shanghai_server.house.notice import NoticeBoard

_KNOWN = frozenset(table_pb2.TableStatus.values())
_NONE = table_pb2.TABLE_STATUS_UNSPECIFIED
"""The status of no table: what stands for every number that this contract does not know."""

Line = tuple[bytes, table_pb2.TableStatus.ValueType]
"""A table in the list: the bytes of a `ListTablesResponse` with it alone, empty for none, and the status in it."""


class TableList:
    """The list of a server's tables, and the notice at its end.

    `lines` gives its lines whenever somebody is shown them, `board` is where the notice hangs.
    """

    def __init__(self, lines: Callable[[], Iterable[Line]], board: NoticeBoard) -> None:
        """Begin with nobody who follows it."""
        self._lines = lines
        self._board = board
        self._followers: dict[frozenset[int], set[asyncio.Event]] = {}
        # Only of the choices that somebody follows.
        self._now: dict[frozenset[int], bytes] = {}
        self._is_open = True

    @property
    def followers(self) -> int:
        """How many follow it."""
        return sum(map(len, self._followers.values()))

    def tell(self) -> None:
        """Take note that the list, or the notice, is another one."""
        self._now.clear()
        for followers in self._followers.values():
            for changed in followers:
                changed.set()

    def end(self) -> None:
        """End it for everybody who follows it: the server stops."""
        self._is_open = False
        self.tell()

    def bytes_of(self, statuses: frozenset[int] = frozenset()) -> bytes:
        """Give the bytes of the list of tables (`ListTablesResponse`, `WatchTablesResponse`), or of some statuses."""
        lines = [line for line, status in self._lines() if not statuses or status in statuses]
        return b"".join([*lines, service_pb2.ListTablesResponse(notice=self._board.message).SerializeToString()])

    def _for_followers(self, statuses: frozenset[int]) -> bytes:
        """Give the list as it was at the last change: one for all who follow it, and for those who do not read too."""
        now = self._now.get(statuses)
        if now is None:
            now = self._now[statuses] = self.bytes_of(statuses)
        return now

    async def follow(self, statuses: Collection[int] = ()) -> AsyncGenerator[bytes, None]:
        """Give the list of tables, all or of some statuses, now and again after each change, until the server stops."""
        # Else a client could make up as many choices as there are numbers, and of each a list is kept.
        wanted = frozenset(status if status in _KNOWN else _NONE for status in statuses)
        shown: bytes | None = None
        changed = asyncio.Event()
        self._followers.setdefault(wanted, set()).add(changed)
        try:
            while self._is_open:
                changed.clear()
                now = self._for_followers(wanted)
                if now != shown:
                    shown = now
                    yield now
                await changed.wait()
        finally:
            self._followers[wanted].discard(changed)
            if not self._followers[wanted]:
                # Nobody holds it any more.
                del self._followers[wanted]
                self._now.pop(wanted, None)
