"""The connection layer: calls that are repeated safely, and a stream that comes back by itself, or knows why not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message
from grpc_status import rpc_status
from server_table import Player, playground

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client import watching
from shanghai_client.channel import BadAddress, check_address, open_channel
from shanghai_client.cli.fault import end_with
from shanghai_client.cli.wrong import FAILED
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect, Refused
from shanghai_client.kit import BadChoice, play_seat
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.retrying import Patience, calling
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost, StreamEnded, watch
from shanghai_engine.action import Deal, Discard
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.card import Card
from shanghai_server.house.refusal import TableRefusal
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire import refused as wire
from shanghai_wire.actions import GoOn

SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]
Context = grpc.aio.ServicerContext[Any, Any]
Handler = Callable[[Any, Context], Any]


async def info(request: service_pb2.GetServerInfoRequest, context: Context) -> service_pb2.GetServerInfoResponse:
    """Answer as a server of this revision."""
    del request, context
    return service_pb2.GetServerInfoResponse(version="test", contract_revision=CONTRACT_REVISION)


@asynccontextmanager
async def serving(**handlers: Handler) -> AsyncIterator[Connection]:
    """Give a connection to a server that answers some calls by a script."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    methods = {name: _method(name, handler) for name, handler in {"GetServerInfo": info, **handlers}.items()}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE.full_name, methods)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with await Connection.to(f"127.0.0.1:{port}") as connection:
            yield connection
    finally:
        await server.stop(0)


def _method(name: str, handler: Handler) -> Any:  # noqa: ANN401 (what grpc makes of a handler has no type)
    method = SERVICE.methods_by_name[name]
    request: type[Message] = getattr(service_pb2, method.input_type.name)
    response: type[Message] = getattr(service_pb2, method.output_type.name)
    make = grpc.unary_stream_rpc_method_handler if name == "Watch" else grpc.unary_unary_rpc_method_handler
    return make(handler, request_deserializer=request.FromString, response_serializer=response.SerializeToString)


def receipt(table: str, name: str = "Ann") -> Receipt:
    """Give the secrets of a new seat."""
    return Receipt.new(server="test", table=table, name=name)


async def test_a_call_that_does_not_get_through_is_repeated_with_its_request_id() -> None:
    """UNAVAILABLE and CANCELLED are tried again, and the server can tell that it is the same request."""
    seen: list[service_pb2.ActRequest] = []

    async def act(request: service_pb2.ActRequest, context: Context) -> service_pb2.ActResponse:
        seen.append(request)
        if len(seen) < 3:
            await context.abort((grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)[len(seen) - 1], "not now")
        return service_pb2.ActResponse(decision_id=request.decision_id)

    async with serving(Act=act) as connection:
        seat = Seat(connection, receipt("ABCDE"), index=0, name="Ann")
        await seat.act("1.1.1", Discard(0, Card.C8))
        await seat.act("1.2.1", Discard(0, Card.C8))
    assert len({request.request_id for request in seen[:3]}) == 1
    assert seen[0] == seen[2]
    assert seen[3].request_id != seen[0].request_id


async def test_a_refusal_is_not_repeated_and_keeps_its_reason_and_rule() -> None:
    """What the server refused by a rule of the game arrives as reason, rule and sentence, after one call."""
    async with playground() as ground:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
            seat = await Seat.join(connection, receipt(table))
            other = await Player.join(ground, table, "Ben")
            await seat.start()
            await seat.reveal_nonce()
            await other.until(lambda: other.last.public.HasField("game"))
            with pytest.raises(Refused) as refused:
                await seat.act("9.9.9", GoOn(0))
            assert refused.value.reason == "STALE_DECISION"
            with pytest.raises(Refused) as refused:
                await seat.act("1.1.1.0", Discard(seat.index, Card.C8))
            assert refused.value.rule.startswith("R")
            assert refused.value.rule in str(refused.value)
            assert not refused.value.wrong_input
            with pytest.raises(Refused) as refused:
                await Seat.join(connection, receipt("QQQQQ"))
            assert refused.value.wrong_input
        await other.unwatch()


