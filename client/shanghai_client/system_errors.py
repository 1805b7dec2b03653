"""Why the system could not do something, in the language of the player: its own words are those of another locale."""

from __future__ import annotations

import errno
import socket

from shanghai_client.language import _, later

_TEXTS: dict[int, str] = {
    errno.EACCES: later("Permission denied"),
    errno.EADDRINUSE: later("Address already in use"),
    errno.EADDRNOTAVAIL: later("Cannot assign requested address"),
    errno.EAFNOSUPPORT: later("Address family not supported by protocol"),
    errno.EBUSY: later("Device or resource busy"),
    errno.ECONNREFUSED: later("Connection refused"),
    errno.ECONNRESET: later("Connection reset by peer"),
    errno.EDQUOT: later("Disk quota exceeded"),
    errno.EEXIST: later("File exists"),
    errno.EFBIG: later("File too large"),
    errno.EHOSTUNREACH: later("No route to host"),
    errno.EINVAL: later("Invalid argument"),
    errno.EIO: later("Input/output error"),
    errno.EISDIR: later("Is a directory"),
    errno.ELOOP: later("Too many levels of symbolic links"),
    errno.EMFILE: later("Too many open files"),
    errno.ENAMETOOLONG: later("File name too long"),
    errno.ENETUNREACH: later("Network is unreachable"),
    errno.ENFILE: later("Too many open files in system"),
    errno.ENODEV: later("No such device"),
    errno.ENOENT: later("No such file or directory"),
    errno.ENOMEM: later("Cannot allocate memory"),
    errno.ENOSPC: later("No space left on device"),
    errno.ENOTDIR: later("Not a directory"),
    errno.ENOTEMPTY: later("Directory not empty"),
    errno.ENXIO: later("No such device or address"),
    errno.EPERM: later("Operation not permitted"),
    errno.EPIPE: later("Broken pipe"),
    errno.EROFS: later("Read-only file system"),
    errno.ETIMEDOUT: later("Connection timed out"),
}
"""What the system says of its errors, by their number."""


_OF_SQLITE: tuple[str, ...] = (
    later("attempt to write a readonly database"),
    later("database disk image is malformed"),
    later("database is locked"),
    later("database or disk is full"),
    later("disk I/O error"),
    later("file is not a database"),
    later("unable to open database file"),
)
"""What SQLite says of its usual errors."""


def said_by_system(text: str) -> str:
    """Give what the system or a library has said, in the language of the player; what is not known stands in quotes."""
    for known in (*_TEXTS.values(), *_OF_SQLITE):
        if known.lower() == text.lower():
            return _(known)
    return f'"{text}"'


def why(error: OSError) -> str:
    """Give why the system could not do something; an unusual reason stays in the system's own words."""
    if isinstance(error, socket.gaierror):
        return _("no such host is known")
    known = _TEXTS.get(error.errno or 0)
    return _(known) if known is not None else error.strerror or str(error) or type(error).__name__
