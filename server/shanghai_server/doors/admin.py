"""What the host of a server asks and does while it runs: `AdminService`, on an address of its own, behind a token."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from shanghai.v1 import admin_pb2
from shanghai_engine.malformed import ShanghaiError
from shanghai_server.doors.admin_door import DoorFile
from shanghai_server.doors.answering import Answer, Context, abort, readable, reader, refused_by, to_bytes
from shanghai_server.doors.inspection import inspected, peers, status
from shanghai_server.house.house import House
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.wording import read_chat
from shanghai_server.tables.tables import Tables

SERVICE = admin_pb2.DESCRIPTOR.services_by_name["AdminService"]
_HEADER, _SCHEME = "authorization", "Bearer "


class Admin:
    """The service, served while a server runs."""

    def __init__(self, folder: Path, tables: Tables, house: House) -> None:
        """Take the data folder, in which the door stands, and what is to be looked at."""
        self._door = DoorFile(folder)
        self._tables = tables
        self._house = house
        self._token = ""
        self._began = 0.0
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        """Open the door; raises `OSError` and `RuntimeError`."""
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        server.add_generic_rpc_handlers((self._handlers(),))
        socket = self._door.socket
        if socket is not None:
            # Of a server that was killed: the folder is ours alone.
            socket.unlink(missing_ok=True)
        port = server.add_insecure_port(self._door.listen)
        if socket is not None:
            socket.chmod(0o600)
        address = self._door.listen if socket is not None else f"127.0.0.1:{port}"
        self._token = self._door.write(address).token
        self._began = self._house.clock.now()
        await server.start()
        self._server = server

    async def stop(self) -> None:
        """Close the door."""
        server, self._server = self._server, None
        if server is not None:
            self._door.remove()
            await server.stop(0)

    def _handlers(self) -> grpc.GenericRpcHandler:
        methods: dict[str, Callable[[Any], Awaitable[Answer]]] = {
            "GetServerStatus": self._get_status,
            "InspectTables": self._inspect_tables,
            "ListPeers": self._list_peers,
            "CloseTable": self._close_table,
            "Announce": self._announce,
        }
        most = self._house.settings.request_bytes
        handlers = {
            method.name: grpc.unary_unary_rpc_method_handler(
                self._guarded(method.name, methods[method.name]),
                reader(GetMessageClass(method.input_type), most),
                to_bytes,
            )
            for method in SERVICE.methods
        }
        return grpc.method_handlers_generic_handler(SERVICE.full_name, handlers)

    def _guarded(
        self, name: str, method: Callable[[Any], Awaitable[Answer]]
    ) -> Callable[[Any, Context], Awaitable[Answer]]:
        async def answer(request: Message | CallRefused, context: Context) -> Answer:
            try:
                self._check_token(context)
                done = await method(readable(request))
            except (CallRefused, ShanghaiError) as error:
                refused = refused_by(error, self._house.settings)
            except Exception:  # the outermost line of a call; it logs the traceback
                self._house.log.exception("a call of the host failed", method=name)
                refused = refused_by(CallRefused(TableRefusal.INTERNAL), self._house.settings)
            else:
                self._house.log.info("the host called", method=name, outcome="done")
                return done
            self._house.log.info("the host called", method=name, outcome="refused", reason=refused.reason)
            return await abort(context, refused)

        return answer

    def _check_token(self, context: Context) -> None:
        given = [value for key, value in context.invocation_metadata() or () if key == _HEADER]
        wanted = f"{_SCHEME}{self._token}".encode("ascii")
        sent = (given[0] if isinstance(given[0], bytes) else given[0].encode("utf-8")) if given else b""
        if not hmac.compare_digest(sent, wanted):
            raise CallRefused(TableRefusal.BAD_ADMIN_TOKEN)

    async def _get_status(self, _request: admin_pb2.GetServerStatusRequest) -> Answer:
        return status(self._tables, self._house, uptime=self._house.clock.now() - self._began)

    async def _inspect_tables(self, _request: admin_pb2.InspectTablesRequest) -> Answer:
        await self._tables.listed()
        return admin_pb2.InspectTablesResponse(tables=inspected(self._tables))

    async def _list_peers(self, _request: admin_pb2.ListPeersRequest) -> Answer:
        return admin_pb2.ListPeersResponse(peers=peers(self._tables, self._house.peers))

    async def _close_table(self, request: admin_pb2.CloseTableRequest) -> Answer:
        limit = self._house.settings.chat_characters
        reason = read_chat(request.reason, limit=limit) if request.reason else ""
        table = await self._tables.find(request.table)
        streams = len(table.watchers)
        await table.close(reason)
        return admin_pb2.CloseTableResponse(streams=streams)

    async def _announce(self, request: admin_pb2.AnnounceRequest) -> Answer:
        house = self._house
        house.board.put(request.text, limit=house.settings.chat_characters, wall=house.clock.wall())
        in_use = self._tables.in_use()
        for table in in_use:
            table.refresh()
        self._tables.table_list.tell()
        return admin_pb2.AnnounceResponse(tables=len(in_use), streams=sum(len(table.watchers) for table in in_use))
