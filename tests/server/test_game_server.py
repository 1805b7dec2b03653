"""The server around the tables: addresses, information, health, reflection, limits."""

import asyncio
import socket
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from held_journal import HeldJournal
from server_table import TALKATIVE, Player, playground, refusal

from shanghai.v1 import service_pb2
from shanghai_engine.rules import PRESETS
from shanghai_server.doors.listening import ListenError
from shanghai_server.doors.server import GameServer
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire.rules import read_rules


async def test_the_server_says_what_it_is() -> None:
    """Version, revision, limits, presets with every field, and the levels of bots."""
    async with playground() as ground:
        info = await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        assert info.version == version("shanghai-rum")
        assert info.contract_revision == CONTRACT_REVISION
        assert {preset.name: read_rules(preset.rules) for preset in info.presets} == PRESETS
        assert info.limits == service_pb2.Limits(
            tables=1000,
            seats=8,
            name_characters=24,
            chat_characters=200,
            request_bytes=64 * 1024,
            tables_per_peer=100,
            streams_per_peer=500,
            spectators=1000,
            calls=service_pb2.Rate(burst=TALKATIVE.burst, per_second=TALKATIVE.per_second),
            chat=service_pb2.Rate(burst=TALKATIVE.burst, per_second=TALKATIVE.per_second),
            calls_per_peer=service_pb2.Rate(burst=200, per_second=50),
            queued_calls=64,
            queued_streams=1000,
            queued_updates=64,
            too_slow_ms=60_000,
            table_bytes=256 * 2**20,
            wrong_codes=service_pb2.Rate(burst=20, per_second=1),
            making_per_peer=service_pb2.Rate(burst=200, per_second=0.02),
            joins_per_peer=service_pb2.Rate(burst=TALKATIVE.burst, per_second=TALKATIVE.per_second),
        )
        assert list(info.bot_levels) == ["basic"]
        usual = {field.name: value for field, value in info.usual_options.ListFields()}
        assert usual == asdict(ground.settings.options)


async def test_health_says_serving_and_then_not() -> None:
    """The health service answers for the server and for the service, and says so before anything stops."""
    async with playground() as ground:
        check: Any = ground.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        watch_health: Any = ground.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=health_pb2.HealthCheckRequest.SerializeToString,
            response_deserializer=health_pb2.HealthCheckResponse.FromString,
        )
        for service in ("", "shanghai.v1.TableService"):
            answer = await check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        watch = watch_health(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        stopping = asyncio.create_task(ground.server.stop(60))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watch.cancel()
        await stopping


async def test_reflection_tells_the_contract() -> None:
    """A generic client finds the service and its methods, these by their own names, too, and nothing else."""
    async with playground() as ground:
        info: Any = ground.channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        requests = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            *(
                reflection_pb2.ServerReflectionRequest(file_containing_symbol=f"shanghai.v1.{name}")
                for name in ("TableService", "TableService.Act", "ActRequest", "TableService.Fly", "Nothing.Act")
            ),
        ]
        answers = [answer async for answer in info(iter(requests))]
        names = {service.name for service in answers[0].list_services_response.service}
        assert {"shanghai.v1.TableService", "grpc.health.v1.Health"} <= names
        assert answers[1].file_descriptor_response.file_descriptor_proto
        assert [each.file_descriptor_response for each in answers[2:4]] == [answers[1].file_descriptor_response] * 2
        assert [each.error_response.error_code for each in answers[4:]] == [grpc.StatusCode.NOT_FOUND.value[0]] * 2


