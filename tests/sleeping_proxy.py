"""A way to a server on which whole machines fall asleep: what goes over it stands still, and breaks when they wake."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self


@dataclass
class _Way:
    """One connection: its two ends, and whether what goes over it is handed on."""

    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    awake: asyncio.Event = field(default_factory=asyncio.Event)


class SleepingProxy:
    """Hands on connections to a port of this machine; `async with` opens it, and `port` is where it is reached."""

    def __init__(self, to: int) -> None:
        """Take the port of the server."""
        self.port = 0
        self._to = to
        self._ways: list[_Way] = []
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
        """Break all connections."""
        assert self._server is not None
        self._server.close()
        for way in self._ways:
            _break(way)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    def sleep(self) -> list[_Way]:
        """Hand nothing on any more of the connections that there are, and give them; neither end hears of it."""
        for way in self._ways:
            way.awake.clear()
        return self._ways[:]

    @staticmethod
    def wake(asleep: list[_Way]) -> None:
        """Break the connections that slept; what they held is lost."""
        for way in asleep:
            _break(way)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._to)
        way = _Way([writer, to_server])
        way.awake.set()
        self._ways.append(way)
        self._tasks += [
            asyncio.create_task(_hand_on(reader, to_server, way)),
            asyncio.create_task(_hand_on(from_server, writer, way)),
        ]


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: _Way) -> None:
    try:
        while data := await reader.read(65536):
            await way.awake.wait()
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    _break(way)


def _break(way: _Way) -> None:
    for writer in way.writers:
        writer.transport.abort()
