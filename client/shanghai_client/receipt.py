"""What a player keeps of a seat: its secrets, and what the table promised, to check the game's record with.

One file per seat, which its owner alone can read.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shanghai_client.channel import canonical_address
from shanghai_client.failure import ClientFailure
from shanghai_client.language import _
from shanghai_client.request_id import new_request_id
from shanghai_client.system_errors import why
from shanghai_client.whole_file import read_own, write_own

MOST_BYTES = 1 << 20
"""The bytes of a file that can be a receipt: one of many games at one table has some thousands."""
TOKEN_BYTES = 16
NONCE_BYTES = 16
_LONGEST_ID = 200
_SAFE = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What was promised for one game of a table, from 1: by the table a commitment, by this player a nonce.

    `counts` says whether the nonce was promised in time: who comes later has none in that game's shuffle.
    """

    game: int
    commitment: bytes
    nonce: bytes
    counts: bool


INSIDE = "play:"
"""Begins the name of a server inside this program, which nobody else can reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A seat's secrets and promises.

    `server` and `table` say where, `name` who. `token` holds the seat; `nonce` goes into the shuffle, and only its
    hash is known to the table before the game starts. `commitment` is the SHA-256 of the game seed as the table
    published it on joining, empty before that, and `seat` the seat that was given. `game` is the game of the table,
    from 1, that these belong to, `counts` whether the nonce was promised in time; `earlier` are the promises of earlier
    games.
    """

    server: str
    table: str
    name: str
    request_id: str
    token: bytes
    nonce: bytes
    seat: int | None = None
    commitment: bytes = b""
    game: int = 1
    counts: bool = True
    earlier: tuple[Promise, ...] = ()

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

    @property
    def promises(self) -> tuple[Promise, ...]:
        """The promises of every game that this seat has seen, the last first."""
        last = Promise(game=self.game, commitment=self.commitment, nonce=self.nonce, counts=self.counts)
        return (last, *reversed(self.earlier))

    @property
    def first_commitment(self) -> bytes:
        """What was given on joining, which a repeat gives again: the SHA-256 of the first nonce."""
        return hashlib.sha256(self.promises[-1].nonce).digest()

    def moved(self, seat: int) -> Receipt:
        """Give the receipt of the same seat, which has another number now."""
        return replace(self, seat=seat)

    def promised(self, *, made: bool) -> Receipt:
        """Give the receipt with its nonce promised in time, or not."""
        return replace(self, counts=made)

    def taken(self, *, seat: int, commitment: bytes, game: int = 1, counts: bool = True) -> Receipt:
        """Give the receipt with what the table answered; who joins again finds what it has promised already."""
        if self.seat is None:
            return replace(self, seat=seat, commitment=commitment, game=game, counts=counts)
        if game == self.game:
            return replace(self, seat=seat)
        return replace(self.next_game(game=game, commitment=commitment), seat=seat)

    def next_game(self, *, game: int, commitment: bytes) -> Receipt:
        """Give the receipt for another game of the table, with a new nonce that is not promised yet."""
        return replace(
            self,
            game=game,
            commitment=commitment,
            nonce=secrets.token_bytes(NONCE_BYTES),
            counts=False,
            earlier=(*self.earlier, self.promises[0]),
        )

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
            "game": self.game,
            "counts": self.counts,
            "earlier": [_promise_fields(promise) for promise in self.earlier],
        }
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Receipt:
        """Read the text of a file; raises `ValueError` or `KeyError` where it is not one."""
        fields = json.loads(text)
        seat = fields["seat"]
        if not fields["request_id"] or len(fields["request_id"]) > _LONGEST_ID:
            raise ValueError("no request id")
        if (len(fields["token"]), len(fields["nonce"])) != (2 * TOKEN_BYTES, 2 * NONCE_BYTES):
            raise ValueError("no token or nonce")
        return cls(
            server=str(fields["server"]),
            table=str(fields["table"]),
            name=str(fields["name"]),
            request_id=str(fields["request_id"]),
            token=bytes.fromhex(fields["token"]),
            nonce=bytes.fromhex(fields["nonce"]),
            seat=None if seat is None else int(seat),
            commitment=bytes.fromhex(fields["commitment"]),
            # Receipts of before rematches have none of these.
            game=int(fields.get("game", 1)),
            counts=bool(fields.get("counts", True)),
            earlier=tuple(_read_promise(each) for each in fields.get("earlier", ())),
        )


def _promise_fields(promise: Promise) -> dict[str, object]:
    return {
        "game": promise.game,
        "commitment": promise.commitment.hex(),
        "nonce": promise.nonce.hex(),
        "counts": promise.counts,
    }


def _read_promise(fields: dict[str, Any]) -> Promise:
    return Promise(
        game=int(fields["game"]),
        commitment=bytes.fromhex(fields["commitment"]),
        nonce=bytes.fromhex(fields["nonce"]),
        counts=bool(fields["counts"]),
    )


def _read(path: Path) -> Receipt | None:
    try:
        return Receipt.from_json(read_own(path, most=MOST_BYTES).decode())
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, OSError):
        return None


def _written_at(path: Path) -> int:
    """Give when a file was written; another program may have removed it meanwhile."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


class NotKept(ClientFailure):
    """A receipt cannot be written down; the text says where, and why."""


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
        for path in self._files():
            receipt = _read(path)
            if receipt is not None and (
                server is None or canonical_address(receipt.server) == canonical_address(server)
            ):
                yield receipt

    def damaged(self) -> list[Path]:
        """Give the files that hold no receipt, or one that is spoilt: a seat may be lost with each."""
        return [path for path in self._files() if _read(path) is None]

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(self.folder.glob("*.json"), key=_written_at, reverse=True)

    def keep(self, receipt: Receipt) -> Path:
        """Write a receipt, whole or not at all, into a file that only its owner can read; give its path.

        Raises `NotKept`: whoever cannot come back to a seat shall not take it.
        """
        path = self._path(receipt)
        try:
            write_own(path, receipt.to_json())
        except OSError as error:
            text = _("what holds your seat cannot be kept in {path!r}: {why}")
            raise NotKept(text.format(path=str(self.folder), why=why(error))) from error
        return path

    def check_room(self, *, server: str, name: str) -> None:
        """Find out that a receipt can be kept, before a table is made for nothing; raises `NotKept`."""
        trial = Receipt.new(server=server, table="", name=name)
        self.keep(trial)
        self.forget(trial)

    def forget(self, receipt: Receipt) -> None:
        """Remove a receipt, when its seat has been given up."""
        self._path(receipt).unlink(missing_ok=True)

    def _path(self, receipt: Receipt) -> Path:
        where = hashlib.sha256(f"{receipt.server}\0{receipt.table}\0{receipt.name}".encode()).hexdigest()[:12]
        return self.folder / f"{_SAFE.sub('_', receipt.table)}-{where}.json"
