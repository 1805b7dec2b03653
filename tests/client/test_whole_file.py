"""Files that the program keeps, and those that its user names: no pipe, device or depth of brackets holds it up."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from client_program import PROGRAM, environment, run_program
from test_rough_ends import run_redirected

from shanghai_client import folders, whole_file
from shanghai_client.cli.house_rules import read_rules
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.failure import NoFolder
from shanghai_client.language import speaking
from shanghai_client.pins import BadPins, PinBook
from shanghai_client.receipt import NotKept, Receipt, ReceiptBook
from shanghai_client.system_errors import why
from shanghai_client.whole_file import NoFile, read_given, read_own, write_own


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _deep(path: Path) -> None:
    path.write_text("[" * 100_000, encoding="utf-8")


def _endless_number(path: Path) -> None:
    path.write_text('{"server": "h:1", "table": "T", "name": "A", "seat": Infinity}', encoding="utf-8")


def _nowhere(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _itself(path: Path) -> None:
    path.symlink_to(path)


def _short(path: Path) -> None:
    receipt = Receipt.new(server="127.0.0.1:7410", table="SHORT", name="Ann")
    path.write_text(receipt.to_json().replace(receipt.token.hex(), "00"), encoding="utf-8")


def _unnamed(path: Path) -> None:
    receipt = Receipt.new(server="127.0.0.1:7410", table="SHORT", name="Ann")
    path.write_text(receipt.to_json().replace(receipt.request_id, ""), encoding="utf-8")


SPOILT: tuple[Callable[[Path], None], ...] = (_pipe, _endless, _deep, _endless_number)


@pytest.mark.parametrize("spoil", [*SPOILT, _nowhere, _itself, _short, _unnamed])
def test_a_receipt_that_is_none_is_passed_over(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    """The other receipts of the folder are found as before."""
    book = ReceiptBook(tmp_path)
    kept = Receipt.new(server="127.0.0.1:7410", table="ABCDE", name="Ann")
    book.keep(kept)
    spoil(tmp_path / "other.json")
    assert list(book.all()) == [kept]
    assert book.damaged() == [tmp_path / "other.json"]


@pytest.mark.parametrize("spoil", SPOILT)
def test_pins_that_cannot_be_read_trust_nobody(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    """Whoever is met is not trusted in place of those who were."""
    spoil(tmp_path / "pins.json")
    with pytest.raises(BadPins, match="cannot be read"):
        PinBook(tmp_path / "pins.json").find("127.0.0.1:7410")


def test_a_pipe_that_the_user_names_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """What comes through it counts, one that says nothing is given up, and one without end is too much."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(NoFile, match="nothing came from it in 0 seconds"):
        read_given(pipe, most=10, patience=0.05)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"abc"))
    writer.start()
    assert read_given(pipe, most=10) == b"abc"
    writer.join()
    with pytest.raises(NoFile, match="it has more than 10 bytes"):
        read_given(Path("/dev/zero"), most=10)


