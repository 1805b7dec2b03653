"""What a seat, and what an address, may do and have at most: each refusal says why and when to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from string import Formatter
from typing import Any

import grpc
import grpc.aio
import pytest
from cutting_proxy import CuttingProxy
from server_table import AT_ONCE, TALKATIVE, Player, Playground, fresh_id, playground, refusal, seated

from shanghai.v1 import service_pb2, service_pb2_grpc
from shanghai_server.doors import service
from shanghai_server.doors.answering import refused_by
from shanghai_server.house.peers import peer_of
from shanghai_server.house.rate import Rate
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.settings import Settings
from shanghai_wire.refused import Refused

ERROR_INFO, RETRY_INFO = (f"type.googleapis.com/google.rpc.{name}" for name in ("ErrorInfo", "RetryInfo"))
OPTIONS = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]


def exhausted(refused: Refused, reason: str, values: dict[str, str], wait_ms: int) -> None:
    """Check a refusal whole: status, reason, every value, and how long to wait."""
    assert refused.status_code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert (refused.reason, refused.rule, refused.values, refused.retry_after_ms) == (reason, "", values, wait_ms)
    for value in values.values():
        assert value in refused.message


async def read(ground: Playground, request: service_pb2.WatchRequest) -> None:
    """Open a stream, and read its first message."""
    stream = ground.stub.Watch(request)
    try:
        await stream.read()
    finally:
        stream.cancel()


async def test_a_seat_calls_so_often_and_then_so_many_times_a_second() -> None:
    """Its calls and its streams count together; the refusal names the moment, and then the same call is accepted."""
    settings = Settings(options=AT_ONCE, chat=TALKATIVE, calls=Rate(burst=3, per_second=2.0))
    async with playground(settings=settings) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        ben = await Player.join(ground, table, "Ben", watch=False)
        for _ in range(3):
            await ann.say("hello")
        for attempt in (
            ann.say("hello", request_id="again"),
            ann.call("AddBot"),
            read(ground, service_pb2.WatchRequest(table=table, seat_token=ann.token)),
        ):
            values = {"seat": "0", "limit": "3", "per_second": "2", "seconds": "1"}
            exhausted(await refusal(attempt), "TOO_FAST", values, 500)
        # Whoever else sits there is not held up.
        await ben.say("I am not")
        ground.clock.advance(0.25)
        assert (await refusal(ann.say("hello", request_id="again"))).retry_after_ms == 250
        ground.clock.advance(0.25)
        assert (await ann.say("hello", request_id="again")).number == 5


async def test_chat_has_a_limit_of_its_own() -> None:
    """Whoever talks too much may still play."""
    settings = Settings(options=AT_ONCE, chat=Rate(burst=2, per_second=0.5))
    async with playground(settings=settings) as ground:
        ann, _ = await seated(ground, ("Ann", "Ben"))
        await ann.say("one")
        await ann.say("two")
        values = {"seat": "0", "limit": "2", "per_second": "0.5", "seconds": "2"}
        exhausted(await refusal(ann.say("three")), "CHAT_TOO_FAST", values, 2000)
        await ann.call("PauseGame")
        ground.clock.advance(2)
        assert (await ann.say("three")).number == 3


async def test_calls_without_a_seat_are_counted_by_address() -> None:
    """Making, listing, joining, asking for records and for tables that are not there: and no seat is held up by it."""
    settings = Settings(options=AT_ONCE, calls_per_peer=Rate(burst=6, per_second=1.0))
    async with playground(settings=settings) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        attempts: list[Callable[[], Awaitable[object]]] = [
            lambda: ground.stub.ListTables(service_pb2.ListTablesRequest()),
            lambda: ground.stub.GetRecord(service_pb2.GetRecordRequest(table=table)),
            lambda: ground.stub.GetRecord(service_pb2.GetRecordRequest(table="ZZZZZ")),
            lambda: Player.join(ground, table, fresh_id(), watch=False),
            lambda: ground.create(2),
        ]
        # Two are used up; of these, two are refused for what they ask, and count all the same.
        await attempts[0]()
        assert (await refusal(attempts[1]())).reason == "GAME_NOT_STARTED"
        assert (await refusal(attempts[2]())).reason == "NO_SUCH_TABLE"
        await attempts[3]()
        values = {"limit": "6", "per_second": "1", "seconds": "1"}
        for attempt in attempts:
            exhausted(await refusal(attempt()), "PEER_TOO_FAST", values, 1000)
        await ann.say("I sit here")
        await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        ground.clock.advance(1)
        await attempts[4]()


def question(ground: Playground, asked: str) -> Awaitable[object]:
    """Ask something about the server itself, in one of the ways that there are."""
    health, contract = "/grpc.health.v1.Health/", "/grpc.reflection.v1alpha.ServerReflection/"
    channel: Any = ground.channel
    ways: dict[str, Callable[[], Awaitable[object]]] = {
        "info": lambda: ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest()),
        "health": lambda: channel.unary_unary(f"{health}Check")(b""),
        "health watched": lambda: _first(channel.unary_stream(f"{health}Watch")(b"")),
        "contract": lambda: _first(channel.stream_stream(f"{contract}ServerReflectionInfo")(iter([b":\0"]))),
    }
    return ways[asked]()


async def _first(stream: Any) -> object:  # noqa: ANN401 (a call of any kind of stream)
    try:
        return await stream.read()
    finally:
        stream.cancel()


@pytest.mark.parametrize("asked", ["info", "health", "health watched", "contract"])
async def test_questions_about_the_server_are_counted_apart(asked: str) -> None:
    """As many at once as streams and calls together, and then as calls; who has asked too often plays and lists on."""
    settings = Settings(options=AT_ONCE, calls=TALKATIVE, streams_per_peer=2, calls_per_peer=Rate(2, 0.5))
    async with playground(settings=settings) as ground:
        table = await ground.create(2)
        for number in range(4):
            await question(ground, asked if number else "info")
        values = {"limit": "4", "per_second": "0.5", "seconds": "2"}
        exhausted(await refusal(question(ground, asked)), "PEER_TOO_FAST", values, 2000)
        exhausted(await refusal(question(ground, "info")), "PEER_TOO_FAST", values, 2000)
        await Player.join(ground, table, "Ann")
        ground.clock.advance(2)
        await question(ground, asked)


async def test_one_stream_asks_no_more_of_the_contract_than_many() -> None:
    """Each of its questions counts."""
    settings = Settings(options=AT_ONCE, streams_per_peer=2, calls_per_peer=Rate(2, 0.5))
    async with playground(settings=settings) as ground:
        look: Any = ground.channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        stream = look(iter([b":\0"] * 5))
        for _ in range(4):
            assert isinstance(await stream.read(), bytes)
        assert (await refusal(stream.read())).reason == "PEER_TOO_FAST"


async def test_an_address_has_so_many_streams_and_no_more() -> None:
    """Those of seats, spectators and lists together; one that is closed makes room for the next."""
    settings = Settings(options=AT_ONCE, streams_per_peer=3)
    async with playground(settings=settings) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        spectator = await Player.spectate(ground, table)
        lists = ground.stub.WatchTables(service_pb2.WatchTablesRequest())
        await lists.read()
        for attempt in (
            read(ground, service_pb2.WatchRequest(table=table)),
            read(ground, service_pb2.WatchRequest(table=table, seat_token=ann.token)),
            ground.stub.WatchTables(service_pb2.WatchTablesRequest()).read(),
        ):
            exhausted(await refusal(attempt), "PEER_STREAMS", {"limit": "3", "seconds": "10"}, 10_000)
        await spectator.unwatch()
        await ann.until(lambda: ann.last.public.table.spectators == 0)
        # The count goes down with the end of the handler, a moment behind what the table shows.
        ground.clock.advance(1)
        late = await Player.spectate(ground, table)
        assert late.last.public.table.spectators == 1
        lists.cancel()


async def test_opening_streams_again_and_again_is_a_call_too() -> None:
    """Who comes and goes is shown to everybody, so nobody without a seat comes and goes without an end."""
    settings = Settings(options=AT_ONCE, streams_per_peer=4, calls_per_peer=Rate(burst=100, per_second=0.1))
    async with playground(settings=settings) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        for _ in range(4):
            spectator = await Player.spectate(ground, table)
            await spectator.unwatch()
            await ann.until(lambda: ann.last.public.table.spectators == 0)
        refused = await refusal(read(ground, service_pb2.WatchRequest(table=table)))
        exhausted(refused, "PEER_TOO_FAST", {"limit": "4", "per_second": "0.1", "seconds": "10"}, 10_000)
        await ann.unwatch()
        await ann.watch()


async def test_an_address_makes_so_many_tables_until_one_is_over() -> None:
    """Only tables that are not over count, and the repeat of a request that made one gets its answer."""
    settings = Settings(options=AT_ONCE, calls=TALKATIVE, tables_per_peer=2)
    async with playground(settings=settings) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        second = await ground.create(2, request_id="second")
        values = {"limit": "2", "seconds": "60"}
        exhausted(await refusal(ground.create(2, request_id="third")), "PEER_TABLES", values, 60_000)
        assert await ground.create(2, request_id="second") == second
        await asyncio.gather(ann.play(), ben.play())
        await ground.create(2, request_id="third")
        exhausted(await refusal(ground.create(2)), "PEER_TABLES", values, 60_000)


async def test_an_address_makes_tables_only_so_often_over_or_not() -> None:
    """What games have written stays: those that are over count too; a repeat and a refused request do not."""
    settings = Settings(options=AT_ONCE, calls=TALKATIVE, making_per_peer=Rate(burst=2, per_second=0.05))
    async with playground(settings=settings) as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        assert (await refusal(ground.create(99))).reason == "BAD_FIELD"
        await asyncio.gather(ann.play(), ben.play())
        second = await ground.create(2, request_id="second")
        values = {"limit": "2", "per_second": "0.05", "seconds": "20"}
        exhausted(await refusal(ground.create(2, request_id="third")), "TABLES_TOO_FAST", values, 20_000)
        assert await ground.create(2, request_id="second") == second
        ground.clock.advance(20)
        await ground.create(2, request_id="third")
        exhausted(await refusal(ground.create(2)), "TABLES_TOO_FAST", values, 20_000)


async def test_a_full_server_says_when_it_looks_for_old_tables_next() -> None:
    """No more tables fit, whoever makes them."""
    async with playground(settings=Settings(tables=1)) as ground:
        await ground.create(2)
        exhausted(await refusal(ground.create(2)), "TOO_MANY_TABLES", {"limit": "1", "seconds": "60"}, 60_000)


async def test_a_table_has_so_many_spectators_and_every_seat_besides() -> None:
    """A spectator more is refused with the table's code; a seat is let in."""
    async with playground(settings=Settings(spectators=1)) as ground:
        table = await ground.create(2)
        await Player.spectate(ground, table)
        refused = await refusal(read(ground, service_pb2.WatchRequest(table=table)))
        exhausted(refused, "TOO_MANY_SPECTATORS", {"limit": "1", "table": table, "seconds": "10"}, 10_000)
        await Player.join(ground, table, "Ann")


