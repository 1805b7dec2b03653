"""Hosts in the local network: announced, found, and gone again; nothing is ever said but to this machine itself."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from client_program import Ran, host, run_program
from closed_port import closed_port

from shanghai_client import nearby as nearby_module
from shanghai_client.cli import calling_out as module
from shanghai_client.cli.calling_out import CallingOut, calling_out
from shanghai_client.nearby import (
    SERVICE,
    CannotLook,
    Nearby,
    NearbyHost,
    announced,
    called,
    find_nearby,
    looking_around,
)
from shanghai_wire import CONTRACT_REVISION

HERE = ("127.0.0.1",)
"""The only network that a test may use."""


async def _until(nearby: Nearby, address: str, *, there: bool) -> NearbyHost | None:
    """Wait until a host is found, or has gone."""
    async with asyncio.timeout(60):
        while True:
            found = next((each for each in nearby.hosts if each.address == address), None)
            if (found is not None) is there:
                return found
            nearby.changed.clear()
            await nearby.changed.wait()


async def _looked(address: str, *arguments: str, home: Path) -> Ran:
    """Look around by the command until it says something of an address: what is called out once can be lost."""
    async with asyncio.timeout(60):
        while True:
            ran = await run_program("tables", "--discover", *arguments, home=home)
            if address in ran.out + ran.err:
                return ran


async def test_a_host_is_found_while_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever looks finds its name, address and revision, and sees it go; the machine's second one has another name."""
    # Another run of this test on the machine that took the same name at the same moment would answer for this one.
    monkeypatch.setattr(socket, "gethostname", lambda: f"test-{secrets.token_hex(4)}")
    # Not even another run of this test on the machine calls these ports out.
    with closed_port() as port, closed_port() as other_port:
        address, other_address = f"127.0.0.1:{port}", f"127.0.0.1:{other_port}"
        async with looking_around(HERE) as nearby:
            async with (
                announced(port=port, addresses=HERE, interfaces=HERE) as first,
                announced(port=other_port, addresses=HERE, interfaces=HERE) as second,
            ):
                found = await _until(nearby, address, there=True)
                assert found == NearbyHost(first, address, CONTRACT_REVISION)
                assert found.fits
                other = await _until(nearby, other_address, there=True)
                assert other is not None
                assert other.name == second
                assert (first.endswith(f"-{port}"), second.endswith(f"-{other_port}")) == (True, True)
            await _until(nearby, address, there=False)


def test_two_hosts_of_one_machine_never_ask_for_one_name() -> None:
    """The one at the usual port is called as the machine is, every other one by its port, too."""
    assert [called("kitchen", port) for port in (7410, 7411, 50123)] == ["kitchen", "kitchen-7411", "kitchen-50123"]


