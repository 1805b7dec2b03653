"""The list of a server's tables."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later, plural
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import cells, comma_list, left
from shanghai_client.present.people import name_text

STATUS = {
    table_pb2.TABLE_STATUS_LOBBY: later("waiting for players"),
    table_pb2.TABLE_STATUS_STARTING: later("about to start"),
    table_pb2.TABLE_STATUS_PLAYING: later("playing"),
    table_pb2.TABLE_STATUS_PAUSED: later("paused"),
    table_pb2.TABLE_STATUS_OVER: later("over"),
}
"""Where a table is in its life; not translated, for programs to read."""
_PAUSES = {
    table_pb2.PAUSE_REASON_NOBODY_THERE: later("The game is paused because nobody is there."),
    table_pb2.PAUSE_REASON_HOST: later("The game is paused by the host: it goes on with resume."),
    table_pb2.PAUSE_REASON_EVERYBODY: later("The game is paused by everybody: it goes on with resume."),
}
EMPTY = frozenset({table_pb2.OCCUPANT_NOBODY, table_pb2.OCCUPANT_UNSPECIFIED})
"""How a seat is occupied that is free."""


def status_text(status: table_pb2.TableStatus.ValueType) -> str:
    """Give where a table is in its life, in words."""
    return _(STATUS[status]) if status in STATUS else _("unknown")


def pause_text(reason: table_pb2.PauseReason.ValueType, *, yours: bool = False) -> str:
    """Say that a game is paused, and why; empty where it is not. With `yours` the reader is the table's host."""
    if yours and reason == table_pb2.PAUSE_REASON_HOST:
        return _("The game is paused by you: it goes on with resume.")
    return _(_PAUSES[reason]) if reason in _PAUSES else ""


def free_seats(seats: Sequence[table_pb2.Seat]) -> int:
    """Count the seats that nobody has taken."""
    return sum(seat.occupant in EMPTY for seat in seats)


def takes_latecomers(table: table_pb2.TableSummary) -> bool:
    """Say whether a game has begun at a table where a latecomer may take a bot's seat."""
    begun = table.status not in {table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_STARTING}
    bots = any(seat.occupant == table_pb2.OCCUPANT_BOT for seat in table.seats)
    return begun and bots and table.latecomers_allowed


def table_list_lines(tables: Sequence[table_pb2.TableSummary], *, width: int | None = None) -> list[str]:
    """Give one line for each table: its code, where it is, and who sits there.

    Of the names those are left out, and counted, that have no room in so many cells, as long as that is enough.
    """
    rows: list[str] = []
    for title, table in zip(table_titles(tables), tables, strict=True):
        room = None if width is None else width - cells(title) - 2
        rows.append(f"{title}  {_row(table, room)}")
    return rows or [_("No tables.")]


def table_titles(tables: Sequence[table_pb2.TableSummary]) -> list[str]:
    """Give the code of each table with its name, all as wide as the widest."""
    titles = [f"{table.table} {table.name!r}" if table.name else table.table for table in tables]
    width = max(map(cells, titles), default=0)
    return [left(title, width) for title in titles]


def sitter_text(seat: table_pb2.Seat, *, over: bool = False) -> str:
    """Give the name of who sits on a seat, marked where that is a person who is away."""
    if seat.occupant != table_pb2.OCCUPANT_PERSON or seat.connected or over:
        return name_text(seat.name)
    return _("{name} (away)").format(name=name_text(seat.name))


def _row(table: table_pb2.TableSummary, room: int | None) -> str:
    where = status_text(table.status)
    if table.hand:
        where = _("{status}, hand {hand} of {hands}").format(status=where, hand=table.hand, hands=table.hands)
    over = table.status == table_pb2.TABLE_STATUS_OVER
    sitting = [seat for seat in table.seats if seat.occupant not in EMPTY and seat.name]
    names = [sitter_text(seat, over=over) for seat in sitting] or [_("nobody yet")]
    if any(seat.occupant not in EMPTY and not seat.name for seat in table.seats):
        # Who plays at a private table is not told, and whom a bot plays on for neither.
        persons = sum(seat.occupant == table_pb2.OCCUPANT_PERSON for seat in table.seats)
        bots = sum(seat.occupant == table_pb2.OCCUPANT_BOT for seat in table.seats)
        names = [count(persons, "person") if persons else count(bots, "bot")]
    free = free_seats(table.seats)
    notes = [*([count(free, "free seat")] if free else []), *([_("private")] if table.private else [])]
    head = f"{left(where, 26)}  "
    whole = [f"{head}{comma_list([*names, *notes])}"]
    for shown in range(len(names) - 1, 0, -1):
        more = plural("{n} more", "{n} more", len(names) - shown).format(n=len(names) - shown)
        whole.append(f"{head}{comma_list([*names[:shown], more, *notes])}")
    return next((text for text in whole if room is None or cells(text) <= room), whole[0])