async def test_streams_that_wait_to_be_let_in_are_counted() -> None:
    """Where none may wait, none is let in: the queue has an end like every other."""
    async with playground(settings=Settings(queued_streams=0)) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        refused = await refusal(read(ground, service_pb2.WatchRequest(table=table, seat_token=ann.token)))
        exhausted(refused, "TOO_MANY_STREAMS", {"limit": "0", "table": table, "seconds": "10"}, 10_000)


async def test_a_busy_table_asks_to_come_back_soon() -> None:
    """The queue of calls has an end, and is empty again after some milliseconds."""
    async with playground(settings=Settings(queued_intents=0)) as ground:
        table = await ground.create(2)
        refused = await refusal(Player.join(ground, table, "Ann", watch=False))
        exhausted(refused, "TABLE_BUSY", {"limit": "0", "table": table}, 200)


async def test_wrong_passcodes_hold_up_nobody_at_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever tries too often waits, and whoever knows the passcode comes in from elsewhere meanwhile."""
    settings = Settings(options=AT_ONCE, wrong_codes=Rate(burst=2, per_second=0.5))
    async with playground(settings=settings) as ground, CuttingProxy(ground.port) as proxy:
        elsewhere(monkeypatch, proxy)
        table = await ground.create(3, passcode="open sesame")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=OPTIONS) as channel:
            mallory: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)

            async def guess(*, passcode: str = "", code: str = "") -> Refused:
                request = service_pb2.JoinTableRequest(
                    table=table,
                    request_id=fresh_id(),
                    seat_token=bytes(16),
                    name="Mallory",
                    passcode=passcode,
                    hand_over_code=code,
                )
                return await refusal(mallory.JoinTable(request))

            assert [(await guess(passcode=f"guess {n}")).reason for n in range(2)] == ["WRONG_PASSCODE"] * 2
            exhausted(await guess(passcode="open sesame"), "TOO_MANY_TRIES", {"table": table, "seconds": "2"}, 2000)
            codes = [(await guess(code=f"ABCDEFGH{n}")).reason for n in range(3)]
            assert codes == ["WRONG_HAND_OVER_CODE"] * 2 + ["TOO_MANY_TRIES"]
            ann = await Player.join(ground, table, "Ann", passcode="open sesame")
            assert ann.seat == 0


def elsewhere(monkeypatch: pytest.MonkeyPatch, proxy: CuttingProxy) -> None:
    """Let a server in this process take whoever comes through a proxy for another peer."""

    def seen(end: str) -> str:
        return "192.0.2.66" if end.endswith(f":{proxy.outer_port}") else peer_of(end)

    monkeypatch.setattr(service, "peer_of", seen)


async def test_a_flood_from_one_address_holds_up_no_seat_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams, tables, joins and guesses without end from one address: elsewhere a game is played as ever."""
    settings = Settings(
        options=AT_ONCE, calls=TALKATIVE, streams_per_peer=20, tables_per_peer=3, calls_per_peer=Rate(100, 10.0)
    )
    async with playground(settings=settings) as ground, CuttingProxy(ground.port) as proxy:
        elsewhere(monkeypatch, proxy)
        ann, ben = await seated(ground, ("Ann", "Ben"))
        reasons: set[str] = set()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=OPTIONS) as channel:
            mallory: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)

            held: list[object] = []

            def opened(stream: Any) -> Awaitable[object]:  # noqa: ANN401 (a call of any kind of stream)
                # A stream that nobody holds is closed again.
                held.append(stream)
                first: Awaitable[object] = stream.read()
                return first

            async def flood(number: int) -> None:
                calls: list[Callable[[], Awaitable[object]]] = [
                    lambda: opened(mallory.Watch(service_pb2.WatchRequest(table=ann.table))),
                    lambda: opened(
                        mallory.Watch(service_pb2.WatchRequest(table=ann.table, seat_token=number.to_bytes(16, "big")))
                    ),
                    lambda: opened(mallory.WatchTables(service_pb2.WatchTablesRequest())),
                    lambda: mallory.CreateTable(service_pb2.CreateTableRequest(request_id=fresh_id(), seats=2)),
                    lambda: mallory.LeaveTable(
                        service_pb2.LeaveTableRequest(
                            table=ann.table, request_id=fresh_id(), seat_token=number.to_bytes(16, "big")
                        )
                    ),
                    lambda: mallory.GetRecord(service_pb2.GetRecordRequest(table=ann.table)),
                ]
                for turn in range(60):
                    try:
                        await calls[(number + turn) % len(calls)]()
                    except grpc.aio.AioRpcError as error:
                        reasons.add(Refused.by_call(error).reason)

            floods = [asyncio.create_task(flood(number)) for number in range(20)]
            await asyncio.gather(ann.play(), ben.play())
            # However soon the game is over, the flood goes on until it has met every limit.
            await asyncio.gather(*floods)
        assert {"PEER_STREAMS", "PEER_TOO_FAST", "BAD_TOKEN"} <= reasons
        # Nobody has sat down, and whoever comes from elsewhere still finds everything open.
        assert [seat.name for seat in ann.last.public.table.seats] == ["Ann", "Ben"]
        await ground.create(2)
        await Player.spectate(ground, ann.table)


