"""What the host of a server asks of it while it runs, over the door that only he can open."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import grpc.aio

from shanghai.v1 import admin_pb2, admin_pb2_grpc
from shanghai_client.channel import OPTIONS
from shanghai_client.failure import CannotConnect, refused
from shanghai_client.language import _
from shanghai_client.retrying import Patience, calling
from shanghai_wire.refused import Refused

_PATIENCE = Patience(attempt=10.0, whole=10.0, refused=0.2)
"""A server that runs on this machine answers at once, or is busy; one that has ended has left its door shut."""


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
        """Make a call, and again where it did not get through, or after the pause that the server names."""

        async def attempt(limit: float) -> Any:  # noqa: ANN401
            try:
                return await method(request, metadata=self._metadata, timeout=limit)
            except grpc.aio.AioRpcError as error:
                said = Refused.by_call(error)
                if said.reason and said.retry_after_ms is None:
                    # The server's own word, which is the host's to hear at once: that the disk is full, say.
                    raise refused(error) from error
                raise

        try:
            return await calling(self._address, attempt, patience=_PATIENCE)
        except CannotConnect as error:
            why = _("the server does not run any more, or does not answer")
            raise CannotConnect(self._address, why) from error
