"""Following the list of tables: what it costs a server, however many follow it and however slowly they read."""

from __future__ import annotations

import tracemalloc
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


async def test_what_nobody_follows_is_not_kept() -> None:
    """However many choices of statuses come and go, while the list stays as it is."""
    tables = TableList(lambda: [(b"x" * 100_000, LOBBY)], NoticeBoard())
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(100):
            async with aclosing(tables.follow([LOBBY, OVER, 1000 + number])) as follower:
                assert len(await anext(follower)) == 100_000
        for wanted in ([], [LOBBY], [LOBBY, OVER]):
            async with aclosing(tables.follow(wanted)) as follower:
                await anext(follower)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000


async def test_statuses_that_this_contract_does_not_know_are_no_choices_of_their_own() -> None:
    """Who follows with made-up numbers holds the same bytes as the others; with such numbers alone he sees no table."""
    tables = TableList(lambda: [(b"waiting", LOBBY), (b"done", OVER)], NoticeBoard())
    async with AsyncExitStack() as stack:
        some = [
            await stack.enter_async_context(aclosing(tables.follow([OVER, 1000 + number, number << 16])))
            for number in range(1, 9)
        ]
        shown = [await anext(follower) for follower in some]
        assert shown == [b"done"] * 8
        assert len({id(each) for each in shown}) == 1
        none = await stack.enter_async_context(aclosing(tables.follow([1000])))
        assert await anext(none) == b""
