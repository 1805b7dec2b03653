"""When a table that nobody comes back to is disposed of."""

from __future__ import annotations

from shanghai_server.house.settings import Settings
from shanghai_server.standing.standing import Stage, Standing

NOBODY_CAME_BACK = "nobody came back"
"""Why such a table is closed, as its last fact says."""


MAKES_ROOM = "its game is over, and the server needed the room for another table"
"""Why a table goes before it is old, as its last fact says."""


def old_at(standing: Standing, settings: Settings, visited: float) -> float:
    """Give when a table is too old, in seconds since 1970, if nobody has been there since `visited`."""
    if standing.stage is Stage.OVER:
        return visited + settings.kept_over_s
    if standing.stage is Stage.LOBBY and not any(seat.is_person for seat in standing.seats):
        return visited + settings.kept_empty_s
    return visited + settings.kept_s
