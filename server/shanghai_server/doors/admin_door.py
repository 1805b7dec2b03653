"""The door to a running server for its own host: where it is, and the token that opens it, in a file of its folder.

Nobody but the server's own user can read the file, and each start of a server writes a new token.
"""

from __future__ import annotations

import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

import msgspec

FILE_NAME = "admin.json"
SOCKET_NAME = "admin.sock"
LONGEST_SOCKET = 100
"""The bytes that the path of a socket may have, on every system that has them."""
TOKEN_BYTES = 32
LOOPBACK = "127.0.0.1:0"


class NoDoor(Exception):
    """There is no door in a folder, or none that can be read; its text is why, for a sentence that names the folder."""


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """An address, as the gRPC library takes it, and the token of `AdminService`."""

    address: str
    token: str


@dataclass(frozen=True, slots=True)
class DoorFile:
    """The file of a door in a data folder."""

    folder: Path

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.folder / FILE_NAME

    @property
    def socket(self) -> Path | None:
        """Where the socket is; none where the system has none for such a path, and a port of loopback serves."""
        path = self.folder.absolute() / SOCKET_NAME
        fits = len(os.fsencode(path)) <= LONGEST_SOCKET and all(sign.isprintable() for sign in str(path))
        return path if fits and sys.platform != "win32" else None

    @property
    def listen(self) -> str:
        """Where a server listens for its host."""
        return LOOPBACK if self.socket is None else f"unix:{self.socket}"

    def write(self, address: str) -> Door:
        """Make a door with a new token, readable by its owner alone; raises `OSError`."""
        door = Door(address=address, token=secrets.token_urlsafe(TOKEN_BYTES))
        draft = self.path.with_name(f"{FILE_NAME}.new")
        draft.unlink(missing_ok=True)
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as opened:
            opened.write(msgspec.json.encode(door) + b"\n")
        draft.replace(self.path)
        return door

    def read(self) -> Door:
        """Give the door of a server that runs, or ran, on the folder; raises `NoDoor`."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Door)
        except FileNotFoundError as error:
            raise NoDoor("no server runs on it: name the folder of a running one") from error
        except OSError as error:
            raise NoDoor(f"its {FILE_NAME} cannot be read: {error.strerror or error}") from error
        except msgspec.MsgspecError as error:
            raise NoDoor(f"its {FILE_NAME} was not written by a server: {error}") from error

    def remove(self) -> None:
        """Take the door away."""
        self.path.unlink(missing_ok=True)
        if self.socket is not None:
            self.socket.unlink(missing_ok=True)
