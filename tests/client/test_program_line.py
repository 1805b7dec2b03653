"""The line that runs this program again can be typed as it is printed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from client_program import environment

from shanghai_client.cli.telling import remark
from shanghai_client.plain import voice
from shanghai_client.program import command_line


@pytest.mark.parametrize(
    ("called", "on_path", "named"),
    [
        (".venv/bin/shanghai-rum", False, ".venv/bin/shanghai-rum"),
        (".venv/bin/shanghai-rum", True, "shanghai-rum"),
        ("shanghai-rum", False, "shanghai-rum"),
        ("/lib/shanghai_client/cli/__main__.py", False, "shanghai-rum"),
        ("a folder/shanghai-rum", False, "'a folder/shanghai-rum'"),
    ],
)
def test_the_program_is_named_so_that_a_shell_finds_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, called: str, on_path: bool, named: str
) -> None:
    """It has its name alone only where a shell finds that: else the path by which it was called."""
    program = tmp_path / "shanghai-rum"
    program.touch()
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path) if on_path else str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "argv", [called, "play"])
    assert command_line("play") == f"{named} play"


async def test_the_lines_for_others_begin_with_the_name_alone(tmp_path: Path) -> None:
    """Where the program lies here says nothing to others; `host` prints a line for this machine beside theirs."""
    program = tmp_path / "shanghai-rum"
    program.write_text(f"#!{sys.executable}\nfrom shanghai_client.cli.main import main\nmain()\n", encoding="utf-8")
    program.chmod(0o755)
    process = await asyncio.create_subprocess_exec(
        str(program),
        *("host", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), "--no-announce"),
        env=environment(tmp_path) | {"PATH": str(tmp_path / "empty")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            _table, others, here = [(await process.stdout.readline()).decode() for _line in range(3)]
        words = others.removeprefix("  join it with: ").split()
        assert words[:2] == ["shanghai-rum", "join"]
        assert here.removeprefix("  on this machine: ").split() == [str(program), *words[1:]]
        given = await _typed(str(program), "join", words[2], "--name", "Ann", typed="give\nquit\n", home=tmp_path)
        assert f"  shanghai-rum join {words[2]} --table " in given
    finally:
        process.terminate()
        await process.wait()


async def _typed(program: str, *arguments: str, typed: str, home: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        env=environment(home) | {"PATH": str(home / "empty")},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _err = await asyncio.wait_for(process.communicate(typed.encode()), 60)
    return out.decode()


def test_only_what_a_shell_would_break_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain name stands as it is, one with a space in quotes."""
    monkeypatch.setattr(sys, "argv", ["shanghai-rum"])
    assert command_line("join", "--name", "Eve") == "shanghai-rum join --name Eve"
    assert command_line("join", "--name", "Eve O'Neil") == "shanghai-rum join --name 'Eve O'\"'\"'Neil'"


def test_a_message_is_broken_between_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal a long message has lines of its width; anywhere else it stays one line, for programs to read."""
    sentence = "a message of many words that is wider than the terminal is, and is read by somebody at it"
    remark(sentence)
    assert capsys.readouterr().err == f"{sentence}\n"
    monkeypatch.setattr(voice, "terminal_width", lambda _stream: 60)
    remark(sentence)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert " ".join(line.strip() for line in lines) == sentence
