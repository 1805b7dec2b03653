"""How a connection is secured: not at all, by a certificate that was seen before, or by one that others vouch for.

A server's certificate is fetched first and compared by its fingerprint; only then the connection is opened, which takes
that certificate and no other. A server that was met with TLS is never spoken to without it, unless that is asked for.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import grpc

from shanghai.v1 import service_pb2, service_pb2_grpc
from shanghai_client.channel import open_channel, split_address
from shanghai_client.failure import CannotConnect
from shanghai_client.language import _
from shanghai_client.pins import PinBook, fingerprint_of

if TYPE_CHECKING:
    from cryptography import x509

PATIENCE = 3.0
"""The seconds that a server may take to show its certificate."""
SYSTEM = "system"
"""What stands for the authorities that come with the program in the place of a file of others (`--ca`)."""
GLANCE = 1.0
"""The same where it is only looked whether there is one."""


class OtherCertificate(CannotConnect):
    """A server shows another certificate than the one that is trusted at its address."""

    def __init__(self, address: str, *, seen: str, trusted: str, is_given: bool = False) -> None:
        """Take both fingerprints; `is_given` says that the trusted one was not met before, but named by its user."""
        text = (
            _(
                "its certificate is not that of --fingerprint, so somebody else may be listening there: its fingerprint"
                " is {seen}, and you gave {trusted}; compare it with what the host sees"
            )
            if is_given
            else _(
                "its certificate is another one than before, so somebody else may be listening there: its fingerprint"
                " is {seen}, and was {trusted}; ask the host for his, and if it is the new one, add --fingerprint"
                " and that"
            )
        )
        super().__init__(address, text.format(seen=seen, trusted=trusted))
        self.seen = seen
        self.trusted = trusted


class NoTls(Exception):
    """What listens at an address speaks no TLS."""


@dataclass(frozen=True, slots=True)
class Security:
    """How a connection is to be secured.

    `tls` says whether TLS is spoken; none is as it was before with that server, and not with one that was never met.
    `fingerprint` is that of the certificate which the server must have, `roots` are certificates (PEM) of which one
    must vouch for it, empty for those that gRPC comes with; `authority` is how its user named these, `SYSTEM` or a
    file. Without either, the certificate that is met first is kept in `pins`. `note` is told what a person should read.
    """

    tls: bool | None = None
    fingerprint: str = ""
    roots: bytes | None = None
    authority: str = ""
    pins: PinBook | None = None
    note: Callable[[str], object] = lambda _: None

    @property
    def may_be_plain(self) -> bool:
        """Whether nothing asks for TLS, so that it may have been forgotten."""
        return not (self.tls or self.fingerprint or self.roots is not None)

    def for_host(self, *, tls: bool) -> Security:
        """Give the same for a host that says whether it speaks TLS: it counts where nothing else was asked for."""
        return replace(self, tls=True) if tls and self.tls is None else self

    def is_used(self, address: str) -> bool:
        """Say whether TLS is spoken with HOST:PORT."""
        if self.tls is False:
            return False
        return not self.may_be_plain or bool(self.pins is not None and self.pins.find(address))

    async def channel(self, address: str) -> grpc.aio.Channel:
        """Give a channel to HOST:PORT; raises `CannotConnect`, `OtherCertificate` and `BadPins`."""
        if self.roots is not None:
            return open_channel(address, credentials=grpc.ssl_channel_credentials(self.roots or None))
        pinned = "" if self.pins is None or self.tls is False else self.pins.find(address)
        trusted = self.fingerprint or pinned
        if self.tls is False or (self.may_be_plain and not pinned):
            return open_channel(address)
        try:
            certificate = await shown_certificate(address)
        except NoTls as plain:
            raise CannotConnect(address, _no_tls(known=bool(pinned))) from plain
        seen = fingerprint_of(certificate)
        if trusted and seen != trusted:
            raise OtherCertificate(address, seen=seen, trusted=trusted, is_given=bool(self.fingerprint))
        if self.pins is not None and seen != pinned:
            self.pins.keep(address, seen)
        if not trusted:
            self.note(
                _(
                    "{address} was met for the first time, and is trusted from now on; its certificate's fingerprint,"
                    " which its host sees too, is {seen}"
                ).format(address=address, seen=seen)
            )
        credentials = grpc.ssl_channel_credentials(ssl.DER_cert_to_PEM_cert(certificate).encode())
        return open_channel(address, credentials=credentials, name=_name_in(certificate))


PLAIN = Security(tls=False)
"""No TLS, whatever was there before: for a server in this program."""


def _no_tls(*, known: bool) -> str:
    if known:
        return _(
            "no TLS is spoken there, as it was before, so somebody else may be listening: ask the host, and if he has"
            " switched it off, add --no-tls"
        )
    return _("no TLS is spoken there: leave --tls and --fingerprint away, or ask the host to start it with TLS")


async def shown_certificate(address: str, *, patience: float = PATIENCE) -> bytes:
    """Give the certificate (DER) that the server at HOST:PORT shows; raises `CannotConnect`, and `NoTls`."""
    host, port = split_address(address)
    try:
        text = await asyncio.to_thread(ssl.get_server_certificate, (host, port), timeout=patience)
    except TimeoutError as error:
        raise CannotConnect(address, _("no answer in time")) from error
    except ConnectionRefusedError as error:
        raise CannotConnect(address, _("nothing listens there")) from error
    except socket.gaierror as error:
        raise CannotConnect(address, _("no such host is known")) from error
    except (ssl.SSLError, ConnectionResetError) as error:
        raise NoTls from error
    except OSError as error:
        raise CannotConnect(address, _("no answer")) from error
    return ssl.PEM_cert_to_DER_cert(text)


async def speaks_tls(address: str) -> bool:
    """Say whether a server at HOST:PORT shows a certificate."""
    try:
        await shown_certificate(address, patience=GLANCE)
    except (CannotConnect, NoTls):
        return False
    return True


async def is_vouched_for(address: str, name: str) -> bool:
    """Say whether one of the authorities that gRPC comes with vouches for the server at HOST:PORT under a name."""
    channel = open_channel(address, credentials=grpc.ssl_channel_credentials(), name=name)
    stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
    try:
        await stub.GetServerInfo(service_pb2.GetServerInfoRequest(), timeout=PATIENCE)
    except grpc.aio.AioRpcError:
        return False
    finally:
        await channel.close()
    return True


def is_self_signed(certificate: bytes) -> bool:
    """Say whether nobody else has signed a certificate (DER): whoever trusts it trusts it alone."""
    read = _read(certificate)
    return read.issuer == read.subject


def names_in(certificate: bytes) -> tuple[str, ...]:
    """Give the names and addresses for which a certificate (DER) was signed; of names one may begin with `*`."""
    # Loaded here: most connections have no certificate.
    from cryptography import x509  # noqa: PLC0415

    read = _read(certificate)
    try:
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return (*names.get_values_for_type(x509.DNSName), *(str(ip) for ip in names.get_values_for_type(x509.IPAddress)))


def _name_in(certificate: bytes) -> str:
    """Give a name that a certificate is for: it is trusted by itself, whatever its server is called."""
    from cryptography import x509  # noqa: PLC0415

    attributes = _read(certificate).subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    common = [str(name.value) for name in attributes]
    # A wildcard stands for any one word.
    return next(iter([*names_in(certificate), *common]), "").replace("*", "any")


def _read(certificate: bytes) -> x509.Certificate:
    from cryptography import x509  # noqa: PLC0415

    return x509.load_der_x509_certificate(certificate)
