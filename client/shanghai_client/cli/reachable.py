"""The addresses under which others reach this machine, for the lines that a host prints."""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from shanghai_client.language import _
from shanghai_client.system_errors import why

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
    with suppress(OSError):
        yield from _interface_addresses()
    with suppress(OSError):
        for *_, where in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield str(where[0])


def _interface_addresses() -> Iterator[str]:
    """Give the IPv4 address of each network interface, also where none of them leads out; none but on Linux.

    Raises `OSError` where the system does not tell its interfaces, as in a sandbox without netlink.
    """
    if sys.platform != "linux":
        return
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _number, name in socket.if_nameindex():
            with suppress(OSError):
                asked = name.encode()[:15].ljust(256, b"\0")
                yield socket.inet_ntoa(fcntl.ioctl(probe.fileno(), _ADDRESS_OF_INTERFACE, asked)[20:24])


def unread_addresses(listening: str) -> str:
    """Say that `join_names` may lack addresses because the system does not tell them; empty where it tells them."""
    if listening not in EVERYWHERE:
        return ""
    try:
        for _address in _interface_addresses():
            pass
    except OSError as error:
        text = _(
            "Not every address of this machine can be read: {why}. If others do not reach the one in the line below,"
            " tell them another."
        )
        return text.format(why=why(error))
    return ""


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
