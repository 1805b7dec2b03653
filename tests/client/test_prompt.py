"""The prompt on terminals of all kinds, and what is pasted into it."""

from __future__ import annotations

from pathlib import Path

import pytest
from client_program import Terminal
from screen_person import Person


@pytest.mark.parametrize("term", ["xterm", "dumb", ""])
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


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
async def test_a_terminal_that_cannot_draw_gets_each_line_once(tmp_path: Path, term: str) -> None:
    """On a dumb terminal nothing is drawn a second time, and no sign is sent that it would not understand."""
    terminal = Terminal("play", "--players", "2", "--seed", "a", "--name", "Ann", home=tmp_path, term=term)
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


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_table_that_is_shown_line_by_line_says_why(tmp_path: Path, term: str) -> None:
    """Where the terminal cannot draw a screen, or does not say that it can, a sentence comes before the lines."""
    person = Person("play", "--players", "2", "--seed", "a", "--name", "Ann", home=tmp_path, term=term)
    try:
        person.until_shown("You may:")
        assert f"cannot move its cursor (TERM is {term!r}), so the table is shown line by line" in " ".join(
            person.written.decode().split()
        )
        assert b"\x1b" not in person.written
        person.press("quit\r")
        assert person.ended() == 0
    finally:
        person.close()


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
