"""The health of a server, by gRPC's own protocol, and its reflection: what is asked of it beside the game.

The library's own health service forgets everybody who watches a name as soon as one of them goes, and neither of the
two counts its streams, so both are served from here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from typing import Any

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

from shanghai_server.doors.answering import Context, abort, refused_by
from shanghai_server.house.peers import Peers, peer_of
from shanghai_server.house.refusal import CallRefused
from shanghai_server.house.settings import Settings


class Health(health_pb2_grpc.HealthServicer):
    """Says whether the server serves: to who asks, and to who watches."""

    def __init__(self, names: Sequence[str], peers: Peers, settings: Settings) -> None:
        """Take the names of the services; nothing is served before `serve`."""
        self._names = frozenset({"", *names})
        self._peers = peers
        self._settings = settings
        self._serves = self._is_over = False
        self._changed = asyncio.Event()

    def serve(self) -> None:
        """Say from now on that everything is served."""
        self._turn(serves=True)

    def end(self) -> None:
        """Say that nothing is served any more, and let everybody go who watched for it."""
        self._is_over = True
        self._turn(serves=False)

    def _turn(self, *, serves: bool) -> None:
        self._serves = serves
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _answer(self, name: str) -> health_pb2.HealthCheckResponse:
        kinds = health_pb2.HealthCheckResponse
        if name not in self._names:
            return kinds(status=kinds.SERVICE_UNKNOWN)
        return kinds(status=kinds.SERVING if self._serves else kinds.NOT_SERVING)

    async def Check(  # noqa: N802 (the method's name in the protocol)
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> health_pb2.HealthCheckResponse:
        """Answer with the status of a service; NOT_FOUND where there is none of this name."""
        if request.service not in self._names:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no service of this name here")
        return self._answer(request.service)

    async def Watch(  # noqa: N802 (the method's name in the protocol)
        self, request: health_pb2.HealthCheckRequest, context: Context
    ) -> None:
        """Show the status of a service, and each one that follows; SERVICE_UNKNOWN where there is none of this name."""
        try:
            with self._peers.stream(peer_of(context.peer())):
                await self._show(request.service, context)
        except CallRefused as error:
            await abort(context, refused_by(error, self._settings))

    async def _show(self, name: str, context: Context) -> None:
        shown = None
        while True:
            changed, answer = self._changed, self._answer(name)
            if answer != shown:
                await context.write(answer)
                shown = answer
            if self._is_over:
                return
            await changed.wait()


class Reflection:
    """Shows the contract to programs such as grpcurl; its streams count like all others."""

    def __init__(self, names: Sequence[str], peers: Peers, settings: Settings) -> None:
        """Take the names of the services."""
        self._answers: Any = reflection.aio.ReflectionServicer(names)
        self._peers = peers
        self._settings = settings

    async def ServerReflectionInfo(  # noqa: N802 (the method's name in the protocol)
        self, request_iterator: AsyncIterable[reflection_pb2.ServerReflectionRequest], context: Context
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        """Answer one question after another."""
        try:
            with self._peers.stream(peer_of(context.peer())):
                async for answer in self._answers.ServerReflectionInfo(request_iterator, context):
                    yield answer
        except CallRefused as error:
            await abort(context, refused_by(error, self._settings))


def serve_beside(server: grpc.aio.Server, served: str, peers: Peers, settings: Settings) -> Health:
    """Let a gRPC server answer for its health and its contract beside the service of a name; gives its health."""
    names = (served, health.SERVICE_NAME, reflection.SERVICE_NAME)
    own = Health(names, peers, settings)
    health_pb2_grpc.add_HealthServicer_to_server(own, server)
    add: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
    add(Reflection(names, peers, settings), server)
    return own
