"""Tables that nobody comes back to, the list by status, and how fast one may talk."""

import asyncio

import grpc
import grpc.aio
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, playground, refusal, seated

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_server.doors.server import GameServer
from shanghai_server.house.rate import Allowances, Rate
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.tables.closings import Closings

DAY = 24 * 60 * 60


async def codes(ground: Playground, *statuses: table_pb2.TableStatus.ValueType) -> list[str]:
    """Give the codes of the tables, or of those of some statuses."""
    listed = await ground.stub.ListTables(service_pb2.ListTablesRequest(statuses=statuses))
    return [table.table for table in listed.tables]


async def gone(ground: Playground, table: str) -> bool:
    """Look again at once, and say whether a table is not there any more."""
    ground.clock.advance(60)
    for _ in range(20):
        if table not in await codes(ground):
            return True
    return False


async def gone_away(ground: Playground, player: Player) -> None:
    """Cut a player's stream, and wait until the server has seen that."""
    await player.unwatch()
    while True:
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        here = next(table for table in listed.tables if table.table == player.table)
        if not here.seats[player.seat].connected:
            return


async def test_an_empty_lobby_is_disposed_of_after_a_day_and_stays_gone() -> None:
    """Who comes then is told why, also after a restart, and its code is given to no other table."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        table = await ground.create(2)
        ground.clock.advance(DAY - 120)
        assert not await gone(ground, table)
        assert await gone(ground, table)
        refused = await refusal(Player.join(ground, table, "Ann"))
        assert refused.message == f"the table {table} was closed: nobody came back"
    async with playground(journal=journal) as ground:
        assert await codes(ground) == []
        assert await refusal(Player.join(ground, table, "Ann")) == refused
        assert len(await journal.read(table, 0)) == 2
        assert table not in {await ground.create(2) for _ in range(3)}


async def test_a_table_with_people_is_kept_for_a_month_over_restarts() -> None:
    """What counts is when somebody was there last, whatever server that was on."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, _ = await seated(ground, ("Ann", "Ben"))
        table, clock = ann.table, ground.clock
    clock.advance(20 * DAY)
    async with playground(journal=journal, clock=clock) as ground:
        assert not await gone(ground, table)
        clock.advance(10 * DAY)
        assert await gone(ground, table)


async def test_a_table_where_somebody_is_grows_no_older() -> None:
    """A stream that is open keeps it, and the month begins when the last one closes."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        ground.clock.advance(40 * DAY)
        assert not await gone(ground, table)
        await gone_away(ground, ann)
        ground.clock.advance(29 * DAY)
        assert not await gone(ground, table)
        ground.clock.advance(DAY)
        assert await gone(ground, table)


async def test_a_finished_game_is_kept_for_a_week() -> None:
    """Long enough to fetch its record."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        await ann.start()
        await ann.play()
        await gone_away(ground, ann)
        ground.clock.advance(6 * DAY)
        assert not await gone(ground, table)
        ground.clock.advance(DAY)
        assert await gone(ground, table)


async def test_a_table_that_is_closed_for_good_ends_its_streams() -> None:
    """Whoever watches is told that the table was closed."""
    async with playground() as ground:
        ann = (await seated(ground, ("Ann", "Ben")))[0]
        found = await ground.server._tables.find(ann.table)  # noqa: SLF001 (nothing else closes a table at will yet)
        found.dismiss("the host of the server closed it")
        assert await ann.ended() == table_pb2.CLOSE_REASON_TABLE_CLOSED
        assert (await refusal(ann.say("hello"))).reason == "TABLE_CLOSED"


def test_of_the_last_tables_that_were_closed_it_is_known_why() -> None:
    """Of the others, as of one that never was, it is said that there is none; a code is read in either case."""
    closings = Closings(most=2)
    for code in ("AAAAA", "BBBBB", "CCCCC"):
        closings.note(code, f"{code} was too loud")
    assert [closings.refusal(code).refusal.name for code in ("AAAAA", "DDDDD")] == ["NO_SUCH_TABLE"] * 2
    assert closings.refusal(" bbbbb").message == "the table BBBBB was closed: BBBBB was too loud"
    closings.note("BBBBB", "again")
    closings.note("DDDDD", "late")
    assert closings.refusal("BBBBB").values == {"table": "BBBBB", "reason": "again"}
    assert closings.refusal("C" * 5).refusal.name == "NO_SUCH_TABLE"
    assert closings.refusal("x" * 1000).values == {"table": "x" * 64}


