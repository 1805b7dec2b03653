"""`shanghai-rum tables`: the tables of a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import aclosing

import click

from shanghai.v1 import table_pb2
from shanghai_client.cli.running import run
from shanghai_client.cli.worded import command, option
from shanghai_client.connection import Connection
from shanghai_client.language import later
from shanghai_client.present.tables import STATUS, table_list_lines
from shanghai_wire.shown_text import visible


@command(help=later("List the tables of the server at HOST:PORT."))
@click.argument("address", metavar="HOST:PORT")
@option("--json", "as_json", is_flag=True, help=later("Print one JSON object a table."))
@option("--follow", is_flag=True, help=later("Go on, and print all tables again after each change."))
def tables(address: str, *, as_json: bool, follow: bool) -> None:
    """List the tables of a server."""
    run(_list(address, as_json=as_json, follow=follow))


async def _list(address: str, *, as_json: bool, follow: bool) -> None:
    async with await Connection.to(address) as connection:
        if not follow:
            _print(await connection.tables(), as_json=as_json)
            return
        async with aclosing(connection.watch_tables()) as changes:
            async for found in changes:
                _print(found, as_json=as_json)
                if not as_json:
                    click.echo()


def _print(found: Sequence[table_pb2.TableSummary], *, as_json: bool) -> None:
    if not as_json:
        click.echo("\n".join(visible(line) for line in table_list_lines(found)))
        return
    for table in found:
        click.echo(json.dumps(table_fields(table), ensure_ascii=False))


def table_fields(table: table_pb2.TableSummary) -> dict[str, object]:
    """Give what a table's JSON object has."""
    seats = [{"seat": seat.index, "name": seat.name, "connected": seat.connected} for seat in table.seats]
    return {
        "table": table.table,
        "name": table.name,
        "status": STATUS.get(table.status, "unknown"),
        "hand": table.hand,
        "hands": table.hands,
        "seats": seats,
        "spectators": table.spectators,
        "private": table.private,
        "game": table.game_number,
    }
