"""Ends that nobody wished for: signals, closed streams, folders that go away; nothing is lost, and nothing is left."""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
import sys
import termios
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from client_program import PROGRAM, Ran, as_bytes, environment, run_program, short_rules
from server_table import playground

from shanghai_client.cli.main import run
from shanghai_client.cli.wrong import Failed
from shanghai_client.plain.lines import LONGEST, PipeLines
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.seat import Seat


@pytest.fixture
def rules(tmp_path: Path) -> str:
    """Give the path of rules for a short game."""
    return short_rules(tmp_path, hands=1)


def games_in(home: Path) -> list[Path]:
    """Give everything that lies where the kept games do."""
    folder = home / "data" / "shanghai-rum" / "games"
    return sorted(folder.iterdir()) if folder.exists() else []


def files_in(folder: Path) -> list[str]:
    """Give the names of the files in a folder, hidden ones among them."""
    return [path.name for path in folder.iterdir() if path.is_file()]


async def begun(home: Path, *arguments: str) -> asyncio.subprocess.Process:
    """Begin a slow game of bots, and give its process once it has printed a line."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        "play",
        "--auto",
        "--pace",
        "0.05",
        *arguments,
        env=environment(home),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readline(), 60)
    return process


async def run_redirected(
    redirection: str, *arguments: str, home: Path, variables: Mapping[str, str] | None = None
) -> Ran:
    """Run the program by a shell that redirects its streams."""
    process = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        f'exec "$@" {redirection}',
        "sh",
        *PROGRAM,
        *as_bytes(arguments),
        env=environment(home) | dict(variables or {}),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode is not None
    return Ran(process.returncode, out.decode(), err.decode())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
async def test_an_interrupted_game_of_bots_says_what_becomes_of_it(tmp_path: Path, number: signal.Signals) -> None:
    """Whatever signal ends it, the program says that such a game is not kept, and leaves nothing of it."""
    process = await begun(tmp_path, "--record", str(tmp_path / "g.jsonl"))
    process.send_signal(number)
    _, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 130
    assert err.decode().split("\n")[0] == (
        "The game was a bot's alone and is not kept: shanghai-rum play begins another."
    )
    assert games_in(tmp_path) == []
    assert files_in(tmp_path) == []


async def test_the_record_of_a_finished_game_is_not_lost_with_its_folder(tmp_path: Path, rules: str) -> None:
    """When the record cannot be written at the end, the finished game is kept until it is written elsewhere."""
    folder = tmp_path / "records"
    folder.mkdir()
    process = await begun(tmp_path, "--rules", rules, "--record", str(folder / "g.jsonl"))
    folder.rmdir()
    _, err = await asyncio.wait_for(process.communicate(), 120)
    assert process.returncode == 1
    (line,) = err.decode().splitlines()
    assert f"the record {str(folder / 'g.jsonl')!r} could not be written: No such file or directory" in line
    assert "shanghai-rum play --resume --record FILE writes its record" in line
    assert "(over, 4 players" in (await run_program("play", "--kept", home=tmp_path)).out
    record = tmp_path / "g.jsonl"
    resumed = await run_program("play", "--resume", "--record", str(record), home=tmp_path)
    assert resumed.code == 0, resumed.err
    assert "is the game that the table promised you" in (await run_program("verify", str(record), home=tmp_path)).out
    assert games_in(tmp_path) == []


@pytest.mark.parametrize("arguments", [["--plain"], ["--auto"]], ids=lambda arguments: arguments[0])
async def test_a_closed_input_is_an_empty_one(tmp_path: Path, rules: str, arguments: list[str]) -> None:
    """Without a standard input there is nobody who types, and the program ends by itself."""
    ran = await run_redirected("<&-", "play", "--rules", rules, *arguments, home=tmp_path)
    assert (ran.code, ran.err) == (0, "")


async def test_a_closed_output_takes_nothing(tmp_path: Path, rules: str) -> None:
    """Without a standard output a game is played and its record written, and verified by its exit code."""
    record = tmp_path / "g.jsonl"
    played = await run_redirected(">&-", "play", "--auto", "--rules", rules, "--record", str(record), home=tmp_path)
    assert (played.code, played.err) == (0, "")
    verified = await run_redirected(">&- 2>&-", "verify", str(record), home=tmp_path)
    assert verified.code == 0


async def test_an_encoding_without_a_sign_shows_its_escape(tmp_path: Path, rules: str) -> None:
    """A name that the output's encoding cannot say is escaped there."""
    ran = await run_redirected(
        "",
        "play",
        "--auto",
        "--rules",
        rules,
        "--name",
        "Zo\xeb",
        home=tmp_path,
        variables={"PYTHONIOENCODING": "ascii"},
    )
    assert (ran.code, ran.err) == (0, "")
    assert r"Zo\xeb (you)" in ran.out


