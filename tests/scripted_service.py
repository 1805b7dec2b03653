"""A server that answers some calls by a script, and what it says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.connection import Connection
from shanghai_client.receipt import Receipt
from shanghai_wire import CONTRACT_REVISION

SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]


Context = grpc.aio.ServicerContext[Any, Any]


Handler = Callable[[Any, Context], Any]


async def info(request: service_pb2.GetServerInfoRequest, context: Context) -> service_pb2.GetServerInfoResponse:
    """Answer as a server of this revision."""
    del request, context
    return service_pb2.GetServerInfoResponse(version="test", contract_revision=CONTRACT_REVISION)


@asynccontextmanager
async def serving(**handlers: Handler) -> AsyncIterator[Connection]:
    """Give a connection to a server that answers some calls by a script."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    methods = {name: _method(name, handler) for name, handler in {"GetServerInfo": info, **handlers}.items()}
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE.full_name, methods)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with await Connection.to(f"127.0.0.1:{port}") as connection:
            yield connection
    finally:
        await server.stop(0)


def _method(name: str, handler: Handler) -> Any:  # noqa: ANN401 (what grpc makes of a handler has no type)
    method = SERVICE.methods_by_name[name]
    request: type[Message] = getattr(service_pb2, method.input_type.name)
    response: type[Message] = getattr(service_pb2, method.output_type.name)
    make = grpc.unary_stream_rpc_method_handler if method.server_streaming else grpc.unary_unary_rpc_method_handler
    return make(handler, request_deserializer=request.FromString, response_serializer=response.SerializeToString)


def receipt(table: str, name: str = "Ann") -> Receipt:
    """Give the secrets of a new seat."""
    return Receipt.new(server="test", table=table, name=name)


def update(sequence: int) -> service_pb2.WatchResponse:
    """Give an update that says nothing but its sequence."""
    return service_pb2.WatchResponse(update=table_pb2.Update(sequence=sequence))


def closed(reason: table_pb2.CloseReason.ValueType, retry_after_ms: int = 0) -> service_pb2.WatchResponse:
    """Give the last message of a stream."""
    return service_pb2.WatchResponse(closed=table_pb2.StreamClosed(reason=reason, retry_after_ms=retry_after_ms))
