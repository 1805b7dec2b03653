"""A program on a pseudo-terminal: its picture is read, its keys are pressed, its processor time is counted."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

COLUMNS = 80
ROWS = 24
OURS = (sys.executable, "-m", "shanghai_client.cli")
"""The program as people run it."""
BARE = (sys.executable, "-m", "bench.bare_screen")
"""What any full-screen program with this library takes."""
_LIMIT = 60.0


class AtTerminal:
    """A running program: what stands on its terminal, and what it has cost so far."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        """Take the process and its terminal's other side."""
        self._process = process
        self._terminal = terminal
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._terminal, keys.encode())

    def shows(self, text: str) -> bool:
        """Say whether a text stands on the terminal."""
        return any(text in line for line in self._screen.display)

    def read(self, seconds: float) -> None:
        """Take in what the program writes during so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read_once(left)

    def until_shown(self, text: str) -> float:
        """Read until a text stands there, and give the moment; raises `TimeoutError` after a minute."""
        end = time.monotonic() + _LIMIT
        while not self.shows(text):
            left = end - time.monotonic()
            if left <= 0:
                shown = "\n".join(self._screen.display)
                raise TimeoutError(f"{text!r} was not shown:\n{shown}")
            self._read_once(left)
        return time.monotonic()

    def share(self, seconds: float) -> float:
        """Give the share of a core that it uses during so many seconds."""
        before, begun = self._cpu(), time.monotonic()
        self.read(seconds)
        return (self._cpu() - before) / (time.monotonic() - begun)

    def _read_once(self, seconds: float) -> None:
        if select.select([self._terminal], [], [], seconds)[0]:
            self._stream.feed(os.read(self._terminal, 1 << 16))

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def at_terminal(program: Sequence[str], home: Path) -> Iterator[AtTerminal]:
    """Run a program on a terminal of 80 columns and 24 rows; its user's files all lie under `home`."""
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (ROWS, COLUMNS))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "SHANGHAI_RUM_"))}
    environment |= {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHANGHAI_RUM_LANG": "en"}
    # No bench ever says anything to the network.
    environment |= {"SHANGHAI_RUM_DISCOVERY": "127.0.0.1"}
    process = subprocess.Popen(  # noqa: S603 (this program, or what it is held against)
        program, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        yield AtTerminal(process, ours)
    finally:
        # `make` and what it started are one group.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)
