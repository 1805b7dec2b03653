"""A way to a server on which whole machines fall asleep: what goes over it stands still, and breaks when they wake."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from loopback_proxy import End, LoopbackProxy


@dataclass
class _Rest:
    """Of one connection: whether what goes over it is handed on, and whether it has slept to its end."""

    awake: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)


class SleepingProxy(LoopbackProxy):
    """Hands on connections to a port of this machine, until they are told to sleep."""

    def __init__(self, to: int) -> None:
        """Take the port of the server."""
        super().__init__(to)
        self._rests: list[_Rest] = []

    def sleep(self) -> list[_Rest]:
        """Hand nothing on any more of the connections that there are, and give them; neither end hears of it."""
        for rest in self._rests:
            rest.awake.clear()
        return self._rests[:]

    @staticmethod
    def wake(asleep: list[_Rest]) -> None:
        """Break the connections that slept; what they held is lost."""
        for rest in asleep:
            rest.over.set()

    def _ways(self, client: End, server: End) -> list[Coroutine[Any, Any, Any]]:
        rest = _Rest()
        rest.awake.set()
        self._rests.append(rest)
        return [_hand_on(client, server, rest.awake), _hand_on(server, client, rest.awake), rest.over.wait()]


async def _hand_on(origin: End, to: End, awake: asyncio.Event) -> None:
    with suppress(ConnectionError):
        while data := await origin.reader.read(65536):
            await awake.wait()
            to.writer.write(data)
            await to.writer.drain()
