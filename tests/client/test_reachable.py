"""The lines that a host prints name addresses that others can use."""

from __future__ import annotations

import ipaddress

import pytest

from shanghai_client.cli.reachable import join_names, own_addresses

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
