"""The service: every method of the contract, and the one place where an error becomes a status.

Answers and updates that are bytes already are sent as they are. A client never sees a traceback or any text that was
not written for it: what is not a refusal is logged and answered with one plain sentence.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

import grpc
import grpc.aio
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status import rpc_status
from structlog.typing import FilteringBoundLogger

from shanghai.v1 import service_pb2
from shanghai_engine.bots import LEVELS
from shanghai_engine.malformed import ShanghaiError
from shanghai_engine.rules import PRESETS
from shanghai_server.gates import VERBS, read_call, token_hash
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.settings import Settings
from shanghai_server.tables import Tables
from shanghai_server.watcher import Watcher
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire.refused import Refused
from shanghai_wire.rules import rules_message

SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]
Context = grpc.aio.ServicerContext[Any, Any]
Answer = Message | bytes
_TRY_AGAIN = frozenset({grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE})
"""The statuses of what may be tried again as it is."""


def program_version() -> str:
    """Give the version of the program."""
    try:
        return version("shanghai-rum")
    except PackageNotFoundError:
        return "0"


class TableService:
    """The methods, on the tables of a server."""

    def __init__(self, tables: Tables, settings: Settings, log: FilteringBoundLogger) -> None:
        """Take the tables; `handlers` gives what a gRPC server serves."""
        self._tables = tables
        self._settings = settings
        self._log = log

    def handlers(self) -> grpc.GenericRpcHandler:
        """Give the handlers of all methods."""
        unary: dict[str, Callable[[Any], Awaitable[Answer]]] = {
            "GetServerInfo": self._get_server_info,
            "CreateTable": self._tables.create,
            "ListTables": self._list_tables,
            "GetRecord": self._get_record,
        }
        for verb in VERBS:
            unary[verb] = functools.partial(self._call, verb)
        streams: dict[str, Callable[[Any], AsyncGenerator[bytes, None]]] = {
            "Watch": self._watch,
            "WatchTables": self._watch_tables,
        }
        handlers = {}
        for method in SERVICE.methods:
            reader = _reader(GetMessageClass(method.input_type))
            if method.server_streaming:
                handlers[method.name] = grpc.unary_stream_rpc_method_handler(
                    self._stream(method.name, streams[method.name]), reader, _to_bytes
                )
            else:
                handlers[method.name] = grpc.unary_unary_rpc_method_handler(
                    self._unary(method.name, unary[method.name]), reader, _to_bytes
                )
        return grpc.method_handlers_generic_handler(SERVICE.full_name, handlers)

    def _unary(
        self, name: str, method: Callable[[Any], Awaitable[Answer]]
    ) -> Callable[[Any, Context], Awaitable[Answer]]:
        async def answer(request: Message | CallRefused, context: Context) -> Answer:
            try:
                return await method(_readable(request))
            except (CallRefused, ShanghaiError) as error:
                refused = self._refused(error)
            except Exception:  # noqa: BLE001 # the outermost line of a call; it logs the traceback
                self._log.exception("a call failed", method=name)
                refused = self._refused(CallRefused(TableRefusal.INTERNAL))
            return await _abort(context, refused)

        return answer

    def _stream(
        self, name: str, method: Callable[[Any], AsyncGenerator[bytes, None]]
    ) -> Callable[[Any, Context], Awaitable[None]]:
        async def stream(request: Message | CallRefused, context: Context) -> None:
            try:
                # Writing from here, not yielding: when the client goes, what it watched is let go at once.
                async with aclosing(method(_readable(request))) as messages:
                    async for message in messages:
                        await context.write(message)
            except (CallRefused, ShanghaiError) as error:
                refused = self._refused(error)
            except Exception:  # noqa: BLE001 # the outermost line of a call; it logs the traceback
                self._log.exception("a stream failed", method=name)
                refused = self._refused(CallRefused(TableRefusal.INTERNAL))
            else:
                return
            await _abort(context, refused)

        return stream

    def _refused(self, error: CallRefused | ShanghaiError) -> Refused:
        if isinstance(error, ShanghaiError):
            return Refused.by_engine(error)
        refusal = error.refusal
        retry = error.retry_after_ms
        if retry is None and refusal.status in _TRY_AGAIN:
            retry = self._settings.retry_after_ms
        return Refused(refusal.status, refusal.name, error.rule, error.message, error.values, retry)

    async def _get_server_info(self, _request: service_pb2.GetServerInfoRequest) -> Answer:
        settings = self._settings
        return service_pb2.GetServerInfoResponse(
            version=program_version(),
            contract_revision=CONTRACT_REVISION,
            limits=service_pb2.Limits(
                tables=settings.tables,
                seats=settings.seats,
                name_characters=settings.name_characters,
                chat_characters=settings.chat_characters,
                request_bytes=settings.request_bytes,
            ),
            presets=[service_pb2.Preset(name=name, rules=rules_message(rules)) for name, rules in PRESETS.items()],
            bot_levels=list(LEVELS),
        )

    async def _list_tables(self, request: service_pb2.ListTablesRequest) -> Answer:
        await self._tables.listed()
        return self._tables.table_list.bytes_of(request.statuses)

    def _watch_tables(self, request: service_pb2.WatchTablesRequest) -> AsyncGenerator[bytes, None]:
        return self._tables.table_list.follow(request.statuses)

    async def _call(self, verb: str, request: Any) -> Answer:  # noqa: ANN401 # any request of a seat
        table = await self._tables.find(request.table)
        return await table.call(read_call(verb, request))

    async def _get_record(self, request: service_pb2.GetRecordRequest) -> Answer:
        return await self._tables.record(request)

    async def _watch(self, request: service_pb2.WatchRequest) -> AsyncGenerator[bytes, None]:
        table = await self._tables.find(request.table)
        watcher = Watcher(
            token=token_hash(request.seat_token) if request.seat_token else "",
            after_sequence=request.after_sequence,
            most=self._settings.queued_updates,
            passcode=request.passcode,
        )
        try:
            await table.attach(watcher)
            async for message in watcher:
                yield message
        finally:
            table.detach(watcher)


def _reader(kind: type[Message]) -> Callable[[bytes], Message | CallRefused]:
    """Give what reads a request; an error raised by it would be answered, and logged, by the library in its words."""

    def read(data: bytes) -> Message | CallRefused:
        try:
            return kind.FromString(data)
        except DecodeError:
            return CallRefused(TableRefusal.BAD_MESSAGE, message=kind.DESCRIPTOR.name)

    return read


def _readable(request: Message | CallRefused) -> Message:
    if isinstance(request, CallRefused):
        raise request
    return request


def _to_bytes(answer: Answer) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


async def _abort(context: Context, refused: Refused) -> NoReturn:
    status = rpc_status.to_status(refused.to_status())
    await context.abort(status.code, status.details, status.trailing_metadata)
