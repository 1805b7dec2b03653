"""A connection that breaks at a byte of one's choice: a proxy on loopback that hands on so many bytes and no more."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from loopback_proxy import End, LoopbackProxy

FOR_EVER = 10**12
OPTIONS = [
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
    # The library may overlook that a connection breaks while it begins (1.76.0 does once in some thousand times), and
    # waits for ever then: only a ping finds out.
    ("grpc.keepalive_time_ms", 8_000),
    ("grpc.keepalive_timeout_ms", 4_000),
]
"""The options of a channel that goes over such a connection: each by itself, calls once, and no break is missed."""


class CuttingProxy(LoopbackProxy):
    """Hands on one connection to a port of this machine until its bytes are used up, then breaks it; takes no other.

    `client_bytes` and `server_bytes` have passed so far; `outer_port` is the one by which the server sees it come.
    """

    def __init__(self, to: int, *, from_client: int = FOR_EVER, from_server: int = FOR_EVER) -> None:
        """Take the port, and after how many bytes of either side the connection breaks."""
        super().__init__(to)
        self.outer_port = 0
        self.client_bytes = self.server_bytes = 0
        self._limits = (from_client, from_server)

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._connections:
            writer.transport.abort()
        else:
            super()._take(reader, writer)

    def _ways(self, client: End, server: End) -> list[Coroutine[Any, Any, Any]]:
        self.outer_port = server.writer.get_extra_info("sockname")[1]
        return [self._hand_on(client, server, side=0), self._hand_on(server, client, side=1)]

    async def _hand_on(self, origin: End, to: End, *, side: int) -> None:
        left = self._limits[side]
        with suppress(ConnectionError):
            while left and (data := await origin.reader.read(min(left, 65536))):
                left -= len(data)
                to.writer.write(data)
                await to.writer.drain()
                if side:
                    self.server_bytes += len(data)
                else:
                    self.client_bytes += len(data)
