"""What is too much for a server now, and goes through when it says: no call of the client's fails by that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest
from client_program import run_program
from google.protobuf.message import Message
from grpc_status import rpc_status
from scripted_service import SERVICE, Context, receipt, serving, update

from shanghai.v1 import admin_pb2, service_pb2, table_pb2
from shanghai_client.administering import Administration
from shanghai_client.connection import Connection
from shanghai_client.failure import Refused
from shanghai_client.kit import play_seat
from shanghai_client.seat import Seat
from shanghai_client.watching import Lost, watch_tables
from shanghai_engine.action import Discard
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.card import Card
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire import refused as wire

WAIT_MS = 200
"""For how long a server of these tests usually asks to wait."""
SAID = "seat 0 makes more calls than 100 at once"


async def turn_away(context: Context, *, wait_ms: int = WAIT_MS, reason: str = "TOO_FAST") -> None:
    """Refuse a call because it is too much now."""
    refused = wire.Refused(grpc.StatusCode.RESOURCE_EXHAUSTED, reason, "", SAID, {}, wait_ms)
    status = rpc_status.to_status(refused.to_status())
    await context.abort(status.code, status.details, status.trailing_metadata)


class Turnstile:
    """A handler that turns the first call away and answers the next; it notes both, and when they came."""

    def __init__(self, answer: Message) -> None:
        self.answer = answer
        self.requests: list[Message] = []
        self.at: list[float] = []
        self.wait_ms = WAIT_MS

    async def call(self, request: Message, context: Context) -> Message:
        """Answer a call."""
        self.requests.append(request)
        self.at.append(asyncio.get_running_loop().time())
        if len(self.requests) == 1:
            await turn_away(context, wait_ms=self.wait_ms)
        return self.answer


async def _asked_already(_connection: Connection, _seat: Seat) -> None:
    """Do nothing: which server it is has been asked when the connection was made."""


Use = Callable[[Connection, Seat], Awaitable[object]]
CALLS: dict[str, Use] = {
    "GetServerInfo": _asked_already,
    "CreateTable": lambda connection, _seat: connection.create_table(seats=2),
    "ListTables": lambda connection, _seat: connection.tables(),
    "GetRecord": lambda _connection, seat: seat.record(),
    "JoinTable": lambda connection, _seat: Seat.join(connection, receipt("ABCDE")),
    "LeaveTable": lambda _connection, seat: seat.leave(),
    "HandOverSeat": lambda _connection, seat: seat.hand_over(),
    "KickSeat": lambda _connection, seat: seat.kick(1),
    "AddBot": lambda _connection, seat: seat.add_bot(),
    "RemoveBot": lambda _connection, seat: seat.remove_bot(1),
    "CommitNonce": lambda _connection, seat: seat.commit_nonce(),
    "StartGame": lambda _connection, seat: seat.start(),
    "RevealNonce": lambda _connection, seat: seat.reveal_nonce(),
    "Act": lambda _connection, seat: seat.act("1.1.1", Discard(0, Card.C8)),
    "PauseGame": lambda _connection, seat: seat.pause(),
    "ResumeGame": lambda _connection, seat: seat.resume(),
    "Rematch": lambda _connection, seat: seat.rematch(),
    "Say": lambda _connection, seat: seat.say("hello"),
}
"""What the client does by each method."""


def test_every_call_is_among_those_that_are_tried() -> None:
    """All methods but the streams, which are tried below."""
    streams = {method.name for method in SERVICE.methods if method.server_streaming}
    assert {*CALLS, *streams} == {method.name for method in SERVICE.methods}


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_that_is_too_much_now_goes_through_when_the_server_says(name: str) -> None:
    """The same request once more, with its id, and not before the time that the server names."""
    response: type[Message] = getattr(service_pb2, SERVICE.methods_by_name[name].output_type.name)
    turnstile = Turnstile(response(contract_revision=CONTRACT_REVISION) if name == "GetServerInfo" else response())
    async with serving(**{name: turnstile.call}) as connection:
        await CALLS[name](connection, Seat(connection, receipt("ABCDE"), index=0, name="Ann"))
    first, again = turnstile.requests
    assert first == again
    assert turnstile.at[1] - turnstile.at[0] >= WAIT_MS / 1000


async def test_a_pause_beyond_all_patience_is_told_at_once() -> None:
    """Nobody stands there for a minute without a word; of a server of ours it is not said that it is none."""
    calls = 0

    async def refuse(_request: Message, context: Context) -> None:
        nonlocal calls
        calls += 1
        await turn_away(context, wait_ms=60_000)

    async with serving(GetRecord=refuse) as connection:
        with pytest.raises(Refused, match=SAID):
            await connection.record("ABCDE")
    with pytest.raises(Refused, match=SAID):
        async with serving(GetServerInfo=refuse):
            pass
    assert calls == 2


async def test_a_bot_that_is_too_fast_plays_on_as_fast_as_it_may() -> None:
    """It does the same again when the server says, and its game comes to its end."""
    acts: list[str] = []
    done = asyncio.Event()

    async def act(request: service_pb2.ActRequest, context: Context) -> service_pb2.ActResponse:
        acts.append(request.decision_id)
        if len(acts) < 4:
            await turn_away(context)
        done.set()
        return service_pb2.ActResponse(decision_id=request.decision_id)

    async def streams(_request: Message, _context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        asked = update(1)
        asked.update.public.table.status = table_pb2.TABLE_STATUS_PLAYING
        asked.update.public.table.seats.add(index=0)
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
        scene = await play_seat(seat, LEVELS[DEFAULT_LEVEL].decide)
    assert scene.table.status == table_pb2.TABLE_STATUS_OVER
    assert acts == ["1.1.9.0"] * 4


class Lists:
    """A stream of a server's tables, which is one too many the first time."""

    def __init__(self) -> None:
        self.asked = 0

    async def call(self, _request: Message, context: Context) -> AsyncIterator[service_pb2.WatchTablesResponse]:
        """Turn the first away, and answer the next."""
        self.asked += 1
        if self.asked == 1:
            await turn_away(context, reason="PEER_STREAMS")
        yield service_pb2.WatchTablesResponse()


