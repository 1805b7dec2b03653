"""The games that `play` keeps: found again, listed, chosen, forgotten, and their records."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from client_program import PROGRAM, Terminal, environment, run_program, short_rules
from screen_person import Person


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """Give the path of rules for a short game."""
    return short_rules(tmp_path, hands=2)


def games_in(home: Path) -> list[Path]:
    """Give the folders of the kept games, the last begun first."""
    folder = home / "data" / "shanghai-rum" / "games"
    return sorted(folder.iterdir(), reverse=True) if folder.exists() else []


async def begin(home: Path, rules: str, *more: str) -> None:
    """Begin a game, and keep it."""
    ran = await run_program("play", "--plain", "--rules", rules, "--pace", "0", *more, home=home, typed="wait\nquit\n")
    assert ran.code == 0, ran.err


async def test_a_kept_game_is_not_played_by_a_bot_unasked(tmp_path: Path, rules: str) -> None:
    """Without a terminal --resume wants to be told who plays: commands from the pipe, or a bot."""
    await begin(tmp_path, rules)
    kept = games_in(tmp_path)
    ran = await run_program("play", "--resume", home=tmp_path)
    assert ran.code == 2
    assert "there is no terminal here: with --resume say --plain" in ran.err
    assert games_in(tmp_path) == kept
    gone_on = await run_program("play", "--resume", "--plain", home=tmp_path, typed="wait\nhand\nquit\n")
    assert "Hand 1 of 2" in gone_on.out


async def test_the_record_of_a_kept_game_is_written_when_it_is_over(tmp_path: Path, rules: str) -> None:
    """Where the record shall stand is kept with the game, and another place can be named later."""
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    await begin(tmp_path, rules, "--record", str(first))
    assert str(first) in (await run_program("play", "--kept", home=tmp_path)).out
    ended = await run_program("play", "--resume", "--auto", home=tmp_path)
    assert ended.code == 0, ended.err
    assert f"The record is in {str(first)!r}." in ended.err
    assert (await run_program("verify", str(first), home=tmp_path)).code == 0
    await begin(tmp_path, rules, "--record", "first.jsonl.old")
    again = await run_program("play", "--resume", "--auto", "--record", str(second), home=tmp_path)
    assert again.code == 0, again.err
    assert (await run_program("verify", str(second), home=tmp_path)).code == 0
    assert games_in(tmp_path) == []


async def test_a_kept_record_that_cannot_be_written_any_more_keeps_the_game(tmp_path: Path, rules: str) -> None:
    """When another file stands by now where the record should be, nothing is lost, and the way out is named."""
    record = tmp_path / "g.jsonl"
    await begin(tmp_path, rules, "--record", str(record))
    record.write_text("something else\n", encoding="utf-8")
    ran = await run_program("play", "--resume", "--auto", home=tmp_path)
    assert ran.code == 2
    assert "--record names another file for it" in ran.err
    assert record.read_text(encoding="utf-8") == "something else\n"
    assert len(games_in(tmp_path)) == 1


async def test_kept_games_are_listed_chosen_and_forgotten(tmp_path: Path, rules: str) -> None:
    """Each kept game has a number, by which an older one is gone on with or removed."""
    nothing = await run_program("play", "--kept", home=tmp_path)
    assert (nothing.code, nothing.out) == (0, "No game is kept.\n")
    await begin(tmp_path, rules, "--players", "2", "--name", "Ann")
    await begin(tmp_path, rules, "--players", "3", "--name", "Ben")
    older, newer = sorted(games_in(tmp_path), key=lambda path: path.stat().st_mtime_ns)
    # Two games that were begun in the same second may stand in either order.
    lines = (await run_program("play", "--kept", home=tmp_path)).out.splitlines()
    assert len(lines) == 2
    number = next(place for place, line in enumerate(lines, start=1) if "2 players, as Ann" in line)
    assert re.match(rf" {number}  Your game of .+ \(hand 1 of 2, 2 players, as Ann\)$", lines[number - 1])
    gone_on = await run_program("play", "--resume", str(number), "--plain", home=tmp_path, typed="wait\ntable\nquit\n")
    assert "Ann (you)" in gone_on.out
    missing = await run_program("play", "--forget", "3", home=tmp_path)
    assert missing.code == 2
    assert "there is no kept game 3: they have the numbers 1 to 2, and --kept lists them" in missing.err
    # What was played last is the first.
    forgotten = await run_program("play", "--forget", "1", home=tmp_path)
    assert forgotten.code == 0, forgotten.err
    assert "is removed" in forgotten.out
    assert games_in(tmp_path) == [newer]
    assert not older.exists()


async def test_the_game_that_was_played_last_is_offered_and_the_others_are_named(tmp_path: Path, rules: str) -> None:
    """Not the one that was begun last: who has tried another one meanwhile finds the own one first."""
    await begin(tmp_path, rules, "--players", "2", "--name", "Ann")
    older = games_in(tmp_path)
    await begin(tmp_path, rules, "--players", "3", "--name", "Ben")
    listed = (await run_program("play", "--kept", home=tmp_path)).out.splitlines()
    assert ["as Ben" in line for line in listed] == [True, False]
    await run_program("play", "--resume", "2", "--plain", home=tmp_path, typed="wait\nquit\n")
    # Where that is not written down, it is when the game was begun.
    (tmp_path / "data" / "shanghai-rum" / "games" / "20200101-000000-abcd").mkdir()
    listed = (await run_program("play", "--kept", home=tmp_path)).out.splitlines()
    assert ["as Ann" in line for line in listed] == [True, False, False]
    assert "2020" not in listed[0]
    assert (older[0] / "last-played").is_file()
    person = Person("play", home=tmp_path)
    try:
        person.until_shown("n a new game")
        assert person.shows("2 players, as Ann) is not")
        assert person.shows("2 other games are kept: ")
        assert person.shows("--kept")
    finally:
        person.close()


async def test_a_game_that_another_program_plays_is_not_forgotten(tmp_path: Path, rules: str) -> None:
    """A game that is being played now stays, and is listed as such."""
    terminal = Terminal("play", "--rules", rules, "--name", "Zoe", home=tmp_path)
    try:
        await terminal.expect("? >")
        listed = await run_program("play", "--kept", home=tmp_path)
        assert "(as Zoe): another program is playing it" in listed.out
        refused = await run_program("play", "--forget", "1", home=tmp_path)
        assert refused.code == 1
        assert "stays: another program is playing it" in refused.err
    finally:
        terminal.close()
    assert len(games_in(tmp_path)) == 1


async def test_a_game_that_a_bot_plays_is_not_kept(tmp_path: Path) -> None:
    """When whoever read the output has gone, no game is left that the player never began."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        "play",
        "--auto",
        "--pace",
        "0.05",
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    await asyncio.wait_for(process.stdout.readline(), 60)
    process.stdout._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 (there is no other way to hang up)
    assert await asyncio.wait_for(process.stderr.read(), 60) == b""
    await process.wait()
    assert games_in(tmp_path) == []


