"""The files and connections that this process may have open at once: as many as the system lets it have."""

from __future__ import annotations

import sys

MOST = 65_536
"""More are never needed: the limits of one server are far below."""


def allow_many() -> int:
    """Raise the limit of open files to what the system allows, and give it; a shell usually allows 256 or 1024."""
    if sys.platform == "win32":
        return MOST
    import resource  # noqa: PLC0415 (Windows has none)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return MOST if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        # Some systems say that there is no limit, and have one.
        return soft
    return wanted
