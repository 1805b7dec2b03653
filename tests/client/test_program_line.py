"""The line that runs this program again can be typed as it is printed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shanghai_client.cli.program import command_line
from shanghai_client.cli.telling import remark
from shanghai_client.plain import voice


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
