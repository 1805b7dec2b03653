"""The certificate that a server shows, as options of the command that starts one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai_client.cli.worded import option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later
from shanghai_client.server_faults import server_fault_text

if TYPE_CHECKING:
    from shanghai_server.doors.certificate import Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Certifying:
    """What the options say; each is as it was given."""

    tls_cert: Path | None
    tls_key: Path | None
    tls_self_signed: bool

    def certificate(self, folder: Path) -> Certificate | None:
        """Give the certificate of a server on a data folder, none without TLS; raises `WrongInput`."""
        if (self.tls_cert is None) != (self.tls_key is None):
            raise WrongInput(_("--tls-cert and --tls-key go together: a certificate and its key"))
        if self.tls_cert is not None and self.tls_self_signed:
            raise WrongInput(_("--tls-self-signed goes without --tls-cert: a server shows one certificate"))
        if self.tls_cert is None and not self.tls_self_signed:
            return None
        # Loaded here: most servers have none, and what reads one takes a while to load.
        from shanghai_server.doors.certificate import BadCertificate, open_key, own_certificate, read_certificate

        try:
            if self.tls_cert is not None and self.tls_key is not None:
                found = read_certificate(self.tls_cert, self.tls_key)
                if warning := open_key(self.tls_key):
                    click.echo(f"shanghai-rum: {server_fault_text(warning)}", err=True)
                return found
            return own_certificate(folder)
        except BadCertificate as bad:
            raise WrongInput(server_fault_text(str(bad))) from bad


def certificate_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, which it gets together as `certifying`."""
    path = click.Path(path_type=Path)

    @option("--tls-cert", type=path, metavar="FILE", help=later("Speak TLS with the certificate in a PEM file."))
    @option("--tls-key", type=path, metavar="FILE", help=later("The private key of --tls-cert."))
    @option("--tls-self-signed", is_flag=True, help=later("Speak TLS with a certificate of its own, kept in DIR."))
    @wraps(command)
    def with_certificate(
        *arguments: Any,  # noqa: ANN401 (whatever the command takes)
        tls_cert: Path | None,
        tls_key: Path | None,
        tls_self_signed: bool,
        **options: Any,  # noqa: ANN401
    ) -> None:
        certifying = Certifying(tls_cert=tls_cert, tls_key=tls_key, tls_self_signed=tls_self_signed)
        command(*arguments, certifying=certifying, **options)

    return with_certificate
