"""Sixty tables of four scripted seats, each decision answered a second after it appears, against a bare server.

The bare server answers the same calls at the same moments and sends the same bytes to the same streams; a second run of
it fans four messages out after every call, which is what the words "a call and a fan-out to four" say. What counts is
the processor time of the server's process for an action, and the time from a call to the last of its table's streams.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import statistics
import time
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc.aio

from bench.bare_host import CALL, STREAM, Script, call_bytes, stream_bytes
from bench.scripted_table import ScriptedTable, Told
from bench.serving import data_folder, serving

TABLES = 60
SEATS = 4
PAUSE = 1.0
WARM_UP = 6.0
SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Cost:
    """What a server took: seconds of processor time for an action, and seconds from a call to all streams (median)."""

    actions: int
    cpu: float
    latency: float


def measure() -> Iterator[str]:
    """Play, then replay what was said to the bare server."""
    with data_folder() as folder:
        ours, tables, fsync = asyncio.run(_play(Path(folder)))
        same = asyncio.run(_replay(Path(folder), tables))
        full = asyncio.run(_replay(Path(folder), [[_fanned(told) for told in table] for table in tables]))
    yield (
        f"{ours.cpu / full.cpu:.2f} times a bare call and fan-out to four, {ours.cpu / same.cpu:.2f} times a bare "
        f"server that sends just the same messages: processor time for an action, {_us(ours.cpu)} against "
        f"{_us(full.cpu)} and {_us(same.cpu)}; {ours.actions} actions of {TABLES} tables in {SECONDS:.0f} s"
    )
    yield (
        f"{ours.latency / full.latency:.2f} times the bare, {(ours.latency - fsync) / full.latency:.2f} without one "
        f"fsync: from a call to all four seats (median), {_us(ours.latency)} against {_us(full.latency)}, an fsync "
        f"{_us(fsync)}"
    )


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} µs"


async def _play(folder: Path) -> tuple[Cost, list[list[Told]], float]:
    async with serving("bench.game_host", str(folder / "data")) as server, server.channels(TABLES) as channels:
        tables = [ScriptedTable(channel, SEATS, PAUSE) for channel in channels]
        # One after another within a second, or else all would act at the same moments ever after.
        for table in tables:
            await asyncio.gather(table.open(), asyncio.sleep(PAUSE / TABLES))
        await asyncio.sleep(WARM_UP)
        before, began = server.cpu(), time.perf_counter()
        fsync = await _fsync(folder, SECONDS)
        cpu, ended = server.cpu() - before, time.perf_counter()
        for table in tables:
            await table.close()
    told = [[each for each in table.told if began <= each.at < ended] for table in tables]
    return _cost(cpu, told), told, fsync


def _cost(cpu: float, tables: Iterable[Iterable[Told]]) -> Cost:
    told = [each for table in tables for each in table]
    return Cost(len(told), cpu / len(told), statistics.median(each.done - each.at for each in told if each.done))


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
        before, start = server.cpu(), time.perf_counter()
        await asyncio.gather(
            *(table.play(channel, start - began) for table, channel in zip(again, channels, strict=True))
        )
        await asyncio.sleep(1)
        cpu = server.cpu() - before
        for table in again:
            table.close()
    return _cost(cpu, [table.told for table in again])


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

    def close(self) -> None:
        """Let go of them."""
        for task in self._tasks:
            task.cancel()

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
            await asyncio.sleep(max(told.at + shift - time.perf_counter(), 0))
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
