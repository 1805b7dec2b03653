"""The files and connections that this process may have open at once: as many as the system lets it have."""

from __future__ import annotations

import sys

from structlog.typing import FilteringBoundLogger

from shanghai_server.house.settings import Settings

MOST = 65_536
"""More are never needed: the limits of one server are far below."""


OF_ITS_OWN = 100
"""Files that a server needs beside its connections: journal, log, doors, threads and those who only ask. They stay free
however many come."""
FEWEST = 10
"""So many connections are let in wherever that is, or else nobody could play."""


def prepare(settings: Settings, log: FilteringBoundLogger) -> None:
    """Allow this process many files and connections; logged where they are fewer than a table's spectators need."""
    allowed, needed = allow_many(), settings.spectators + settings.streams_per_peer + OF_ITS_OWN
    if allowed < needed:
        log.warning("the system allows few connections; raise its limit of open files", allowed=allowed, needed=needed)


def most_connections(places: int = 1) -> int:
    """Give how many connections may be open at once at each of so many places where a server listens.

    By what is allowed now, and so that files are left for all else.
    """
    if sys.platform == "win32":
        return (MOST - OF_ITS_OWN) // places
    import resource  # noqa: PLC0415 (Windows has none)

    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max((MOST if soft == resource.RLIM_INFINITY else soft) - OF_ITS_OWN, FEWEST) // places


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
