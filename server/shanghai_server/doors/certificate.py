"""The certificate with which a server shows who it is, and its key: given by the host, or made once and kept."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAME = "shanghai-rum"
"""The name in a certificate that a server has made for itself: whoever pins it asks for no other."""
CERTIFICATE_FILE, KEY_FILE = "tls-cert.pem", "tls-key.pem"
VALID = timedelta(days=20 * 365)
"""How long it is good for: nobody vouches for it but those who have seen it, so a new one only costs their trust."""


class BadCertificate(Exception):
    """A certificate or its key cannot be used; the text says in one sentence which file, and why."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate, with those that vouch for it behind it, and its key, both as PEM."""

    chain: bytes
    key: bytes = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate as it is compared by people: `3F:A2:…`, 32 pairs of figures."""
        (first, *_) = x509.load_pem_x509_certificates(self.chain)
        return hashlib.sha256(first.public_bytes(serialization.Encoding.DER)).digest().hex(":").upper()

    def credentials(self) -> grpc.ServerCredentials:
        """Give what a gRPC server listens with."""
        return grpc.ssl_server_credentials([(self.key, self.chain)])


def read_certificate(certificate: Path, key: Path) -> Certificate:
    """Read a certificate and its key from PEM files; raises `BadCertificate` where a server cannot use them."""
    found = Certificate(_read(certificate), _read(key))
    try:
        first = x509.load_pem_x509_certificates(found.chain)[0]
    except ValueError as error:
        raise BadCertificate(f"{str(certificate)!r} holds no certificate: it is a PEM file") from error
    try:
        private = serialization.load_pem_private_key(found.key, None)
    except TypeError as error:
        raise BadCertificate(f"the key in {str(key)!r} asks for a password: it is a PEM file without one") from error
    except ValueError as error:
        raise BadCertificate(f"{str(key)!r} holds no private key: it is a PEM file") from error
    encoding, form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    if private.public_key().public_bytes(encoding, form) != first.public_key().public_bytes(encoding, form):
        raise BadCertificate(f"the key in {str(key)!r} is not that of the certificate in {str(certificate)!r}")
    if first.not_valid_before_utc > datetime.now(UTC):
        raise BadCertificate(
            f"the certificate in {str(certificate)!r} begins on {first.not_valid_before_utc:%Y-%m-%d}, not before"
        )
    if first.not_valid_after_utc < datetime.now(UTC):
        raise BadCertificate(f"the certificate in {str(certificate)!r} ended on {first.not_valid_after_utc:%Y-%m-%d}")
    return found


def open_key(key: Path) -> str:
    """Say in one sentence that others than its owner and group can read the file of a key; empty where they cannot."""
    if sys.platform == "win32" or not key.stat().st_mode & stat.S_IROTH:
        return ""
    return f"the key in {str(key)!r} can be read by every user of this machine: chmod o= closes it to them"


def own_certificate(folder: Path) -> Certificate:
    """Give the certificate that a server has made for itself, which is kept in its folder, or make it now.

    Raises `BadCertificate` where what is there cannot be used, and where nothing can be written.
    """
    certificate, key = folder / CERTIFICATE_FILE, folder / KEY_FILE
    if not certificate.exists():
        made = _make()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The key first: a certificate that is there has its key.
            _write(key, made.key)
            _write(certificate, made.chain)
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise BadCertificate(f"no certificate can be kept in {str(folder)!r}: {why.lower()}") from error
    with suppress(OSError):
        # A key that was copied here may be open to others; where it is another user's, it is for him to say.
        key.chmod(0o600)
    return read_certificate(certificate, key)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadCertificate(f"{str(path)!r} cannot be read: {(error.strerror or '').lower()}") from error


def _write(path: Path, data: bytes) -> None:
    """Write a file that its owner alone can read, whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _make() -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # The clocks of those who connect may be behind.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return Certificate(
        chain=certificate.public_bytes(serialization.Encoding.PEM),
        key=key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    )
