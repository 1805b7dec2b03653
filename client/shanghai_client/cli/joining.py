"""Which table is meant, where the user names none."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from shanghai.v1 import table_pb2
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.connection import Connection
from shanghai_client.language import _
from shanghai_client.own_seats import held_seats, live_seats
from shanghai_client.present.tables import free_seats, takes_latecomers
from shanghai_client.receipt import Receipt


def find_table(tables: Sequence[table_pb2.TableSummary], code: str, address: str) -> table_pb2.TableSummary:
    """Give the table of a code; raises `WrongInput` where there is none."""
    wanted = code.strip().upper()
    found = next((table for table in tables if table.table.upper() == wanted), None)
    if found is None:
        text = _("there is no table {code!r} at {address}: it has none")
        if tables:
            text = _("there is no table {code!r} at {address}: its tables are {codes}")
        codes = ", ".join(table.table for table in tables)
        raise WrongInput(text.format(code=code, address=address, codes=codes))
    return found


async def find_table_at(
    connection: Connection, tables: Sequence[table_pb2.TableSummary], code: str, address: str
) -> table_pb2.TableSummary:
    """Give the table of a code; raises `Failed` where it was closed, and `WrongInput` where there is none."""
    try:
        return find_table(tables, code, address)
    except WrongInput:
        why = await connection.why_closed(code)
        if why:
            raise Failed(why) from None
        raise


def own_seat(
    tables: Sequence[table_pb2.TableSummary], receipts: Iterable[Receipt], *, table: str | None, name: str | None
) -> Receipt | None:
    """Give the receipt of the one seat that a user still has, at a table and under a name where these are said.

    A table whose game is over counts where it is named: whoever sat there has his sheet, and may want another game.
    Gives none where there is none, and raises `WrongInput` where there are more, with what tells them apart.
    """
    held = live_seats(tables, receipts) if table is None else held_seats(tables, receipts)
    seats = [each for each in held if table in {None, each.table} and name in {None, each.name}]
    if len(seats) > 1:
        text = _("{count} seats there are yours: name one by {options} (--new makes another table)")
        options = [shlex.join(["--table", each.table, "--name", each.name]) for each in seats]
        raise WrongInput(text.format(count=len(seats), options=_(" or ").join(options)))
    return seats[0] if seats else None


def open_table(tables: Sequence[table_pb2.TableSummary], *, private: bool) -> str | None:
    """Give the one table that waits for players, a private one or one for everybody; none where there is none.

    Raises `WrongInput` where there are more.
    """
    waiting = [
        table
        for table in tables
        if table.status == table_pb2.TABLE_STATUS_LOBBY and free_seats(table.seats) and table.private == private
    ]
    return _only(waiting, _("{count} tables wait for players: name one by --table {codes}"))


def late_tables(tables: Sequence[table_pb2.TableSummary]) -> list[str]:
    """Give the codes of the tables that are being played, and where a latecomer may take a bot's seat."""
    playing = [table for table in tables if table.status == table_pb2.TABLE_STATUS_PLAYING]
    return [table.table for table in playing if takes_latecomers(table)]


def running_table(tables: Sequence[table_pb2.TableSummary]) -> str:
    """Give the one table that can be watched; raises `WrongInput` where there is none, or where there are more.

    One whose game is over is watched, with its last sheet, where no other is there.
    """
    alive = [table for table in tables if table.status != table_pb2.TABLE_STATUS_OVER]
    found = _only(alive or tables, _("{count} tables can be watched: name one by --table {codes}"))
    if found is None:
        raise WrongInput(_("there is no table to watch at this server"))
    return found


def _only(tables: Sequence[table_pb2.TableSummary], several: str) -> str | None:
    """Give the one table, none where there is none; raises `WrongInput` with the sentence for several."""
    if len(tables) > 1:
        codes = ", ".join(table.table for table in tables)
        raise WrongInput(several.format(count=len(tables), codes=codes))
    return tables[0].table if tables else None
