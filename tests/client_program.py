"""The program as people run it: in a process of its own, on a terminal or with pipes, in a data folder of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pexpect
from pexpect import fdpexpect

PROGRAM = (sys.executable, "-m", "shanghai_client.cli")
_AT_A_TABLE = {"play", "join", "watch"}
"""The commands that have a screen, too."""
_OF_A_USER = ("GRPC_", "LANG", "LC_", "SHANGHAI_RUM_", "XDG_")
_OF_A_TERMINAL = {"COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH", "PYTHONUTF8", "TZ"}
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


def short_rules(folder: Path, *, hands: int) -> str:
    """Give the path of house rules of a game of one or two short hands."""
    path = folder / "short.toml"
    contracts = "{ sets = [3] }, { runs = [4] }" if hands > 1 else "{ sets = [3] }"
    path.write_text(f"contracts = [{contracts}]\nbuys = {[3] * hands}\ncards_dealt = {[6] * hands}\n", encoding="utf-8")
    return str(path)


def environment(home: Path) -> dict[str, str]:
    """Give the environment of a user whose files all lie under one folder, whatever that of who runs the tests is."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_OF_A_USER) and name not in _OF_A_TERMINAL
    }
    return kept | {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_STATE_HOME": str(home / "state"),
        # No test ever says anything to the network.
        "SHANGHAI_RUM_DISCOVERY": "127.0.0.1",
        "PYTHONWARNINGS": "error",
        # Whoever runs the tests may read another language.
        "SHANGHAI_RUM_LANG": "en",
        "TERM": "xterm",
    }


def as_bytes(arguments: Iterable[str]) -> list[bytes]:
    """Give the words of a command line as a terminal of that user sends them, whatever the tests' own encoding is."""
    return [argument.encode("utf-8", "surrogateescape") for argument in arguments]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the program left: its exit code and what it printed."""

    code: int
    out: str
    err: str


async def run_program(
    *arguments: str,
    home: Path,
    typed: str = "",
    limit: float = 120,
    variables: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
) -> Ran:
    """Run the program with pipes to its end, or fail after so many seconds; what it prints is read in an encoding."""
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        *as_bytes(arguments),
        env=environment(home) | dict(variables or {}),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(typed.encode()), limit)
    except BaseException:
        process.kill()
        await process.wait()
        raise
    code = process.returncode
    assert code is not None
    return Ran(code, out.decode(encoding), err.decode(encoding))


@asynccontextmanager
async def host(
    home: Path, *arguments: str, files: int = 0, variables: Mapping[str, str] | None = None
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str, str]]:
    """Run `host` on a free port; gives its process, its address, and the code of the table that it opened.

    It may have so many `files` and connections open at once; 0 is what the tests may. It has some `variables` more in
    its environment.
    """
    few = ("sh", "-c", f'ulimit -n {files} && exec "$@"', "sh") if files else ()
    process = await asyncio.create_subprocess_exec(
        *few,
        *PROGRAM,
        "host",
        *arguments,
        env=environment(home) | dict(variables or {}),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            code = (await process.stdout.readline()).decode().split()[1]
            line = (await process.stdout.readline()).decode()
        found = re.search(r"shanghai-rum join (\S+) --table (\w+) --name NAME", line)
        assert found is not None, line
        assert found[2] == code
        yield process, found[1], code
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def stop(process: asyncio.subprocess.Process, number: signal.Signals) -> int:
    """Send a signal, and give the exit code."""
    process.send_signal(number)
    await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode


class Terminal:
    """The program on a pseudo-terminal of 30 lines, usually of 100 columns; what is played is played line by line."""

    def __init__(
        self, *arguments: str, home: Path, term: str = "xterm", columns: int = 100, echoes: bool = True
    ) -> None:
        if arguments[0] in _AT_A_TABLE:
            arguments = (*arguments, "--plain")
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, (30, columns))
        if not echoes:
            # What a terminal echoes by itself may stand within a sign of several bytes that the program writes.
            mode = termios.tcgetattr(theirs)
            mode[3] &= ~termios.ECHO
            termios.tcsetattr(theirs, termios.TCSANOW, mode)
        self._process = subprocess.Popen(  # noqa: S603 (this program)
            [*PROGRAM, *arguments],
            env=environment(home) | {"TERM": term},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._screen = fdpexpect.fdspawn(ours, encoding="utf-8", timeout=60)

    async def expect(self, text: str) -> str:
        """Wait until a text has appeared, with any white space between its words, and give all that stood before it."""
        pattern = r"\s+".join(re.escape(word) for word in text.split())
        try:
            await asyncio.to_thread(self._screen.expect, pattern)
        except (pexpect.TIMEOUT, pexpect.EOF) as error:
            raise AssertionError(f"{text!r} was not shown after: {_plain(str(self._screen.before))[-2000:]}") from error
        return _plain(str(self._screen.before))

    async def expect_one(self, *texts: str) -> tuple[str, str]:
        """Wait until one of some texts has appeared, and give it, and all that stood before it."""
        try:
            found = await asyncio.to_thread(self._screen.expect_exact, list(texts))
        except (pexpect.TIMEOUT, pexpect.EOF) as error:
            before = _plain(str(self._screen.before))[-2000:]
            raise AssertionError(f"none of {texts} was shown after: {before}") from error
        return texts[found], _plain(str(self._screen.before))

    async def type(self, line: str) -> None:
        """Type a line and Enter."""
        await asyncio.to_thread(self._screen.send, f"{line}\r")

    async def press(self, key: str) -> None:
        """Press a key with Ctrl."""
        await asyncio.to_thread(self._screen.send, chr(ord(key.upper()) - ord("@")))

    def interrupt(self) -> None:
        """Send what Ctrl-C sends where the terminal itself reads the keys."""
        self._process.send_signal(signal.SIGINT)

    async def ended(self) -> int:
        """Wait until the program has ended, and give its exit code."""
        await asyncio.to_thread(self._screen.expect, pexpect.EOF)
        return await asyncio.to_thread(self._process.wait, 30)

    def close(self) -> None:
        """End the program if it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._screen.close()


def _plain(text: str) -> str:
    return _ESCAPES.sub("", text)
