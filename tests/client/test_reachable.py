"""The lines that a host prints name addresses that others can use."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import signal
import socket
import sys
from pathlib import Path

import pytest
from client_program import environment

from shanghai_client.cli.reachable import join_names, own_addresses, unread_addresses

OWN = ("10.0.0.5", "127.0.1.1", "10.0.0.5", "fe80::1%2", "192.168.7.9", "fd00::2", "::1")


@pytest.mark.parametrize(
    ("listening", "own", "names"),
    [
        ("127.0.0.1", OWN, ("127.0.0.1",)),
        ("games.example", OWN, ("games.example",)),
        ("0.0.0.0", OWN, ("10.0.0.5", "192.168.7.9")),  # noqa: S104 (nothing listens)
        ("[::]", OWN, ("10.0.0.5", "192.168.7.9", "[fd00::2]")),
        ("0.0.0.0", ("127.0.1.1",), ("127.0.0.1",)),  # noqa: S104 (nothing listens)
        ("0.0.0.0", (), ("127.0.0.1",)),  # noqa: S104 (nothing listens)
    ],
)
def test_a_machine_is_named_by_addresses_that_others_reach(
    listening: str, own: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """Where a host listens everywhere each address is named once, never its bare name or one that only it can use."""
    assert join_names(listening, lambda: own) == names


def test_what_the_system_tells_are_addresses() -> None:
    """Whatever this machine has, it is told as numbers."""
    for text in own_addresses():
        assert str(ipaddress.ip_address(text))
    assert join_names("0.0.0.0")  # noqa: S104 (nothing listens)


def untold() -> list[tuple[int, str]]:
    """Refuse to tell the interfaces, as a system does whose sandbox has no netlink."""
    raise OSError(errno.EAFNOSUPPORT, os.strerror(errno.EAFNOSUPPORT))


def test_where_the_interfaces_are_not_told_the_rest_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system tells otherwise is named, and what it does not tell is said, with its reason."""
    monkeypatch.setattr(socket, "if_nameindex", untold)
    assert join_names("0.0.0.0")  # noqa: S104 (nothing listens)
    said = unread_addresses("0.0.0.0")  # noqa: S104 (nothing listens)
    assert said.startswith("Not every address of this machine can be read: Address family not supported by protocol. ")
    assert unread_addresses("10.0.0.5") == ""
    monkeypatch.undo()
    assert unread_addresses("[::]") == ""


# Loopback stands for every address here, so that nothing listens elsewhere.
WITHOUT_NETLINK = """
import errno, socket
from shanghai_client.cli import reachable
from shanghai_client.cli.starting import main

def untold():
    raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")

socket.if_nameindex = untold
reachable.EVERYWHERE = ("127.0.0.1",)
main()
"""


async def test_a_host_whose_addresses_cannot_be_read_serves(tmp_path: Path) -> None:
    """It says what failed, prints its line, and goes on until it is stopped."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", WITHOUT_NETLINK),
        *("host", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), "--no-announce"),
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            await process.stdout.readline()
            assert b" join " in await process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _out, err = await asyncio.wait_for(process.communicate(), 60)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    assert err.startswith(b"Not every address of this machine can be read: Address family not supported by protocol. ")
    assert err.endswith(b"The server has stopped.\n")
