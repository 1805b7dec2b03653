"""The program as people and other programs use it, from its start to its end, in processes of its own."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from pathlib import Path

import pytest
from client_program import Terminal, host, run_program, short_rules, stop
from server_table import Player, playground


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """Give the path of rules for a short game."""
    return short_rules(tmp_path, hands=2)


def parts_of_records(folder: Path) -> list[str]:
    """Give the names of records that were begun and not finished."""
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


async def test_play_without_a_terminal_says_so_and_lets_a_bot_play(tmp_path: Path, rules: str) -> None:
    """A game runs to its end by itself, prints its sheet on stdout, and leaves a record that verifies."""
    record = tmp_path / "g.jsonl"
    ran = await run_program("play", "--rules", rules, "--record", str(record), "--name", "Ann", home=tmp_path)
    assert ran.code == 0, ran.err
    assert ran.err.splitlines() == [
        "There is no terminal here, so a bot plays your seat (--auto); --plain reads commands."
    ]
    assert re.search(r"^1\. .+ points?$", ran.out, re.MULTILINE)
    assert "Ann (you)" in ran.out
    verified = await run_program("verify", str(record), home=tmp_path)
    assert verified.code == 0
    assert "It is the game that the table promised you" in verified.out
    found = json.loads((await run_program("verify", "--json", str(record), home=tmp_path)).out)
    assert found == {"lawful": True, "lines": len(record.read_text().splitlines()), "receipt": True}
    # Nobody shall think that the names were checked too.
    text = record.read_text(encoding="utf-8")
    renamed = tmp_path / "renamed.jsonl"
    renamed.write_text(text.replace('"Ann"', '"Eve"'), encoding="utf-8")
    assert "only the players' names are not checked" in (await run_program("verify", str(renamed), home=tmp_path)).out
    elsewhere = await run_program("verify", str(record), home=tmp_path / "other")
    assert "receipt" not in elsewhere.out
    assert not list((tmp_path / "data" / "shanghai-rum" / "games").iterdir())
    assert parts_of_records(tmp_path) == []


async def test_a_record_is_told_and_checked(tmp_path: Path, rules: str) -> None:
    """`replay` tells a record whole or by hand, `verify` names the first line that cannot be right."""
    record = tmp_path / "g.jsonl"
    await run_program("play", "--auto", "--rules", rules, "--record", str(record), home=tmp_path)
    whole = await run_program("replay", str(record), home=tmp_path)
    second = await run_program("replay", "--hand", "2", str(record), home=tmp_path)
    assert whole.code == second.code == 0
    assert "Hand 1: " in whole.out
    assert "Hand 1: " not in second.out
    assert second.out.strip() in whole.out
    none = await run_program("replay", "--hand", "3", str(record), home=tmp_path)
    assert none.code == 2
    assert "has no hand 3: it has 2" in none.err
    lines = record.read_text(encoding="utf-8").splitlines()
    # The deal says which card the stock gives, so that any other is wrong.
    place = next(place for place, line in enumerate(lines) if '"from":"stock"' in line)
    drawn = json.loads(lines[place])
    lines[place] = json.dumps(drawn | {"card": "2C" if drawn["card"] != "2C" else "3C"})
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused = await run_program("verify", str(damaged), home=tmp_path)
    assert refused.code == 1
    assert f"line {place + 1}: " in refused.out
    found = json.loads((await run_program("verify", "--json", str(damaged), home=tmp_path)).out)
    assert (found["lawful"], found["line"]) == (False, place + 1)


async def test_a_record_file_that_is_there_stays_until_the_game_is_over(tmp_path: Path) -> None:
    """An older record is overwritten only by --force, and stays as it was where the game is not finished."""
    record = tmp_path / "g.jsonl"
    record.write_text("the old one\n", encoding="utf-8")
    for command in (("play", "--plain"), ("join", "localhost:1", "--name", "Ann")):
        refused = await run_program(*command, "--record", str(record), home=tmp_path)
        assert refused.code == 2
        assert f"the record {str(record)!r} cannot be written: the file is there already" in refused.err
        assert "only --force overwrites it" in refused.err
    ran = await run_program("play", "--plain", "--force", "--record", str(record), home=tmp_path, typed="quit\n")
    assert ran.code == 0, ran.err
    assert record.read_text(encoding="utf-8") == "the old one\n"
    assert parts_of_records(tmp_path) == []


async def test_a_game_is_played_from_a_pipe(tmp_path: Path, rules: str) -> None:
    """Commands from a pipe play without a prompt: `wait` holds each back until something is asked."""
    typed = "# a script\nwait\ntable\nhand\nlegal\npass\nwait\nfold\nquit\n"
    ran = await run_program("play", "--plain", "--rules", rules, "--pace", "0", home=tmp_path, typed=typed)
    assert ran.code == 0, ran.err
    assert "Your hand, 6 cards" in ran.out
    assert "You may: " in ran.out
    assert "'fold' is no command: help lists them" in ran.err
    assert ran.err.splitlines()[-1] == "The game is kept: shanghai-rum play goes on with it."
    assert ">" not in {line.strip() for line in ran.out.splitlines()}


async def test_an_unfinished_game_is_gone_on_with(tmp_path: Path, rules: str) -> None:
    """A kept game is named when a new one is begun, gone on with by --resume, and gone when it is over."""
    games = tmp_path / "data" / "shanghai-rum" / "games"
    first = await run_program(
        "play", "--plain", "--rules", rules, "--players", "3", "--pace", "0", home=tmp_path, typed="wait\nquit\n"
    )
    assert first.code == 0, first.err
    kept = list(games.iterdir())
    assert len(kept) == 1
    new = await run_program("play", "--auto", "--rules", rules, home=tmp_path)
    assert re.search(r"Your game of .+ \(hand 1 of 2, 3 players, as .+\) is kept; this is a new one", new.err)
    assert list(games.iterdir()) == kept
    hand = [line for line in first.out.splitlines() if line.startswith("Your hand, ")]
    again = await run_program("play", "--plain", "--resume", home=tmp_path, typed="wait\nquit\n")
    assert again.code == 0, again.err
    assert hand == [line for line in again.out.splitlines() if line.startswith("Your hand, ")]
    ended = await run_program("play", "--auto", "--resume", home=tmp_path)
    assert ended.code == 0, ended.err
    assert "* went out" in ended.out
    assert list(games.iterdir()) == []
    none = await run_program("play", "--auto", "--resume", home=tmp_path)
    assert (none.code, none.err) == (1, "shanghai-rum: there is no unfinished game to go on with\n")


async def test_an_unfinished_game_is_offered_on_a_terminal(tmp_path: Path, rules: str) -> None:
    """On a terminal the kept game is offered; Ctrl-C, twice, keeps it again and is exit code 130."""
    await run_program("play", "--plain", "--rules", rules, home=tmp_path, typed="wait\nquit\n")
    terminal = Terminal("play", home=tmp_path)
    try:
        await terminal.expect("is not finished. Go on with it? [Y/n]:")
        await terminal.type("y")
        await terminal.expect("Hand 1 of 2: 1 set of 3")
        await terminal.expect("? >")
        await terminal.press("c")
        await terminal.expect("Ctrl-C again ends the program, and keeps your seat")
        await terminal.expect("? >")
        await terminal.press("c")
        await terminal.expect("The game is kept: shanghai-rum play goes on with it.")
        assert await terminal.ended() == 130
    finally:
        terminal.close()


@pytest.mark.long
async def test_a_game_is_hosted_joined_watched_and_listed(tmp_path: Path, rules: str) -> None:
    """Two programs play a game on a third, a fourth watches, a fifth lists the table; the host stops in good order."""
    data = tmp_path / "games"
    hosting = host(
        tmp_path,
        "--listen",
        "127.0.0.1:0",
        "--data",
        str(data),
        "--rules",
        rules,
        "--players",
        "4",
        "--bots",
        "1",
        "--pace",
        "0",
    )
    async with hosting as (process, address, code):
        listed = await run_program("tables", address, home=tmp_path)
        assert listed.out.startswith(f"{code}  waiting for players")
        assert "Bot 1, 3 free seats" in listed.out
        watching = asyncio.create_task(run_program("watch", address, home=tmp_path))
        record = tmp_path / "ann.jsonl"
        ann = Terminal("join", address, "--name", "Ann", "--auto", "--record", str(record), home=tmp_path)
        try:
            await ann.expect("You are the host")
        except BaseException:
            ann.close()
            raise
        ben = Terminal("join", address, "--table", code.lower(), "--name", "Ben", home=tmp_path)
        try:
            await ben.expect("The host starts the game.")
            await ben.type("start")
            await ben.expect("Only the host of the table starts the game")
            await ben.type("leave")
            assert await ben.ended() == 0
            await ann.expect("Ben sits down on seat 2.")
            await ann.expect("Ben has left seat 2.")
        finally:
            ann.close()
            ben.close()
        again = await run_program(
            "join", address, "--name", "Ann", home=tmp_path, typed="who\nstart\nwait\nhand\nquit\n"
        )
        assert again.code == 0, again.err
        assert f"Table {code}, seat 0: you are Ann." in again.err
        assert "Your hand, 6 cards" in again.out
        assert f"Your seat is kept: shanghai-rum join {address} --table {code} --name Ann" in again.err
        ended = await run_program(
            "join", address, "--table", code, "--name", "Ann", "--auto", "--record", str(record), home=tmp_path
        )
        assert ended.code == 0, ended.err
        watched = await asyncio.wait_for(watching, 60)
        assert watched.code == 0, watched.err
        assert "* went out" in watched.out
        assert "Your hand" not in watched.out
        assert (await run_program("verify", str(record), home=tmp_path)).code == 0
        over = json.loads((await run_program("tables", address, "--json", home=tmp_path)).out)
        assert (over["table"], over["status"]) == (code, "over")
        assert await stop(process, signal.SIGTERM) == 0
    async with host(tmp_path, "--listen", "127.0.0.1:0", "--data", str(data)) as (process, address, other):
        # What is over does not keep a table from being opened.
        assert other != code
        assert code in (await run_program("tables", address, home=tmp_path)).out
        assert await stop(process, signal.SIGINT) == 0


async def test_the_end_of_a_pipe_gives_the_seat_up(tmp_path: Path) -> None:
    """A player whose input ends leaves the table: before the game the seat is free again."""
    async with playground() as ground:
        table = await ground.create(2)
        other = await Player.join(ground, table, "Ben")
        ran = await run_program("join", f"127.0.0.1:{ground.port}", "--name", "Ann", home=tmp_path, typed="who\n")
        assert ran.code == 0, ran.err
        assert "seat 1: Ann (you" in ran.out
        await other.until(lambda: other.last.public.table.seats[1].name == "")
        await other.unwatch()


async def test_a_full_table_is_a_failure_and_not_wrong_input(tmp_path: Path) -> None:
    """A table whose seats are taken is exit code 1, with the server's sentence."""
    async with playground() as ground:
        table = await ground.create(2)
        players = [await Player.join(ground, table, name) for name in ("Ben", "Cleo")]
        ran = await run_program(
            "join", f"127.0.0.1:{ground.port}", "--table", table, "--name", "Ann", home=tmp_path, typed=""
        )
        for player in players:
            await player.unwatch()
    assert ran.code == 1
    assert ran.err == f"shanghai-rum: all 2 seats of the table {table} are taken\n"


