"""Certificates of an authority, for tests, and a server that shows one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hand_clock import HandClock
from server_table import AT_ONCE

from shanghai_server.doors.certificate import Certificate
from shanghai_server.doors.server import GameServer
from shanghai_server.house.settings import Settings
from shanghai_server.journal.memory_journal import MemoryJournal

PEM = serialization.Encoding.PEM


def authority() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Give somebody who vouches for certificates."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    return _signed(builder, key, ca=True, until=timedelta(days=9), since=-timedelta(days=10)), key


def _signed(
    builder: x509.CertificateBuilder, key: ec.EllipticCurvePrivateKey, *, ca: bool, until: timedelta, since: timedelta
) -> x509.Certificate:
    now = datetime.now(UTC)
    return (
        builder.serial_number(x509.random_serial_number())
        .not_valid_before(now + since)
        .not_valid_after(now + until)
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )


def vouched(
    by: tuple[x509.Certificate, ec.EllipticCurvePrivateKey],
    names: list[x509.GeneralName],
    until: timedelta = timedelta(days=9),
    since: timedelta = -timedelta(days=10),
) -> Certificate:
    """Give a certificate that an authority has signed, with the authority's behind it."""
    root, root_key = by
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "A server")])
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(root.subject).public_key(key.public_key())
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    leaf = _signed(builder, root_key, ca=False, until=until, since=since)
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return Certificate(leaf.public_bytes(PEM) + root.public_bytes(PEM), key.private_bytes(PEM, *form))


@asynccontextmanager
async def serving(certificate: Certificate | None, listen: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """Serve with a certificate, or without TLS; gives the address."""
    async with MemoryJournal() as journal:
        settings = Settings(options=AT_ONCE)
        server = GameServer(journal, listen=listen, settings=settings, clock=HandClock(), certificate=certificate)
        port = await server.start()
        try:
            yield f"127.0.0.1:{port}"
        finally:
            await server.stop(1)
