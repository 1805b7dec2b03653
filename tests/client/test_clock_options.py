"""The terms of a table are set on the command line, its clocks in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from client_program import host, run_program
from server_table import Player, playground

from shanghai.v1 import table_pb2
from shanghai_client.cli.terms import Terms
from shanghai_client.connection import Connection
from shanghai_client.watching import watch

GIVEN = ("--offer-time", "7.5", "--turn-time", "0", "--grace", "5", "--pause", "0", "--pace", "0.2")
ASKED = (7_500, 0, 5_000, 0, 200)


def times(options: table_pb2.TableOptions) -> tuple[int, ...]:
    """Give the clocks of a table in milliseconds, in the order in which they are given above."""
    return options.offer_ms, options.turn_ms, options.grace_ms, options.pause_ms, options.bot_pace_ms


def test_clocks_that_are_not_given_are_left_to_the_server() -> None:
    """An absent option is absent in the request too, and 0 is not."""
    options = Terms(turn_time=0).options()
    assert [field.name for field, _ in options.ListFields()] == ["turn_ms"]
    assert options.turn_ms == 0


async def test_a_new_table_has_the_clocks_that_were_asked_for(tmp_path: Path) -> None:
    """`join` gives a table that it makes its clocks, and says so where it makes none."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        made = await run_program("join", address, "--new", "--name", "Ann", *GIVEN, home=tmp_path, typed="quit\n")
        assert made.code == 0, made.err
        table = made.err.split()[1].rstrip(",")
        spectator = await Player.spectate(ground, table)
        assert times(spectator.last.public.table.options) == ASKED
        await spectator.unwatch()
        again = await run_program("join", address, "--name", "Ann", "--pause", "3", home=tmp_path, typed="quit\n")
    assert f"The table {table} is there already, so --pause is not used (--new makes one)." in again.err


async def test_a_new_table_is_as_the_lobby_could_make_it(tmp_path: Path) -> None:
    """Its name, its spectators, latecomers and hints are options of `join` and `host`, too, for who plays by lines."""
    terms = ("--title", "Friday", "--spectator-delay", "3", "--no-latecomers", "--no-hints")
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        made = await run_program("join", address, "--new", "--name", "Ann", *terms, home=tmp_path, typed="quit\n")
        assert made.code == 0, made.err
        said = " ".join(made.out.split())
        assert "'Friday': waiting for players." in said
        assert "No hints are shown. Who looks on sees everything 3 seconds later." in said
        assert "Nobody takes a bot's seat once the game is on." in said
        async with await Connection.to(address) as connection:
            (listed,) = await connection.tables()
        assert (listed.name, listed.spectators_allowed, listed.latecomers_allowed) == ("Friday", True, False)
        again = await run_program("join", address, "--name", "Ann", "--no-hints", home=tmp_path, typed="quit\n")
        assert "is there already, so --no-hints is not used" in again.err
    where = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"))
    async with (
        host(tmp_path, *where, "--title", "Friday", "--no-spectators") as (_, address, _code),
        await Connection.to(address) as connection,
    ):
        (opened,) = await connection.tables()
    assert (opened.name, opened.spectators_allowed, opened.latecomers_allowed) == ("Friday", False, True)


def test_terms_that_are_not_given_are_left_to_the_server() -> None:
    """Each is absent in the request where it was not said, also where no would be false."""
    assert Terms().options() == table_pb2.TableOptions()
    options = Terms(spectators=False, latecomers=True, hints=True).options()
    assert [field.name for field, _ in options.ListFields()] == ["latecomers", "spectators", "no_hints"]
    assert (options.spectators, options.latecomers, options.no_hints) == (False, True, False)


async def test_a_hosted_table_has_the_clocks_that_were_asked_for(tmp_path: Path) -> None:
    """`host` gives the table that it opens its clocks."""
    async with (
        host(tmp_path, "--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), *GIVEN) as (_, address, code),
        await Connection.to(address) as connection,
    ):
        sights = watch(connection, code)
        first = await anext(sights)
        await sights.aclose()
    assert isinstance(first, table_pb2.Update)
    assert times(first.public.table.options) == ASKED


@pytest.mark.parametrize(("option", "seconds"), [("--offer-time", "-1"), ("--grace", "86401")])
async def test_a_clock_that_cannot_be_is_wrong_input(tmp_path: Path, option: str, seconds: str) -> None:
    """A negative time and one of more than a day are refused with the option's name."""
    ran = await run_program("join", "localhost:1", option, seconds, home=tmp_path)
    assert ran.code == 2
    assert option in ran.err