async def test_the_rules_are_printed_whole_by_number_and_by_what_differs(tmp_path: Path, rules: str) -> None:
    """A reader gets all sixteen chapters, one rule, or what a preset and a file change."""
    whole = await run_program("rules", home=tmp_path)
    assert [line.split()[0] for line in whole.out.splitlines() if re.match(r"R\d+ ", line)] == [
        f"R{number}" for number in range(1, 17)
    ]
    assert "'standard' is the standard" in whole.out
    one = await run_program("rules", "R7.4", home=tmp_path)
    assert one.out.startswith("R7.4 ")
    literal = await run_program("rules", "literal", home=tmp_path)
    assert "reshuffles is 0 instead of 1" in literal.out
    house = await run_program("rules", "--rules", rules, home=tmp_path)
    assert "1  1 set of 3; 6 cards dealt, 3 buys at most" in house.out
    fields = json.loads((await run_program("rules", "literal", "--json", home=tmp_path)).out)
    assert fields["reshuffles"] == 0


async def test_every_command_has_help(tmp_path: Path) -> None:
    """The command and each sub-command say what they are, and the exit codes are in the help."""
    whole = await run_program("--help", home=tmp_path)
    assert whole.code == 0
    assert "130 interrupted" in " ".join(whole.out.split())
    for name in ("play", "host", "join", "watch", "tables", "replay", "verify", "rules"):
        assert f"  {name} " in whole.out
        own = await run_program(name, "--help", home=tmp_path)
        assert own.code == 0
        assert own.out.startswith(f"Usage: shanghai-rum {name}")
        if name == "host":
            assert str(tmp_path / "data" / "shanghai-rum" / "host") in "".join(own.out.split())
    nothing = await run_program(home=tmp_path)
    assert nothing.code == 2


async def test_who_joins_under_another_name_is_told_of_the_seat_that_he_has(tmp_path: Path) -> None:
    """The seat of an earlier name is not taken by itself, but the line that leads back there is said."""
    async with host(tmp_path, "--listen", "127.0.0.1:0", "--data", str(tmp_path / "games")) as (
        _process,
        address,
        code,
    ):
        first = await run_program("join", address, "--plain", "--name", "RootKai", home=tmp_path, typed="quit\n")
        assert first.code == 0
        again = await run_program("join", address, "--plain", "--name", "Root", home=tmp_path, typed="quit\n")
        line = f"shanghai-rum join {address} --table {code} --name RootKai takes you back there."
        assert f"You have a seat at {code} as RootKai, too: {line}" in again.err
        assert "RootKai takes you back" not in first.err
