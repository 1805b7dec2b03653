"""The connection layer: calls that are repeated safely, bots of the kit, and addresses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import grpc
import grpc.aio
import pytest
from closed_port import closed_port
from grpc_status import rpc_status
from scripted_service import Context, closed, receipt, serving, update
from server_table import Player, playground

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.channel import BadAddress, check_address, open_channel
from shanghai_client.cli.fault import end_with
from shanghai_client.cli.wrong import FAILED
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect, Refused
from shanghai_client.kit import BadChoice, play_seat
from shanghai_client.retrying import Patience, calling
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost, StreamEnded, watch
from shanghai_engine.action import Deal, Discard
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.card import Card
from shanghai_server.house.refusal import TableRefusal
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_wire import refused as wire
from shanghai_wire.actions import GoOn


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


async def test_what_would_be_waited_for_too_long_is_not_repeated() -> None:
    """A server that holds as many tables as it can names a minute, and its client says so at once."""
    async with (
        playground(settings=Settings(tables=0)) as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
    ):
        with pytest.raises(Refused, match="no more tables than 0"):
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


@pytest.mark.parametrize("name", ["http_proxy", "https_proxy", "grpc_proxy"])
async def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """It knows nothing of a table in the next room; where one is set for the web, a game is reached all the same."""
    for other in ("no_proxy", "no_grpc_proxy"):
        monkeypatch.delenv(other, raising=False)
    with closed_port() as port:
        monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        async with serving() as connection:
            assert connection.info.version == "test"


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
    assert scenes[0].table.commitment == seats[1].receipt.commitment
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
