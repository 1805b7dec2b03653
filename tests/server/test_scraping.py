"""The HTTP server of the metrics: whoever holds its connections holds neither threads nor the numbers for long."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from shanghai_server.doors.scraping import ScrapeServer


def numbers(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Answer as an application does."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"so_many 3\n"]


@contextmanager
def scraped(*, most: int, patience: float) -> Iterator[ScrapeServer]:
    """Serve on a free port of loopback."""
    with ScrapeServer("127.0.0.1", 0, numbers, most=most, patience=patience) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def asked(server: ScrapeServer, what: bytes) -> socket.socket:
    """Open a connection and send the beginning of a request, or all of it."""
    connection = socket.create_connection(("127.0.0.1", server.server_port), timeout=30)
    connection.sendall(what)
    return connection


def answer(connection: socket.socket) -> bytes:
    """Give all that comes until the server hangs up; nothing too where it does so with what was sent unread."""
    found = b""
    try:
        while more := connection.recv(65536):
            found += more
    except ConnectionError:
        pass
    return found


def test_few_ask_at_once_and_the_next_ones_are_hung_up_on() -> None:
    """Connections without end cost no more threads; as soon as one has its answer, another may ask."""
    with scraped(most=2, patience=60) as server, ExitStack() as stack:
        before = threading.active_count()
        slow = [stack.enter_context(asked(server, b"GET /metr")) for _ in range(2)]
        for _ in range(20):
            assert answer(stack.enter_context(asked(server, b""))) == b""
        assert threading.active_count() <= before + 2
        slow[0].sendall(b"ics HTTP/1.0\r\n\r\n")
        assert answer(slow[0]).endswith(b"so_many 3\n")
        assert answer(stack.enter_context(asked(server, b"GET /metrics HTTP/1.0\r\n\r\n"))).endswith(b"so_many 3\n")


def test_who_does_not_ask_to_the_end_is_hung_up_on() -> None:
    """A request that stops in the middle is not waited for, and its place is free again."""
    with scraped(most=1, patience=0.01) as server:
        for begun in (b"", b"GET /metr", b"GET /metrics HTTP/1.0\r\nHost: "):
            with asked(server, begun) as connection:
                assert b"so_many" not in answer(connection)
        server.patience = 60
        with asked(server, b"GET / HTTP/1.0\r\n\r\n") as connection:
            assert answer(connection).endswith(b"so_many 3\n")


def test_who_asks_one_sign_at_a_time_is_hung_up_on() -> None:
    """Each sign comes in time, the request never does: it is the whole request that has so many seconds."""
    with scraped(most=1, patience=0.1) as server, asked(server, b"GET /metrics HTTP/1.0\r\nHost: ") as connection:
        connection.settimeout(0.01)
        found = b"?"
        for _ in range(1000):
            try:
                connection.sendall(b"a")
                found = connection.recv(100)
            except TimeoutError:
                continue
            except ConnectionError:
                found = b""
            break
        assert found == b""
