"""A record as the command line gets it: a file that may hold anything."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shanghai_client.cli.input_file import read_input
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _

MOST_BYTES = 64 << 20
"""The bytes of a file that can be a record: many times those of the longest game."""
LONGEST_LINE = 1 << 20
"""The bytes of a line that can be one of a record: many times those of the largest deal."""
DEEPEST = 200
"""How deep the brackets of a line may lie in each other, those of free keys too; those of a game lie five deep."""
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKET = re.compile(rb"[\[\]{}]")


def read_record(path: Path) -> list[bytes]:
    """Give the lines of a record's file; raises `WrongInput` where it cannot be read or is no record at all.

    Whether the lines are right is for `verify` to say: here none may be too long or too deep to be read, and the first
    one has to begin a game.
    """
    # A blank line at the end is what editors leave, and nothing of the game.
    lines = read_input(path, what=_("the record"), most=MOST_BYTES).rstrip().splitlines()
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            text = _("{path!r} is no game record: line {number} has more than {most} bytes")
            raise WrongInput(text.format(path=str(path), number=number, most=LONGEST_LINE))
        if line.count(b"[") + line.count(b"{") > DEEPEST and _depth(line) > DEEPEST:
            text = _("{path!r} is no game record: the brackets of line {number} lie over {most} deep")
            raise WrongInput(text.format(path=str(path), number=number, most=DEEPEST))
    if not lines or not first_fields(lines):
        text = _("{path!r} is no game record: its first line is not that of a game")
        raise WrongInput(text.format(path=str(path)))
    return lines


def first_fields(lines: list[bytes]) -> Mapping[str, Any]:
    """Give the fields of the first line as they stand there; none where that begins no game."""
    try:
        first = json.loads(lines[0])
    except ValueError:
        return {}
    return first if isinstance(first, dict) and first.get("event") == "game" else {}


def _depth(line: bytes) -> int:
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
