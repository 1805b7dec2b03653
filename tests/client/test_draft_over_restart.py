"""What a player was about to do when the server was killed: it is all there once the server is back."""

from __future__ import annotations

import re
from pathlib import Path

from client_program import host
from screen_person import Person

_CLOCKS = ("--turn-time", "0", "--offer-time", "0", "--players", "2")


async def test_staged_melds_order_passing_and_a_line_outlive_the_server(tmp_path: Path, own_address: str) -> None:
    """Killed and started again on its port and data, the server finds everything as it was on the player's screen.

    That is one's own order, what is passed by itself, what is staged, and a line that one goes on typing meanwhile.
    """
    place = ("--listen", own_address, "--data", str(tmp_path / "games"))
    async with host(tmp_path, *place, *_CLOCKS) as (process, address, _code):
        person = Person("join", address, "--name", "Ann", home=tmp_path)
        try:
            person.until_shown("s start")
            person.press("s")
            # One's own draw: nothing goes on before it is answered.
            person.play(lambda: person.shows("Your turn: take "), within=120)
            person.press(">")
            person.until_shown("your order")
            person.press("A")
            person.until_shown("auto-pass, your order")
            person.press("m")
            person.until_shown("Build meld 1")
            person.press("ab2c")
            person.until(lambda: _staged(person).startswith(" Staged 1 "), "what is staged")
            person.press("\x1b")
            person.press(":say he")
            person.until(lambda: person.key_line == ":say he", "the line")
            before = [_hand(person), _staged(person), _heading(person)]
            process.kill()
            person.until(lambda: " lost " in person.title, "that the connection is lost")
            person.press("llo")
            person.until_shown("what you have staged stays")
            assert [_hand(person), _staged(person), _heading(person)] == before
            async with host(tmp_path, *place):
                person.until(lambda: " lost " not in person.title, "that the connection is back", within=60)
                assert [_hand(person), _staged(person), _heading(person)] == before
                assert person.key_line == ":say hello"
                person.press("\r")
                person.until_shown("Ann says: hello")
        finally:
            person.close()


def _staged(person: Person) -> str:
    return next((line for line in person.lines() if line.startswith(" Staged")), "")


def _heading(person: Person) -> str:
    return next(line for line in person.lines() if "Your hand" in line)


def _hand(person: Person) -> str:
    """Give the line of one's cards."""
    below = person.lines().index(_heading(person)) + 1
    return next(line for line in person.lines()[below:] if re.match(r"  (?:[2-9TJQKA][♣♦♥♠]|JK)", line))
