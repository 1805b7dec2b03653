"""The stream of a table: it comes back by itself, or knows why not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import grpc
import grpc.aio
import pytest
from scripted_service import Context, closed, serving, update
from server_table import Player, playground

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client import watching
from shanghai_client.asked_pause import LONGEST, asked_pause
from shanghai_client.cli.fault import end_with
from shanghai_client.cli.wrong import FAILED
from shanghai_client.connection import Connection, Listing
from shanghai_client.failure import CannotConnect, Ended, Refused
from shanghai_client.retrying import Patience
from shanghai_client.watching import Back, Lost, StreamEnded, watch, watch_tables
from shanghai_server.doors.answering import abort
from shanghai_server.house.settings import Settings
from shanghai_wire.refused import Refused as Refusal

WAIT_MS = 300
"""For how long a server of these tests asks to wait."""


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
            assert lost.sentence == f"no more spectators than 1 may watch the table {table}"
            assert 0.2 <= lost.retry_in < 0.3
            await first.unwatch()
            assert isinstance(await anext(sights), Back)
            assert isinstance(await anext(sights), table_pb2.Update)


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


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (table_pb2.TABLE_STATUS_UNSPECIFIED, ""),
        (table_pb2.TABLE_STATUS_LOBBY, ", and your seat is free"),
        (table_pb2.TABLE_STATUS_STARTING, ", and a bot plays your seat"),
        (table_pb2.TABLE_STATUS_PLAYING, ", and a bot plays your seat"),
        (table_pb2.TABLE_STATUS_PAUSED, ", and a bot plays your seat"),
        (table_pb2.TABLE_STATUS_OVER, ""),
    ],
)
async def test_whoever_is_sent_away_hears_what_becomes_of_his_seat(
    status: table_pb2.TableStatus.ValueType, said: str
) -> None:
    """As the table was seen last: before the game the seat is free, in it a bot plays on (R2.3)."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        del request, context
        if status != table_pb2.TABLE_STATUS_UNSPECIFIED:
            seen = update(1)
            seen.update.public.table.status = status
            yield seen
        yield closed(table_pb2.CLOSE_REASON_KICKED)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        *_, last = [sight async for sight in sights]
    assert isinstance(last, StreamEnded)
    assert last.sentence == f"the host has sent you away{said}"


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


@pytest.mark.parametrize(("token", "kept"), [(b"token", True), (b"", False)])
async def test_a_table_that_is_there_no_more_ends_the_watch(token: bytes, kept: bool) -> None:  # noqa: FBT001
    """A server that goes on from other data is no wrong input: the program fails, and the seat's secret is kept."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        if request.after_sequence:
            await abort(context, Refusal(grpc.StatusCode.NOT_FOUND, "NO_SUCH_TABLE", "", "there is no table"))
        yield update(1)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE", token=token)) as sights:
        assert isinstance(await anext(sights), table_pb2.Update)
        assert isinstance(await anext(sights), Lost)
        with pytest.raises(Ended, match="the server has no table ABCDE any more") as ended:
            await anext(sights)
    assert not ended.value.lost_seat
    assert ("your seat there is kept" in str(ended.value)) == kept
    assert end_with(ended.value)[1] == FAILED


@pytest.mark.parametrize("token", [b"token", b""])
async def test_a_table_that_was_closed_while_one_was_away_ends_the_watch(token: bytes) -> None:
    """The server says why, as it said to who was there."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        if request.after_sequence:
            values = {"table": "ABCDE", "reason": "Good night"}
            sentence = "the table ABCDE was closed: Good night"
            await abort(context, Refusal(grpc.StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED", "", sentence, values))
        yield update(1)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE", token=token)) as sights:
        assert isinstance(await anext(sights), table_pb2.Update)
        assert isinstance(await anext(sights), Lost)
        with pytest.raises(Ended, match=r"^the table ABCDE was closed: Good night$") as ended:
            await anext(sights)
    assert not ended.value.lost_seat
    assert end_with(ended.value)[1] == FAILED


async def test_a_server_makes_nobody_wait_for_weeks() -> None:
    """It asks for a pause within reason, or it is not waited for longer; and never for less than none."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        del request, context
        yield closed(table_pb2.CLOSE_REASON_SHUTTING_DOWN, 2**31 - 1)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        lost = await anext(sights)
    assert isinstance(lost, Lost)
    assert lost.retry_in == LONGEST
    assert [asked_pause(each) for each in (-5, 0, 2_000)] == [0, 0, 2]


async def test_the_patience_of_a_watch_ends() -> None:
    """A bot that waits for a server that has gone gives up at last."""

    async def streams(request: service_pb2.WatchRequest, context: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        if request.table:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        yield update(1)

    async with serving(Watch=streams) as connection:
        with pytest.raises(CannotConnect, match="nobody answered for"):
            _ = [sight async for sight in watch(connection, "ABCDE", patience=0.5)]


async def test_a_stream_that_says_nothing_counts_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it never began or fell silent: the client does not wait for ever, but asks anew, from where it was."""
    monkeypatch.setattr(watching, "SILENCE", 0.3)
    asked: list[int] = []

    async def streams(request: service_pb2.WatchRequest, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        asked.append(request.after_sequence)
        if len(asked) > 1:
            yield update(len(asked))
        if len(asked) <= 2:
            await asyncio.Event().wait()

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        seen = [await anext(sights) for _ in range(5)]
    assert [type(each) for each in seen] == [Lost, Back, table_pb2.Update, Lost, Back]
    assert isinstance(seen[0], Lost)
    assert seen[0].sentence == "the server has said nothing for 0 seconds"
    assert asked == [0, 0, 2]


async def test_who_stood_still_himself_does_not_call_the_server_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-Z, or a sleep, of more than that time the stream is as good as before: what has come is read."""
    loop = asyncio.get_running_loop()
    asked, awake = asyncio.Event(), asyncio.Event()

    async def streams(_request: service_pb2.WatchRequest, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        asked.set()
        await awake.wait()
        yield update(1)

    async with serving(Watch=streams) as connection, aclosing(watch(connection, "ABCDE")) as sights:
        first = asyncio.ensure_future(anext(sights))
        await asked.wait()
        time = loop.time
        monkeypatch.setattr(loop, "time", lambda: time() + 3 * watching.SILENCE)
        awake.set()
        assert isinstance(await first, table_pb2.Update)


@pytest.mark.soak
async def test_a_stream_on_which_nothing_happens_is_not_sent_away() -> None:
    """The pings by which a client finds a frozen server are not too many for it, however long nothing else is sent."""
    async with (
        playground() as ground,
        await Connection.to(f"127.0.0.1:{ground.port}") as connection,
        aclosing(watch_tables(connection)) as tables,
    ):
        assert await anext(tables) == Listing(())
        waiting = asyncio.ensure_future(anext(tables))
        assert await asyncio.wait({waiting}, timeout=40) == (set(), {waiting})
        waiting.cancel()
        await asyncio.wait({waiting})
