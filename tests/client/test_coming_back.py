"""Who comes back finds his seat, and a host that is started again the tables that it had."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest
from client_program import host, run_program, stop
from server_table import Player, playground, seated

from shanghai.v1 import table_pb2
from shanghai_client.cli.joining import own_seat
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.own_seats import holds
from shanghai_client.receipt import Receipt


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


async def test_after_the_game_one_gets_ones_own_seat_back(tmp_path: Path) -> None:
    """Whoever names the table has the seat that he had, under whatever name, and no second one, nor one of a bot's."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        table = await ground.create(2)
        join = ("join", address, "--table", table)
        played = await run_program(*join, "--name", "Ann", "--auto", "--start", home=tmp_path)
        assert played.code == 0, played.err
        for name in ((), ("--name", "Ann")):
            again = await run_program(*join, *name, "--plain", home=tmp_path)
            assert f"Table {table}, seat 0: you are Ann." in again.err
            assert again.code == 0, again.err
        # Another name asks for another seat, here a bot's.
        other = await run_program(*join, "--name", "Eve", "--plain", home=tmp_path)
        assert f"Table {table}, seat 1: you are Eve." in other.err
        full = await run_program(*join, "--name", "Ann", "--plain", home=tmp_path)
        assert f"Table {table}, seat 0: you are Ann." in full.err


async def test_who_finds_no_table_that_waits_is_told_where_he_could_play_on(tmp_path: Path) -> None:
    """He sits alone at a new table then; who asks for a new one knows that."""
    async with playground() as ground:
        ann, *_ = await seated(ground, ("Ann",), seats=2)
        join = ("join", f"127.0.0.1:{ground.port}", "--plain")
        came = await run_program(*join, "--name", "Ben", home=tmp_path, typed="leave\nyes\n")
        sentence = "No table waits for players, so you make a new one; at a bot's seat you can play on here: --table "
        assert f"{sentence}{ann.table}\n" in came.err
        asked = await run_program(*join, "--new", "--name", "Cy", home=tmp_path, typed="leave\nyes\n")
        assert ann.table not in asked.err


async def test_a_host_that_is_started_again_opens_no_second_table(tmp_path: Path) -> None:
    """A table that is not finished goes on, and another one is opened beside it only on request."""
    where = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with host(tmp_path, *where, "--players", "2") as (process, address, first):
        begun = await run_program("join", address, "--name", "Ann", home=tmp_path, typed="start\nwait\nquit\n")
        assert begun.code == 0, begun.err
        assert await stop(process, signal.SIGTERM) == 0
    async with host(tmp_path, *where, "--players", "3") as (process, address, code):
        assert code == first
        assert process.stderr is not None
        said = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        assert said == (
            "What is unfinished goes on, and no table is opened, so --players is not used (--new opens one).\n"
        )
        assert len((await run_program("tables", address, home=tmp_path)).out.splitlines()) == 1
        assert await stop(process, signal.SIGTERM) == 0
    async with host(tmp_path, *where, "--new") as (process, address, code):
        assert code == first
        listed = (await run_program("tables", address, home=tmp_path)).out.splitlines()
        assert len(listed) == 2
        assert "waiting for players" in listed[1]
        assert await stop(process, signal.SIGTERM) == 0


def test_a_receipt_of_a_seat_that_is_held_no_longer_is_passed_over() -> None:
    """A seat that is free by now or a bot's, one at a table that is over, and another name's are not come back to."""
    person, bot, nobody = table_pb2.OCCUPANT_PERSON, table_pb2.OCCUPANT_BOT, table_pb2.OCCUPANT_NOBODY
    lobby, playing, over = table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_PLAYING, table_pb2.TABLE_STATUS_OVER
    tables = [
        table_pb2.TableSummary(table=code, status=status, seats=[table_pb2.Seat(occupant=occupant)])
        for code, status, occupant in (
            ("ENDED", over, person),
            ("EMPTY", lobby, nobody),
            ("STAND", playing, bot),
            ("MINEA", playing, person),
            ("MINEB", lobby, person),
        )
    ]

    def receipt(table: str, name: str = "Dan", seat: int = 0) -> Receipt:
        return Receipt.new(server="here:1", table=table, name=name).taken(seat=seat, commitment=b"")

    gone = [receipt("ENDED"), receipt("EMPTY"), receipt("STAND"), receipt("OTHER"), receipt("MINEA", seat=1)]
    assert own_seat(tables, gone, table=None, name="Dan") is None
    eve, dan, other = receipt("MINEB", name="Eve"), receipt("MINEA"), receipt("MINEB")
    assert own_seat(tables, [*gone, eve], table=None, name=None) == eve
    assert own_seat(tables, [*gone, eve, dan], table=None, name="Dan") == dan
    assert own_seat(tables, [*gone, eve, dan], table="MINEB", name=None) == eve
    assert own_seat(tables, [*gone, eve, dan], table="MINEA", name="Eve") is None
    with pytest.raises(WrongInput, match="2 seats there are yours: name one by --table MINEA --name Dan or --table M"):
        own_seat(tables, [*gone, dan, other], table=None, name="Dan")
    # Whoever names a table whose game is over means his seat there, too.
    assert own_seat(tables, gone, table="ENDED", name=None) == gone[0]
    assert own_seat(tables, gone, table="ENDED", name="Eve") is None


def test_a_seat_that_somebody_else_has_by_now_is_not_ones_own() -> None:
    """Who sits there has one's name, or it with the number that tells equal names apart; a private table tells none."""
    receipt = Receipt.new(server="here:1", table="MINEA", name="Dan").taken(seat=0, commitment=b"")
    long = Receipt.new(server="here:1", table="MINEA", name="D" * 24).taken(seat=0, commitment=b"")

    def there(name: str) -> table_pb2.TableSummary:
        seat = table_pb2.Seat(occupant=table_pb2.OCCUPANT_PERSON, name=name)
        return table_pb2.TableSummary(table="MINEA", seats=[seat])

    assert [name for name in ("Dan", "Dan 2", "", "Eve", "Daniel", "Eve 2") if holds(receipt, there(name))] == [
        "Dan",
        "Dan 2",
        "",
    ]
    assert holds(long, there("D" * 22 + " 2"))


async def test_whoever_was_lost_comes_back_to_his_seat_whatever_he_was_called_there(tmp_path: Path) -> None:
    """Without a name the one live seat of this machine comes before a new one; of several one is asked for by name."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        table = await ground.create(2)
        join = ("join", address)
        first = await run_program(*join, "--table", table, "--name", "Root Kai", home=tmp_path, typed="quit\n")
        assert f"Table {table}, seat 0: you are Root Kai." in first.err
        other = await ground.create(2)
        for ways in (join, (*join, "--table", table)):
            again = await run_program(*ways, home=tmp_path, typed="quit\n")
            assert f"Table {table}, seat 0: you are Root Kai." in again.err
            assert "You have a seat" not in again.err
        said = await run_program(*join, "--table", other, "--name", "Eve", home=tmp_path, typed="quit\n")
        assert f"Table {other}, seat 0: you are Eve." in said.err
        both = await run_program(*join, home=tmp_path)
        assert both.code == 2
        assert f"--table {other} --name Eve or --table {table} --name 'Root Kai'" in " ".join(both.err.split())
        there = await run_program(*join, "--name", "Eve", home=tmp_path, typed="quit\n")
        assert f"You have a seat at {table} as Root Kai, too: " in there.err
        assert f"Table {other}, seat 0: you are Eve." in there.err
