"""What the host of a server asks of it while it runs, over the door that only he can open."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self

import grpc
import grpc.aio

from shanghai.v1 import admin_pb2, admin_pb2_grpc
from shanghai_client.channel import OPTIONS
from shanghai_client.failure import CannotConnect, refused
from shanghai_client.language import _
from shanghai_client.retrying import asked_wait

PATIENCE = 10.0
"""The seconds that a server has for an answer, and for all that is tried again."""
_NOBODY = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


class Administration:
    """A connection to a running server for its host. Its methods raise `Refused`, and `CannotConnect`."""

    def __init__(self, address: str, token: str) -> None:
        """Take the address, as the gRPC library writes it, and the token of the server's folder."""
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._stub: admin_pb2_grpc.AdminServiceAsyncStub = admin_pb2_grpc.AdminServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._channel.close()

    async def status(self) -> admin_pb2.GetServerStatusResponse:
        """Give how the server is doing."""
        answer: admin_pb2.GetServerStatusResponse = await self._call(
            self._stub.GetServerStatus, admin_pb2.GetServerStatusRequest()
        )
        return answer

    async def tables(self) -> list[admin_pb2.TableInspection]:
        """Give the tables with more than players see."""
        answer = await self._call(self._stub.InspectTables, admin_pb2.InspectTablesRequest())
        return list(answer.tables)

    async def peers(self) -> list[admin_pb2.Peer]:
        """Give the addresses from which streams are open or tables were made."""
        answer = await self._call(self._stub.ListPeers, admin_pb2.ListPeersRequest())
        return list(answer.peers)

    async def close_table(self, table: str, reason: str) -> int:
        """Close a table for good, and tell its people why; gives how many streams were ended."""
        answer = await self._call(self._stub.CloseTable, admin_pb2.CloseTableRequest(table=table, reason=reason))
        return int(answer.streams)

    async def announce(self, text: str) -> admin_pb2.AnnounceResponse:
        """Show a notice to everybody at every table; empty text takes the last one away."""
        answer: admin_pb2.AnnounceResponse = await self._call(self._stub.Announce, admin_pb2.AnnounceRequest(text=text))
        return answer

    async def _call(self, method: Any, request: Any) -> Any:  # noqa: ANN401 (any method with its request)
        """Make a call, and again after the pause that the server names, where it has no time for it or no room."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while True:
            try:
                return await method(request, metadata=self._metadata, timeout=PATIENCE)
            except grpc.aio.AioRpcError as error:
                said, pause = refused(error), asked_wait(error)
                if error.code() in _NOBODY and said.reason == error.code().name:
                    # Not the server's own word.
                    why = _("the server does not run any more, or does not answer")
                    raise CannotConnect(self._address, why) from error
                if said.retry_after is None or loop.time() + pause >= end:
                    raise said from error
            await asyncio.sleep(pause)
