"""Ports of loopback that nobody else has meanwhile: at which nothing listens, or servers that come and go."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def closed_port() -> Iterator[int]:
    """Give a port that is held while the block runs: whoever connects to it is refused."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextmanager
def own_port() -> Iterator[int]:
    """Give a port that only servers get that ask for it by its number, one after the other, while the block runs.

    Who remembers no more than the port of a server that has stopped may find there what another test has started.
    """
    with socket.socket() as held:
        # Linux lets them have a port that is held so, and gives it to nobody who takes any that is free.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        if sys.platform != "linux":
            held.close()
        yield port
