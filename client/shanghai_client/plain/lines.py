"""Where commands come from: a prompt on a terminal, or lines from a pipe, each with what was shown when it was begun.

A command answers only the decision that was on the screen when its first sign was typed, so a line that was begun
before an offer appeared never answers it by accident.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout

from shanghai_client.background import Background
from shanghai_client.commands.completer import Complete, WordCompleter

Shown = Callable[[], str]
"""Gives the id of the decision that is on the screen, empty where there is none."""


class Interrupted(Exception):
    """Ctrl-C at the prompt."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A line, and the id of the decision that was on the screen when it was begun."""

    text: str
    shown: str


class Lines(Protocol):
    """A source of commands."""

    prompts: bool
    """Whether a person is asked."""

    async def next(self) -> Entered | None:
        """Give the next line; none at the end of input. Raises `Interrupted`."""

    def showing(self) -> AbstractContextManager[None]:
        """While this is open, what is printed does not disturb what is typed."""


LONGEST = 10_000
"""Characters of a line of a pipe; what follows in a longer one is no command, and is passed over."""
MOST_WAITING = 64
"""Lines of a pipe that are read ahead: one without end is read no faster than its lines are run.

Each that arrives is a byte in the pipe that wakes the event loop, which holds some 280 on Linux; where it is full the
byte that tells of a signal is lost, and the signal with it.
"""


class PipeLines:
    """Lines from a pipe or a file, read without a prompt by a thread of their own."""

    prompts = False

    def __init__(self, stream: TextIO, shown: Shown) -> None:
        """Take the stream; reading begins with the first `next`."""
        self._stream = stream
        self._shown = shown
        self._waiting: asyncio.Queue[Entered | None] = asyncio.Queue()
        self._room = threading.Semaphore(MOST_WAITING)
        self._started = False

    async def next(self) -> Entered | None:
        """Give the next line; none at the end of input."""
        if not self._started:
            self._started = True
            # A daemon: a read that nobody ends must not keep the program from ending.
            threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True).start()
        entered = await self._waiting.get()
        self._room.release()
        # However fast lines come, the table and the signals that end the program have their turn.
        await asyncio.sleep(0)
        return entered

    def showing(self) -> AbstractContextManager[None]:
        """Nothing is typed here that could be disturbed."""
        return nullcontext()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            for line in _cut_lines(self._stream):
                self._room.acquire()
                loop.call_soon_threadsafe(self._arrive, line.rstrip("\r\n"))
            loop.call_soon_threadsafe(self._waiting.put_nowait, None)
        except (RuntimeError, ValueError):
            return  # The loop or the stream was closed: nobody waits for lines any more.

    def _arrive(self, line: str) -> None:
        self._waiting.put_nowait(Entered(line, self._shown()))


def _cut_lines(stream: TextIO) -> Iterator[str]:
    """Give the lines of a stream, of a long one its beginning: one without end is read without being kept."""
    rest = False
    while piece := stream.readline(LONGEST):
        if not rest:
            yield piece
        rest = not piece.endswith("\n")


class DumbLines(PipeLines):
    """Lines from a person at a terminal that cannot move its cursor (`TERM=dumb`): nothing is drawn again."""

    prompts = True


class PromptLines:
    """Lines from a person at a terminal, with completion and history."""

    prompts = True

    def __init__(self, *, complete: Complete, shown: Shown, message: Callable[[], str]) -> None:
        """Take what completes a line, and what the prompt says."""
        self._shown = shown
        self._begun: str | None = None
        # Lines that are only ever added need not know where the cursor is, and not every terminal can say.
        os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
        self._session: PromptSession[str] = PromptSession(
            message=message,
            completer=WordCompleter(complete),
            complete_while_typing=False,
            enable_history_search=True,
            key_bindings=self._keys(),
        )
        self._background = Background(self._session.app)
        self._session.default_buffer.on_text_changed += self._typed

    async def next(self) -> Entered | None:
        """Give the next line; none after Ctrl-D. Raises `Interrupted` after Ctrl-C."""
        self._begun = None
        try:
            with self._background.watched():
                text = await self._session.prompt_async(set_exception_handler=False)
        except EOFError:
            return None
        except KeyboardInterrupt as interrupt:
            raise Interrupted from interrupt
        return self._entered(text)

    def _entered(self, text: str) -> Entered:
        begun = self._begun
        return Entered(text, self._shown() if begun is None else begun)

    def showing(self) -> AbstractContextManager[None]:
        """Print above the prompt."""
        return patch_stdout(raw=True)

    def refresh(self) -> None:
        """Draw the prompt again, since what it says has changed."""
        self._session.app.invalidate()

    def _typed(self, buffer: Buffer) -> None:
        if not buffer.text:
            self._begun = None
        elif self._begun is None:
            self._begun = self._shown()

    def _keys(self) -> KeyBindings:
        """Give keys that do something else than the library's own."""
        keys = KeyBindings()

        @keys.add(Keys.Vt100MouseEvent, eager=True)
        def _ignore(event: KeyPressEvent) -> None:
            """Do nothing: a pasted colour looks like the mouse, and is no place on the screen."""
            del event

        @keys.add(Keys.ControlZ)
        def _suspend(event: KeyPressEvent) -> None:
            del event
            self._background.go()

        return keys
