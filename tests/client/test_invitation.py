"""The line for guests: by what they find the host's server, and by what they trust it."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import pytest
from certificates import authority, serving, vouched
from cryptography import x509

from shanghai_client.cli import invitation
from shanghai_client.cli.invitation import Invitation
from shanghai_client.cli.reachable import EVERYWHERE
from shanghai_server.doors.certificate import Certificate, own_certificate


def _general(name: str) -> x509.GeneralName:
    return x509.IPAddress(ipaddress.ip_address(name)) if name[0].isdigit() else x509.DNSName(name)


async def _invited(
    certificate: Certificate | None, listening: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the names before the port and the options of the line that a host prints who listens on a name."""
    monkeypatch.setattr(invitation, "join_names", lambda name: ("192.168.1.5",) if name in EVERYWHERE else (name,))
    async with serving(certificate) as address:
        found = await Invitation.of(listening, address, certificate)
        ports = {each.rpartition(":")[2] for each in found.addresses}
        assert ports == {address.rpartition(":")[2]}
    return tuple(each.rpartition(":")[0] for each in found.addresses), found.secured


@pytest.mark.parametrize(
    ("names", "listening", "printed", "secured"),
    [
        (["cards.example"], EVERYWHERE[0], ("cards.example",), "--ca FILE"),
        (["cards.example", "192.168.1.5"], EVERYWHERE[0], ("192.168.1.5", "cards.example"), "--ca FILE"),
        (["cards.example", "10.0.0.9"], "cards.example", ("cards.example",), "--ca FILE"),
        (["*.example"], "cards.example", ("cards.example",), "--ca FILE"),
        # Nobody here has a name for which it was signed: only the certificate itself can be trusted.
        (["*.example"], EVERYWHERE[0], ("192.168.1.5",), "--tls"),
        ([], EVERYWHERE[0], ("192.168.1.5",), "--tls"),
    ],
)
async def test_the_line_for_guests_trusts_what_lasts(
    names: list[str], listening: str, printed: tuple[str, ...], secured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An authority is trusted rather than its certificate of today, under a name for which that was signed."""
    certificate = vouched(authority(), [_general(each) for each in names])
    assert await _invited(certificate, listening, monkeypatch) == (printed, tuple(secured.split()))


async def test_the_line_for_guests_of_a_host_without_an_authority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A certificate of the host's own is pinned; without one there is nothing to trust."""
    assert await _invited(own_certificate(tmp_path), "127.0.0.1", monkeypatch) == (("127.0.0.1",), ("--tls",))
    assert await _invited(None, "127.0.0.1", monkeypatch) == (("127.0.0.1",), ())
