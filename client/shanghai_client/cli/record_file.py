"""`--record FILE`: found writable before anything is started, and written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.language import _
from shanghai_client.system_errors import why


class Unwritten(Failed):
    """A record could not be written after all; the text says which, and why."""


class RecordFile:
    """A file that will hold a record; leave the block without `write` and nothing has changed."""

    def __init__(self, path: Path | None, *, force: bool = False, kept: bool = False) -> None:
        """Take where the record shall stand; none for nowhere.

        `force` allows that a file which is there is overwritten. `kept` says that the path was given earlier, when
        the game was begun, so that the user is told how to give another one.
        """
        self.path = path
        self.written = False
        self._force = force
        self._kept = kept

    def __enter__(self) -> Self:
        """Find out that the file can be written; raises `WrongInput`, also where another record would be lost."""
        if self.path is None:
            return self
        target = _target(self.path)
        try:
            found = _found(target)
            if found is not None:
                self._check_replaceable(target, found)
            # Nothing of it stays: whatever ends the program from here on, no half of a record is left behind.
            part = _new_part(target)
            part.touch(exist_ok=False)
            part.unlink()
        except OSError as error:
            raise self._wrong(why(error)) from error
        return self

    def _check_replaceable(self, target: Path, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise self._wrong(_("it is a folder"))
        if not stat.S_ISREG(found.st_mode):
            raise self._wrong(_("it is no regular file"))
        if found.st_size and not self._force:
            raise self._wrong(_("the file is there already, and only --force overwrites it"))
        if not os.access(target, os.W_OK):
            raise self._wrong(_("the file is there and may not be written"))

    def _wrong(self, reason: str) -> WrongInput:
        text = _("the record {path!r} cannot be written: {why}")
        if self._kept:
            text = _("the record {path!r} cannot be written: {why}; --record names another file for it")
        return WrongInput(text.format(path=str(self.path), why=reason))

    def _unwritten(self, reason: str) -> Unwritten:
        text = _("the record {path!r} could not be written: {why}")
        return Unwritten(text.format(path=str(self.path), why=reason))

    def write(self, record: str) -> None:
        """Write the record, all at once; that of another game takes the place of the last one's.

        What a link points to is written, and a file that is there keeps its mode. Raises `Unwritten` where it cannot
        be written after all.
        """
        if self.path is None:
            return
        target = _target(self.path)
        part = _new_part(target)
        try:
            try:
                with part.open("x", encoding="utf-8", newline="\n") as file:
                    file.write(record)
                    file.flush()
                    os.fsync(file.fileno())
                found = _found(target)
                if found is not None and not stat.S_ISREG(found.st_mode):
                    raise self._unwritten(_("it is no regular file"))
                if found is not None:
                    part.chmod(stat.S_IMODE(found.st_mode))
                part.replace(target)
            finally:
                # Gone already where it has taken its place.
                part.unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritten(why(error)) from error
        self.written = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the block: what was not written has left nothing."""


def _target(path: Path) -> Path:
    """Give what a path is in the end, behind all links."""
    return Path(os.path.realpath(path))


def _found(target: Path) -> os.stat_result | None:
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _new_part(target: Path) -> Path:
    # Short, and beside the file: the record's own name may be as long as names can be.
    return target.with_name(f".{secrets.token_hex(6)}.part")
