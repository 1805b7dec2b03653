"""Hosts in the local network: a host announces itself there, and whoever looks finds it without an address.

DNS service discovery over multicast, by the library zeroconf, which is an extra (`lan`) of this package.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from shanghai_client.failure import ClientFailure
from shanghai_client.language import _
from shanghai_client.system_errors import why
from shanghai_wire import CONTRACT_REVISION
from shanghai_wire.shown_text import cleaned

if TYPE_CHECKING:
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE = "_shanghai-rum._tcp.local."
"""The kind of service that is announced."""
USUAL_PORT = 7410
"""Where a host listens unless it is told otherwise."""
LOOK_S = 2.0
"""Seconds for which one looks around: whoever is there answers within the first."""
MOST = 64
"""Hosts that are shown at most: anybody can announce any number of them."""
_ANSWER_MS = 2000
_ASKED = 5
"""How often a host that has announced itself is asked for its address: on a busy network answers are lost."""
_LONGEST_NUMBER = 6
_LONGEST_NAME = 40
"""Characters of a host's name: a name of the protocol has 63 bytes."""


class CannotLook(ClientFailure):
    """The local network cannot be asked; the text says why."""


@dataclass(frozen=True, slots=True, order=True)
class NearbyHost:
    """A host that has announced itself: its name, its HOST:PORT, the revision of the contract, and whether by TLS."""

    name: str
    address: str
    revision: int
    tls: bool = False

    @property
    def fits(self) -> bool:
        """Whether this client can play there."""
        return self.revision == CONTRACT_REVISION


def _library() -> ModuleType:
    """Load the library, which is large and not everybody's."""
    try:
        import zeroconf.asyncio  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise CannotLook(
            _("hosts in the local network cannot be found: install the library {library} beside this program").format(
                library="zeroconf"
            )
        ) from error
    return zeroconf


def _check_own(address: str) -> None:
    """Raise `OSError` where this machine has not such an address: the library would leave a socket open for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((address, 0))


@asynccontextmanager
async def _opened(interfaces: Sequence[str]) -> AsyncIterator[AsyncZeroconf]:
    """Join the group on these of the machine's addresses, or on all of them where none is named."""
    zeroconf = _library()
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415 (an extra)

    chosen = list(interfaces) or zeroconf.InterfaceChoice.All
    try:
        for each in interfaces:
            _check_own(each)
        opened = AsyncZeroconf(interfaces=chosen, ip_version=zeroconf.IPVersion.V4Only)
    except OSError as error:
        raise CannotLook(_("the local network cannot be asked: {why}").format(why=why(error))) from error
    try:
        yield opened
    finally:
        await opened.async_close()


def called(machine: str, port: int) -> str:
    """Give the name under which a host asks to be known: its machine's, with the port where that is not the usual one.

    Two hosts of one machine never ask for the same name. Before a name is taken it is asked who has it already, but two
    who ask at once do not hear each other, and an answer reaches only one of all the programs of a machine that listen.
    """
    return machine if port == USUAL_PORT else f"{machine}-{port}"


@asynccontextmanager
async def announced(
    *, port: int, addresses: Sequence[str], interfaces: Sequence[str], tls: bool = False
) -> AsyncIterator[str]:
    """Announce a host within the block, by IPv4 addresses of this machine; gives the name that it has there.

    `interfaces` are the addresses of this machine on whose networks it is said, empty for all. At the end it is taken
    back. Raises `CannotLook` where the network cannot be asked.
    """
    async with _opened(interfaces) as opened:
        from zeroconf import ServiceInfo  # noqa: PLC0415 (an extra)

        machine = cleaned(socket.gethostname().partition(".")[0])[:_LONGEST_NAME] or "host"
        info = ServiceInfo(
            SERVICE,
            f"{called(machine, port)}.{SERVICE}",
            port=port,
            addresses=[socket.inet_aton(each) for each in addresses],
            properties={"revision": str(CONTRACT_REVISION), "tls": "1" if tls else "0"},
            # One name for each server: two on one machine have other addresses.
            server=f"{machine}-{port}.local.",
        )
        await (await opened.async_register_service(info, allow_name_change=True))
        try:
            yield info.name.removesuffix(f".{SERVICE}")
        finally:
            await (await opened.async_unregister_service(info))


class Nearby:
    """The hosts that have been found so far; `changed` is set whenever one comes or goes."""

    def __init__(self, opened: AsyncZeroconf) -> None:
        """Take the opened network; `looking_around` is what makes one."""
        self.changed = asyncio.Event()
        self._opened = opened
        self._found: dict[str, NearbyHost] = {}
        self._there: set[str] = set()
        self._asking: set[asyncio.Task[None]] = set()

    @property
    def hosts(self) -> tuple[NearbyHost, ...]:
        """The hosts by name."""
        return tuple(sorted(self._found.values()))

    def heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: object) -> None:
        """Take in that a host has come, changed or gone; the names of the arguments are the library's."""
        del zeroconf, service_type
        if getattr(state_change, "name", "") == "Removed":
            self._there.discard(name)
            self._found.pop(name, None)
            self.changed.set()
            return
        self._there.add(name)
        task = asyncio.get_running_loop().create_task(self._ask(name))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, name: str) -> None:
        from zeroconf import IPVersion  # noqa: PLC0415 (an extra)
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415

        info = AsyncServiceInfo(SERVICE, name)
        asked = 0
        while not await info.async_request(self._opened.zeroconf, _ANSWER_MS):
            asked += 1
            if asked == _ASKED or name not in self._there:
                return
        if name not in self._there:
            # It has gone meanwhile.
            return
        addresses = info.parsed_addresses(IPVersion.V4Only)
        if not addresses or not info.port or len(self._found) >= MOST:
            return
        told = info.properties or {}
        said = (told.get(b"revision") or b"")[:_LONGEST_NUMBER]
        self._found[name] = NearbyHost(
            name=cleaned(name.removesuffix(f".{SERVICE}")),
            address=f"{addresses[0]}:{info.port}",
            revision=int(said) if said.isdigit() else 0,
            # It can only ask for more than is usual: without TLS nobody is spoken to who was met with it.
            tls=told.get(b"tls") == b"1",
        )
        self.changed.set()

    async def close(self) -> None:
        """Ask nobody any more."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)


@asynccontextmanager
async def looking_around(interfaces: Sequence[str]) -> AsyncIterator[Nearby]:
    """Look for hosts within the block; `interfaces` are as in `announced`.

    Raises `CannotLook` where the network cannot be asked.
    """
    async with _opened(interfaces) as opened:
        from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415 (an extra)

        nearby = Nearby(opened)
        browser = AsyncServiceBrowser(opened.zeroconf, SERVICE, handlers=[nearby.heard])
        try:
            yield nearby
        finally:
            await browser.async_cancel()
            await nearby.close()


async def find_nearby(interfaces: Sequence[str], *, seconds: float = LOOK_S) -> tuple[NearbyHost, ...]:
    """Give the hosts that answer within so many seconds; raises `CannotLook` where the network cannot be asked."""
    async with looking_around(interfaces) as nearby:
        await asyncio.sleep(seconds)
        return nearby.hosts
