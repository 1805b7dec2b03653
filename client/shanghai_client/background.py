"""The background, as a shell's job control has it: a screen goes there and comes back with the terminal as it needs it.

Ctrl-Z and SIGTSTP put the terminal back before the program stops; SIGCONT, also after a SIGSTOP that nobody could see
coming, takes it again and draws everything anew.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.application.run_in_terminal import in_terminal


class Background:
    """Where an application goes while its program is stopped; open while `watched` is."""

    def __init__(self, app: Application[Any]) -> None:
        """Take the application, which has the terminal."""
        self._app = app
        self._open = False
        self._going: asyncio.Task[None] | None = None

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Do what signals ask for; nothing where the system has none, or where whoever began the program ignores it."""
        if not hasattr(signal, "SIGTSTP") or signal.getsignal(signal.SIGTSTP) is not signal.SIG_DFL:
            yield
            return
        loop = asyncio.get_running_loop()
        try:
            loop.add_signal_handler(signal.SIGTSTP, self._asked)
            loop.add_signal_handler(signal.SIGCONT, self._continued)
        except (NotImplementedError, RuntimeError, ValueError):
            # This loop takes no signals, as in a thread that is not the first one.
            yield
            return
        self._open = True
        try:
            yield
        finally:
            self._open = False
            loop.remove_signal_handler(signal.SIGTSTP)
            loop.remove_signal_handler(signal.SIGCONT)

    def go(self) -> None:
        """Stop the program, and with it whatever was begun together with it, as Ctrl-Z does."""
        # The shell waits for all processes of a job, as `make` that has begun this one.
        self._stop(0)

    def _asked(self) -> None:
        self._stop(os.getpid())

    def _stop(self, process: int) -> None:
        if self._open and self._app.is_running and (self._going is None or self._going.done()):
            self._going = asyncio.ensure_future(self._stopped(process))

    async def _stopped(self, process: int) -> None:
        loop = asyncio.get_running_loop()
        async with in_terminal():
            if not self._open:
                return
            # With no handler the signal does what the system does by itself; behind it the program goes on.
            loop.remove_signal_handler(signal.SIGTSTP)
            os.kill(process, signal.SIGTSTP)
            loop.add_signal_handler(signal.SIGTSTP, self._asked)

    def _continued(self) -> None:
        if not self._app.is_running or (self._going is not None and not self._going.done()):
            # What went to the background by itself comes back by itself.
            return
        # What the shell made of the terminal is not undone by anybody else; how it was before the program is kept.
        self._app.input.raw_mode().__enter__()
        self._app.renderer.reset()
        self._app.invalidate()