async def test_options_that_a_kept_game_cannot_follow_begin_a_new_one(tmp_path: Path, rules: str) -> None:
    """Asked for otherwise than it was begun, a kept game is named and left; with --resume that is wrong input."""
    await begin(tmp_path, rules, "--players", "2", "--name", "Ann")
    new = Terminal("play", "--players", "3", "--name", "Ann", "--rules", rules, home=tmp_path)
    try:
        await new.expect(
            "is kept; this is a new one, because of --players, --rules (--resume goes on with the old one)"
        )
        await new.expect("? >")
        await new.type("leave yes")
        assert await new.ended() == 0
    finally:
        new.close()
    alike = Terminal("play", "--players", "2", "--name", "Ann", home=tmp_path)
    try:
        await alike.expect("is not finished. Go on with it? [Y/n]:")
        # One Ctrl-C is enough: nothing has been begun yet.
        alike.interrupt()
        assert await alike.ended() == 130
    finally:
        alike.close()
    refused = await run_program("play", "--resume", "--plain", "--players", "3", home=tmp_path)
    assert refused.code == 2
    assert "--players cannot be used with --resume: a kept game goes on as it was begun" in refused.err
    assert len(games_in(tmp_path)) == 1


def answered(home: Path, key: str) -> Person:
    """Give a person who was asked about a kept game, once that could be read, and pressed a key."""
    person = Person("play", home=home)
    person.until_shown("n a new game")
    assert person.shows("2 players, as Ann) is not")
    assert person.shows("Go on with it? If you begin a new game, this one stays kept.")
    # A key that was pressed before anybody could have read the question would be none of its answers.
    person.read(0.4, quiet=0.4)
    person.press(key)
    return person


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("\x03", 130)])
async def test_a_kept_game_is_asked_about_on_the_whole_screen(tmp_path: Path, rules: str, key: str, code: int) -> None:
    """What is asked before the table has a page of its own, which can be left with the terminal as it was."""
    await begin(tmp_path, rules, "--players", "2", "--name", "Ann")
    person = answered(tmp_path, key)
    try:
        assert person.ended() == code
        assert person.attributes() == person.before
        assert len(games_in(tmp_path)) == 1
    finally:
        person.close()


@pytest.mark.parametrize(("key", "title"), [("n", "Hand 1/10"), ("\r", "Hand 1/2 ")])
async def test_a_key_says_which_game_is_played(tmp_path: Path, rules: str, key: str, title: str) -> None:
    """Enter goes on with the kept game, n begins another beside it."""
    await begin(tmp_path, rules, "--players", "2", "--name", "Ann")
    person = answered(tmp_path, key)
    try:
        person.until(lambda: title in person.title, title)
        assert len(games_in(tmp_path)) == (2 if key == "n" else 1)
    finally:
        person.close()
