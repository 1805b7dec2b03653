"""The prompt on terminals of all kinds, and what is pasted into it."""

from __future__ import annotations

from pathlib import Path

import pytest
from client_program import Terminal


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_a_pasted_colour_is_harmless(tmp_path: Path, term: str) -> None:
    """The signs with which a terminal colours text end no command, show no traceback, and colour nothing."""
    terminal = Terminal("play", "--players", "2", "--seed", "a", "--name", "Ann", home=tmp_path, term=term)
    try:
        await terminal.expect("You may:")
        await terminal.type("say all \x1b[31mred\x1b[0m now")
        said = await terminal.expect("Ann says: all")
        assert "Traceback" not in said
        await terminal.type("quit")
        assert "Traceback" not in await terminal.expect("The game is kept")
        assert await terminal.ended() == 0
    finally:
        terminal.close()


async def test_a_terminal_that_cannot_draw_gets_each_line_once(tmp_path: Path) -> None:
    """On a dumb terminal nothing is drawn a second time, and no sign is sent that it would not understand."""
    terminal = Terminal("play", "--players", "2", "--seed", "a", "--name", "Ann", home=tmp_path, term="dumb")
    try:
        begun = await terminal.expect("You may:")
        await terminal.type("score")
        shown = await terminal.expect("No hand has been finished yet.")
        await terminal.type("quit")
        ended = await terminal.expect("The game is kept")
        assert "\x1b" not in begun + shown + ended
        assert "No hand has been finished" not in ended
        assert "You may" not in shown
    finally:
        terminal.close()


async def test_a_narrow_terminal_gets_narrow_lines(tmp_path: Path) -> None:
    """Lines are broken at spaces to the width that the terminal has, those of messages too."""
    terminal = Terminal(
        "play", "--players", "4", "--seed", "a", "--name", "Ann", home=tmp_path, term="dumb", columns=50
    )
    try:
        said = await terminal.expect("You may:")
        await terminal.type("discard KD KD KD KD")
        said += await terminal.expect("as in discard KS")
        await terminal.type("help")
        said += await terminal.expect("Tab completes.")
        assert [line for line in said.splitlines() if len(line) > 50] == []
    finally:
        terminal.close()
