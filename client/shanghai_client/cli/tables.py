"""`shanghai-rum tables`: the tables of a server, or of every host in the local network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import click

from shanghai.v1 import table_pb2
from shanghai_client.cli.chosen import chosen_settings, setting_options
from shanghai_client.cli.running import run
from shanghai_client.cli.securing import security_options
from shanghai_client.cli.telling import remark
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import Failed, WrongInput
from shanghai_client.connection import Connection, Listing
from shanghai_client.failure import ClientFailure
from shanghai_client.language import _, later
from shanghai_client.nearby import LOOK_S, find_nearby
from shanghai_client.present.tables import STATUS, table_list_lines
from shanghai_client.present.talk import notice_text
from shanghai_client.security import Security
from shanghai_client.settings import interfaces_of
from shanghai_client.watching import Lost, watch_tables
from shanghai_wire.shown_text import visible

OCCUPANTS = {table_pb2.OCCUPANT_PERSON: "person", table_pb2.OCCUPANT_BOT: "bot"}
"""Who sits on a seat, for programs to read."""


@command(
    help=later(
        "List the tables of the server at HOST:PORT, or of that in your settings; with --discover those of all hosts."
    )
)
@click.argument("address", metavar="[HOST:PORT]", default="")
@option("--json", "as_json", is_flag=True, help=later("Print one JSON object a table."))
@option("--follow", is_flag=True, help=later("Go on, and print all tables again after each change."))
@option("--discover", is_flag=True, help=later("Look for hosts in the local network, and list the tables of each."))
@setting_options("discovery")
@security_options
def tables(address: str, *, as_json: bool, follow: bool, discover: bool, secured: Security) -> None:
    """List the tables of a server, or of all hosts."""
    settings = chosen_settings().settings
    if discover:
        if address or follow:
            raise WrongInput(_("--discover stands alone: it takes no HOST:PORT and no --follow"))
        interfaces = interfaces_of(settings.discovery)
        if interfaces is None:
            raise WrongInput(_("hosts are not looked for, because the setting discovery is off: say --discovery all"))
        run(_discover(interfaces, secured, as_json=as_json))
        return
    address = address or settings.address
    if not address:
        raise WrongInput(_("say HOST:PORT of a server, or --discover to look for hosts in the local network"))
    run(_list(address, secured, as_json=as_json, follow=follow))


async def _list(address: str, secured: Security, *, as_json: bool, follow: bool) -> None:
    async with await Connection.to(address, security=secured) as connection:
        if not follow:
            _print(await connection.listing(), address, as_json=as_json)
            return
        while (lost := await _follow(connection, address, as_json=as_json)) is not None and lost.retry_in:
            # The server has no room for one more now: it has said when.
            remark(lost.text)
            await asyncio.sleep(lost.retry_in)


async def _follow(connection: Connection, address: str, *, as_json: bool) -> Lost | None:
    """Print all tables after each change until the connection breaks; gives how it broke before there was anything."""
    before = None
    async with aclosing(watch_tables(connection)) as changes:
        async for found in changes:
            if isinstance(found, Lost):
                return found if before is None else None
            if before is None or found.tables != before.tables:
                _print(replace(found, notice=None), address, as_json=as_json)
                if not as_json:
                    click.echo()
            if before is None or found.notice != before.notice:
                _print_notice(found)
            before = found
    return None


async def _discover(interfaces: Sequence[str], secured: Security, *, as_json: bool) -> None:
    hosts = await find_nearby(interfaces)
    if not hosts:
        raise Failed(
            _(
                "no host was found in the local network within {seconds} seconds: ask the host for the address, and"
                " name it, as in shanghai-rum tables 192.168.1.5:7410"
            ).format(seconds=f"{LOOK_S:g}")
        )
    for host in hosts:
        if not as_json:
            click.echo(visible(f"{host.address}  {host.name}"))
        try:
            security = secured.for_host(tls=host.tls)
            async with await Connection.to(host.address, security=security) as connection:
                _print(await connection.listing(), host.address, as_json=as_json, indent="  ")
        except ClientFailure as failure:
            # The others are listed all the same.
            click.echo(visible(f"shanghai-rum: {failure}"), err=True)


def _print(found: Listing, address: str, *, as_json: bool, indent: str = "") -> None:
    """Print the tables, and as a message beside them what the server's host tells everybody."""
    _print_notice(found, indent=indent)
    if not as_json:
        click.echo("\n".join(visible(indent + line) for line in table_list_lines(found.tables)))
        return
    for table in found.tables:
        click.echo(json.dumps({"server": address, **table_fields(table)}, ensure_ascii=False))


def _print_notice(found: Listing, *, indent: str = "") -> None:
    if found.notice is not None:
        click.echo(visible(indent + notice_text(found.notice)), err=True)


def table_fields(table: table_pb2.TableSummary) -> dict[str, object]:
    """Give what a table's JSON object has."""
    seats = [
        {
            "seat": seat.index,
            "name": seat.name,
            "occupant": OCCUPANTS.get(seat.occupant, "nobody"),
            "connected": seat.connected,
        }
        for seat in table.seats
    ]
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
