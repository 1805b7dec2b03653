"""A proxy on loopback: stands before a port of this machine, and hands on what comes as its kind wishes."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, NamedTuple, Self


class End(NamedTuple):
    """One end of a connection: what comes from there, and the way to it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class LoopbackProxy(ABC):
    """Takes connections for a port of this machine; `async with` opens it, and `port` is where it is reached."""

    def __init__(self, to: int) -> None:
        """Take the port of the server."""
        self.port = 0
        self._to = to
        self._clients: list[End] = []
        self._connections: list[asyncio.Task[None]] = []
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Break all connections."""
        assert self._server is not None
        self._server.close()
        await _end(self._connections)
        for client in self._clients:
            # One that has come just now had no turn yet, so its task has broken nothing.
            client.writer.transport.abort()
        await self._server.wait_closed()

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A plain function, so that the task is ours from the first moment: what is only being opened is broken, too.
        self._clients.append(End(reader, writer))
        self._connections.append(asyncio.create_task(self._connect(self._clients[-1])))

    async def _connect(self, client: End) -> None:
        ends = [client]
        ways: list[asyncio.Task[Any]] = []
        try:
            ends.append(End(*await asyncio.open_connection("127.0.0.1", self._to)))
            ways = [asyncio.create_task(way) for way in self._ways(*ends)]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.writer.transport.abort()
            await _end(ways)

    @abstractmethod
    def _ways(self, client: End, server: End) -> list[Coroutine[Any, Any, Any]]:
        """Give what hands on between the two ends of a new connection, which breaks with the first of it that ends."""


async def _end(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