async def test_watch_needs_no_home(tmp_path: Path) -> None:
    """Where no log can be written, a table is watched without one: here there is only none to watch."""
    home = tmp_path / "home"
    home.touch()
    async with playground() as ground:
        ran = await run_program("watch", f"127.0.0.1:{ground.port}", home=home)
    assert ran.code == 2
    assert "there is no table to watch" in ran.err


async def test_a_folder_that_looking_has_made_again_is_removed(tmp_path: Path) -> None:
    """A game that another program ended in this moment leaves no empty folder behind, and is not listed again."""
    folder = tmp_path / "data" / "shanghai-rum" / "games" / "20261129-213005-3f2a"
    folder.mkdir(parents=True)
    receipt = Receipt.new(server=f"play:{folder.name}", table="ABCDE", name="Ann")
    ReceiptBook(tmp_path / "data" / "shanghai-rum" / "receipts").keep(receipt.taken(seat=0, commitment=b"c" * 32))
    assert "cannot be gone on with" in (await run_program("play", "--kept", home=tmp_path)).out
    assert games_in(tmp_path) == []


def test_a_game_that_never_began_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What ends the program between making the table and the start leaves no game and no receipt."""

    async def fails(seat: Seat) -> None:
        del seat
        raise Failed("it was not to be")

    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Seat, "start", fails)
    assert run(["play", "--plain"]) == 1
    assert capsys.readouterr().err == "shanghai-rum: it was not to be\n"
    assert games_in(tmp_path) == []
    assert list((tmp_path / "data" / "shanghai-rum" / "receipts").iterdir()) == []


_STOPPED_WHILE_LOADING = """
import sys

class Stopped:
    def find_spec(self, name, *others):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stopped())
from shanghai_client.cli.starting import main
main()
"""
"""The program, at which somebody presses Ctrl-C while it loads a module."""


@pytest.mark.parametrize("module", ["shanghai_client.cli.main", "click", "shanghai_client.language"])
async def test_ctrl_c_while_the_program_is_loaded_ends_it_quietly(tmp_path: Path, module: str) -> None:
    """No traceback is shown, and the exit code is that of an interrupt, however early it comes."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _STOPPED_WHILE_LOADING, module),
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert await process.communicate() == (b"", b"")
    assert process.returncode == 130


async def test_an_input_without_end_leaves_the_program_alive(tmp_path: Path) -> None:
    """Lines that never end hold up neither the game nor the signal that ends the program."""
    endless, feed = os.pipe()
    feeder = await asyncio.create_subprocess_exec("yes", "wait", stdout=feed)
    os.close(feed)
    try:
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, "play", "--plain", env=environment(tmp_path), stdin=endless, stdout=asyncio.subprocess.PIPE
        )
        os.close(endless)
        assert process.stdout is not None
        await asyncio.wait_for(process.stdout.readline(), 60)
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 130
    finally:
        # Its pipe has broken where all went well.
        with suppress(ProcessLookupError):
            feeder.kill()
        await feeder.wait()


async def test_a_line_without_end_is_read_and_not_kept() -> None:
    """Of a long line the beginning counts, and what follows it is a command again."""
    stream = io.StringIO("x" * (3 * LONGEST) + "\nwait\n")
    lines = PipeLines(stream, lambda: "")
    entered = [await lines.next() for _time in range(3)]
    assert [None if each is None else each.text for each in entered] == ["x" * LONGEST, "wait", None]


@pytest.mark.parametrize("arguments", [("play", "--players", "2"), ("play", "--players", "2", "--plain"), ("lobby",)])
@pytest.mark.parametrize("controls", [True, False])
async def test_a_terminal_that_is_closed_ends_the_program_as_an_interrupt(
    arguments: tuple[str, ...], tmp_path: Path, *, controls: bool
) -> None:
    """Whether the terminal tells its program by a signal or not, the exit code is a documented one."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    # The terminal that a session opens first is its own: only then is the program told that it hangs up.
    opening = f"exec <>{os.ttyname(theirs)} >&0 2>&0; " if controls else ""
    process = await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        f'{opening}exec "$@"',
        "sh",
        *PROGRAM,
        *arguments,
        env=environment(tmp_path) | {"TERM": "xterm-256color"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while not any(sign in shown for sign in (b"Hand 1", b"hand 1", b"Where to")):
        await asyncio.to_thread(select.select, [ours], [], [], 60)
        shown += os.read(ours, 1 << 16)
    os.close(ours)
    assert await asyncio.wait_for(process.wait(), 60) == 130
