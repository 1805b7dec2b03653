"""A record as the command line gets it: a file that may hold anything."""

from __future__ import annotations

import json
from pathlib import Path

from shanghai_client.cli.wrong import WrongInput


def read_record(path: Path) -> list[bytes]:
    """Give the lines of a record's file; raises `WrongInput` where it cannot be read or is no record at all.

    Whether the lines are right is for `verify` to say: here the first one only has to begin a game.
    """
    try:
        # A blank line at the end is what editors leave, and nothing of the game.
        lines = path.read_bytes().rstrip().splitlines()
    except OSError as error:
        raise WrongInput(f"{str(path)!r} cannot be read: {error.strerror}") from error
    if not lines or not _begins_a_game(lines[0]):
        raise WrongInput(f"{str(path)!r} is no game record: its first line is not that of a game")
    return lines


def _begins_a_game(line: bytes) -> bool:
    try:
        first = json.loads(line)
    except ValueError:
        return False
    return isinstance(first, dict) and first.get("event") == "game"
