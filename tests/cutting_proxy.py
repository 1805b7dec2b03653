"""A connection that breaks at a byte of one's choice: a proxy on loopback that hands on so many bytes and no more."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

FOR_EVER = 10**12


class CuttingProxy:
    """Hands on one connection to a port of this machine until its bytes are used up, then breaks it; takes no other.

    `async with` opens it. `client_bytes` and `server_bytes` have passed so far, and `broken` is set at the end. `port`
    is where it is reached, `outer_port` the one by which the server sees it come.
    """

    def __init__(self, to: int, *, from_client: int = FOR_EVER, from_server: int = FOR_EVER) -> None:
        """Take the port, and after how many bytes of either side the connection breaks."""
        self.port = self.outer_port = 0
        self.client_bytes = self.server_bytes = 0
        self.broken = asyncio.Event()
        self._to = to
        self._limits = (from_client, from_server)
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Break the connection, if it is not broken."""
        assert self._server is not None
        self._server.close()
        self._break()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._writers:
            writer.transport.abort()
            return
        self._writers.append(writer)
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers.append(to_server)
        self.outer_port = to_server.get_extra_info("sockname")[1]
        self._tasks = [
            asyncio.create_task(self._hand_on(reader, to_server, 0)),
            asyncio.create_task(self._hand_on(from_server, writer, 1)),
        ]

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, side: int) -> None:
        left = self._limits[side]
        try:
            while left and (data := await reader.read(min(left, 65536))):
                left -= len(data)
                writer.write(data)
                await writer.drain()
                if side:
                    self.server_bytes += len(data)
                else:
                    self.client_bytes += len(data)
        except ConnectionError:
            pass
        self._break()

    def _break(self) -> None:
        self.broken.set()
        for writer in self._writers:
            writer.transport.abort()
