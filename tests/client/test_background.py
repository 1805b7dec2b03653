"""Stopping the program and going on with it, as a shell's job control does."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import job_shell
from screen_person import Person

_MODES = ("1049", "2004", "1000")
"""The alternate screen, pastes in brackets, the mouse."""


@contextmanager
def _job(*arguments: str, home: Path) -> Iterator[Person]:
    """Give a person at the program, which a shell has begun on the terminal."""
    person = Person(
        *arguments, "--seed", "a", "--name", "Ann", home=home, begun_by=(sys.executable, job_shell.__file__)
    )
    try:
        yield person
    finally:
        person.close()


def _stopped(person: Person) -> tuple[int, str]:
    """Wait until the shell says that the program is stopped; give its process, and what was written until then."""
    told = re.compile(re.escape(job_shell.STOPPED) + r"(\d+)\.")
    person.until(lambda: bool(told.search(person.written.decode())), "that it is stopped")
    written, person.written = person.written.decode(), b""
    return int(told.findall(written)[0]), written


def _are_on(written: str) -> set[bool]:
    return {written.rfind(f"\x1b[?{mode}h") > written.rfind(f"\x1b[?{mode}l") for mode in _MODES}


def test_ctrl_z_and_signals_give_the_shell_its_terminal_and_take_it_again(tmp_path: Path) -> None:
    """Stopped by the key or the signal, the usual screen is there; going on, also after SIGSTOP, all is drawn anew."""
    with _job("play", home=tmp_path) as person:
        person.until_shown("p pass")
        assert _are_on(person.written.decode()) == {True}
        person.send("\x1a")
        for following in (signal.SIGTSTP, signal.SIGSTOP, None):
            process, written = _stopped(person)
            # Nobody sees a SIGSTOP coming: the shell has put the rest of its terminal right by itself.
            assert following is None or _are_on(written) == {False}
            assert person.attributes() == person.before
            person.screen.reset()
            person.send("\r")
            person.until_shown("p pass")
            assert person.title.startswith(" Hand 1/10")
            person.press("?")
            person.until_shown("Esc close")
            person.press("\x1b")
            person.until_shown("p pass")
            assert _are_on(person.written.decode()) == {True}
            assert person.attributes() != person.before
            if following is not None:
                os.kill(process, following)
        person.press("q")
        person.press("y")
        assert person.ended() == 0
        assert person.attributes() == person.before


def test_ctrl_z_takes_back_what_is_staged(tmp_path: Path) -> None:
    """While melds are built the key has its other meaning, and nothing is stopped."""
    with _job("play", home=tmp_path) as person:
        person.until_shown("p pass")
        person.press("m")
        person.press("a")
        person.until_shown("1/3")
        person.press("\x1a")
        person.until(lambda: not person.shows("1/3"), "the melds as they were before")
        assert job_shell.STOPPED.encode() not in person.written


def test_the_line_at_which_one_types_is_stopped_and_goes_on(tmp_path: Path) -> None:
    """The plain client, too, reads what is typed when it goes on, whether a key or a signal has stopped it."""
    with _job("play", "--plain", home=tmp_path) as person:
        person.until_shown("You may:")
        person.send("\x1a")
        for number in ("R1.1", "R2.1"):
            process, _written = _stopped(person)
            assert person.attributes() == person.before
            person.send("\r")
            person.until(lambda: person.attributes() != person.before, "the prompt")
            person.send(f"rules {number}\r")
            person.until_shown(f"{number} ")
            os.kill(process, signal.SIGTSTP)
        # The shell is killed in the end, and nobody would go on with its job.
        process, _written = _stopped(person)
        os.kill(process, signal.SIGKILL)
