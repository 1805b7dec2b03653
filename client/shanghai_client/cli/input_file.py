"""A file that the user names, which may be anything: read only as far as it can be what it should be."""

from __future__ import annotations

from pathlib import Path

from shanghai_client.cli.telling import remark
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _
from shanghai_client.system_errors import why
from shanghai_client.whole_file import read_given, read_own


def _waits(what: str, path: Path) -> str:
    text = _("Waiting for {what} from {path!r}: nothing has come from it yet. Ctrl-C ends it.")
    return text.format(what=what, path=str(path))


def read_input(path: Path, *, what: str, most: int, waits: bool = True) -> bytes:
    """Give the content of a file; raises `WrongInput` where it cannot be read, and where it has more than `most` bytes.

    `what` is the file in words, as in `the rules`. Devices and pipes are read too, but never without end, and not for
    longer than one waits for a pipe, which is told; where the program has to go on it `waits` for none.
    """
    try:
        if not waits:
            return read_own(path, most=most)
        return read_given(path, most=most, waiting=lambda: remark(_waits(what, path)))
    except (OSError, ValueError) as error:
        reason = why(error) if isinstance(error, OSError) else error
        text = _("{what} {path!r} cannot be read: {why}")
        raise WrongInput(text.format(what=what, path=str(path), why=reason)) from error
