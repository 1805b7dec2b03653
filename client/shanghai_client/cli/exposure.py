"""What it means to listen on an address: who can reach it, and what they can read."""

from __future__ import annotations

import ipaddress

from shanghai_client.language import _


def is_own(host: str) -> bool:
    """Say whether only this machine reaches a host that a server listens on: a name, or an address without a port."""
    name = host.removeprefix("[").removesuffix("]").partition("%")[0].lower().rstrip(".")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        # Whatever else a name stands for, others may reach it.
        return name == "localhost" or name.endswith(".localhost")


def exposure(host: str, *, tls: bool) -> str:
    """Say what whoever listens there should know; empty where there is nothing to say."""
    if tls or is_own(host):
        return ""
    return _(
        "Listening on {host} without TLS: whoever is in a network of this machine can read and change all that is sent,"
        " cards, passcodes and seats included. Among friends at home that may do; else add --tls-self-signed."
    ).format(host=host)