@pytest.mark.parametrize(("lost", "gone", "found"), [(0, False, 1), (3, False, 1), (99, False, 0), (3, True, 0)])
async def test_a_host_whose_answer_was_lost_is_asked_again(
    lost: int,
    gone: bool,  # noqa: FBT001 (a table)
    found: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It announces itself once, and so is asked some times, but not for ever and not when it has gone."""
    asked = 0
    nearby = Nearby(SimpleNamespace(zeroconf=None))  # type: ignore[arg-type] # nothing is sent

    def heard(change: str) -> None:
        nearby.heard(None, SERVICE, f"here.{SERVICE}", SimpleNamespace(name=change))  # type: ignore[arg-type]

    class Lost:
        """Answers of which the first are lost."""

        port = 7410
        properties: Mapping[bytes, bytes] = {}

        def __init__(self, *_names: str) -> None:
            """Take the kind of service, and the name."""

        async def async_request(self, *_arguments: object) -> bool:
            nonlocal asked
            asked += 1
            if gone:
                heard("Removed")
            return asked > lost

        def parsed_addresses(self, *_arguments: object) -> list[str]:
            return ["127.0.0.1"]

    monkeypatch.setattr("zeroconf.asyncio.AsyncServiceInfo", Lost)
    heard("Added")
    await asyncio.gather(*nearby._asking)  # noqa: SLF001
    assert len(nearby.hosts) == found
    assert asked == (1 if gone else min(lost + 1, 5))


async def test_where_nobody_is_nobody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time to look is over there is an empty answer, and no error."""
    # Hosts of the machine, and of other tests, are not asked for.
    monkeypatch.setattr(nearby_module, "SERVICE", "_nobody-here._tcp.local.")
    assert await find_nearby(HERE, seconds=0.2) == ()


async def test_a_network_that_is_not_there_is_said_in_a_sentence() -> None:
    """An address that this machine has not is no network that it can ask."""
    with pytest.raises(CannotLook, match="the local network cannot be asked: "):
        await find_nearby(["192.0.2.77"], seconds=0)


async def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is an extra: who has it not is told its name, and not that of this program, which no index has."""
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    monkeypatch.setitem(sys.modules, "zeroconf.asyncio", None)
    with pytest.raises(CannotLook, match="install the library zeroconf beside this program"):
        await find_nearby(HERE)


@pytest.mark.parametrize(
    ("listen", "announce", "discovery", "said"),
    [
        ("127.0.0.1:7410", None, "all", None),
        ("localhost:7410", None, "all", None),
        ("127.0.0.1:7410", True, "all", CallingOut(HERE, HERE)),
        ("127.0.0.1:7410", True, "192.168.7.9", CallingOut(HERE, HERE)),
        ("127.0.0.1:7410", True, "off", None),
        ("0.0.0.0:7410", None, "all", CallingOut(("10.0.0.5", "192.168.7.9"), ())),
        ("[::]:7410", None, "all", CallingOut(("10.0.0.5", "192.168.7.9"), ())),
        ("0.0.0.0:7410", None, "192.168.7.9", CallingOut(("10.0.0.5", "192.168.7.9"), ("192.168.7.9",))),
        ("0.0.0.0:7410", False, "all", None),
        ("0.0.0.0:7410", None, "off", None),
        ("192.168.7.9:7410", None, "all", CallingOut(("192.168.7.9",), ("192.168.7.9",))),
        ("[::1]:7410", None, "all", None),
    ],
)
def test_a_host_is_announced_where_others_reach_it(
    listen: str,
    announce: bool | None,  # noqa: FBT001 (a table)
    discovery: str,
    said: CallingOut | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Only beyond this machine, unless asked for; only on the networks of the settings; and not against them."""
    monkeypatch.setenv("SHANGHAI_RUM_SETTINGS", str(tmp_path / "none.toml"))
    monkeypatch.setenv("SHANGHAI_RUM_DISCOVERY", discovery)
    monkeypatch.setattr(
        module, "join_names", lambda name: ("10.0.0.5", "192.168.7.9", *(["[2001:db8::5]"] * ("[" in name)))
    )
    assert calling_out(listen, announce=announce) == said


@asynccontextmanager
async def announced_host(home: Path, *options: str) -> AsyncIterator[tuple[str, str]]:
    """Give the address of a host that says that it is announced, and the code of its table."""
    arguments = ("--listen", "127.0.0.1:0", "--data", str(home / "games"), "--announce", *options)
    async with host(home, *arguments) as (process, address, code):
        assert process.stderr is not None
        async with asyncio.timeout(60):
            while b"Announced in the local network as " not in await process.stderr.readline():
                pass
        yield address, code


async def test_the_tables_of_a_host_that_is_announced_are_found(tmp_path: Path) -> None:
    """`host --announce` says that it is announced, and `tables --discover` lists its table with its address."""
    async with announced_host(tmp_path) as (address, code):
        found = await _looked(address, "--json", home=tmp_path)
        assert found.code == 0
        rows = [json.loads(line) for line in found.out.splitlines()]
        assert [row["table"] for row in rows if row["server"] == address] == [code]
        told = await _looked(address, home=tmp_path)
        assert f"{address}  " in told.out
        assert f"  {code}  waiting for players" in told.out


async def test_discovery_that_is_off_and_what_contradicts_it_are_said(tmp_path: Path) -> None:
    """Exit code 2 and what would be right; without any address there is nothing to list."""
    off = await run_program("tables", "--discover", "--discovery", "off", home=tmp_path)
    assert (off.code, "the setting discovery is off" in off.err) == (2, True)
    both = await run_program("tables", "--discover", "127.0.0.1:1", home=tmp_path)
    assert (both.code, "--discover stands alone" in both.err) == (2, True)
    none = await run_program("tables", home=tmp_path)
    assert (none.code, "say HOST:PORT of a server, or --discover" in none.err) == (2, True)
    bad = await run_program("tables", "--discover", "--discovery", "here", home=tmp_path)
    assert (bad.code, "--discovery: discovery cannot be 'here'" in bad.err) == (2, True)


async def test_a_host_that_speaks_tls_is_found_and_spoken_to_so(tmp_path: Path) -> None:
    """What a host says of itself when it is announced is enough: nobody has to know that it speaks TLS."""
    async with announced_host(tmp_path, "--tls-self-signed") as (address, code):
        found = await _looked(address, "--json", home=tmp_path)
        rows = [json.loads(line) for line in found.out.splitlines()]
        assert [row["table"] for row in rows if row["server"] == address] == [code]
        plain = await _looked(address, "--no-tls", home=tmp_path)
        assert f"cannot connect to {address!r}" in plain.err
