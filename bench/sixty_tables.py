"""Sixty tables of four scripted seats, each decision answered a second after it appears, against a bare server.

Ours serves as `shanghai-rum host` does, also in what it tells the library; the bare one as the library comes.
The bare server answers the same calls at the same moments and sends the same bytes to the same streams; a second run of
it fans four messages out after every call, which is what the words "a call and a fan-out to four" say. What counts is
the processor time of the server's process for an action, and the time from a call to the last of its table's streams.

All three take turns, some seconds each, so that they meet the same neighbours on the machine; the ratio of each turn is
taken, and the median of these told, with the least and the greatest.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import statistics
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc.aio

from bench.bare_host import CALL, STREAM, Script, call_bytes, stream_bytes
from bench.scripted_table import ScriptedTable, Told
from bench.serving import Serving, data_folder, game_server, serving

TABLES = 60
SEATS = 4
PAUSE = 1.0
TURNS = 6
LEAD = 2.0
"""The seconds at the beginning of each turn that do not count."""
SECONDS = 6.0
"""The seconds of each turn that do."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a server took: seconds of processor time for an action, and seconds from a call to all streams (median)."""

    actions: int
    cpu: float
    latency: float


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of each server, and the seconds that an fsync took beside ours (median).

    `full` is the bare server that sends four messages after every call, `same` the one that sends what ours sent.
    """

    ours: Cost
    full: Cost
    same: Cost
    fsync: float


@dataclass(frozen=True, slots=True)
class Window:
    """A span of time, as `time.perf_counter` has it, and what is before it and does not count."""

    led: float
    opens: float
    closes: float

    def cost(self, cpu: float, tables: Iterable[Iterable[Told]]) -> Cost:
        """Give the cost of what was told in it, for so many seconds of processor time."""
        told = [each for table in tables for each in table if self.opens <= each.at < self.closes]
        return Cost(len(told), cpu / len(told), statistics.median(each.done - each.at for each in told if each.done))

    @classmethod
    def from_now(cls) -> Window:
        """Give the one that begins to lead up now."""
        now = time.perf_counter()
        return cls(now, now + LEAD, now + LEAD + SECONDS)

    async def cpu(self, server: Serving) -> float:
        """Wait until it is over, and give the processor time that a server took in it."""
        await _until(self.opens)
        before = server.cpu()
        await _until(self.closes)
        return server.cpu() - before


async def _until(moment: float) -> None:
    await asyncio.sleep(max(moment - time.perf_counter(), 0))


def measure() -> Iterator[str]:
    """Play by turns, and replay after each what was said in it to the bare server."""
    with data_folder() as folder:
        turns = asyncio.run(_measure(Path(folder)))
    actions = sum(turn.ours.actions for turn in turns)
    yield (
        f"{_median(turns, lambda turn: turn.ours.cpu / turn.full.cpu)} times a bare call and fan-out to four, "
        f"{_median(turns, lambda turn: turn.ours.cpu / turn.same.cpu)} times a bare server that sends just the same "
        f"messages: processor time for an action, {_us(turns, lambda turn: turn.ours.cpu)} against "
        f"{_us(turns, lambda turn: turn.full.cpu)} and {_us(turns, lambda turn: turn.same.cpu)}; {actions} actions of "
        f"{TABLES} tables in {len(turns)} turns"
    )
    yield (
        f"{_median(turns, lambda turn: turn.ours.latency / turn.full.latency)} times the bare, "
        f"{_median(turns, lambda turn: (turn.ours.latency - turn.fsync) / turn.full.latency)} without one fsync: from "
        f"a call to all four seats (median), {_us(turns, lambda turn: turn.ours.latency)} against "
        f"{_us(turns, lambda turn: turn.full.latency)}, an fsync {_us(turns, lambda turn: turn.fsync)}"
    )


def _median(turns: list[Turn], ratio: Callable[[Turn], float]) -> str:
    ratios = [ratio(turn) for turn in turns]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _us(turns: list[Turn], seconds: Callable[[Turn], float]) -> str:
    return f"{statistics.median(seconds(turn) for turn in turns) * 1e6:.0f} µs"


async def _measure(folder: Path) -> list[Turn]:
    async with game_server(str(folder / "data")) as server, server.channels(TABLES) as channels:
        tables = [ScriptedTable(channel, SEATS, PAUSE) for channel in channels]
        for table in tables:
            table.hold()
            await table.open()
        turns = [await _turn(folder, server, tables) for _ in range(TURNS)]
        for table in tables:
            await table.close()
    return turns


async def _turn(folder: Path, server: Serving, tables: list[ScriptedTable]) -> Turn:
    window = Window.from_now()
    for place, table in enumerate(tables):
        # One after another within a second, or else all would act at the same moments.
        table.go_on(place * PAUSE / TABLES)
    cpu, fsync = await asyncio.gather(window.cpu(server), _fsync(folder, LEAD + SECONDS))
    for table in tables:
        table.hold()
    # What was answered just now is still to be shown, and what follows from it to be kept.
    await asyncio.sleep(2 * PAUSE)
    told = [[each for each in table.told if window.led <= each.at < window.closes] for table in tables]
    full = await _replay(folder, [[_fanned(each) for each in table] for table in told])
    same = await _replay(folder, told)
    return Turn(window.cost(cpu, told), full, same, fsync)


def _fanned(told: Told) -> Told:
    """Give a call after which every stream has one message, of the bytes that were sent at all, or of a usual size."""
    return Told(told.at, told.size, [messages[:1] or [bytes(_USUAL)] for messages in told.messages], told.done)


_USUAL = 900
"""The bytes of a usual update of four seats."""


async def _replay(folder: Path, tables: list[list[Told]]) -> Cost:
    script: Script = [[told.messages for told in table] for table in tables]
    path = folder / "script"
    path.write_bytes(pickle.dumps(script))
    began = min(told.at for table in tables for told in table)
    async with serving("bench.bare_host", str(path)) as server, server.channels(len(tables)) as channels:
        again = [BareTable(number, told) for number, told in enumerate(tables)]
        for table, channel in zip(again, channels, strict=True):
            await table.open(channel)
        window = Window.from_now()
        plays = [table.play(channel, window.led - began) for table, channel in zip(again, channels, strict=True)]
        played = asyncio.gather(*plays)
        cpu = await window.cpu(server)
        await played
        await asyncio.sleep(PAUSE)
        for table in again:
            await table.close()
    return window.cost(cpu, [table.told for table in again])


class BareTable:
    """The calls and the streams of one table, made once more to a bare server."""

    def __init__(self, number: int, script: list[Told]) -> None:
        """Take what is to be said."""
        self._number = number
        self._script = script
        self.told: list[Told] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, channel: grpc.aio.Channel) -> None:
        """Open the streams."""
        self._tasks = [asyncio.create_task(self._watch(channel, stream)) for stream in range(SEATS)]
        await asyncio.sleep(0)

    async def close(self) -> None:
        """Let go of them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _watch(self, channel: grpc.aio.Channel, stream: int) -> None:
        watch: Any = channel.unary_stream(STREAM)
        call = watch(stream_bytes(self._number, stream))
        got = 0
        # Which call a message follows: the messages of a stream come in their order.
        due = [number for number, told in enumerate(self._script) for _ in told.messages[stream]]
        async for _ in call:
            told = self.told[due[got]]
            told.messages[stream].append(b"")
            got += 1
            if all(
                len(have) >= len(want)
                for have, want in zip(told.messages, self._script[due[got - 1]].messages, strict=True)
            ):
                told.done = time.perf_counter()

    async def play(self, channel: grpc.aio.Channel, shift: float) -> None:
        """Make each call at its moment."""
        call: Any = channel.unary_unary(CALL)
        calls = []
        for number, told in enumerate(self._script):
            await _until(told.at + shift)
            self.told.append(Told(time.perf_counter(), told.size, [[] for _ in range(SEATS)]))
            calls.append(asyncio.ensure_future(_done(call(call_bytes(self._number, number, told.size)))))
        await asyncio.gather(*calls)


async def _done(call: Awaitable[object]) -> None:
    await call


async def _fsync(folder: Path, seconds: float) -> float:
    """Give the seconds that a write of a usual append and its fsync take (median), a few times a second for so long."""
    file = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    taken = []

    def write() -> None:
        began = time.perf_counter()
        os.write(file, bytes(4096))
        os.fsync(file)
        taken.append(time.perf_counter() - began)

    try:
        for _ in range(round(seconds * 4)):
            await asyncio.gather(asyncio.to_thread(write), asyncio.sleep(0.25))
    finally:
        os.close(file)
    return statistics.median(taken)