@pytest.mark.parametrize(
    ("end", "peer"),
    [
        ("ipv4:192.0.2.7:50123", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50123", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2::9]:50123", "2001:db8:1:2::/64"),
        ("ipv6:[fe80::1%25eth0]:50123", "fe80::/64"),
        ("ipv6:[::ffff:192.0.2.7]:50123", "192.0.2.7"),
        ("unix:", "unix:"),
        ("ipv4:nonsense", "ipv4:nonsense"),
    ],
)
def test_a_peer_is_an_address_without_its_port(end: str, peer: str) -> None:
    """Of IPv6 it is the network, because a household has all addresses of its own; else the name that there is."""
    assert peer_of(end) == peer


@pytest.mark.parametrize("what", TableRefusal)
def test_whatever_may_be_tried_again_says_when(what: TableRefusal) -> None:
    """Each refusal that is RESOURCE_EXHAUSTED or UNAVAILABLE has a time, but for two that are refused for good."""
    refused = refused_by(CallRefused(what, **values_for(what)), Settings(retry_after_ms=1234))
    passes = what.status in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE}
    says_when = passes and what not in {TableRefusal.TOO_LARGE, TableRefusal.TABLE_WRITTEN_FULL}
    details = [detail.type_url for detail in refused.to_status().details]
    assert details == [ERROR_INFO, RETRY_INFO][: 1 + says_when]
    assert refused.retry_after_ms == (1234 if says_when else None)


def values_for(what: TableRefusal) -> dict[str, object]:
    """Give a value for each that its sentence names."""
    return {name: 7 for _, name, _, _ in Formatter().parse(what.sentence) if name}
