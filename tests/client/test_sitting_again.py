"""A machine that wakes up does not throw its player off the one at which he sits by now."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from client_program import Terminal
from server_table import playground
from sleeping_proxy import SleepingProxy

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended
from shanghai_client.kit import play_seat
from shanghai_client.receipt import Receipt
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost, StreamEnded
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_server.journal.memory_journal import MemoryJournal

SAID = "another client has taken this seat over, so this one stops"


async def test_a_client_that_was_asleep_leaves_the_seat_to_the_one_that_came_meanwhile() -> None:
    """It hears neither of the newer one nor of its own end, comes back by itself, and is told so then."""
    async with playground() as ground, SleepingProxy(ground.port) as proxy:
        table = await ground.create(2)
        receipt = Receipt.new(server="", table=table, name="Ann")
        async with (
            await Connection.to(f"127.0.0.1:{proxy.port}") as far,
            await Connection.to(f"127.0.0.1:{ground.port}") as near,
        ):
            laptop = await Seat.join(far, receipt)
            async with aclosing(laptop.watch()) as seen_there:
                assert isinstance(await anext(seen_there), table_pb2.Update)
                asleep = proxy.sleep()
                tablet = await Seat.join(near, receipt)
                async with aclosing(tablet.watch()) as seen_here:
                    assert isinstance(await anext(seen_here), table_pb2.Update)
                    proxy.wake(asleep)
                    kinds = [type(sight) async for sight in seen_there]
                    assert kinds[0] is Lost
                    assert kinds[-2:] == [Back, StreamEnded]
                    await tablet.say("still here")
                    update = await anext(seen_here)
                    assert isinstance(update, table_pb2.Update)
                    assert [line.text for line in update.public.table.chat] == ["still here"]
            # To sit down again at the laptop is to join again, which a person does.
            again = await Seat.join(far, receipt)
            async with aclosing(again.watch()) as seen_there:
                assert isinstance(await anext(seen_there), table_pb2.Update)


async def test_a_client_comes_back_to_its_seat_as_often_as_its_connection_breaks() -> None:
    """Its own sitting is never taken for another, be it found again by its token alone."""
    async with playground() as ground, SleepingProxy(ground.port) as proxy:
        table = await ground.create(2)
        receipt = Receipt.new(server="", table=table, name="Ann")
        async with await Connection.to(f"127.0.0.1:{proxy.port}") as connection:
            await Seat.join(connection, receipt)
            seat = await Seat.again(connection, receipt)
            async with aclosing(seat.watch()) as sights:
                assert isinstance(await anext(sights), table_pb2.Update)
                for _ in range(3):
                    proxy.wake(proxy.sleep())
                    async for sight in sights:
                        assert isinstance(sight, Lost | Back | table_pb2.Update)
                        if isinstance(sight, table_pb2.Update):
                            break


async def test_a_bot_of_the_kit_stops_where_another_plays_its_seat() -> None:
    """`play_seat` raises `Ended`, with the seat still held, as it does where it is replaced while connected."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground, SleepingProxy(ground.port) as proxy:
        table = await ground.create(2)
        receipt = Receipt.new(server="", table=table, name="Ann")
        async with (
            await Connection.to(f"127.0.0.1:{proxy.port}") as far,
            await Connection.to(f"127.0.0.1:{ground.port}") as near,
        ):
            old = await Seat.join(far, receipt)
            begun = asyncio.Event()
            playing = asyncio.create_task(play_seat(old, LEVELS[DEFAULT_LEVEL].decide, on_scene=lambda _: begun.set()))
            await asyncio.wait_for(begun.wait(), 60)
            asleep = proxy.sleep()
            new = await Seat.join(near, receipt)
            async with aclosing(new.watch()) as sights:
                await anext(sights)
                proxy.wake(asleep)
                with pytest.raises(Ended, match=SAID) as ended:
                    await asyncio.wait_for(playing, 60)
                assert not ended.value.lost_seat


async def test_the_program_leaves_the_seat_to_the_one_that_was_started_later(tmp_path: Path) -> None:
    """Two `join` of one person: the first loses its connection unheard, and ends when it is awake; the second plays."""
    async with playground() as ground, SleepingProxy(ground.port) as proxy:
        table = await ground.create(2)
        join = ("join", f"127.0.0.1:{proxy.port}", "--table", table, "--name", "Ann")
        first = Terminal(*join, home=tmp_path)
        try:
            await first.expect(f"Table {table}, seat 0: you are Ann.")
            await first.expect("seat 1")
            asleep = proxy.sleep()
            second = Terminal(*join, home=tmp_path)
            try:
                await second.expect(f"Table {table}, seat 0: you are Ann.")
                await second.expect("seat 1")
                proxy.wake(asleep)
                await first.expect(SAID)
                assert await first.ended() == 1
                await second.type("say still here")
                await second.expect("Ann says: still here")
            finally:
                second.close()
        finally:
            first.close()
