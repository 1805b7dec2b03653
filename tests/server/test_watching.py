"""Streams: what comes first, what a slow reader loses, who replaces whom, and how they end."""

import asyncio
import sys
from typing import Any

import pytest
from google.protobuf.message import Message
from server_table import AT_ONCE, Player, playground, seated

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.action import Claim
from shanghai_server.doors.answering import Context
from shanghai_server.doors.arrival import Arrivals
from shanghai_server.house.settings import Settings
from shanghai_server.table.watcher import Shown, Watcher


def update_of(message: bytes) -> table_pb2.Update:
    """Give the update of a message."""
    response = service_pb2.WatchResponse.FromString(message)
    assert response.HasField("update")
    return response.update


async def test_a_stream_begins_with_a_whole_view() -> None:
    """Whoever comes late, or as a spectator, sees at once how everything stands; only a seat sees its cards."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        spectator = await Player.spectate(ground, players[0].table)
        assert spectator.last.public.game == players[0].last.public.game
        assert not spectator.last.HasField("private")
        assert spectator.last.public.table.spectators == 1
        await players[0].until(lambda: players[0].last.public.table.spectators == 1)
        assert len(players[0].last.private.own.hand) == 6
        assert players[0].last.private.own.learned[0].cards == players[0].last.private.own.hand


async def test_a_newer_stream_of_a_seat_closes_the_older() -> None:
    """The older is told why, and the newer goes on; nobody else sees anything of it."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        seen = len(ben.updates)
        newer = Player(ground, ann.table, "Ann", ann.token, ann.seat)
        first = await newer.watch(after_sequence=ann.last.sequence)
        await ann.until(lambda: ann.closed is not None)
        assert ann.closed is not None
        assert ann.closed.reason == table_pb2.CLOSE_REASON_REPLACED
        assert first == table_pb2.Update(
            sequence=ann.last.sequence,
            new_from=1,
            public=ann.last.public,
            private=ann.last.private,
        )
        await ben.say("hello")
        await ben.until(lambda: len(ben.last.public.table.chat) == 1)
        assert len(ben.updates) == seen + 1
        assert ben.last.public.table.seats[0].connected


async def test_sequences_count_by_one_and_name_the_new_events() -> None:
    """Every update of an unbroken stream follows the last, and `new_from` is where its events go on."""
    async with playground() as ground:
        (ann,) = await seated(ground, ("Ann",), seats=3)
        await ann.play()
        known, hand = 0, 0
        for before, after in zip(ann.updates, ann.updates[1:], strict=False):
            assert after.sequence == before.sequence + 1
            assert not after.events_skipped
            if after.public.game.hand != hand:
                known, hand = 0, after.public.game.hand
            assert after.new_from == known
            known = len(after.public.game.events)


async def test_a_stream_goes_on_where_the_last_one_stopped() -> None:
    """What happened meanwhile is new in the first update; a sequence from nowhere is treated as missed events."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        turn = players[players[0].last.public.game.turn]
        away = players[(turn.seat + 1) % 3]
        await away.unwatch()
        sequence, known = away.last.sequence, len(away.last.public.game.events)
        await turn.answer(Claim.TAKE)
        await turn.until(lambda: turn.decision is not None and turn.decision.HasField("play"))
        first = await away.watch(after_sequence=sequence)
        assert (first.new_from, first.events_skipped) == (known, False)
        assert len(first.public.game.events) == known + 2
        await away.unwatch()
        first = await away.watch(after_sequence=10**9)
        assert (first.new_from, first.events_skipped) == (0, True)


async def test_a_stream_that_slept_through_a_hand_says_that_events_were_skipped() -> None:
    """The events of a hand that is over are not sent again."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        spectator = await Player.spectate(ground, ann.table)
        await spectator.unwatch()
        sequence = spectator.last.sequence
        await asyncio.gather(ann.play(hand=2), ben.play(hand=2))
        first = await spectator.watch(after_sequence=sequence)
        assert (first.new_from, first.events_skipped) == (0, True)
        await spectator.unwatch()
        first = await spectator.watch(after_sequence=0)
        assert first.events_skipped


async def test_a_slow_reader_loses_updates_between_and_is_right_with_the_next() -> None:
    """At most so many updates wait; of the rest only the latest is kept, which names all events since the last sent."""
    watcher = Watcher(token="", after_sequence=0, most=3)
    for sequence in range(1, 11):
        watcher.show(Shown(sequence, hand_from=0, told=sequence * 2, public=b"", private=None))
    got = [update_of(await anext(watcher))]
    assert (got[0].sequence, got[0].new_from, got[0].events_skipped) == (10, 0, False)
    watcher.show(Shown(11, hand_from=0, told=23, public=b"", private=None))
    got.append(update_of(await anext(watcher)))
    assert (got[1].sequence, got[1].new_from, got[1].events_skipped) == (11, 20, False)
    watcher.show(Shown(12, hand_from=30, told=33, public=b"", private=None))
    got.append(update_of(await anext(watcher)))
    assert (got[2].new_from, got[2].events_skipped) == (0, True)


