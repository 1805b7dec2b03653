"""The client on the whole screen: how soon one can play, how soon a key is seen, and what it costs while it waits.

The times stand beside those of the least program that this library allows, on the same terminal in the same run.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from bench.at_terminal import BARE, OURS, AtTerminal, at_terminal
from bench.scripted_table import ScriptedTable
from bench.serving import Serving, data_folder, game_server
from bench.target import Target

STARTS = 5
KEYS = 40
ORDERS = ("by rank", "by suit", "your order", "by use")
"""What Tab makes of the order of one's hand, from the first on."""
SECONDS = 10.0
UPDATES = 50.0
"""Updates a second that a busy table shows."""
_READY = "p pass"
_PLAY = ("play", "--seed", "bench", "--name", "Ann")


def measure() -> Iterator[object]:
    """Start it, press Tab, and let it wait in three ways."""
    with data_folder() as folder:
        yield from _starts(Path(folder))
        yield from _keys(Path(folder))
        yield from asyncio.run(_waits(Path(folder)))


def _starts(folder: Path) -> Iterator[object]:
    make = (os.environ.get("MAKE", "make"), "--no-print-directory", "play", f"ARGS={' '.join(_PLAY[1:])}")
    ours = [_start(make, _READY, folder / f"start {number}") for number in range(STARTS)]
    bare = [_start(BARE, "picture 0", folder) for _number in range(STARTS)]
    yield Target("`make play` to the first decision (median), seconds", median(ours), 1.5)
    yield f"{median(ours) / median(bare):.1f} times the start of a bare screen, {median(bare):.2f} s"


def _start(program: tuple[str, ...], shown: str, home: Path) -> float:
    begun = time.monotonic()
    with at_terminal(program, home) as terminal:
        return terminal.until_shown(shown) - begun


def _keys(folder: Path) -> Iterator[object]:
    with at_terminal((*OURS, *_PLAY), folder / "keys") as terminal:
        terminal.until_shown(_READY)
        ours = _pressed(terminal, list(islice(cycle(ORDERS), KEYS)))
    with at_terminal(BARE, folder) as terminal:
        terminal.until_shown("picture 0")
        bare = _pressed(terminal, [f"line 23 of picture {number}" for number in range(1, KEYS + 1)])
    yield Target("a key to its picture (median), milliseconds", ours * 1e3, 50)
    yield f"{ours / bare:.1f} times a bare screen, {bare * 1e3:.1f} ms"


def _pressed(terminal: AtTerminal, pictures: list[str]) -> float:
    times = []
    for picture in pictures:
        begun = time.monotonic()
        terminal.press("\t")
        times.append(terminal.until_shown(picture) - begun)
    return median(times)


async def _waits(folder: Path) -> list[object]:
    async with game_server(str(folder / "data")) as server:
        address = f"127.0.0.1:{server.port}"
        waiting = await asyncio.to_thread(
            _wait, ("join", address, "--new", "--name", "Ann"), "You are the host", folder
        )
        clock = ("join", address, "--new", "--name", "Ben", "--start", "--offer-time", "60", "--turn-time", "60")
        ticking = await asyncio.to_thread(_wait, clock, _READY, folder)
        busy, updates = await _watched(server, address, folder)
    return [
        Target("a client that waits, per cent of a core", waiting * 100, 1),
        Target("with a clock running, per cent of a core", ticking * 100, 4),
        Target(f"at {updates:.0f} updates a second, per cent of a core", busy * 100, 40 * min(1, updates / UPDATES)),
    ]


def _wait(arguments: tuple[str, ...], shown: str, folder: Path) -> float:
    with at_terminal((*OURS, *arguments), folder / "waits") as terminal:
        terminal.until_shown(shown)
        terminal.read(1)
        return terminal.share(SECONDS)


async def _watched(server: Serving, address: str, folder: Path) -> tuple[float, float]:
    """Watch a table of scripted seats; give the share of a core and the updates a second."""
    async with server.channel() as channel:
        table = ScriptedTable(channel, seats=4)
        await table.open()
        playing = asyncio.create_task(_play(table))
        try:
            program = (*OURS, "watch", address, "--table", table.code)
            return await asyncio.to_thread(_busy, program, folder, table)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await table.close()


async def _play(table: ScriptedTable) -> None:
    """Let the seats answer one after another, so often that the table shows about as many updates as are wanted."""
    due = time.monotonic()
    while not table.is_over:
        shown = table.updates
        while table.updates == shown and not table.is_over:
            await table.act_once()
            await asyncio.sleep(0)
        due += 1 / UPDATES
        await asyncio.sleep(max(0.0, due - time.monotonic()))


def _busy(program: tuple[str, ...], folder: Path, table: ScriptedTable) -> tuple[float, float]:
    with at_terminal(program, folder / "busy") as terminal:
        terminal.until_shown("Hand ")
        terminal.read(1)
        before, begun = table.updates, time.monotonic()
        share = terminal.share(SECONDS)
        return share, (table.updates - before) / (time.monotonic() - begun)
