"""Where a server's secrets come from: game seeds, the codes of tables, and what makes the choices of bots their own."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Protocol

from shanghai_engine.shuffle import GAME_SEED_BYTES

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a table's code: neither I nor O, which are read as figures."""
CODE_LENGTH = 5
SALT_BYTES = 16


class Secrets(Protocol):
    """What a server draws that nobody may guess. Every call gives another value."""

    def game_seed(self) -> bytes:
        """Give the seed of a game: 32 bytes."""
        ...

    def table_code(self) -> str:
        """Give a code for a table: five letters of `CODE_LETTERS`. It may be in use; then draw again."""
        ...

    def bot_salt(self) -> bytes:
        """Give what a table's bots draw their choices from: 16 bytes."""
        ...


class SystemSecrets:
    """The system's secret source."""

    def game_seed(self) -> bytes:
        """Give the seed of a game: 32 bytes."""
        return secrets.token_bytes(GAME_SEED_BYTES)

    def table_code(self) -> str:
        """Give a code for a table."""
        return _code(secrets.token_bytes(CODE_LENGTH * 4))

    def bot_salt(self) -> bytes:
        """Give what a table's bots draw their choices from: 16 bytes."""
        return secrets.token_bytes(SALT_BYTES)


class SeededSecrets:
    """Values that follow from a seed, so that a whole game is fixed; only for a server that one plays on alone."""

    def __init__(self, seed: str) -> None:
        """Take the seed, any text."""
        self._key = hashlib.sha256(seed.encode("utf-8")).digest()
        self._drawn: dict[str, int] = {}

    def game_seed(self) -> bytes:
        """Give the seed of the next game: 32 bytes."""
        return self._draw("game seed")[:GAME_SEED_BYTES]

    def table_code(self) -> str:
        """Give the code of the next table."""
        return _code(self._draw("table code")[: CODE_LENGTH * 4])

    def bot_salt(self) -> bytes:
        """Give what the next table's bots draw their choices from: 16 bytes."""
        return self._draw("bot salt")[:SALT_BYTES]

    def _draw(self, what: str) -> bytes:
        number = self._drawn.get(what, 0) + 1
        self._drawn[what] = number
        return hmac.digest(self._key, f"{what} {number}".encode("ascii"), "sha256")


def _code(drawn: bytes) -> str:
    words = (int.from_bytes(drawn[place : place + 4], "big") for place in range(0, CODE_LENGTH * 4, 4))
    return "".join(CODE_LETTERS[word % len(CODE_LETTERS)] for word in words)