def test_the_end_of_a_device_is_waited_for_by_nobody() -> None:
    """Nothing more comes from an empty device, nor from a terminal on which somebody says that this is the end."""
    assert read_given(Path("/dev/null"), most=10, waiting=lambda: pytest.fail("it waits")) == b""
    ours, theirs = os.openpty()
    try:
        os.write(ours, b"abc\n\x04")
        assert read_given(Path(os.ttyname(theirs)), most=10) == b"abc\n"
        os.write(ours, b"\x04")
        assert read_given(Path(os.ttyname(theirs)), most=10) == b""
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_pipe_that_says_nothing_is_told_of_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits learns what for, and then is read what comes; of a file and of a quick pipe nothing is said."""
    monkeypatch.setattr(whole_file, "_PATIENT_FOR", 0.0)
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_bytes(b"abc")
    told: list[threading.Thread] = []

    def waiting() -> None:
        told.append(threading.Thread(target=lambda: pipe.write_bytes(b"abc")))
        told[-1].start()

    assert read_given(file, most=10, waiting=waiting) == b"abc"
    assert told == []
    assert read_given(pipe, most=10, waiting=waiting) == b"abc"
    told[0].join()
    assert len(told) == 1


@pytest.mark.parametrize("command", [["replay"], ["verify"], ["rules", "--rules"]])
async def test_a_command_that_waits_for_a_pipe_says_so(tmp_path: Path, command: list[str]) -> None:
    """The sentence names the pipe, and Ctrl-C ends the command."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *command,
        str(pipe),
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        said = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
        assert said.startswith("Waiting for the r")
        assert f"from {str(pipe)!r}: nothing has come from it yet" in said
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 60) == 130
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def test_the_lobby_waits_for_no_pipe(tmp_path: Path) -> None:
    """Rules that a lobby reads are a file, since its screen has to go on."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(WrongInput, match="it is no regular file"):
        read_rules(str(pipe), waits=False)


def test_a_file_is_written_whole_for_its_owner_alone(tmp_path: Path) -> None:
    """Its folder is made, and nothing else lies there afterwards, nor where it could not be written."""
    path = tmp_path / "deep" / "file.json"
    write_own(path, "text")
    assert read_own(path, most=4) == b"text"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "deep" / "folder.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_own(tmp_path / "deep" / "folder.json", "text")
    assert sorted(each.name for each in path.parent.iterdir()) == ["file.json", "folder.json"]


def test_what_cannot_be_kept_is_said_with_what_it_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence names the folder, what lies in it, and why."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(NotKept, match=r"what holds your seat cannot be kept in .*: Not a directory"):
        ReceiptBook(tmp_path / "file" / "receipts").keep(Receipt.new(server="h:1", table="T", name="A"))
    with pytest.raises(BadPins, match=r"cannot be written to .*: Not a directory"):
        PinBook(tmp_path / "file" / "deep" / "pins").keep("127.0.0.1:7410", "AA:" * 31 + "AA")
    monkeypatch.setattr(folders, "data_path", lambda: tmp_path / "file" / "data")
    with pytest.raises(NoFolder, match=r"the folder of your games and seats, .*, cannot be made: Not a directory"):
        folders.data_folder()


@pytest.mark.parametrize("name", ["ENOENT", "EACCES", "ENOSPC", "ECONNREFUSED", "EADDRINUSE", "EROFS", "EISDIR"])
def test_why_the_system_refuses_is_said_in_ones_own_language(name: str) -> None:
    """In English in the system's own words, in Japanese in Japanese."""
    number = getattr(errno, name)
    error = OSError(number, os.strerror(number))
    assert why(error) == os.strerror(number)
    with speaking("ja"):
        assert why(error) != os.strerror(number)
        assert not why(error).isascii()


def test_a_host_that_nobody_knows_is_said_in_ones_own_language() -> None:
    """What the search for an address by name fails with has numbers and words of its own."""
    error = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    assert why(error) == "no such host is known"
    with speaking("ja"):
        assert not why(error).isascii()


@pytest.mark.parametrize("state", ["/dev/null", "pipe"])
async def test_without_a_log_one_plays_on(state: str, tmp_path: Path) -> None:
    """Where the log cannot be made, or is a pipe that nobody reads, the game is played all the same."""
    if state == "pipe":
        folder = tmp_path / "state" / "shanghai-rum" / "log"
        folder.mkdir(parents=True)
        os.mkfifo(folder / "shanghai-rum.log")
        state = str(tmp_path / "state")
    ran = await run_redirected(
        "", "play", "--auto", "--players", "2", "--rules", "quick", home=tmp_path, variables={"XDG_STATE_HOME": state}
    )
    assert (ran.code, ran.err) == (0, "")


async def test_without_a_data_folder_it_is_said_what_it_is_for(tmp_path: Path) -> None:
    """One sentence, exit code 1."""
    variables = {"XDG_DATA_HOME": "/dev/null"}
    ran = await run_redirected("", "play", "--auto", home=tmp_path, variables=variables)
    assert ran.code == 1
    assert ran.err == (
        "shanghai-rum: the folder of your games and seats, '/dev/null/shanghai-rum', cannot be made: Not a directory\n"
    )


async def test_settings_that_are_a_pipe_hold_no_command_up(tmp_path: Path) -> None:
    """The language is looked for in them too, before anything else is read."""
    folder = Path(environment(tmp_path)["HOME"]) / ".config" / "shanghai-rum"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "settings.toml")
    ran = await run_program("settings", home=tmp_path, limit=30)
    assert ran.code == 2
    assert "settings.toml' cannot be read: it is no regular file" in ran.err
