"""Clients that are frozen, or that never read: they are noticed, and cost neither memory nor anybody's time."""

from __future__ import annotations

import asyncio
import os
import signal
import statistics
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from server_process import ServerProcess, server_process
from server_table import AT_ONCE, Player, Playground, fresh_id

from shanghai.v1 import service_pb2
from shanghai_server.doors.server import PING_MS, QUIET_MS
from shanghai_server.standing.option import options_message

PROGRAM = Path(__file__).parent / "watch_until_killed.py"
NOTICED_WITHIN_MS = 15_000
"""After so long a frozen client is seen as gone, on a machine that has nothing else to do."""
COST = 50 * 2**20
"""What so many slow spectators may cost a server, in bytes."""


@asynccontextmanager
async def watching(server: ServerProcess, table: str, token: str, number: int, how: str) -> AsyncIterator[Process]:
    """Let another process watch while the block runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(PROGRAM), str(server.port), table, token, str(number), how, stdout=PIPE
    )
    assert process.stdout is not None
    try:
        assert await asyncio.wait_for(process.stdout.readline(), 60) == b"watching\n"
        yield process
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def table_of(server: ServerProcess, *names: str) -> AsyncIterator[tuple[Playground, list[Player]]]:
    """Seat players at a table; the first of them watches."""
    ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
    made = await ground.stub.CreateTable(
        service_pb2.CreateTableRequest(request_id=fresh_id(), seats=len(names), options=options_message(AT_ONCE))
    )
    players = [await Player.join(ground, made.table, name, watch=not place) for place, name in enumerate(names)]
    yield ground, players
    await players[0].unwatch()


@pytest.mark.long
async def test_a_frozen_client_is_noticed(tmp_path: Path) -> None:
    """A player whose process is stopped (SIGSTOP) shows as away within 15 seconds, and as back once it goes on."""
    async with server_process(tmp_path / "data") as server, table_of(server, "Ann", "Ben") as (_, (ann, ben)):
        async with watching(server, ben.table, ben.token.hex(), 1, "read") as process:
            await ann.until(lambda: ann.last.public.table.seats[1].connected)
            os.kill(process.pid, signal.SIGSTOP)
            await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        async with watching(server, ben.table, ben.token.hex(), 1, "read"):
            await ann.until(lambda: ann.last.public.table.seats[1].connected)
    # By the clock of the connection: a busy machine takes longer for the same.
    assert QUIET_MS + PING_MS < NOTICED_WITHIN_MS


async def talk(ann: Player, updates: int) -> list[float]:
    """Say so many things, each of which is an update for everybody; gives the seconds that each answer took."""
    took = []
    for number in range(updates):
        began = time.perf_counter()
        await ann.say(f"line {number} {'.' * 100}")
        took.append(time.perf_counter() - began)
    return took


@pytest.mark.long
@pytest.mark.parametrize("how", ["ignore", "freeze"])
@pytest.mark.parametrize(
    ("spectators", "updates"), [(10, 1000), pytest.param(50, 20_000, marks=pytest.mark.soak)], ids=["sample", "full"]
)
async def test_spectators_that_do_not_read_cost_nothing(
    tmp_path: Path, how: str, spectators: int, updates: int
) -> None:
    """Neither the memory of the server grows by more than 50 MiB, nor does anybody at the table wait longer.

    Longer than at another table at the same time, so that it does not matter what else the machine does.
    """
    async with (
        server_process(tmp_path / "data") as server,
        table_of(server, "Ann", "Ben") as (_, (ann, _)),
        table_of(server, "Cleo", "Dan") as (_, (cleo, _)),
    ):
        # What the tables themselves take is taken before.
        await talk(ann, 300)
        await talk(cleo, 300)
        before = server.memory()
        async with watching(server, ann.table, "-", spectators, "ignore") as process:
            await ann.until(lambda: ann.last.public.table.spectators == spectators)
            if how == "freeze":
                os.kill(process.pid, signal.SIGSTOP)
            most, longer = 0, []
            for _ in range(10):
                watched = statistics.median(await talk(ann, updates // 10))
                longer.append(watched - 3 * statistics.median(await talk(cleo, updates // 10)))
                most = max(most, server.memory())
        assert most - before < COST
        # The best of ten counts: the other work of the machine comes and goes.
        assert min(longer) < 0.005
