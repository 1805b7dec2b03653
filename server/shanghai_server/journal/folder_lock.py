"""The lock of a data folder: one server at a time, let go by the system when that server ends in whatever way."""

import os
import sys
from pathlib import Path

from shanghai_server.journal.journal import JournalLocked

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        # Of the open file and not of the process: two journals in one process keep each other out, too.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """The lock of a data folder, held from here until `release` or the end of the process.

    Raises `JournalLocked` if it is held elsewhere, `OSError` if the folder cannot be written to. The empty file
    `server.lock` stays in the folder, because whoever removes a lock file races with whoever takes it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            _lock(self._file)
        except (BlockingIOError, PermissionError) as error:
            os.close(self._file)
            raise JournalLocked(folder) from error
        except BaseException:
            os.close(self._file)
            raise

    def release(self) -> None:
        """Let others have the folder. To be called once."""
        os.close(self._file)
