"""Who comes back finds his seat, and a host that is started again the tables that it had."""

from __future__ import annotations

from pathlib import Path

from client_program import run_program
from server_table import Player, playground


async def test_who_comes_back_without_a_code_gets_his_own_seat(tmp_path: Path) -> None:
    """A seat that this user holds under this name comes before a table that waits, unless a new table is asked for."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        table = await ground.create(2)
        ben = await Player.join(ground, table, "Ben")
        dan = ("join", address, "--name", "Dan")
        first = await run_program(*dan, home=tmp_path, typed="quit\n")
        assert f"Table {table}, seat 1: you are Dan." in first.err
        waiting = await ground.create(2)
        again = await run_program(*dan, home=tmp_path, typed="quit\n")
        assert f"Table {table}, seat 1: you are Dan." in again.err
        await ben.start()
        running = await run_program(*dan, home=tmp_path, typed="quit\n")
        assert f"Table {table}, seat 1: you are Dan." in running.err
        other = await run_program("join", address, "--name", "Eve", home=tmp_path, typed="quit\n")
        assert f"Table {waiting}, seat 0: you are Eve." in other.err
        new = await run_program(*dan, "--new", home=tmp_path, typed="leave\n")
        assert f"Table {table}" not in new.err
        assert f"Table {waiting}" not in new.err
        # A seat that was given up is held no longer.
        await run_program(*dan, "--table", table, home=tmp_path, typed="leave\n")
        gone = await run_program(*dan, home=tmp_path, typed="quit\n")
        assert f"Table {table}" not in gone.err
        await ben.unwatch()
