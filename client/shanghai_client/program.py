"""The line that runs this program again, as it can be typed where it was run, or by others elsewhere."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

NAME = "shanghai-rum"
"""The name that it is installed under."""


def command_line(*words: str) -> str:
    """Give the line that runs this program with these words, each quoted where a shell needs it.

    It begins with the name alone where a shell finds that, else with the path by which the program was called, as
    `.venv/bin/shanghai-rum` after `make play`.
    """
    called = sys.argv[0]
    found = Path(called).name != NAME or os.sep not in called or shutil.which(NAME) is not None
    return shlex.join([NAME if found else called, *words])


def line_for_others(*words: str) -> str:
    """Give the line that runs this program with these words on another machine, wherever it lies there."""
    return shlex.join([NAME, *words])
