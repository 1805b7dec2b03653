"""A game server: a gRPC server on the tables of a journal, with health and reflection."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from typing import TYPE_CHECKING

import grpc
import grpc.aio
from structlog.typing import FilteringBoundLogger

from shanghai_server.doors import descriptors
from shanghai_server.doors.arrival import Arrivals
from shanghai_server.doors.beside import Beside, ServedBeside
from shanghai_server.doors.health import Health, serve_beside
from shanghai_server.doors.listening import ListenError, check_listen, places_of
from shanghai_server.doors.service import SERVICE, TableService
from shanghai_server.house.clock import Alarm, Clock, SystemClock
from shanghai_server.house.house import House
from shanghai_server.house.log import no_log
from shanghai_server.house.peers import Peers, open_at_once
from shanghai_server.house.secret import Secrets, SystemSecrets
from shanghai_server.house.settings import Settings
from shanghai_server.journal.journal import Journal
from shanghai_server.tables.tables import Tables

if TYPE_CHECKING:
    # Most servers have none, and what reads one takes a while to load.
    from shanghai_server.doors.certificate import Certificate

__all__ = ["GameServer", "ListenError"]

IDLE_MS = 120_000
"""After so long a connection on which nothing is asked or shown is closed; a client opens it again by itself."""
QUIET_MS, PING_MS = 8_000, 4_000
"""After so long without a word a connection is asked whether it is there, and by when it must have said so."""
GREETING_MS = 12_000
"""So long a connection has until both ends speak TLS, and HTTP/2 in it."""
UNREAD_BYTES = 1024 * 1024
"""What is larger is refused by the library before it is read whole."""
HIGH = 100_000
"""How many calls may wait to be taken up: many streams may open at once, and a burst must not be cancelled."""


class GameServer:
    """A server for games of Shanghai Rum. All of it belongs to one event loop.

    The journal is opened before and closed after by the caller. `executor` is where bots think; none is the event
    loop's own.
    """

    def __init__(  # noqa: PLR0913 (each may be left out)
        self,
        journal: Journal,
        *,
        listen: str = "127.0.0.1:0",
        settings: Settings | None = None,
        secrets: Secrets | None = None,
        clock: Clock | None = None,
        log: FilteringBoundLogger | None = None,
        executor: Executor | None = None,
        certificate: Certificate | None = None,
        beside: Beside | None = None,
    ) -> None:
        """Prepare a server; `listen` is HOST:PORT, with port 0 for any free one. With a certificate it speaks TLS."""
        self._certificate = certificate
        self._listen = listen
        self._log = log or no_log()
        clock, settings = clock or SystemClock(), settings or Settings()
        self._house = House(
            journal=journal,
            peers=Peers(settings, clock),
            clock=clock,
            settings=settings,
            secrets=secrets or SystemSecrets(),
            executor=executor,
            log=self._log,
        )
        self._tables = Tables(self._house)
        self._arrivals = Arrivals(clock)
        self._beside = ServedBeside(beside or Beside(), self._tables, self._house)
        self._health: Health | None = None
        self._server: grpc.aio.Server | None = None
        self._heartbeat: Alarm | None = None
        self._sweeping: Alarm | None = None

    async def start(self) -> int:
        """Find the tables of the journal, and listen; gives the port. `restored` tells when all are back.

        Raises `ListenError` for an address that is in use or cannot be used, and `JournalError`.
        """
        await check_listen(self._listen)
        settings = self._house.settings
        server = grpc.aio.server(
            options=[
                # Else a second server on the same port would silently take half of the calls.
                ("grpc.so_reuseport", 0),
                # Else each request is answered with a ping, whose answer comes as a packet of its own, to find out how
                # much may be on its way to us at once: requests are small, and what we send is not bounded by it.
                ("grpc.http2.bdp_probe", 0),
                # What is larger than a request may be is refused in our words; what is far larger is not even read.
                ("grpc.max_receive_message_length", max(UNREAD_BYTES, settings.request_bytes)),
                # Whoever has no call and no stream for so long holds a file descriptor for nothing.
                ("grpc.max_connection_idle_ms", IDLE_MS),
                # So does whoever connects and never begins to speak TLS: that would be two minutes, too.
                ("grpc.server_handshake_timeout_ms", GREETING_MS),
                # The next one is hung up on: the journal and the door of the host still need files of their own.
                ("grpc.max_allowed_incoming_connections", descriptors.most_connections(places_of(self._listen))),
                ("grpc.keepalive_time_ms", QUIET_MS),
                ("grpc.keepalive_timeout_ms", PING_MS),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.ping_timeout_ms", PING_MS),
                ("grpc.http2.max_pings_without_data", 0),
                # Else a client that looks every ten seconds whether we are alive is sent away.
                ("grpc.http2.min_ping_interval_without_data_ms", 4_000),
                # On one connection; a client waits by itself until a call ends. A peer is refused before that.
                ("grpc.max_concurrent_streams", open_at_once(settings)),
                ("grpc.server.max_pending_requests", HIGH),
                ("grpc.server.max_pending_requests_hard_limit", HIGH),
            ]
        )
        service = TableService(self._tables, self._house, self._arrivals)
        server.add_generic_rpc_handlers((service.handlers(),))
        self._health = serve_beside(server, SERVICE.full_name, self._house.peers, settings, self._arrivals)
        try:
            port = self._bind(server)
            await self._tables.load()
            await self._beside.start()
        except BaseException:
            await self._tables.shut_down()
            await self._beside.stop()
            await server.stop(None)
            raise
        await server.start()
        self._server = server
        self._health.serve()
        self._beat()
        self._sweep()
        self._log.info("listening", address=self._listen, port=port, tables=self._tables.number)
        return port

    async def restored(self) -> list[str]:
        """Wait until every table of the journal is back; gives a sentence for each that cannot be read.

        Nobody needs to wait for it: a table that is asked for before is brought back at once.
        """
        return await self._tables.restored()

    def _bind(self, server: grpc.aio.Server) -> int:
        try:
            if self._certificate is not None:
                return server.add_secure_port(self._listen, self._certificate.credentials())
            return server.add_insecure_port(self._listen)
        except (RuntimeError, ValueError) as error:
            raise ListenError(self._listen, "it is in use, or cannot be used") from error

    def _beat(self) -> None:
        """Say on every stream that it is alive, and again after a while."""
        self._arrivals.sweep()
        self._tables.rest()
        for table in self._tables.in_use():
            table.beat()
        clock = self._house.clock
        self._heartbeat = clock.call_at(clock.now() + self._house.settings.heartbeat_ms / 1000, self._beat)

    def _sweep(self) -> None:
        """Dispose of tables that nobody comes back to, and look again after a while."""
        self._tables.sweep()
        clock = self._house.clock
        self._sweeping = clock.call_at(clock.now() + self._house.settings.sweep_ms / 1000, self._sweep)

    @property
    def metrics_port(self) -> int:
        """The port of the metrics; 0 where they are not served."""
        return self._beside.metrics_port

    async def stop(self, grace: float = 2.0) -> None:
        """Stop: health first, then every stream with its reason, then the calls, within so many seconds.

        What was answered is on disk. Stopping twice is the same as once.
        """
        server, self._server = self._server, None
        if server is None:
            return
        if self._health is not None:
            self._health.end()
            # Whoever watches it is told before anything else is.
            await asyncio.sleep(0)
        if self._heartbeat is not None:
            self._heartbeat.cancel()
        if self._sweeping is not None:
            self._sweeping.cancel()
        await self._tables.shut_down()
        self._arrivals.end()
        await self._arrivals.lull()
        await server.stop(grace)
        await self._beside.stop()
        self._log.info("stopped")
