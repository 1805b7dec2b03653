"""A server in a process of its own, for tests that kill, freeze, starve or measure it."""

from __future__ import annotations

import asyncio
import resource
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
from closed_port import own_port

from shanghai.v1 import service_pb2_grpc

PROGRAM = Path(__file__).parent / "server" / "serve_until_killed.py"
OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", -1),
)


class ServerProcess:
    """A server that can die and come back on the same data folder; while it lives `up` is set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.up = asyncio.Event()
        self.lives = 0
        self.port = 0
        self._process: Process | None = None
        self._channel: grpc.aio.Channel | None = None
        # Its port stays its own as long as somebody may call there, and not only while it lives.
        self._place = ExitStack()

    async def start(self, *fate: str) -> None:
        """Start it, at another port each time, and wait until it serves."""
        place = ExitStack()
        port = place.enter_context(own_port())
        with self.errors.open("ab") as errors:
            self._process = process = await asyncio.create_subprocess_exec(
                sys.executable, str(PROGRAM), str(self.folder), str(port), *fate, stdout=PIPE, stderr=errors
            )
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), 60) == b"serving\n"
        # Not before: closing cancels calls here, which are to fail by the death of the server.
        await self.close()
        self.port, self._place = port, place
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.port}", options=OPTIONS)
        self.lives += 1
        self.up.set()

    @property
    def errors(self) -> Path:
        """What it wrote to its standard error, in all its lives."""
        return self.folder.with_name("errors.txt")

    @property
    def channel(self) -> grpc.aio.Channel:
        """The connection to it."""
        assert self._channel is not None
        return self._channel

    @property
    def stub(self) -> service_pb2_grpc.TableServiceAsyncStub:
        """Everything that can be asked of it; its calls fail once it is dead."""
        return service_pb2_grpc.TableServiceStub(self.channel)

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    async def dead(self) -> None:
        """Wait until it has died."""
        assert self._process is not None
        await self._process.wait()
        self.up.clear()

    async def kill(self) -> None:
        """Kill it as by `kill -9`."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self.dead()

    async def close(self) -> None:
        """Let go of the connection to it."""
        if self._channel is not None:
            await self._channel.close()
        self._place.close()

    def memory(self) -> int:
        """Give the bytes that its process holds in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize()

    def log(self) -> str:
        """Give its log, of all its lives."""
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def limit_files(self, size: int) -> None:
        """Let no file of its process grow beyond so many bytes, as on a disk that is full; -1 ends that."""
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@asynccontextmanager
async def server_process(folder: Path, *fate: str) -> AsyncIterator[ServerProcess]:
    """Serve on a data folder while the block runs, and kill it afterwards; `fate` is as the program has it."""
    server = ServerProcess(folder)
    try:
        await server.start(*fate)
        yield server
    finally:
        if server.lives:
            await server.kill()
            await server.close()
