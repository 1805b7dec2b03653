"""How a host is announced in the local network: on which networks, with which addresses, and in the background."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import click

from shanghai_client.cli.chosen import chosen_settings
from shanghai_client.cli.reachable import EVERYWHERE, join_names
from shanghai_client.language import _
from shanghai_client.nearby import CannotLook, announced
from shanghai_client.settings import interfaces_of


@dataclass(frozen=True, slots=True)
class CallingOut:
    """What is announced: the addresses by which others reach this host, said on the networks of `interfaces`.

    Without any interfaces it is said on all of them.
    """

    addresses: tuple[str, ...]
    interfaces: tuple[str, ...]

    @asynccontextmanager
    async def until_done(self, port: int, *, tls: bool = False) -> AsyncIterator[None]:
        """Announce within the block, in the background: whether it succeeds or not is said when it is known."""
        task = asyncio.create_task(self._announce(port, tls=tls))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _announce(self, port: int, *, tls: bool) -> None:
        try:
            async with announced(port=port, addresses=self.addresses, interfaces=self.interfaces, tls=tls) as name:
                click.echo(
                    _("Announced in the local network as {name}: shanghai-rum tables --discover finds it.").format(
                        name=repr(name)
                    ),
                    err=True,
                )
                await asyncio.Event().wait()
        except CannotLook as error:
            # Whoever has the address can join all the same.
            click.echo(_("Not announced: {why}").format(why=str(error)), err=True)


def calling_out(listen: str, *, announce: bool | None) -> CallingOut | None:
    """Give how a host that listens there is announced; none where it is not.

    That is so where the settings turn discovery off, and unless `announce` asks for it where nobody else reaches it.
    """
    interfaces = interfaces_of(chosen_settings().settings.discovery)
    if announce is False or interfaces is None:
        return None
    name = listen.rpartition(":")[0].strip("[]")
    addresses = _addresses(name)
    near = all(ipaddress.IPv4Address(each).is_loopback for each in addresses)
    if not addresses or (near and not announce):
        return None
    if near:
        # Nobody outside of this machine can reach it, so nobody outside is told.
        return CallingOut(addresses, addresses)
    return CallingOut(addresses, interfaces if interfaces or f"{name}" in _BARE else addresses)


_BARE = tuple(each.strip("[]") for each in EVERYWHERE)


def _addresses(name: str) -> tuple[str, ...]:
    """Give the IPv4 addresses by which others reach a host that listens on a name; none where there is none."""
    if name in _BARE:
        return tuple(each for each in join_names(f"[{name}]" if ":" in name else name) if not each.startswith("["))
    try:
        found = socket.getaddrinfo(name, None, family=socket.AF_INET, type=socket.SOCK_STREAM)
    except OSError:
        return ()
    return tuple(dict.fromkeys(str(where[0]) for *_kind, where in found))
