"""The list of a server's tables."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.cells import count, left

_STATUS = {
    table_pb2.TABLE_STATUS_LOBBY: "waiting for players",
    table_pb2.TABLE_STATUS_STARTING: "about to start",
    table_pb2.TABLE_STATUS_PLAYING: "playing",
    table_pb2.TABLE_STATUS_PAUSED: "paused",
    table_pb2.TABLE_STATUS_OVER: "over",
}
_PAUSES = {
    table_pb2.PAUSE_REASON_NOBODY_THERE: "because nobody is there",
    table_pb2.PAUSE_REASON_HOST: "by the host",
    table_pb2.PAUSE_REASON_EVERYBODY: "by everybody",
}
EMPTY = frozenset({table_pb2.OCCUPANT_NOBODY, table_pb2.OCCUPANT_UNSPECIFIED})
"""How a seat is occupied that is free."""


def status_text(status: table_pb2.TableStatus.ValueType) -> str:
    """Give where a table is in its life, in words."""
    return _STATUS.get(status, "unknown")


def pause_text(reason: table_pb2.PauseReason.ValueType) -> str:
    """Say that a game is paused, and why; empty where it is not."""
    why = _PAUSES.get(reason)
    if why is None:
        return ""
    ends = "" if reason == table_pb2.PAUSE_REASON_NOBODY_THERE else ": it goes on with resume"
    return f"The game is paused {why}{ends}."


def free_seats(seats: Sequence[table_pb2.Seat]) -> int:
    """Count the seats that nobody has taken."""
    return sum(seat.occupant in EMPTY for seat in seats)


def table_list_lines(tables: Sequence[table_pb2.TableSummary]) -> list[str]:
    """Give one line for each table: its code, where it is, and who sits there."""
    if not tables:
        return ["No tables."]
    return [_row(table) for table in tables]


def sitter_text(seat: table_pb2.Seat, *, over: bool = False) -> str:
    """Give the name of who sits on a seat, marked where that is a person who is away."""
    if seat.occupant != table_pb2.OCCUPANT_PERSON or seat.connected or over:
        return seat.name
    return _("{name} (away)").format(name=seat.name)


def _row(table: table_pb2.TableSummary) -> str:
    where = status_text(table.status)
    if table.hand:
        where += f", hand {table.hand} of {table.hands}"
    over = table.status == table_pb2.TABLE_STATUS_OVER
    sitting = [seat for seat in table.seats if seat.occupant not in EMPTY and seat.name]
    names = ", ".join(sitter_text(seat, over=over) for seat in sitting) or "nobody yet"
    hidden = sum(seat.occupant not in EMPTY and not seat.name for seat in table.seats)
    if hidden:
        # Who plays at a private table is not told.
        names = count(hidden, "person")
    free = free_seats(table.seats)
    more = f", {count(free, 'free seat')}" if free else ""
    more += ", private" if table.private else ""
    title = f" {table.name!r}" if table.name else ""
    return f"{table.table}{title}  {left(where, 26)}  {names}{more}"
