"""A person at the full screen: the program on a pseudo-terminal, whose picture is read and whose keys are pressed."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyte
from client_program import PROGRAM, environment

from shanghai_client.language import LANGUAGES, VARIABLE, _, speaking

_LETTERS = re.compile(r" {2}a(\s+[b-zA-Z])*")
_ANSWERS = (("p", "pass"), ("l", "lay down"), ("o", "lay off"), ("g", "go on"), ("y", "yes"), ("d", "discard"))
"""What a plain person answers: the keys, the first first, and what stands beside each in the key line."""
_LAY_OFF = "Lay off which card? Press the letter below it."
QUIET = 0.03
"""Seconds without a new sign after which a picture is taken to be whole."""


class Person:
    """The program on a terminal of so many columns and rows; `begun_by` is what begins it, where that matters."""

    def __init__(
        self,
        *arguments: str,
        home: Path,
        columns: int = 80,
        rows: int = 24,
        term: str = "xterm-256color",
        language: str = LANGUAGES[0],
        begun_by: Sequence[str] = (),
    ) -> None:
        self.language = language
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (rows, columns))
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs
        self.process = subprocess.Popen(  # noqa: S603 (this program)
            [*begun_by, *PROGRAM, *arguments],
            env=environment(home) | {"TERM": term, "LANG": "C.UTF-8", VARIABLE: language},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        self._ours = ours
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""

    # What is seen

    def lines(self) -> list[str]:
        """Give what stands on the terminal."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def title(self) -> str:
        """The first line."""
        return self.lines()[0]

    @property
    def key_line(self) -> str:
        """The last line."""
        return self.lines()[-1]

    def said(self, text: str) -> str:
        """Give one of the program's texts as this person reads it."""
        with speaking(self.language):
            return _(text)

    def shows(self, text: str) -> bool:
        """Say whether a text stands on the terminal."""
        return any(text in line for line in self.screen.display)

    def read(self, within: float, quiet: float = QUIET) -> bool:
        """Read what the program writes, until it has been quiet a moment; say whether there was anything."""
        anything = False
        wait = within
        while select.select([self._ours], [], [], wait)[0]:
            try:
                data = os.read(self._ours, 1 << 16)
            except OSError:
                # The program has ended.
                return anything
            if not data:
                return anything
            self.written += data
            self._stream.feed(data)
            anything, wait = True, quiet
        return anything

    def until(self, true: Callable[[], bool], what: str, *, within: float = 60.0, quiet: float = QUIET) -> None:
        """Read until something stands there; fails after so many seconds."""
        end = time.monotonic() + within
        while not true():
            left = end - time.monotonic()
            if left <= 0 or (self.process.poll() is not None and not self.read(0)):
                raise AssertionError(f"{what} was not shown:\n" + "\n".join(self.lines()))
            self.read(min(left, 1.0), quiet)

    def until_shown(self, text: str, *, within: float = 60.0) -> None:
        """Read until a text stands there."""
        self.until(lambda: self.shows(text), repr(text), within=within)

    # What is done

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def press(self, keys: str) -> None:
        """Press keys, and read what follows."""
        self.send(keys)
        self.read(0.5)

    def click(self, text: str) -> None:
        """Click on the last place where a text stands, and read what follows."""
        row = max(row for row, line in enumerate(self.screen.display) if text in line)
        column = self.screen.display[row].rindex(text)
        self.send(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")
        self.read(0.5)

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal another size."""
        self.screen.resize(rows, columns)
        termios.tcsetwinsize(self._ours, (rows, columns))
        os.kill(self.process.pid, signal.SIGWINCH)

    def ended(self) -> int:
        """Wait until the program has ended, and give its exit code."""
        end = time.monotonic() + 60
        while self.process.poll() is None:
            assert time.monotonic() < end, "the program goes on"
            self.read(0.1)
        self.read(0)
        return self.process.returncode

    def attributes(self) -> Sequence[object]:
        """Give how the terminal treats what is typed."""
        return termios.tcgetattr(self._theirs)

    def close(self) -> None:
        """End the program if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    # Playing

    def play(self, true: Callable[[], bool], *, within: float) -> None:
        """Play as a plain person does until something stands there: lay down and off what can be, keep no jokers."""
        end = time.monotonic() + within
        while not true():
            assert time.monotonic() < end, "it takes too long:\n" + "\n".join(self.lines())
            assert self.process.poll() is None, "the program has ended:\n" + "\n".join(self.lines())
            if not self._play_once():
                self.read(1.0)

    def _play_once(self) -> bool:
        """Press the key for what is on the screen; say whether there was any."""
        words = f" {self.key_line} "
        for key, word in _ANSWERS:
            if f" {key} {self.said(word)} " in words:
                self.press(key)
                return True
        if f" Enter {self.said('choose')} " in words:
            # The first of what can be laid off, the last of what can be discarded: that is of least use.
            letters = [line for line in self.lines() if _LETTERS.fullmatch(line)]
            if letters:
                found = letters[-1].split()
                self.press(found[0] if self.shows(self.said(_LAY_OFF)) else found[-1])
            return True
        if self.shows(self.said("Where does {card} go? Press the letter at the meld.").partition("{card}")[2]):
            self.press("a")
            return True
        return False
