"""What a player keeps of a seat: its secrets, and what the table promised, to check the game's record with.

One file per seat, which its owner alone can read.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from shanghai_client.request_id import new_request_id

TOKEN_BYTES = 16
NONCE_BYTES = 16
_SAFE = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A seat's secrets and promises.

    `server` and `table` say where, `name` who. `token` holds the seat; `nonce` goes into the shuffle, and only its
    hash is known to the table before the game starts. `commitment` is the SHA-256 of the game seed as the table
    published it on joining, empty before that, and `seat` the seat that was given.
    """

    server: str
    table: str
    name: str
    request_id: str
    token: bytes
    nonce: bytes
    seat: int | None = None
    commitment: bytes = b""

    @classmethod
    def new(cls, *, server: str, table: str, name: str, nonce: bytes | None = None) -> Receipt:
        """Make the secrets of a seat that is about to be taken; a nonce is given only where a game is repeated."""
        return cls(
            server=server,
            table=table,
            name=name,
            request_id=new_request_id(),
            token=secrets.token_bytes(TOKEN_BYTES),
            nonce=secrets.token_bytes(NONCE_BYTES) if nonce is None else nonce,
        )

    @property
    def nonce_commitment(self) -> bytes:
        """The SHA-256 of the nonce: what is given on joining."""
        return hashlib.sha256(self.nonce).digest()

    def taken(self, *, seat: int, commitment: bytes) -> Receipt:
        """Give the receipt with what the table answered."""
        return replace(self, seat=seat, commitment=commitment)

    def faults(self, *, commitment: bytes, nonces: tuple[bytes, ...]) -> tuple[str, ...]:
        """Say in a sentence each what a record has otherwise than the table promised this player."""
        found = []
        if commitment != self.commitment:
            found.append("the record's commitment is not the one that the table published when this seat was taken")
        if self.seat is not None and self.seat < len(nonces) and nonces[self.seat] != self.nonce:
            found.append(f"the record's nonce of seat {self.seat} is not the one that this client gave")
        return tuple(found)

    def to_json(self) -> str:
        """Give the text that stands in the file."""
        fields = {
            "server": self.server,
            "table": self.table,
            "name": self.name,
            "request_id": self.request_id,
            "token": self.token.hex(),
            "nonce": self.nonce.hex(),
            "seat": self.seat,
            "commitment": self.commitment.hex(),
        }
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Receipt:
        """Read the text of a file; raises `ValueError` or `KeyError` where it is not one."""
        fields = json.loads(text)
        seat = fields["seat"]
        return cls(
            server=str(fields["server"]),
            table=str(fields["table"]),
            name=str(fields["name"]),
            request_id=str(fields["request_id"]),
            token=bytes.fromhex(fields["token"]),
            nonce=bytes.fromhex(fields["nonce"]),
            seat=None if seat is None else int(seat),
            commitment=bytes.fromhex(fields["commitment"]),
        )


class ReceiptBook:
    """The receipts in a folder."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which is made when the first receipt is kept."""
        self.folder = folder

    def find(self, *, server: str, table: str, name: str) -> Receipt | None:
        """Give the receipt of a seat that this user took before; none where there is none that can be read."""
        return next((each for each in self.all(server=server) if (each.table, each.name) == (table, name)), None)

    def all(self, *, server: str | None = None) -> Iterator[Receipt]:
        """Give every receipt, the last kept first, or those of one server; a damaged file is passed over."""
        if not self.folder.is_dir():
            return
        for path in sorted(self.folder.glob("*.json"), key=lambda each: each.stat().st_mtime_ns, reverse=True):
            try:
                receipt = Receipt.from_json(path.read_text(encoding="utf-8"))
            except (ValueError, KeyError, TypeError, OSError):
                continue
            if server is None or receipt.server == server:
                yield receipt

    def keep(self, receipt: Receipt) -> Path:
        """Write a receipt, whole or not at all, into a file that only its owner can read; give its path."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(receipt)
        new = path.with_suffix(f".{secrets.token_hex(4)}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(receipt.to_json())
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        return path

    def forget(self, receipt: Receipt) -> None:
        """Remove a receipt, when its seat has been given up."""
        self._path(receipt).unlink(missing_ok=True)

    def _path(self, receipt: Receipt) -> Path:
        where = hashlib.sha256(f"{receipt.server}\0{receipt.table}\0{receipt.name}".encode()).hexdigest()[:12]
        return self.folder / f"{_SAFE.sub('_', receipt.table)}-{where}.json"
