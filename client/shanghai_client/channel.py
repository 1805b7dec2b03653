"""The channel to a server: an address, and the options that make a frozen or lost peer noticed soon."""

from __future__ import annotations

import ipaddress

import grpc

from shanghai_client.language import _

OPTIONS: tuple[tuple[str, int], ...] = (
    # A proxy of the environment would swallow connections to the local network.
    ("grpc.enable_http_proxy", 0),
    # A peer that is frozen, or a cable that was pulled, is noticed after a quarter of a minute.
    ("grpc.keepalive_time_ms", 8_000),
    ("grpc.keepalive_timeout_ms", 4_000),
    ("grpc.http2.ping_timeout_ms", 4_000),
    ("grpc.http2.max_pings_without_data", 0),
    # A server that restarts is found again soon.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # The record of a long game among eight is larger than the usual limit of 4 MiB allows for sure.
    ("grpc.max_receive_message_length", 32 * 1024 * 1024),
)
LAST_PORT = 65535


class BadAddress(ValueError):
    """Text that is no HOST:PORT."""

    def __init__(self, text: str) -> None:
        """Take the text as it was given."""
        super().__init__(
            _("{text!r} is no address: write HOST:PORT, as in 192.168.1.5:7410 or [::1]:7410").format(text=text)
        )


def check_address(text: str, *, lowest: int = 1) -> str:
    """Give an address back if it has the form HOST:PORT with a port from `lowest` on; raises `BadAddress`."""
    host, colon, port = text.rpartition(":")
    bare = not (host.startswith("[") and host.endswith("]"))
    if not colon or not host or not port.isascii() or not port.isdigit() or (bare and ":" in host):
        raise BadAddress(text)
    if any(sign.isspace() or not sign.isprintable() or sign in "/@?#" for sign in host):
        raise BadAddress(text)
    if not lowest <= int(port) <= LAST_PORT:
        raise BadAddress(text)
    return text


def split_address(address: str) -> tuple[str, int]:
    """Give the host, without brackets, and the port of an address that `check_address` has passed."""
    host, _, port = address.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)


def canonical_address(address: str) -> str:
    """Give the one form of an address by which what is known of its server is found again, however it was typed."""
    try:
        host, port = split_address(address)
    except ValueError:
        return address
    name = host.lower().rstrip(".")
    if name == "localhost":
        return f"127.0.0.1:{port}"
    try:
        place = ipaddress.ip_address(name)
    except ValueError:
        return f"{name}:{port}"
    return f"{place}:{port}" if place.version == 4 else f"[{place}]:{port}"  # noqa: PLR2004 (IPv4)


def open_channel(
    address: str, *, credentials: grpc.ChannelCredentials | None = None, name: str = ""
) -> grpc.aio.Channel:
    """Give a channel to HOST:PORT; nothing is sent before the first call. Close it when done.

    With credentials it speaks TLS; `name` is what the server's certificate is for, where that is not the host.
    """
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=OPTIONS)
    options = (*OPTIONS, ("grpc.ssl_target_name_override", name)) if name else OPTIONS
    return grpc.aio.secure_channel(address, credentials, options=options)
