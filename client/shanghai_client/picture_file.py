"""A picture that a player asked for, written to a file: whole or not at all, and over no other file by accident."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from shanghai_client.failure import ClientFailure
from shanghai_client.language import _
from shanghai_client.system_errors import why

SUFFIX = ".svg"


class PictureNotWritten(ClientFailure):
    """A picture could not be written; the text says which file, and why."""


class PictureThere(PictureNotWritten):
    """A picture was not written, because the file is there already."""


def picture_path(text: str) -> Path:
    """Give the file that a player names for a picture; raises `PictureNotWritten` where its name is none of one."""
    path = Path(text).expanduser()
    if path.suffix.lower() != SUFFIX:
        raise PictureNotWritten(
            _("the picture cannot be written to {file}: name a file that ends in {suffix}").format(
                file=repr(text), suffix=SUFFIX
            )
        )
    return path


def write_picture(path: Path, picture: str, *, force: bool = False) -> None:
    """Write a picture; raises `PictureNotWritten` where it cannot be, and without `force` where the file is there."""
    part = path.with_name(f".{secrets.token_hex(6)}.part")
    try:
        try:
            part.write_text(picture, encoding="utf-8", newline="\n")
            if force:
                part.replace(path)
            else:
                # A link is made only where nothing is, however late that came.
                os.link(part, path)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError as error:
        raise PictureThere(
            _("the picture {file} is not written: the file is there already").format(file=repr(str(path)))
        ) from error
    except OSError as error:
        raise PictureNotWritten(
            _("the picture {file} cannot be written: {why}").format(file=repr(str(path)), why=why(error))
        ) from error
