"""The passcode of a private table: what is kept of it, and how what somebody gives is held against it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass, field

from shanghai_server.house.refusal import CallRefused, TableRefusal

LEAST, MOST = 4, 64
"""How many characters a passcode has."""
_MOST_READ = 8 * MOST
"""More characters than this do not become `MOST` by being put in their usual form."""
_COST, _BLOCK = 2**11, 8
"""What a try costs by scrypt: about 5 ms and 2 MiB, because what people make up is short."""
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Passcode:
    """What is kept of a passcode: a salt, and the key that scrypt makes of both. It is shown to nobody."""

    salt: bytes
    key: bytes = field(repr=False)
    # What the right passcode was last time, under a key of this process: the second time it is found at once.
    _process_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False, compare=False)
    _seen: list[bytes] = field(default_factory=list, repr=False, compare=False)

    @classmethod
    def of(cls, text: str, *, salted_by: str) -> Passcode:
        """Keep a passcode, with a salt that follows from a text which no other table has; raises `CallRefused`."""
        text = check_passcode(text)
        salt = hashlib.sha256(b"passcode\0" + salted_by.encode()).digest()[:_SALT_BYTES]
        return cls(salt, _key(text, salt))

    def opens(self, text: str) -> bool:
        """Say whether a text is the passcode; the comparison takes as long for every wrong one."""
        text = _read(text)
        if len(text) > MOST:
            return False
        quick = hmac.digest(self._process_key, text.encode(), "sha256")
        if any(hmac.compare_digest(seen, quick) for seen in self._seen):
            return True
        right = hmac.compare_digest(_key(text, self.salt), self.key)
        if right:
            self._seen.append(quick)
        return right


def check_passcode(text: str) -> str:
    """Give a passcode in its usual form; raises `CallRefused` for one that is too short or too long."""
    text = _read(text)
    if not LEAST <= len(text) <= MOST:
        raise CallRefused(TableRefusal.BAD_PASSCODE, least=LEAST, most=MOST, length=len(text))
    return text


def _read(text: str) -> str:
    # What is far too long is not put in order: that takes the square of the number of marks on one letter.
    return text if len(text) > _MOST_READ else unicodedata.normalize("NFC", text).strip()


def _key(text: str, salt: bytes) -> bytes:
    return hashlib.scrypt(text.encode(), salt=salt, n=_COST, r=_BLOCK, p=1, dklen=32)
