"""Whole hands played by a scripted person on the full screen of a pseudo-terminal, against bots, on a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from screen_person import Person


@pytest.mark.long
def test_two_hands_are_played_on_the_screen(tmp_path: Path) -> None:
    """A person plays two hands of a game at 80x24 by single keys; the program ends, and the game is kept."""
    person = Person("play", "--seed", "two hands", "--name", "Ann", "--pace", "0", home=tmp_path)
    try:
        person.until_shown("Hand 1/10")
        person.play(lambda: "Hand 3/10" in person.title, within=100)
        person.press("q")
        person.until_shown("Your seat is kept")
        person.press("y")
        assert person.ended() == 0
        assert "The game is kept" in person.written.decode()
    finally:
        person.close()
