"""Making durable what was written: the content of a file, and the names in a folder."""

import os
import sys
from pathlib import Path


def sync(file: Path) -> None:
    """Wait until the content of a file is on the disk; raises `OSError`."""
    _sync(file, os.O_RDWR)


def sync_names(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; raises `OSError`."""
    # Windows makes new names durable by itself, and cannot open a folder.
    if sys.platform != "win32":
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
