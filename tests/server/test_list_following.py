"""Following the list of tables: what it costs a server, however many follow it and however slowly they read."""

from __future__ import annotations

from contextlib import AsyncExitStack, aclosing

from shanghai.v1 import table_pb2
from shanghai_server.house.notice import NoticeBoard
from shanghai_server.tables.table_list import Line, TableList

LOBBY, OVER = table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_OVER


async def test_a_list_is_made_once_for_all_who_follow_it() -> None:
    """Those who do not read hold the same bytes, and each change is worked out once."""
    made: list[int] = []
    lines: list[Line] = [(b"waiting", LOBBY), (b"done", OVER)]

    def give() -> list[Line]:
        made.append(len(lines))
        return lines

    tables = TableList(give, NoticeBoard())
    async with AsyncExitStack() as stack:
        everybody = [await stack.enter_async_context(aclosing(tables.follow())) for _ in range(9)]
        some = [await stack.enter_async_context(aclosing(tables.follow([OVER]))) for _ in range(9)]
        first = [await anext(follower) for follower in everybody]
        assert {id(shown) for shown in first} == {id(first[0])}
        assert [await anext(follower) for follower in some] == [b"done"] * 9
        assert made == [2, 2]
        lines.append((b" too", OVER))
        tables.tell()
        second = [await anext(follower) for follower in everybody]
        assert second == [b"waitingdone too"] * 9
        assert {id(shown) for shown in second} == {id(second[0])}
        assert [await anext(follower) for follower in some] == [b"done too"] * 9
        assert made == [2, 2, 3, 3]
        assert tables.followers == 18
    assert tables.followers == 0
