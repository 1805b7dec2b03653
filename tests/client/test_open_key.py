"""The file of a certificate's key: a host whose key every user of the machine can read is told so."""

from pathlib import Path

import pytest

from shanghai_client.cli.certifying import Certifying
from shanghai_server.doors.certificate import CERTIFICATE_FILE, KEY_FILE, own_certificate


@pytest.mark.parametrize(("mode", "open_to_all"), [(0o600, False), (0o640, False), (0o644, True), (0o604, True)])
def test_a_key_that_everybody_can_read_is_used_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: int, *, open_to_all: bool
) -> None:
    """A group may be meant to read it, as that of a web server is; every user is not."""
    made = own_certificate(tmp_path)
    certificate, key = tmp_path / CERTIFICATE_FILE, tmp_path / KEY_FILE
    key.chmod(mode)
    certifying = Certifying(tls_cert=certificate, tls_key=key, tls_self_signed=False)
    assert certifying.certificate(tmp_path) == made
    err = capsys.readouterr().err
    assert err.count("\n") == int(open_to_all)
    assert (f"the key in {str(key)!r} can be read by every user of this machine" in err) is open_to_all
