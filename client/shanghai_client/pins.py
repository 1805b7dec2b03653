"""The certificates that this user trusts: the fingerprint of each server that he has met, by its address.

One file, which its owner alone can read. A server is trusted when it is met first; from then on it is the only one.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from shanghai_client.channel import canonical_address
from shanghai_client.failure import ClientFailure
from shanghai_client.language import _
from shanghai_client.system_errors import why
from shanghai_client.whole_file import read_own, write_own

MOST_BYTES = 8 << 20
"""The bytes of a file that can be pins: those of some thousands of servers."""
_PAIRS = hashlib.sha256().digest_size


class BadFingerprint(ClientFailure):
    """A text is no fingerprint of a certificate."""


class BadPins(ClientFailure):
    """The file of the trusted certificates cannot be read, so nobody is trusted; or it cannot be written."""


def fingerprint_of(certificate: bytes) -> str:
    """Give the SHA-256 of a certificate (DER) as it is compared by people: `3F:A2:…`, 32 pairs of figures."""
    return hashlib.sha256(certificate).digest().hex(":").upper()


def read_fingerprint(text: str) -> str:
    """Give a fingerprint as `fingerprint_of` does, however it was written; raises `BadFingerprint`."""
    figures = re.sub(r"^sha-?256[:=]", "", text.strip(), flags=re.IGNORECASE)
    figures = re.sub(r"[:\s-]", "", figures).upper()
    if not re.fullmatch(f"[0-9A-F]{{{2 * _PAIRS}}}", figures):
        raise BadFingerprint(
            _("{text!r} is no fingerprint: it is the SHA-256 of a certificate, {pairs} pairs of figures").format(
                text=text, pairs=_PAIRS
            )
        )
    return ":".join(figures[place : place + 2] for place in range(0, 2 * _PAIRS, 2))


class PinBook:
    """The fingerprints that are trusted, in a file."""

    def __init__(self, path: Path) -> None:
        """Take the file, which is made when the first server is met."""
        self.path = path

    def find(self, address: str) -> str:
        """Give the fingerprint that the server at HOST:PORT had; empty for one that was not met. Raises `BadPins`."""
        return self._read().get(canonical_address(address), "")

    def keep(self, address: str, fingerprint: str) -> None:
        """Trust a server from now on, and the one that was there before no more; raises `BadPins`."""
        pins = {**self._read(), canonical_address(address): fingerprint}
        try:
            write_own(self.path, json.dumps(pins, indent=1, sort_keys=True) + "\n")
        except OSError as error:
            text = _("which servers are trusted cannot be written to {path!r}: {why}")
            raise BadPins(text.format(path=str(self.path), why=why(error))) from error

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(read_own(self.path, most=MOST_BYTES))
            return {address: read_fingerprint(pin) for address, pin in found.items()}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (ValueError, AttributeError, TypeError, RecursionError, OSError, BadFingerprint) as error:
            # Taking it for empty would trust whoever is met next.
            raise BadPins(
                _("{path!r} says which servers are trusted, and cannot be read: mend it, or move it away").format(
                    path=str(self.path)
                )
            ) from error