async def test_an_occupied_port_is_refused_with_its_address(capfd: pytest.CaptureFixture[str]) -> None:
    """Two servers never share a port, and nothing but the error says so."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        async with MemoryJournal() as journal:
            with pytest.raises(ListenError, match=address):
                await GameServer(journal, listen=address).start()
    async with playground() as ground, MemoryJournal() as journal:
        with pytest.raises(ListenError, match=str(ground.port)):
            await GameServer(journal, listen=f"127.0.0.1:{ground.port}").start()
        with pytest.raises(ListenError, match="localhost"):
            await GameServer(journal, listen=f"localhost:{ground.port}").start()
        with pytest.raises(ListenError, match="in use"):
            await GameServer(journal, listen=f"0.0.0.0:{ground.port}").start()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "127.0.0.1:99999",
        "127.0.0.1:http",
        ":::::",
        "203.0.113.1:0",
        "",
        "::1:0",
        "[127.0.0.1]:0",
        "[::1:0",
        "127.0.0.1:-1",
        "127.0.0.1:²",
    ],
)
async def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    """The error names the address in one line."""
    async with MemoryJournal() as journal:
        with pytest.raises(ListenError) as error:
            await GameServer(journal, listen=address).start()
        assert repr(address) in str(error.value)
        assert "\n" not in str(error.value)


async def test_a_server_may_stop_twice_or_before_it_started() -> None:
    """The second stop does nothing, and what has stopped no longer listens."""
    async with MemoryJournal() as journal:
        server = GameServer(journal)
        await server.stop()
        port = await server.start()
        await server.stop(0)
        await server.stop(0)
        with pytest.raises(OSError, match=r"refused|Connect call failed"):
            await asyncio.open_connection("127.0.0.1", port)


async def test_more_calls_than_a_table_can_queue_are_turned_away() -> None:
    """Who is turned away is told so, and the others are served."""
    journal = HeldJournal()
    async with playground(journal=journal, settings=Settings(queued_intents=3)) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        journal.free.clear()
        calls = [asyncio.create_task(ann.say(f"line {n}")) for n in range(50)]
        # While nothing is written, only who is turned away gets an answer.
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        journal.free.set()
        results = await asyncio.gather(*calls, return_exceptions=True)
        refused = [result for result in results if isinstance(result, grpc.aio.AioRpcError)]
        assert 0 < len(refused) < 50
        assert {error.code() for error in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
        spectator = await Player.spectate(ground, table)
        assert spectator.last.public.table.chat[-1].number == 50 - len(refused)


async def test_streams_that_come_all_at_once_are_all_let_in_and_take_no_calls_place() -> None:
    """However few calls may wait, every stream is opened, and a call beside them has its turn."""
    journal = HeldJournal()
    async with playground(journal=journal, settings=Settings(queued_intents=3)) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        journal.free.clear()
        first = asyncio.create_task(ann.say("first"))
        watching = [ground.stub.Watch(service_pb2.WatchRequest(table=table)) for _ in range(30)]
        sights = [asyncio.create_task(call.read()) for call in watching]
        calls = [asyncio.create_task(ann.say(f"line {n}")) for n in range(20)]
        # Who is turned away came behind all the streams.
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        journal.free.set()
        assert (await first).number == 1
        for sight in await asyncio.gather(*sights):
            assert isinstance(sight, service_pb2.WatchResponse)
            assert sight.update.public.table.table == table
        results = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(result, service_pb2.SayResponse) for result in results) >= 3
        for call in watching:
            call.cancel()


async def test_more_spectators_than_a_table_takes_are_turned_away_and_no_seat_is() -> None:
    """The number of spectators is what bounds them, and whoever sits there always gets his."""
    async with playground(settings=Settings(spectators=3)) as ground:
        table = await ground.create(2)
        watching = [await Player.spectate(ground, table) for _ in range(3)]
        late = ground.stub.Watch(service_pb2.WatchRequest(table=table))
        refused = await refusal(late.read())
        assert (refused.reason, refused.status_code) == ("TOO_MANY_SPECTATORS", grpc.StatusCode.RESOURCE_EXHAUSTED)
        ann = await Player.join(ground, table, "Ann")
        assert ann.last.public.table.spectators == 3
        await watching[0].unwatch()
        await ann.until(lambda: ann.last.public.table.spectators == 2)


async def test_a_request_that_is_too_large_is_turned_away() -> None:
    """The limit of bytes is the server's, and the connection lives on."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann", watch=False)
        refused = await refusal(ann.say("x" * 100_000))
        assert (refused.reason, refused.status_code) == ("TOO_LARGE", grpc.StatusCode.RESOURCE_EXHAUSTED)
        assert refused.values["limit"] == str(64 * 1024)
        assert int(refused.values["bytes"]) > 100_000
        # It never fits, so no time is named after which it would.
        assert refused.retry_after_ms is None
        # What is far too large is not even read.
        assert (await refusal(ann.say("x" * 2**21))).status_code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await ann.say("hello")).number == 1


async def test_what_is_no_message_is_refused_without_a_word_of_ours() -> None:
    """Bytes that cannot be read end the call with a status, and nothing of the program in its text."""
    async with playground() as ground:
        call: Any = ground.channel.unary_unary("/shanghai.v1.TableService/Act", None, None)
        refused = await refusal(call(b"\xff\xff\xff\xff"))
        assert "Traceback" not in refused.message
        assert "site-packages" not in refused.message


async def test_a_table_is_made_once_though_its_maker_goes_at_any_moment() -> None:
    """A call that is let go of while its table is written, and repeated, gives that table: no second one is on disk."""
    journal = HeldJournal()
    async with playground(journal=journal) as ground:
        request = service_pb2.CreateTableRequest(request_id="made once only", seats=2)
        for _ in range(3):
            journal.free.clear()
            journal.is_asked.clear()
            call = ground.stub.CreateTable(request)
            await asyncio.wait([asyncio.ensure_future(journal.is_asked.wait())], timeout=0.2)
            call.cancel()
            journal.free.set()
        answer = await ground.stub.CreateTable(request)
        assert [entry.table for entry in await journal.tables()] == [answer.table]
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert [table.table for table in listed.tables] == [answer.table]
