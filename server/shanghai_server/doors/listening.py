"""The address that a server listens on, tried before the gRPC library does: that one writes to the terminal."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket

HIGHEST_PORT = 65_535


class ListenError(Exception):
    """The server cannot listen on an address; its text is one sentence for the host."""

    def __init__(self, address: str, reason: str) -> None:
        """Name the address and say why not."""
        super().__init__(f"cannot listen on {address!r}: {reason}")
        self.address = address
        self.reason = reason


async def check_listen(address: str) -> None:
    """Raise `ListenError` where nobody could listen on HOST:PORT now; port 0 is any free one."""
    host, port = read_address(address)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise ListenError(address, f"there is no host {host!r}") from error
    tried = [_try(family, place) for family, _, _, _, place in found]
    failed = [error for error in tried if error is not None]
    # A name may stand for several addresses, of which the machine need not have all.
    if any(error.errno == errno.EADDRINUSE for error in failed):
        raise ListenError(address, "it is in use by another program")
    if len(failed) == len(found):
        raise ListenError(address, f"it cannot be used: {os.strerror(failed[0].errno or 0).lower()}")


def places_of(address: str) -> int:
    """Give at how many places the library may listen for HOST:PORT, each with a count of connections of its own.

    A name may stand for one address of each kind; raises `ListenError`.
    """
    host, _port = read_address(address)
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return 2
    return 1


def read_address(address: str) -> tuple[str, int]:
    """Give the host and the port of HOST:PORT, with an IPv6 address in brackets; raises `ListenError`."""
    host, _, port = address.rpartition(":")
    name = host.removeprefix("[").removesuffix("]")
    is_bracketed = host.startswith("[") and host.endswith("]")
    is_written_right = bool(name) and is_bracketed == (":" in name)
    if not is_written_right or not (port.isascii() and port.isdecimal()) or int(port) > HIGHEST_PORT:
        raise ListenError(address, f"it is HOST:PORT, with a port from 0 (any free one) to {HIGHEST_PORT}")
    return name, int(port)


def _try(family: int, place: tuple[object, ...]) -> OSError | None:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            if os.name == "posix":
                # As the library does, or else a port whose last server has just stopped would count as taken.
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(place)
            trial.listen(1)
    except OSError as error:
        return error
    return None
