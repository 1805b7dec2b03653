"""The health of a server, by gRPC's own protocol, and its reflection: what is asked of it beside the game.

The library's own health service forgets everybody who watches a name as soon as one of them goes, and neither of the
two counts its streams and its questions, so both are served from here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from typing import Any

import grpc
import grpc.aio
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

from shanghai_server.doors.answering import Context, abort, reader, refused_by, to_bytes, when_through
from shanghai_server.doors.arrival import Arrivals
from shanghai_server.house.peers import Peers, peer_of
from shanghai_server.house.refusal import CallRefused
from shanghai_server.house.settings import Settings


class Health:
    """Says whether the server serves: to who asks, and to who watches."""

    def __init__(self, names: Sequence[str], peers: Peers, settings: Settings, arrivals: Arrivals) -> None:
        """Take the names of the services; nothing is served before `serve`. `handlers` gives what answers."""
        self._arrivals = arrivals
        self._names = frozenset({"", *names})
        self._peers = peers
        self._settings = settings
        self._serves = self._is_over = False
        self._changed = asyncio.Event()

    def handlers(self) -> grpc.GenericRpcHandler:
        """Give the handlers of the two methods."""
        read: Callable[[bytes], Any] = reader(health_pb2.HealthCheckRequest, self._settings.request_bytes)
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Check": grpc.stream_unary_rpc_method_handler(self._check, read, to_bytes),
            "Watch": grpc.stream_stream_rpc_method_handler(self._watch, read, to_bytes),
        }
        return grpc.method_handlers_generic_handler(health.SERVICE_NAME, handlers)

    async def _asked(self, context: Context) -> str:
        """Give the name of the service that is asked about; raises `CallRefused` where no request comes."""
        request: Any = await self._arrivals.request(context, health_pb2.HealthCheckRequest)
        return str(request.service)

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

    async def _check(self, _requests: object, context: Context) -> Message:
        """Answer with the status of a service; NOT_FOUND where there is none of this name."""
        try:
            peer = peer_of(context.peer())
            when_through(context, self._peers.calls(peer))
            name = await self._asked(context)
            self._peers.check_question(peer)
        except CallRefused as error:
            await abort(context, refused_by(error, self._settings))
        if name not in self._names:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no service of this name here")
        return self._answer(name)

    async def _watch(self, _requests: object, context: Context) -> None:
        """Show the status of a service, and each one that follows; SERVICE_UNKNOWN where there is none of this name."""
        try:
            peer = peer_of(context.peer())
            with self._peers.stream(peer):
                name = await self._asked(context)
                self._peers.check_question(peer)
                await self._show(name, context)
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


class _Symbols:
    """The descriptors of this process, as the library asks for them; a method is found by its name, too."""

    def __init__(self) -> None:
        self._pool: Any = descriptor_pool.Default()

    def FindFileContainingSymbol(self, name: str) -> FileDescriptor:  # noqa: N802 (its name in a pool)
        """Give the file in which a name is defined; raises `KeyError`."""
        try:
            file: FileDescriptor = self._pool.FindFileContainingSymbol(name)
        except KeyError:
            file = self._pool.FindMethodByName(name).containing_service.file
        return file

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (all else that a pool has)
        return getattr(self._pool, name)


class Reflection:
    """Shows the contract to programs such as grpcurl; its streams count like all others."""

    def __init__(self, names: Sequence[str], peers: Peers, settings: Settings) -> None:
        """Take the names of the services."""
        self._answers: Any = reflection.aio.ReflectionServicer(names, pool=_Symbols())
        self._peers = peers
        self._settings = settings

    async def ServerReflectionInfo(  # noqa: N802 (the method's name in the protocol)
        self, request_iterator: AsyncIterable[reflection_pb2.ServerReflectionRequest], context: Context
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        """Answer one question after another."""
        try:
            peer = peer_of(context.peer())
            with self._peers.stream(peer):
                questions = self._counted(request_iterator, peer)
                async for answer in self._answers.ServerReflectionInfo(questions, context):
                    yield answer
        except CallRefused as error:
            await abort(context, refused_by(error, self._settings))

    async def _counted(
        self, questions: AsyncIterable[reflection_pb2.ServerReflectionRequest], peer: str
    ) -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        async for question in questions:
            self._peers.check_question(peer)
            yield question


def serve_beside(server: grpc.aio.Server, served: str, peers: Peers, settings: Settings, arrivals: Arrivals) -> Health:
    """Let a gRPC server answer for its health and its contract beside the service of a name; gives its health."""
    names = (served, health.SERVICE_NAME, reflection.SERVICE_NAME)
    own = Health(names, peers, settings, arrivals)
    server.add_generic_rpc_handlers((own.handlers(),))
    add: Any = reflection_pb2_grpc.add_ServerReflectionServicer_to_server
    add(Reflection(names, peers, settings), server)
    return own
