"""The service: every method of the contract, and what becomes of an error in one.

Answers and updates that are bytes already are sent as they are. A client never sees a traceback or any text that was
not written for it: what is not a refusal is logged and answered with one plain sentence.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shanghai.v1 import service_pb2
from shanghai_engine.bots import LEVELS
from shanghai_engine.malformed import ShanghaiError
from shanghai_engine.rules import PRESETS
from shanghai_server.doors.answering import Answer, Context, abort, reader, refused_by, to_bytes, when_through
from shanghai_server.doors.arrival import Arrivals
from shanghai_server.doors.outcome import Endings, Outcome
from shanghai_server.doors.version import program_version
from shanghai_server.house.house import House
from shanghai_server.house.peers import peer_of
from shanghai_server.house.rate import Rate
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.option import options_message
from shanghai_server.table.watcher import Watcher
from shanghai_server.tables.table_list import choice_of
from shanghai_server.tables.tables import Tables
from shanghai_server.verbs.gates import VERBS, read_call, sitting_mark, token_hash
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire.refused import Refused
from shanghai_wire.rules import rules_message

SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]
LARGE = 4096
"""The bytes from which on it is counted whether an answer is taken: no answer that changes something is as long."""
Write = Callable[[bytes], Awaitable[None]]
"""Sends a message on a stream; waits where the client does not take any more."""


class TableService:
    """The methods, on the tables of a server."""

    def __init__(self, tables: Tables, house: House, arrivals: Arrivals) -> None:
        """Take the tables, what they share, and where requests come; `handlers` gives what a gRPC server serves."""
        self._arrivals = arrivals
        self._tables = tables
        self._settings = house.settings
        self._peers = house.peers
        self._log = house.log
        self._counts = house.counts
        self._endings = Endings(house.counts, tables, house.log)

    def handlers(self) -> grpc.GenericRpcHandler:
        """Give the handlers of all methods."""
        unary: dict[str, Callable[[Any, str], Awaitable[Answer]]] = {
            "GetServerInfo": self._get_server_info,
            "CreateTable": self._create_table,
            "ListTables": self._list_tables,
            "GetRecord": self._get_record,
        }
        for verb in VERBS:
            unary[verb] = functools.partial(self._call, verb)
        streams: dict[str, Callable[[Any, str, Write], Awaitable[None]]] = {
            "Watch": self._watch,
            "WatchTables": self._watch_tables,
        }
        handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        for method in SERVICE.methods:
            kind = GetMessageClass(method.input_type)
            read = reader(kind, self._settings.request_bytes)
            # Each as one with a stream of requests (`arrival.py`).
            if method.server_streaming:
                handlers[method.name] = grpc.stream_stream_rpc_method_handler(
                    self._stream(method.name, streams[method.name], kind), read
                )
            else:
                handlers[method.name] = grpc.stream_unary_rpc_method_handler(
                    self._unary(method.name, unary[method.name], kind), read, to_bytes
                )
        return grpc.method_handlers_generic_handler(SERVICE.full_name, handlers)

    def _unary(
        self, name: str, method: Callable[[Any, str], Awaitable[Answer]], kind: type[Message]
    ) -> Callable[[Any, Context], Awaitable[Answer]]:
        async def answer(_requests: object, context: Context) -> Answer:
            began, table, peer = time.perf_counter(), "", peer_of(context.peer())
            try:
                when_through(context, self._peers.calls(peer))
                request = await self._arrivals.request(context, kind)
                table = _table_of(request)
                done = await method(request, peer)
            except (CallRefused, ShanghaiError) as error:
                refused = self._refused(error)
            except Exception:  # noqa: BLE001 # the outermost line of a call; it logs the traceback
                self._log.exception("a call failed", method=name)
                refused = self._refused(CallRefused(TableRefusal.INTERNAL))
            except asyncio.CancelledError:
                self._endings.take(name, Outcome.GONE, began, table=table)
                raise
            else:
                self._endings.take(name, Outcome.DONE, began, table=table)
                if isinstance(done, bytes) and len(done) >= LARGE:
                    when_through(context, self._peers.sends(peer, len(done)))
                return done
            self._take_refusal(name, refused, began, table)
            return await abort(context, refused)

        return answer

    def _stream(
        self, name: str, method: Callable[[Any, str, Write], Awaitable[None]], kind: type[Message]
    ) -> Callable[[Any, Context], Awaitable[None]]:
        async def stream(_requests: object, context: Context) -> None:
            began, table, peer = time.perf_counter(), "", peer_of(context.peer())
            counts = self._counts

            def write(message: bytes) -> Awaitable[None]:
                counts.messages += 1
                counts.message_bytes += len(message)
                written: Awaitable[None] = context.write(message)
                return written

            try:
                # Writing, not yielding: when the client goes, what it watched is let go at once.
                with self._peers.stream(peer):
                    request = await self._arrivals.request(context, kind)
                    table = _table_of(request)
                    shown = method(request, peer, write)
                    # As long as the stream is open nobody needs it, and it may be large.
                    del request
                    await shown
            except (CallRefused, ShanghaiError) as error:
                refused = self._refused(error)
            except Exception:  # noqa: BLE001 # the outermost line of a call; it logs the traceback
                self._log.exception("a stream failed", method=name)
                refused = self._refused(CallRefused(TableRefusal.INTERNAL))
            except asyncio.CancelledError:
                self._endings.take(name, Outcome.GONE, began, table=table)
                raise
            else:
                self._endings.take(name, Outcome.DONE, began, table=table)
                return
            self._take_refusal(name, refused, began, table)
            await abort(context, refused)

        return stream

    def _take_refusal(self, name: str, refused: Refused, began: float, table: str) -> None:
        is_ours = refused.status_code is grpc.StatusCode.INTERNAL
        outcome = Outcome.FAILED if is_ours else Outcome.REFUSED
        self._endings.take(name, outcome, began, table=table, reason=refused.reason)

    def _refused(self, error: CallRefused | ShanghaiError) -> Refused:
        return refused_by(error, self._settings)

    async def _get_server_info(self, _request: service_pb2.GetServerInfoRequest, peer: str) -> Answer:
        self._peers.check_question(peer)
        return self._info

    @functools.cached_property
    def _info(self) -> bytes:
        """What the server is, which never changes: who asks again and again costs it next to nothing."""
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
                tables_per_peer=settings.tables_per_peer,
                streams_per_peer=settings.streams_per_peer,
                spectators=settings.spectators,
                calls=_rate_message(settings.calls),
                chat=_rate_message(settings.chat),
                calls_per_peer=_rate_message(settings.calls_per_peer),
                queued_calls=settings.queued_intents,
                queued_streams=settings.queued_streams,
                queued_updates=settings.queued_updates,
                too_slow_ms=settings.too_slow_ms,
                table_bytes=settings.table_bytes,
                wrong_codes=_rate_message(settings.wrong_codes),
                making_per_peer=_rate_message(settings.making_per_peer),
                joins_per_peer=_rate_message(settings.joins_per_peer),
            ),
            presets=[service_pb2.Preset(name=name, rules=rules_message(rules)) for name, rules in PRESETS.items()],
            bot_levels=list(LEVELS),
            usual_options=options_message(settings.options),
        ).SerializeToString()

    async def _create_table(self, request: service_pb2.CreateTableRequest, peer: str) -> Answer:
        self._peers.check_call(peer)
        return await self._tables.create(request, peer)

    async def _list_tables(self, request: service_pb2.ListTablesRequest, peer: str) -> Answer:
        self._peers.check_call(peer)
        self._peers.check_untaken(peer)
        await self._tables.listed()
        # Once more: many may have waited for the same.
        self._peers.check_untaken(peer)
        return self._tables.table_list.bytes_of(frozenset(request.statuses))

    async def _watch_tables(self, request: service_pb2.WatchTablesRequest, peer: str, write: Write) -> None:
        self._peers.check_opening(peer)
        wanted = choice_of(request.statuses)
        del request
        async with aclosing(self._tables.table_list.follow(wanted)) as lists:
            async for message in lists:
                async with self._peers.sending(peer, len(message)):
                    await write(message)

    async def _call(self, verb: str, request: Any, peer: str) -> Answer:  # noqa: ANN401 # any request of a seat
        table = await self._tables.find(request.table, peer)
        return await table.call(read_call(verb, request, peer))

    async def _get_record(self, request: service_pb2.GetRecordRequest, peer: str) -> Answer:
        self._peers.check_untaken(peer)
        record = await self._tables.record(request, peer)
        self._peers.check_untaken(peer)
        return record

    async def _watch(self, request: service_pb2.WatchRequest, peer: str, write: Write) -> None:
        table = await self._tables.find(request.table, peer)
        watcher = Watcher(
            token=token_hash(request.seat_token) if request.seat_token else "",
            sitting=sitting_mark(request.sitting),
            after_sequence=request.after_sequence,
            most=self._settings.queued_updates,
            passcode=request.passcode,
            peer=peer,
        )
        del request
        try:
            await table.attach(watcher)
            watcher.passcode = ""
            # Without waiting where there is something to send: with many viewers this is what an update costs.
            while not watcher.is_over:
                message = watcher.take()
                if message is None:
                    await watcher.news()
                else:
                    await write(message)
        finally:
            table.detach(watcher)


def _rate_message(rate: Rate) -> service_pb2.Rate:
    return service_pb2.Rate(burst=rate.burst, per_second=rate.per_second)


def _table_of(request: Message) -> str:
    """Give the code of the table that a request names, as it was sent; empty where it names none."""
    table = getattr(request, "table", "")
    return table if isinstance(table, str) else ""
