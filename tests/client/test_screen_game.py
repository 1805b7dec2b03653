"""Whole hands played by a scripted person on the full screen of a pseudo-terminal, against bots, on a real server."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from client_program import PROGRAM, environment
from latin import latin_words
from screen_person import Person

from shanghai_client.screen.desk import SETTLE


@contextmanager
def person_at(*arguments: str, home: Path, columns: int = 80, rows: int = 24, language: str = "en") -> Iterator[Person]:
    """Give a person at a terminal, whose program is ended in the end."""
    person = Person(*arguments, home=home, columns=columns, rows=rows, language=language)
    try:
        yield person
    finally:
        person.close()


@pytest.mark.long
def test_two_hands_are_played_on_the_screen(tmp_path: Path) -> None:
    """A person plays two hands of a game at 80x24 by single keys; the program ends, and the game is kept."""
    with person_at("play", "--seed", "two hands", "--name", "Ann", "--pace", "0", home=tmp_path) as person:
        person.until_shown("Hand 1/10")
        person.play(lambda: "Hand 3/10" in person.title, within=600)
        person.press("q")
        person.until_shown("Your seat is kept")
        person.press("y")
        assert person.ended() == 0
        assert "The game is kept" in person.written.decode()
        assert person.attributes() == person.before


@pytest.mark.long
def test_a_hand_is_played_on_the_screen_in_japanese(tmp_path: Path) -> None:
    """The same keys play a hand in Japanese, and no English word is on the screen at any moment of it."""
    english: set[str] = set()
    with person_at(
        "play", "--seed", "two hands", "--name", "Ann", "--pace", "0", home=tmp_path, language="ja"
    ) as person:

        def over() -> bool:
            english.update(latin_words("\n".join(person.lines())))
            return "ハンド 2/10" in person.title

        person.until_shown("ハンド 1/10")
        person.play(over, within=600)
        for key in ("?", "\x1b", "h", "\x1b", "q", "y"):
            over()
            person.press(key)
        assert person.ended() == 0
        assert "ゲームは保存されました" in person.written.decode()
    assert english - {"Ann", "Bot"} == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: signal.Signals) -> None:
    """What ends a program, and a terminal that hangs up, give its exit code; the usual screen and keys are back."""
    with person_at("play", "--seed", "a", "--name", "Ann", home=tmp_path) as person:
        person.until_shown("Hand 1/10")
        assert person.attributes() != person.before
        person.process.send_signal(number)
        assert person.ended() == 130
        assert person.attributes() == person.before
        end = person.written.decode()[-400:]
        assert "\x1b[?1049l" in end
        assert "\x1b[?25h" in end
        assert "The game is kept" in end


def test_a_small_terminal_is_played_line_by_line(tmp_path: Path) -> None:
    """Where the table has no room from the beginning, it is said, and the plain client plays."""
    with person_at("play", "--seed", "a", "--name", "Ann", home=tmp_path, columns=79, rows=24) as person:
        person.until_shown("so it is shown")
        person.until_shown("You may:")
        assert "\x1b[?1049h" not in person.written.decode()


def test_a_mouse_plays_a_turn(tmp_path: Path) -> None:
    """Clicks as a terminal reports them press what the key line names, choose a card, and the wheel scrolls."""
    with person_at("play", "--seed", "m1", "--name", "Ann", "--pace", "0", home=tmp_path) as person:

        def click(text: str, then: Callable[[], bool]) -> None:
            """Click once it could be read, and wait for what follows: nothing is clicked on that has gone."""
            while person.read(2 * SETTLE):
                continue
            person.click(text)
            person.until(then, f"what follows a click on {text}")

        def asks(before: str) -> bool:
            question = person.lines()[-3]
            return question != before and question.startswith((" Buy ", " Your turn: "))

        person.until_shown("p pass")
        while person.shows("p pass"):
            click("p pass", partial(asks, person.lines()[-3]))
        click("d discard", lambda: person.shows("Discard which card?"))
        # Until one is asked again the bots play on, and the keys change their places.
        click("3♦", lambda: person.shows("You discard 3♦.") and person.lines()[-3].startswith(" Buy "))
        click("? help", lambda: person.shows(" 1-15 of "))
        person.send("\x1b[<65;10;5M")
        person.until_shown(" 2-16 of ")
        person.click("Esc close")
        person.until(lambda: not person.shows("2-16 of"), "the table")


def test_sizes_that_change_while_one_plays(tmp_path: Path) -> None:
    """Made too small the table is gone, and no key is played; made large again it is whole."""
    with person_at("play", "--seed", "a", "--name", "Ann", home=tmp_path) as person:
        person.until_shown("p pass")
        person.resize(40, 15)
        person.until_shown("The table needs 80 x 24.")
        person.press("p")
        person.resize(140, 45)
        person.until_shown("p pass")
        assert person.shows("What has happened")


class Host:
    """A server in a process of its own, which can be killed and started again at the same address."""

    def __init__(self, home: Path, address: str) -> None:
        self._home = home
        self.address = address
        self.start()

    def start(self) -> None:
        """Serve, and wait until it does."""
        arguments = ("host", "--listen", self.address, "--data", str(self._home / "tables"))
        self._process = subprocess.Popen(  # noqa: S603 (this program)
            [*PROGRAM, *arguments],
            env=environment(self._home),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        assert b"Table" in self._process.stdout.readline()

    def kill(self) -> None:
        """Kill it at once, whatever it does."""
        self._process.kill()
        self._process.communicate()


@pytest.mark.soak
def test_ten_hands_with_the_server_killed_in_the_middle(tmp_path: Path, own_address: str) -> None:
    """A whole game against three bots; the server is killed and started again, and the client goes on by itself."""
    host = Host(tmp_path, own_address)
    try:
        arguments = ("join", host.address, "--new", "--name", "Ann", "--turn-time", "0", "--offer-time", "0")
        with person_at(*arguments, "--pace", "0", home=tmp_path) as person:
            person.until_shown("You are the host")
            person.press("s")
            person.play(lambda: "Hand 5/10" in person.title, within=600)
            host.kill()
            person.until_shown("lost 0:0")
            person.until_shown("Trying again")
            host.start()
            person.until(lambda: "lost" not in person.title, "the table again", within=60)
            person.play(lambda: person.shows("the game is over"), within=1200)
            person.press("q")
            assert person.ended() == 0
    finally:
        host.kill()
