"""What a host prints for his guests: the line with which they join a table of his."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shanghai_client.cli.passcode import PASSCODE
from shanghai_client.cli.reachable import join_names
from shanghai_client.language import _
from shanghai_client.program import command_line, line_for_others
from shanghai_client.security import SYSTEM, is_self_signed, is_vouched_for, names_in

if TYPE_CHECKING:
    from shanghai_server.doors.certificate import Certificate

FILE = "FILE"
"""Stands for a file in a line that is printed, as NAME does for a name."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """How others reach a server: HOST:PORT, the best first, and the options that secure the connection, if any."""

    addresses: tuple[str, ...]
    secured: tuple[str, ...] = ()

    @classmethod
    async def of(cls, listening: str, address: str, certificate: Certificate | None) -> Invitation:
        """Give that of a server which listens on a name, has this HOST:PORT here, and shows a certificate or none.

        One that an authority has signed is trusted by that authority, and not by itself, so that the line is good for
        the next one, too: that needs a name or an address for which it was signed.
        """
        _host, _colon, port = address.rpartition(":")
        names = join_names(listening)
        if certificate is None:
            return cls(tuple(f"{name}:{port}" for name in names))
        shown = ssl.PEM_cert_to_DER_cert(_first(certificate.chain.decode("ascii", "replace")))
        signed_for = names_in(shown)
        named = tuple(name for name in names if _is_among(name.strip("[]"), signed_for))
        named += tuple(name for name in signed_for if "*" not in name and name not in named and not _is_number(name))
        if is_self_signed(shown) or not named:
            return cls(tuple(f"{name}:{port}" for name in names), ("--tls",))
        known = await is_vouched_for(address, named[0].strip("[]"))
        return cls(tuple(f"{name}:{port}" for name in named), ("--ca", SYSTEM if known else FILE))

    def lines(self, table: str, *, private: bool) -> Iterator[str]:
        """Give what is printed for a table; a passcode is not: it would stand in the host's logs."""
        first, *others = self.addresses
        words = ("join", first, "--table", table, "--name", "NAME", *self.secured)
        yield _("  join it with: {command}").format(command=line_for_others(*words))
        if command_line(*words) != line_for_others(*words):
            yield _("  on this machine: {command}").format(command=command_line(*words))
        if private:
            yield _("  it is private: join asks for its passcode, or takes it from ${variable}").format(
                variable=PASSCODE
            )
        if FILE in self.secured:
            yield _("  FILE holds the certificate of the authority that has signed yours: your guests need it")
        if others:
            yield _("  this machine's other addresses: {addresses}").format(addresses=", ".join(others))


def _first(chain: str) -> str:
    """Give the first certificate of those in a PEM text."""
    end = "-----END CERTIFICATE-----"
    return chain[chain.index("-----BEGIN CERTIFICATE-----") : chain.index(end) + len(end)]


def _is_among(name: str, signed_for: Sequence[str]) -> bool:
    """Say whether a certificate was signed for a name; `*` stands for its first word."""
    return name in signed_for or f"*.{name.partition('.')[2]}" in signed_for


def _is_number(name: str) -> bool:
    """Say whether a name of a certificate is an address, which is told only where this machine has it."""
    return ":" in name or name.replace(".", "").isdigit()