async def test_the_list_and_its_stream_show_what_was_asked_for() -> None:
    """Tables of a status come and go as they change, and a change elsewhere brings nothing."""
    lobby, playing = table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_PLAYING
    async with playground() as ground:
        first = await ground.create(2)
        stream = ground.stub.WatchTables(service_pb2.WatchTablesRequest(statuses=[lobby]))

        async def next_codes() -> list[str]:
            answer = await stream.read()
            assert isinstance(answer, service_pb2.WatchTablesResponse)
            return [table.table for table in answer.tables]

        assert await next_codes() == [first]
        ann = (await seated(ground, ("Ann", "Ben")))[0]
        seen = [await next_codes()]
        while len(seen[-1]) != 1:
            seen.append(await next_codes())
        assert seen[-1] == [first]
        await ann.call("PauseGame")
        await ann.call("ResumeGame")
        second = await ground.create(2)
        assert await next_codes() == [first, second]
        stream.cancel()
        assert await codes(ground, playing) == [ann.table]
        assert await codes(ground, lobby, playing) == [first, ann.table, second]
        assert await codes(ground, table_pb2.TABLE_STATUS_OVER) == []


async def test_who_talks_too_fast_is_told_when_to_go_on() -> None:
    """Ten lines at once, then one a second, for each seat by itself; a refused line is not kept."""
    async with playground(settings=Settings(options=AT_ONCE)) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        for number in range(10):
            await ann.say(f"{number}")
        refused = await refusal(ann.say("too much", request_id="again"))
        assert (refused.reason, refused.status_code) == ("CHAT_TOO_FAST", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert (refused.retry_after_ms, refused.values["seconds"]) == (1000, "1")
        assert (await ben.say("I may")).number == 11
        ground.clock.advance(1)
        assert (await ann.say("too much", request_id="again")).number == 12
        assert (await ann.say("too much", request_id="again")).number == 12


@pytest.mark.parametrize("elapsed", [0.0, 0.5, 2.0, 1000.0])
def test_an_allowance_comes_back_with_time(elapsed: float) -> None:
    """Two at once and two a second: after some time there is as much again, and never more than at first."""
    rate = Rate(burst=2, per_second=2.0)
    used = Allowances(most=3)
    now = 100.0
    for _ in range(2):
        assert used.wait("a", rate, now) == 0
        used.use("a", rate, now)
    assert used.wait("a", rate, now) == pytest.approx(0.5)
    assert used.wait("a", rate, now + elapsed) == pytest.approx(max(0.5 - elapsed, 0.0))
    later = now + elapsed
    free = 0
    while used.wait("a", rate, later) == 0:
        used.use("a", rate, later)
        free += 1
    assert free == min(int(elapsed * 2), 2)
    for other in "bcd":
        used.use(other, rate, later)
    assert used.wait("a", rate, later) == 0


async def test_the_oldest_game_that_is_over_goes_where_there_is_no_room() -> None:
    """Nobody can fill a server with games that are over; one at which somebody looks stays, and so does its record."""
    settings = Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE, calls_per_peer=TALKATIVE, tables=3)
    async with playground(settings=settings) as ground:
        tables = []
        for _ in range(3):
            ann, ben = await seated(ground, ("Ann", "Ben"))
            await asyncio.gather(ann.play(), ben.play())
            tables.append(ann.table)
            ground.clock.advance(60)
            if len(tables) != 2:
                await gone_away(ground, ann)
                await gone_away(ground, ben)
        fourth = await ground.create(2)
        assert await codes(ground) == [*tables[1:], fourth]
        fifth = await ground.create(2)
        assert await codes(ground) == [tables[1], fourth, fifth]
        assert (await refusal(ground.create(2))).reason == "TOO_MANY_TABLES"
        assert await ground.journal.read(tables[0], 0)


async def test_tables_that_were_closed_before_a_restart_take_no_room() -> None:
    """As long as the journal is being read nobody is told that there are too many tables."""
    journal = MemoryJournal()
    settings = Settings(options=AT_ONCE, calls=TALKATIVE, tables=2)
    async with playground(journal=journal, settings=settings) as ground:
        for _ in range(3):
            table = await ground.create(2)
            ground.clock.advance(DAY)
            assert await gone(ground, table)
    async with journal:
        server = GameServer(journal, settings=settings)
        port = await server.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)]) as channel:
            stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
            await stub.CreateTable(service_pb2.CreateTableRequest(request_id="at once", seats=2))
        await server.stop()
