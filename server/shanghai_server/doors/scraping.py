"""The HTTP server from which the numbers of a server are read: few may ask at once, and nobody asks slowly.

It runs in threads beside the event loop, so that a few of them and a few connections are all that it may cost.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

MOST_ASKING = 8
"""Whoever asks beside so many others is not answered."""
PATIENCE = 5.0
"""The seconds for which a request that is not whole is waited for."""


class _Asking(WSGIRequestHandler):
    """One request; nothing of it is logged."""

    server: ScrapeServer

    def setup(self) -> None:
        self.request.settimeout(self.server.patience)
        super().setup()

    def handle(self) -> None:
        try:
            super().handle()
        except (TimeoutError, ConnectionError):
            # Who asked has gone, or never asked to the end: there is nobody to answer.
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 (the library's)
        """Log nothing."""


class ScrapeServer(ThreadingMixIn, WSGIServer):
    """Answers at HOST:PORT by a WSGI application, in threads that end with the program; raises `OSError`."""

    daemon_threads = True

    def __init__(
        self,
        host: str,
        port: int,
        application: Callable[..., Any],
        *,
        most: int = MOST_ASKING,
        patience: float = PATIENCE,
    ) -> None:
        """Listen; `serve_forever` answers."""
        self.patience = patience
        self._free = threading.BoundedSemaphore(most)
        self._asking: dict[socket.socket, float] = {}
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        self.address_family = family
        super().__init__((str(address[0]), port), _Asking)
        self.set_app(application)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 (the library's)
        """Answer in a thread of its own, or hang up where too many ask."""
        if not self._free.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self._asking[request] = time.monotonic()
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            # No thread could be started.
            del self._asking[request]
            self._free.release()
            raise

    def finish_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 (the library's)
        """Answer, and let the next one ask before this one has been hung up on."""
        try:
            super().finish_request(request, client_address)
        finally:
            del self._asking[request]
            self._free.release()

    def service_actions(self) -> None:
        """Hang up, twice a second, on those whose request takes too long as a whole: one sign at a time, say."""
        late = time.monotonic() - self.patience
        for request, since in list(self._asking.items()):
            if since < late:
                # Its thread finds nothing more to read, or cannot write.
                with contextlib.suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)
