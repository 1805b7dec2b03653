"""Room for the answers to one address: who waits for it gets it in turn, and is woken for it and for nothing else."""

from __future__ import annotations

import asyncio
import functools
import types
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hand_clock import HandClock

from shanghai_server.house.peers import Peers
from shanghai_server.house.settings import Settings

HERE, THERE = "192.0.2.1", "192.0.2.2"


class Lists:
    """Streams of lists to one address or another: who waits, who sends, and how often each has been put to sleep."""

    def __init__(self, *, room: int) -> None:
        """Let an address have so many bytes on their way."""
        self.peers = Peers(Settings(untaken_bytes_per_peer=room), HandClock())
        self.sending: list[str] = []
        self.sleeps: Counter[str] = Counter()
        self._through: dict[str, asyncio.Event] = {}
        self._streams: dict[str, asyncio.Task[None]] = {}

    async def send(self, name: str, size: int, *, peer: str = HERE) -> None:
        """Let a stream send so many bytes as soon as there is room."""
        self._through[name] = asyncio.Event()
        self._streams[name] = asyncio.create_task(self._run(name, size, peer))
        await settled()

    def is_through(self, name: str) -> None:
        """Let the bytes of a stream get through, of which nobody knows yet."""
        self._through[name].set()

    async def through(self, name: str) -> None:
        """Let the bytes of a stream get through."""
        self.is_through(name)
        await settled()

    async def cut(self, *names: str) -> None:
        """Break streams, all in one moment."""
        for name in names:
            self._streams[name].cancel()
        await settled()

    async def end(self) -> None:
        """Break all streams."""
        await self.cut(*self._streams)
        for stream in self._streams.values():
            assert stream.done()

    async def _run(self, name: str, size: int, peer: str) -> None:
        await counted(self._send(name, size, peer), lambda: self._sleeps(name))

    def _sleeps(self, name: str) -> None:
        if name not in self.sending:
            self.sleeps[name] += 1

    async def _send(self, name: str, size: int, peer: str) -> None:
        async with self.peers.sending(peer, size):
            self.sending.append(name)
            await self._through[name].wait()


@types.coroutine
def counted(stream: Coroutine[Any, Any, None], put_to_sleep: Callable[[], None]) -> Generator[Any, Any, None]:
    """Do what a stream does, and say each time that it waits."""
    step = functools.partial(stream.send, None)
    while True:
        try:
            waits_for = step()
        except StopIteration:
            return
        put_to_sleep()
        try:
            yield waits_for
        except asyncio.CancelledError as cut:
            step = functools.partial(stream.throw, cut)
        else:
            step = functools.partial(stream.send, None)


async def settled() -> None:
    """Let all that can go on do so."""
    for _ in range(20):
        await asyncio.sleep(0)


@asynccontextmanager
async def lists(*, room: int) -> AsyncIterator[Lists]:
    """Give streams of lists, which are broken at the end; there is all the room again then."""
    found = Lists(room=room)
    try:
        yield found
    finally:
        await found.end()
    for peer in (HERE, THERE):
        found.peers.sends(peer, room - 1)
        found.peers.check_untaken(peer)


async def test_who_waits_for_room_is_woken_once_when_there_is_room_for_it() -> None:
    """Of a crowd one goes on for each answer that gets through, in the order in which they came; all others sleep."""
    async with lists(room=100) as streams:
        names = [f"stream {number}" for number in range(40)]
        for name in names:
            await streams.send(name, 100)
        for number, name in enumerate(names, 1):
            assert streams.sending == names[:number]
            await streams.through(name)
        assert streams.sleeps == dict.fromkeys(names[1:], 1)


async def test_as_many_are_woken_as_there_is_room_for() -> None:
    """A long answer that got through makes room for several short ones."""
    async with lists(room=100) as streams:
        await streams.send("long", 100)
        for name in "abcd":
            await streams.send(name, 40)
        await streams.through("long")
        # The third begins while there is still room, as it would where nobody waits.
        assert streams.sending == ["long", "a", "b", "c"]
        await streams.through("a")
        assert streams.sending == ["long", "a", "b", "c", "d"]


async def test_who_comes_later_does_not_go_first() -> None:
    """The room that was made is that of who has waited for it."""
    async with lists(room=100) as streams:
        await streams.send("first", 100)
        await streams.send("second", 100)
        streams.is_through("first")
        await streams.send("third", 100)
        assert streams.sending == ["first", "second"]


async def test_addresses_wait_for_themselves_alone() -> None:
    """Where one takes nothing, another sends on."""
    async with lists(room=100) as streams:
        await streams.send("here", 100)
        await streams.send("here, too", 100)
        await streams.send("there", 100, peer=THERE)
        assert streams.sending == ["here", "there"]


@pytest.mark.parametrize("in_the_same_moment", [False, True])
async def test_who_goes_while_it_waits_takes_no_room(in_the_same_moment: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """Also where room is made for it in the very moment in which it goes: the next one has it."""
    async with lists(room=100) as streams:
        for name in ("first", "gone", "next"):
            await streams.send(name, 100)
        if in_the_same_moment:
            # Both happen before the one who waits is its own master again.
            streams.is_through("first")
            await asyncio.sleep(0)
            assert streams.sending == ["first"]
        await streams.cut("gone")
        await streams.through("first")
        assert streams.sending == ["first", "next"]
