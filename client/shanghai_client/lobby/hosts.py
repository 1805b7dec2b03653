"""The hosts of the local network, as the lobby lists them: they come and go by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from shanghai_client.language import _
from shanghai_client.lobby.page import Search, Server
from shanghai_client.nearby import Nearby, looking_around

_LOOK_S = 4.0
"""Seconds after which it is said that no host was found; it is looked on, all the same."""


async def found_hosts(interfaces: Sequence[str]) -> AsyncGenerator[tuple[Search, list[Server]]]:
    """Give how far the search is, and the hosts that are there, at each change; raises `CannotLook`."""
    async with looking_around(interfaces) as nearby:
        yield Search.RUNNING, []
        async with aclosing(_changes(nearby)) as changes:
            async for _change in changes:
                found = [
                    Server(host.address, _("{name}, in the local network").format(name=host.name), host.fits, host.tls)
                    for host in nearby.hosts
                ]
                yield Search.FOUND if found else Search.NOTHING, found


async def _changes(nearby: Nearby) -> AsyncGenerator[None]:
    """Give a sign at each change of the hosts, and once when those that are there have had time to answer."""
    try:
        async with asyncio.timeout(_LOOK_S):
            await nearby.changed.wait()
    except TimeoutError:
        yield
    while True:
        await nearby.changed.wait()
        nearby.changed.clear()
        yield
