"""`--record FILE`: found writable before anything is started, and written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

from shanghai_client.cli.wrong import WrongInput


class RecordFile:
    """A file that will hold a record; leave the block without `write` and nothing has changed."""

    def __init__(self, path: Path | None) -> None:
        """Take where the record shall stand; none for nowhere."""
        self.path = path
        self._part: Path | None = None

    def __enter__(self) -> Self:
        """Find out that the file can be written; raises `WrongInput`."""
        if self.path is None:
            return self
        if self.path.is_dir():
            raise WrongInput(f"the record {str(self.path)!r} cannot be written: it is a folder")
        part = self._new_part(self.path)
        try:
            if self.path.exists() and not os.access(self.path, os.W_OK):
                raise PermissionError(13, "the file is there and may not be written")
            part.touch(exist_ok=False)
        except OSError as error:
            raise WrongInput(f"the record {str(self.path)!r} cannot be written: {error.strerror}") from error
        self._part = part
        return self

    def write(self, record: str) -> None:
        """Write the record, all at once; that of another game takes the place of the last one's.

        Raises `OSError` where that fails after all.
        """
        if self.path is None:
            return
        part = self._part = self._part or self._new_part(self.path)
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(record)
            file.flush()
            os.fsync(file.fileno())
        part.replace(self.path)
        self._part = None

    @staticmethod
    def _new_part(path: Path) -> Path:
        return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what was not finished."""
        if self._part is not None:
            self._part.unlink(missing_ok=True)