async def test_a_list_for_which_there_is_no_room_says_how_long_to_wait() -> None:
    """The pause is the server's, and a little more."""
    async with serving(WatchTables=Lists().call) as connection:
        async with aclosing(watch_tables(connection)) as changes:
            (lost,) = [change async for change in changes]
        assert isinstance(lost, Lost)
        assert (lost.sentence, lost.right) == (SAID, "")
        assert WAIT_MS <= lost.retry_in * 1000 <= 1.1 * WAIT_MS


async def test_the_list_is_followed_once_there_is_room(tmp_path: Path) -> None:
    """`tables --follow` says that it waits, and goes on by itself."""
    lists = Lists()
    async with serving(WatchTables=lists.call) as connection:
        ran = await run_program("tables", connection.address, "--follow", home=tmp_path)
    assert (ran.code, ran.out) == (0, "No tables.\n\n")
    assert ran.err == f"{SAID}: trying again, until the server answers\n"
    assert lists.asked == 2


@asynccontextmanager
async def administered(announce: Callable[..., Awaitable[Message]]) -> AsyncIterator[Administration]:
    """Serve one method of the host's door."""
    service = admin_pb2.DESCRIPTOR.services_by_name["AdminService"]
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    method = grpc.unary_unary_rpc_method_handler(
        announce, admin_pb2.AnnounceRequest.FromString, admin_pb2.AnnounceResponse.SerializeToString
    )
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(service.full_name, {"Announce": method})])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with Administration(f"127.0.0.1:{port}", "token") as administration:
            yield administration
    finally:
        await server.stop(0)


async def test_what_a_host_asks_goes_through_when_his_server_says() -> None:
    """So where nothing could be written down for a moment; what would take too long is told."""
    turnstile = Turnstile(admin_pb2.AnnounceResponse(tables=3))
    async with administered(turnstile.call) as administration:
        assert (await administration.announce("hello")).tables == 3
        assert turnstile.at[1] - turnstile.at[0] >= WAIT_MS / 1000
        turnstile.requests.clear()
        turnstile.wait_ms = 60_000
        with pytest.raises(Refused, match=SAID):
            await administration.announce("hello")


async def test_what_a_host_asks_is_asked_again_where_it_did_not_get_through() -> None:
    """A door that is shut for a moment is none of a server that has ended."""
    asked: list[str] = []

    async def announce(request: admin_pb2.AnnounceRequest, context: Context) -> admin_pb2.AnnounceResponse:
        asked.append(request.text)
        if len(asked) == 1:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "connection reset")
        return admin_pb2.AnnounceResponse(tables=3)

    async with administered(announce) as administration:
        assert (await administration.announce("hello")).tables == 3
    assert asked == ["hello", "hello"]
