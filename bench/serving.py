"""A server in a process of its own, whose processor time and memory are read from outside."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import MappingProxyType

import grpc
import grpc.aio

from shanghai_server.doors.transport import CHOICES, POLLED

_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
)


_PROCESS_CLOCK = 2


class Serving:
    """A running server: its port, and what it has cost so far."""

    def __init__(self, process: Process, port: int) -> None:
        """Take the process and the port that it printed."""
        self._process = process
        self.port = port

    def cpu(self) -> float:
        """Give the seconds of processor time that all its threads have taken, to the nanosecond (Linux)."""
        # The clock of another process, as `clock_getcpuclockid` names it; /proc counts in hundredths of a second.
        return time.clock_gettime(~self._process.pid << 3 | _PROCESS_CLOCK)

    def memory(self) -> int:
        """Give the bytes that it holds in memory."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()

    def channel(self) -> grpc.aio.Channel:
        """Give a new connection to it."""
        return grpc.aio.insecure_channel(f"127.0.0.1:{self.port}", options=_OPTIONS)

    @asynccontextmanager
    async def channels(self, number: int) -> AsyncIterator[list[grpc.aio.Channel]]:
        """Give so many connections while the block runs."""
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(self.channel()) for _ in range(number)]

    def stop(self) -> None:
        """Ask it to stop, as a service manager does (SIGTERM)."""
        self._process.send_signal(signal.SIGTERM)

    async def stopped(self) -> int:
        """Wait until it has gone, and give its exit code."""
        return await self._process.wait()


def game_server(*arguments: str) -> AbstractAsyncContextManager[Serving]:
    """Run a game server (`bench.game_host`) as `serving` does, with the gRPC library settled as a host settles it."""
    return serving("bench.game_host", *arguments, environment={CHOICES: POLLED})


@asynccontextmanager
async def serving(
    module: str, *arguments: str, environment: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[Serving]:
    """Run `python -m MODULE ARGUMENTS`, which prints its port and serves, and kill it after the block."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments, stdout=PIPE, env={**os.environ, **environment}
    )
    try:
        assert process.stdout is not None
        yield Serving(process, int(await process.stdout.readline()))
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def data_folder() -> tempfile.TemporaryDirectory[str]:
    """Give a folder for a server's data: not in the folder for temporary files, which may be in memory."""
    return tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-")
