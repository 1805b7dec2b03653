"""How a command secures its connection, as options of the command line."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from shanghai_client.cli.input_file import read_input
from shanghai_client.cli.telling import tell
from shanghai_client.cli.worded import option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.folders import data_path, pins_in
from shanghai_client.language import _, later
from shanghai_client.pins import BadFingerprint, read_fingerprint
from shanghai_client.security import SYSTEM, Security

MOST_BYTES = 8 << 20
"""The bytes of a file that can be certificates: many times those of all authorities that there are."""


def security_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, which it gets together as `secured`."""

    @option(
        "--tls/--no-tls",
        default=None,
        help=later("Speak TLS, and trust the certificate that is met first; usually as before with that server."),
    )
    @option("--fingerprint", metavar="SHA256", help=later("The fingerprint that its certificate must have."))
    @option(
        "--ca",
        metavar="FILE",
        help=later("Whose certificates are trusted there: a PEM file, or system for the usual authorities."),
    )
    @wraps(command)
    def with_security(
        *arguments: Any,  # noqa: ANN401 (whatever the command takes)
        tls: bool | None,
        fingerprint: str | None,
        ca: str | None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        command(*arguments, secured=security(tls=tls, fingerprint=fingerprint, ca=ca), **options)

    return with_security


def security(*, tls: bool | None, fingerprint: str | None, ca: str | None) -> Security:
    """Give how a connection is secured, from the values of these options; raises `WrongInput`."""
    if tls is False and (fingerprint is not None or ca is not None):
        raise WrongInput(_("--no-tls goes with neither --fingerprint nor --ca: both are about a certificate"))
    if fingerprint is not None and ca is not None:
        raise WrongInput(_("--fingerprint goes without --ca: who is known needs nobody to vouch for him"))
    try:
        wanted = "" if fingerprint is None else read_fingerprint(fingerprint)
    except BadFingerprint as bad:
        raise WrongInput(str(bad)) from bad
    return Security(
        tls=tls,
        fingerprint=wanted,
        roots=None if ca is None else _roots(ca),
        authority=ca or "",
        pins=pins_in(data_path()),
        note=tell,
    )


def _roots(name: str) -> bytes:
    if name == SYSTEM:
        return b""
    roots = read_input(Path(name), what=_("the certificates"), most=MOST_BYTES)
    if b"-----BEGIN CERTIFICATE-----" not in roots:
        raise WrongInput(_("there is no certificate in {name!r}: it is a PEM file").format(name=name))
    return roots
