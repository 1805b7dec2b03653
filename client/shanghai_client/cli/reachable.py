"""The addresses under which others reach this machine, for the lines that a host prints."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104 (compared with, never listened on unless asked for)
_ADDRESS_OF_INTERFACE = 0x8915
"""The request SIOCGIFADDR of Linux."""


def own_addresses() -> Iterator[str]:
    """Give what the system tells of this machine's addresses, the one that leads out first; some may come twice."""
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: the system only says which of its addresses would be used to get out.
            probe.connect((far, 9))
            yield probe.getsockname()[0]
    if sys.platform == "linux":
        yield from _interface_addresses()
    with suppress(OSError):
        for *_, where in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield str(where[0])


def _interface_addresses() -> Iterator[str]:
    """Give the IPv4 address of each network interface, also where none of them leads out."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                asked = name.encode()[:15].ljust(256, b"\0")
                yield socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _ADDRESS_OF_INTERFACE, asked)[20:24])


def join_names(listening: str, own: Callable[[], Iterable[str]] = own_addresses) -> tuple[str, ...]:
    """Give what others write before the port, the best first, where this machine listens on a name.

    That is the name itself, or where it listens everywhere each address of this machine that others may reach; where
    there is none, the one by which it reaches itself.
    """
    if listening not in EVERYWHERE:
        return (listening,)
    both = listening == "[::]"
    found = [ipaddress.ip_address(text.partition("%")[0]) for text in own()]
    fit = [each for each in dict.fromkeys(found) if not (each.is_loopback or each.is_link_local or each.is_unspecified)]
    names = [str(each) for each in fit if each.version == 4]  # noqa: PLR2004 (IPv4)
    names += [f"[{each}]" for each in fit if both and each.version == 6]  # noqa: PLR2004 (IPv6)
    return tuple(names) or ("127.0.0.1",)