WAIT_MS = 300
"""For how long a server of these tests asks to wait."""


async def busy(context: Context) -> None:
    """Refuse a call as a table does at which too many wait."""
    refusal = TableRefusal.TABLE_BUSY
    refused = wire.Refused(refusal.status, refusal.name, "", "64 calls wait: try again", {"limit": "64"}, WAIT_MS)
    status = rpc_status.to_status(refused.to_status())
    await context.abort(status.code, status.details, status.trailing_metadata)


async def test_a_busy_table_is_asked_again() -> None:
    """What a table that is busy turns away goes through when the server says: a call as it is, and a stream."""
    asked: list[str] = []
    at: list[float] = []

    async def act(request: service_pb2.ActRequest, context: Context) -> service_pb2.ActResponse:
        asked.append(request.request_id)
        at.append(asyncio.get_running_loop().time())
        if len(asked) == 1:
            await busy(context)
        return service_pb2.ActResponse(decision_id=request.decision_id)

    async def streams(_request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        asked.append("stream")
        at.append(asyncio.get_running_loop().time())
        if asked.count("stream") == 1:
            await busy(context)
        yield update(1)
        yield closed(table_pb2.CLOSE_REASON_TABLE_CLOSED)

    async with serving(Act=act, Watch=streams) as connection:
        await Seat(connection, receipt("ABCDE"), index=0, name="Ann").act("1.1.1", Discard(0, Card.C8))
        assert asked == [asked[0]] * 2
        async with aclosing(watch(connection, "ABCDE")) as sights:
            seen = [sight async for sight in sights]
    assert [type(sight) for sight in seen] == [Lost, Back, table_pb2.Update, StreamEnded]
    assert isinstance(seen[0], Lost)
    assert seen[0].text == "64 calls wait: trying again, until the server answers"
    # Neither earlier than asked for, nor as late as twice that.
    assert all(later - earlier >= WAIT_MS / 1000 for earlier, later in (at[:2], at[2:]))


async def test_a_stream_that_ends_as_soon_as_it_begins_is_asked_for_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Coming back for a moment is not being back: the pauses grow until a stream has stayed."""
    monkeypatch.setattr(watching, "PAUSES", Patience(first_pause=0.01, longest_pause=1.0))

    async def streams(_request: service_pb2.WatchRequest, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        yield update(1)

    async def losses(number: int) -> list[Lost]:
        found: list[Lost] = []
        async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
            async for sight in sights:
                found += [sight] if isinstance(sight, Lost) else []
                if len(found) == number:
                    break
        return found

    assert [loss.attempt for loss in await losses(5)] == [1, 2, 3, 4, 5]
    monkeypatch.setattr(watching, "STEADY", 0.0)
    assert [loss.attempt for loss in await losses(3)] == [1, 1, 1]


async def test_a_stream_that_is_one_too_many_waits_as_long_as_the_server_says() -> None:
    """A spectator of a table that is full of them is told so, and is let in once there is room."""
    async with (
        playground(settings=Settings(spectators=1, heartbeat_ms=200)) as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
    ):
        table = await ground.create(2)
        first = await Player.spectate(ground, table)
        async with aclosing(watch(connection, table)) as sights:
            lost = await anext(sights)
            assert isinstance(lost, Lost)
            assert lost.sentence == f"1 spectators watch the table {table} already"
            assert 0.2 <= lost.retry_in < 0.3
            await first.unwatch()
            assert isinstance(await anext(sights), Back)
            assert isinstance(await anext(sights), table_pb2.Update)


async def test_a_bot_that_is_too_fast_plays_on_as_fast_as_it_may() -> None:
    """It does the same again when the server says, and its game comes to its end; a person is told the sentence."""
    acts: list[str] = []
    done = asyncio.Event()

    async def act(request: service_pb2.ActRequest, context: Context) -> service_pb2.ActResponse:
        acts.append(request.decision_id)
        if len(acts) < 4:
            refused = wire.Refused(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_FAST", "", "seat 0 has made 1 calls", {}, WAIT_MS
            )
            status = rpc_status.to_status(refused.to_status())
            await context.abort(status.code, status.details, status.trailing_metadata)
        done.set()
        return service_pb2.ActResponse(decision_id=request.decision_id)

    async def streams(
        _request: service_pb2.WatchRequest, _context: Context
    ) -> AsyncIterator[service_pb2.WatchResponse]:
        asked = update(1)
        asked.update.public.table.status = table_pb2.TABLE_STATUS_PLAYING
        asked.update.private.own.seat = 0
        asked.update.private.decision.id = "1.1.9.0"
        asked.update.private.decision.go_on.SetInParent()
        yield asked
        await done.wait()
        over = update(2)
        over.update.public.table.status = table_pb2.TABLE_STATUS_OVER
        yield over

    async with serving(Act=act, Watch=streams) as connection:
        seat = Seat(connection, receipt("ABCDE"), index=0, name="Ann")
        with pytest.raises(Refused, match="seat 0 has made 1 calls"):
            await seat.act("1.1.9.0", GoOn(0))
        assert len(acts) == 1
        scene = await play_seat(seat, LEVELS[DEFAULT_LEVEL].decide)
    assert scene.table.status == table_pb2.TABLE_STATUS_OVER
    assert acts == ["1.1.9.0"] * 4


async def test_what_too_much_else_turns_away_is_not_repeated() -> None:
    """A server that holds as many tables as it can says so at once."""
    async with (
        playground(settings=Settings(tables=0)) as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
    ):
        with pytest.raises(Refused, match="tables already"):
            await connection.create_table(seats=2)


async def test_a_server_that_cannot_write_is_not_called_silent() -> None:
    """Once the patience is over the sentence is the server's own, and the command fails without blaming the network."""
    journal = MemoryJournal()
    async with (
        playground(journal=journal) as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
    ):
        journal.failure = "the disk is full"
        request = service_pb2.CreateTableRequest(request_id="a table", seats=2)
        with pytest.raises(Refused) as refused:
            await calling(
                connection.address,
                lambda limit: connection.stub.CreateTable(request, timeout=limit),
                patience=Patience(whole=0.3, first_pause=0.05),
            )
        assert refused.value.reason == "NOT_WRITTEN"
        sentence, code = end_with(refused.value)
        assert code == FAILED
        assert sentence.startswith("nothing can be written down now")


async def test_patience_ends() -> None:
    """A call that never gets through ends as a failed connection once the patience is over."""
    async with serving() as connection:
        address = connection.address
    async with await _closed(address) as closed:
        with pytest.raises(CannotConnect, match=r"nothing listens there|no answer"):
            await calling(
                address,
                lambda limit: closed.stub.ListTables(service_pb2.ListTablesRequest(), timeout=limit),
                patience=Patience(attempt=0.2, whole=0.5),
            )


async def _closed(address: str) -> Connection:
    return Connection(address, open_channel(address))


def update(sequence: int) -> service_pb2.WatchResponse:
    """Give an update that says nothing but its sequence."""
    return service_pb2.WatchResponse(update=table_pb2.Update(sequence=sequence))


def closed(reason: table_pb2.CloseReason.ValueType, retry_after_ms: int = 0) -> service_pb2.WatchResponse:
    """Give the last message of a stream."""
    return service_pb2.WatchResponse(closed=table_pb2.StreamClosed(reason=reason, retry_after_ms=retry_after_ms))


@pytest.mark.parametrize(
    "name", sorted({*table_pb2.CloseReason.DESCRIPTOR.values_by_name} - {"CLOSE_REASON_UNSPECIFIED"})
)
async def test_whatever_a_stream_is_closed_for_is_said(name: str) -> None:
    """Each reason has a sentence of its own, and says whether this client comes back by itself."""
    reason = table_pb2.CloseReason.Value(name)

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        del request, context
        yield closed(reason, 1500)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        seen = await anext(sights)
    assert isinstance(seen, Lost | StreamEnded)
    assert seen.sentence not in {"", "the server ended the connection"}
    comes_back = {table_pb2.CLOSE_REASON_SHUTTING_DOWN, table_pb2.CLOSE_REASON_TOO_SLOW}
    assert isinstance(seen, Lost) == (reason in comes_back)
    if isinstance(seen, Lost):
        assert seen.retry_in == 1.5
        assert seen.text == f"{seen.sentence}: trying again in 2 s, until the server answers"


async def test_a_stream_goes_on_where_it_stopped() -> None:
    """After a break the stream is opened with the last sequence, and the viewer is told of the break and its end."""
    asked: list[int] = []

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        asked.append(request.after_sequence)
        if len(asked) == 1:
            yield update(1)
            yield service_pb2.WatchResponse(heartbeat=table_pb2.Heartbeat(sequence=1))
            yield update(2)
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        elif len(asked) == 2:
            yield closed(table_pb2.CLOSE_REASON_SHUTTING_DOWN, 50)
        else:
            yield update(7)
            yield closed(table_pb2.CLOSE_REASON_TABLE_CLOSED)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE", token=b"t" * 16)) as sights:
        seen = [sight async for sight in sights]
    assert asked == [0, 2, 2]
    kinds = [type(sight) for sight in seen]
    assert kinds == [table_pb2.Update, table_pb2.Update, Lost, Back, Lost, Back, table_pb2.Update, StreamEnded]
    assert [sight.sequence for sight in seen if isinstance(sight, table_pb2.Update)] == [1, 2, 7]


@pytest.mark.parametrize(
    "reason",
    [
        table_pb2.CLOSE_REASON_REPLACED,
        table_pb2.CLOSE_REASON_KICKED,
        table_pb2.CLOSE_REASON_TABLE_CLOSED,
        table_pb2.CLOSE_REASON_LEFT,
    ],
)
async def test_a_stream_that_was_ended_for_good_is_not_opened_again(reason: table_pb2.CloseReason.ValueType) -> None:
    """Who was replaced does not fight for the seat: the reason is the last that is seen."""
    opened = 0

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        nonlocal opened
        del request, context
        opened += 1
        yield update(1)
        yield closed(reason)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        seen = [sight async for sight in sights]
    assert opened == 1
    assert isinstance(seen[-1], StreamEnded)
    assert seen[-1].reason == reason


async def test_a_watch_of_a_table_that_does_not_exist_is_refused() -> None:
    """A refusal ends the stream at once."""
    async with playground() as ground, await Connection.to(f"127.0.0.1:{ground.port}") as connection:
        with pytest.raises(Refused, match="there is no table"):
            async for _ in watch(connection, "QQQQQ"):
                pass


async def test_the_patience_of_a_watch_ends() -> None:
    """A bot that waits for a server that has gone gives up at last."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        if request.table:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        yield update(1)

    async with serving(Watch=streams) as connection:
        with pytest.raises(CannotConnect, match="nobody answered for"):
            _ = [sight async for sight in watch(connection, "ABCDE", patience=0.5)]


async def test_two_bots_of_the_kit_play_a_whole_game_and_their_nonces_are_in_it() -> None:
    """The kit plays a seat to the end, and shows its nonce when the table asks for it."""
    async with playground() as ground:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
            seats = [await Seat.join(connection, receipt(table, name)) for name in ("Ann", "Ben")]
            await seats[0].start()
            decide = LEVELS[DEFAULT_LEVEL].decide
            scenes = await asyncio.gather(*(play_seat(seat, decide, salt="test") for seat in seats))
            record = await connection.record(table)
    assert all(scene.table.status == table_pb2.TABLE_STATUS_OVER for scene in scenes)
    assert scenes[0].game is not None
    assert scenes[0].game.nonces == tuple(seat.receipt.nonce for seat in seats)
    assert seats[1].receipt.faults(commitment=scenes[0].table.commitment, nonces=scenes[0].game.nonces) == ()
    assert record.count("\n") > 10


async def test_a_bot_that_chooses_what_no_seat_can_do_is_stopped() -> None:
    """A deal is the table's business: a bot that asks for one is told so."""
    async with playground() as ground:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
            seat = await Seat.join(connection, receipt(table))
            await seat.start()
            with pytest.raises(BadChoice, match="is no action of a seat"):
                await play_seat(seat, lambda _view, _decision, _rng: Deal())


async def test_a_seat_is_found_again_by_its_receipt(tmp_path: Path) -> None:
    """Joining again with the receipt that was kept gives the same seat, also in the middle of the game."""
    book = ReceiptBook(tmp_path / "receipts")
    async with playground() as ground:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
            first = await Seat.join(connection, receipt(table))
            path = book.keep(first.receipt)
            await first.start()
            kept = book.find(server="test", table=table, name="Ann")
            assert kept == first.receipt
            again = await Seat.join(connection, kept)
            assert (again.index, again.name) == (first.index, first.name)
            async with aclosing(again.watch()) as sights:
                scene = Scene.of(_update(await anext(sights)))
            assert scene.seat == first.index
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def _update(sight: object) -> table_pb2.Update:
    assert isinstance(sight, table_pb2.Update)
    return sight


def test_a_damaged_receipt_is_passed_over(tmp_path: Path) -> None:
    """A file that is no receipt hides no other."""
    book = ReceiptBook(tmp_path)
    kept = receipt("ABCDE")
    book.keep(kept)
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    (tmp_path / "torn.json").write_text('{"server": "te', encoding="utf-8")
    assert list(book.all()) == [kept]
    assert list(book.all(server="elsewhere")) == []
    book.forget(kept)
    assert list(book.all()) == []


def test_a_receipt_tells_another_game_from_its_own() -> None:
    """A record with another commitment or another nonce of this seat is not the game that was promised."""
    kept = receipt("ABCDE").taken(seat=1, commitment=b"c" * 32)
    assert kept.faults(commitment=b"c" * 32, nonces=(bytes(16), kept.nonce)) == ()
    assert len(kept.faults(commitment=b"d" * 32, nonces=(bytes(16), bytes(16)))) == 2


@pytest.mark.parametrize("text", ["localhost:7410", "192.168.1.5:1", "[::1]:65535", "a-b.example:80"])
def test_addresses_are_read(text: str) -> None:
    """A host and a port, with brackets around an address that has colons."""
    assert check_address(text) == text


@pytest.mark.parametrize(
    "text", ["", "host", ":80", "host:", "host:0", "host:65536", "::1:80", "a b:80", "h:8o", "http://h:80"]
)
def test_what_is_no_address_is_named(text: str) -> None:
    """Everything else is refused with what was given and an example."""
    with pytest.raises(BadAddress, match="is no address: write HOST:PORT"):
        check_address(text)


@pytest.mark.soak
async def test_a_stream_on_which_nothing_happens_is_not_sent_away() -> None:
    """The pings by which a client finds a frozen server are not too many for it, however long nothing else is sent."""
    async with (
        playground() as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
        aclosing(connection.watch_tables()) as tables,
    ):
        assert await anext(tables) == ()
        waiting = asyncio.ensure_future(anext(tables))
        assert await asyncio.wait({waiting}, timeout=40) == (set(), {waiting})
        waiting.cancel()
        await asyncio.wait({waiting})
