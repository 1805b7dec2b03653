"""The files of a server's certificate and of its key: made once and kept, or given, and refused in one sentence."""

from __future__ import annotations

import stat
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from certificates import PEM, authority, vouched
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from shanghai_client.pins import fingerprint_of
from shanghai_server.doors.certificate import BadCertificate, own_certificate, read_certificate


def test_a_server_keeps_the_certificate_that_it_has_made(tmp_path: Path) -> None:
    """It is the same after a restart, and its key is readable by its owner alone."""
    first = own_certificate(tmp_path / "games")
    (tmp_path / "games" / "tls-key.pem").chmod(0o644)
    assert own_certificate(tmp_path / "games") == first
    assert stat.S_IMODE((tmp_path / "games" / "tls-key.pem").stat().st_mode) == 0o600
    (read,) = x509.load_pem_x509_certificates(first.chain)
    assert first.fingerprint == fingerprint_of(read.public_bytes(serialization.Encoding.DER))
    assert first.key.decode() not in repr(first)


def unreadable(path: Path) -> None:
    """Leave no file there."""
    path.unlink()


def of_another(path: Path) -> None:
    """Put a key there that belongs to nothing."""
    path.write_bytes(vouched(authority(), []).key)


def foreign(path: Path) -> None:
    """Put something else there."""
    path.write_text("nothing of the kind", encoding="utf-8")


def locked(path: Path) -> None:
    """Put a key there that asks for a password."""
    form = serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"a password")
    path.write_bytes(ec.generate_private_key(ec.SECP256R1()).private_bytes(PEM, *form))


def ended(path: Path) -> None:
    """Put a certificate there whose time is over, with its key beside it."""
    given = vouched(authority(), [], until=-timedelta(days=1))
    path.write_bytes(given.chain)
    path.with_name("key.pem").write_bytes(given.key)


def not_begun(path: Path) -> None:
    """Put a certificate there whose time has not come, with its key beside it."""
    given = vouched(authority(), [], since=timedelta(days=5))
    path.write_bytes(given.chain)
    path.with_name("key.pem").write_bytes(given.key)


@pytest.mark.parametrize(
    ("file", "spoil", "sentence"),
    [
        ("cert.pem", unreadable, r"cert.pem' cannot be read: no such file"),
        ("cert.pem", foreign, r"cert.pem' holds no certificate: it is a PEM file"),
        ("cert.pem", ended, r"the certificate in '.*cert.pem' ended on \d{4}-\d\d-\d\d$"),
        ("cert.pem", not_begun, r"the certificate in '.*cert.pem' begins on \d{4}-\d\d-\d\d, not before$"),
        ("key.pem", unreadable, r"key.pem' cannot be read: no such file"),
        ("key.pem", foreign, r"key.pem' holds no private key: it is a PEM file"),
        ("key.pem", of_another, r"key.pem' is not that of the certificate in '.*cert.pem'$"),
        ("key.pem", locked, r"key.pem' asks for a password: it is a PEM file without one"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_refused(
    tmp_path: Path, file: str, spoil: Callable[[Path], None], sentence: str
) -> None:
    """The sentence names the file, and what is wrong with it."""
    good = own_certificate(tmp_path / "own")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    certificate.write_bytes(good.chain)
    key.write_bytes(good.key)
    assert read_certificate(certificate, key) == good
    spoil(tmp_path / file)
    with pytest.raises(BadCertificate, match=sentence):
        read_certificate(certificate, key)