async def test_a_stream_that_ends_says_why_behind_what_waits() -> None:
    """The last message is the reason, and only the first reason counts."""
    watcher = Watcher(token="", after_sequence=0, most=3)
    watcher.show(Shown(1, hand_from=0, told=0, public=b"", private=None))
    watcher.close(table_pb2.CLOSE_REASON_SHUTTING_DOWN, 500)
    watcher.close(table_pb2.CLOSE_REASON_REPLACED)
    assert update_of(await anext(watcher)).sequence == 1
    last = service_pb2.WatchResponse.FromString(await anext(watcher))
    assert last.closed == table_pb2.StreamClosed(reason=table_pb2.CLOSE_REASON_SHUTTING_DOWN, retry_after_ms=500)
    with pytest.raises(StopAsyncIteration):
        await anext(watcher)


async def test_a_slow_reader_does_not_hold_up_the_table() -> None:
    """A spectator that never reads costs a bounded queue, and the game goes on to its end."""
    async with playground(settings=Settings(options=AT_ONCE, queued_updates=4)) as ground:
        table = await ground.create(3)
        stream = ground.stub.Watch(service_pb2.WatchRequest(table=table))
        ann = await Player.join(ground, table, "Ann")
        await ann.until(lambda: ann.last.public.table.spectators == 1)
        await ann.start()
        await ann.play()
        assert ann.last.public.table.status == table_pb2.TABLE_STATUS_OVER
        stream.cancel()


async def test_a_silent_stream_beats() -> None:
    """Every 10 s a stream says that it is alive, with the sequence of its last update, unless an update just did."""
    async with playground(settings=Settings()) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        before, seen = len(ann.raw), ann.last.sequence
        ground.clock.advance(10)
        await ann.say("still here")
        await ann.until(lambda: ann.last.sequence > seen)
        # The update is all that has come: it said as much as a heartbeat.
        assert [service_pb2.WatchResponse.FromString(raw).HasField("update") for raw in ann.raw[before:]] == [True]
        ground.clock.advance(10)
        before = len(ann.raw)
        ground.clock.advance(10)
        await ann.until(lambda: len(ann.raw) > before)
        beat = service_pb2.WatchResponse.FromString(ann.raw[-1])
        assert beat == service_pb2.WatchResponse(heartbeat=table_pb2.Heartbeat(sequence=ann.last.sequence))
        ground.clock.advance(10)
        await ann.until(lambda: len(ann.raw) > before + 1)


async def test_streams_end_with_their_reason_when_the_server_stops() -> None:
    """A client is told when to come back, and calls are refused meanwhile."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        await ground.server.stop(5)
        await ann.until(lambda: ann.closed is not None)
        assert ann.closed == table_pb2.StreamClosed(reason=table_pb2.CLOSE_REASON_SHUTTING_DOWN, retry_after_ms=2000)


async def test_a_stream_cut_short_is_seen_by_the_others() -> None:
    """Whose stream is gone shows as not connected, and as connected again when it is back."""
    async with playground() as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        ben = await Player.join(ground, table, "Ben")
        await ann.until(lambda: ann.last.public.table.seats[1].connected)
        await ben.unwatch()
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        await ben.watch()
        await ann.until(lambda: ann.last.public.table.seats[1].connected)


async def test_a_request_is_not_kept_while_its_stream_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may have as many bytes as a request has at most, and an address has many streams."""
    requests: list[Message] = []
    request_of = Arrivals.request

    async def asked(arrivals: Arrivals, context: Context, kind: type[Message]) -> Message:
        requests.append(await request_of(arrivals, context, kind))
        return requests[-1]

    async with playground() as ground:
        table = await ground.create(2)
        with monkeypatch.context() as patched:
            patched.setattr(Arrivals, "request", asked)
            streams: list[Any] = [
                ground.stub.WatchTables(service_pb2.WatchTablesRequest(statuses=[table_pb2.TABLE_STATUS_LOBBY] * 1000)),
                ground.stub.Watch(service_pb2.WatchRequest(table=table, passcode="x" * 1000, sitting="y" * 1000)),
            ]
            for stream in streams:
                await stream.read()
        assert len(requests) == 2
        held = [sys.getrefcount(request) for request in requests]
        alone: list[Message] = [service_pb2.WatchRequest()]
        assert held == [sys.getrefcount(message) for message in alone] * 2
        for stream in streams:
            stream.cancel()
