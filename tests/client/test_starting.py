"""A game that is joined is started: by commands from a pipe, by an option, and by a bot on the host's seat."""

from __future__ import annotations

import asyncio
from pathlib import Path

from client_program import run_program
from server_table import Player, playground


async def test_a_pipe_starts_the_game_of_a_new_table(tmp_path: Path) -> None:
    """The first line from a pipe waits for the table, so start may be it; `wait` is over when something is asked."""
    async with playground() as ground:
        ran = await run_program(
            "join",
            f"127.0.0.1:{ground.port}",
            "--new",
            "--plain",
            "--name",
            "Ann",
            home=tmp_path,
            typed="start\nwait\nhand\npass\nquit\n",
        )
    assert ran.code == 0, ran.err
    assert "bots take the 3 free seats" in ran.out
    assert "Your hand, 11 cards" in ran.out
    assert "heard" not in ran.err
    assert "nothing is asked" not in ran.err


async def test_a_bot_on_the_hosts_seat_starts_on_request_and_when_every_seat_is_taken(tmp_path: Path) -> None:
    """With --start a new table's game begins at once with bots; without it a bot waits until nobody is missing."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        table = await ground.create(2)
        at_once = await run_program("join", address, "--table", table, "--auto", "--start", home=tmp_path)
        assert at_once.code == 0, at_once.err
        assert "* went out" in at_once.out
        other = await ground.create(2)
        waiting = asyncio.create_task(
            run_program("join", address, "--table", other, "--auto", "--name", "Ann", home=tmp_path)
        )
        spectator = await Player.spectate(ground, other)
        await spectator.until(lambda: spectator.last.public.table.seats[0].connected)
        late = await run_program("join", address, "--table", other, "--auto", "--start", "--name", "Ben", home=tmp_path)
        assert late.code == 0, late.err
        assert "* went out" in late.out
        assert (await asyncio.wait_for(waiting, 60)).code == 0
        await spectator.unwatch()


async def test_who_is_not_the_host_is_told_that_he_cannot_start(tmp_path: Path) -> None:
    """--start of somebody else than the host changes nothing, and is said."""
    async with playground() as ground:
        table = await ground.create(3)
        ben = await Player.join(ground, table, "Ben")
        ran = await run_program(
            "join", f"127.0.0.1:{ground.port}", "--start", "--name", "Ann", home=tmp_path, typed="quit\n"
        )
        assert ran.code == 0, ran.err
        assert "Only the host of the table starts the game, so --start is not used." in ran.err
        await ben.unwatch()
