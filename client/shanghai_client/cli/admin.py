"""`shanghai-rum admin`: what the host of a running server asks and does, from the machine that it runs on."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from shanghai.v1 import admin_pb2
from shanghai_client.administering import Administration
from shanghai_client.cli.option_types import TEXT
from shanghai_client.cli.running import run
from shanghai_client.cli.tables import table_fields
from shanghai_client.cli.worded import Group, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.failure import CannotConnect
from shanghai_client.folders import data_folder
from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import cells, comma_list, left
from shanghai_client.present.tables import table_list_lines, table_titles
from shanghai_client.server_faults import server_fault_text
from shanghai_wire.shown_text import visible

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


@click.group(
    cls=Group,
    help=later(
        "Look after a server that runs on this machine: its tables, its people, and what they are told.\n\n"
        "It is found by its data folder, and only its own user can open it."
    ),
)
def admin() -> None:
    """Look after a server that runs on this machine."""


def _asks(do: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a command of what is asked of a server, which is named by `--data` and is the first argument."""

    @option("--data", type=click.Path(path_type=Path), metavar="DIR", help=later("Where its games are, as for host."))
    @wraps(do)
    def command(*, data: Path | None, **options: object) -> None:
        address, token = _door(data if data is not None else data_folder() / "host")

        async def ask() -> None:
            async with Administration(address, token) as server:
                await do(server, **options)

        run(ask())

    return command


def _door(folder: Path) -> tuple[str, str]:
    """Give the address and the token of the server that runs on a folder."""
    from shanghai_server.doors.admin_door import DoorFile, NoDoor

    if not folder.is_dir():
        text = _("there is no folder {folder!r}: name the one that the server was started with")
        raise WrongInput(text.format(folder=str(folder)))
    try:
        door = DoorFile(folder).read()
    except NoDoor as none:
        raise CannotConnect(str(folder), server_fault_text(str(none))) from none
    return door.address, door.token


_AS_JSON = option("--json", "as_json", is_flag=True, help=later("Print JSON objects, one a line."))


@admin.command(help=later("Say how the server is doing."))
@_AS_JSON
@_asks
async def status(server: Administration, *, as_json: bool) -> None:
    """Say how the server is doing."""
    found = await server.status()
    fields = {
        "version": found.version,
        "uptime_s": found.uptime_s,
        "tables": found.tables,
        "tables_in_use": found.tables_in_use,
        "people": found.people,
        "streams": found.streams,
        "notice": found.notice.text,
    }
    if as_json:
        _print_json(fields)
        return
    click.echo(_("version {version}, running for {time}").format(version=found.version, time=_for(found.uptime_s)))
    tables = count(found.tables, "table")
    click.echo(_("{tables}, {number} of them in use").format(tables=tables, number=found.tables_in_use))
    people, streams = count(found.people, "guest"), count(found.streams, "stream")
    click.echo(_("{people} connected, {streams} open").format(people=people, streams=streams))
    if found.notice.text:
        click.echo(visible(_("notice: {text}").format(text=found.notice.text)))


@admin.command(help=later("List the tables, with their streams and what is wrong with any."))
@_AS_JSON
@_asks
async def tables(server: Administration, *, as_json: bool) -> None:
    """List the tables."""
    found = await server.tables()
    if as_json:
        for each in found:
            more = {"in_use": each.in_use, "sequence": each.sequence, "streams": each.streams, "waiting": each.waiting}
            _print_json({**table_fields(each.summary), **more, "damage": each.damage})
        return
    for line in table_lines(found):
        click.echo(visible(line))


def table_lines(found: Sequence[admin_pb2.TableInspection]) -> list[str]:
    """Give a line for each table, with its streams and what is wrong with it, in columns."""
    if not found:
        return [_("No tables.")]
    summaries = [each.summary for each in found]
    lines = table_list_lines(summaries)
    for place, (each, title) in enumerate(zip(found, table_titles(summaries), strict=True)):
        if each.damage:
            why = server_fault_text(each.damage)
            lines[place] = _("{table}  cannot be read: {why}").format(table=title, why=why)
        elif each.in_use:
            lines[place] = _("{line}; {streams}").format(line=lines[place], streams=count(each.streams, "stream"))
    return lines


@admin.command(
    help=later("List the addresses from which people play and watch, and the tables that were made from there.")
)
@_AS_JSON
@_asks
async def peers(server: Administration, *, as_json: bool) -> None:
    """List the peers."""
    found = await server.peers()
    if as_json:
        for peer in found:
            streams = [_stream_fields(stream) for stream in peer.streams]
            _print_json({"address": peer.address, "streams": streams, "tables_made": list(peer.tables_made)})
        return
    for line in peer_lines(found):
        click.echo(visible(line))


def peer_lines(found: Sequence[admin_pb2.Peer]) -> list[str]:
    """Give a line for each address, with its streams and the tables that were made from there, in columns."""
    if not found:
        return [_("Nobody.")]
    width = max(cells(peer.address) for peer in found)
    lines = []
    for peer in found:
        streams = count(len(peer.streams), "stream")
        line = _("{address}  {streams}").format(address=left(peer.address, width), streams=streams)
        if peer.streams:
            seats = comma_list([_stream_text(stream) for stream in peer.streams])
            line = _("{line} ({seats})").format(line=line, seats=seats)
        if peer.tables_made:
            line = _("{line}; made {tables}").format(line=line, tables=comma_list(list(peer.tables_made)))
        lines.append(line)
    return lines


@admin.command(help=later("Close the table TABLE for good: nobody can come back to it, and its game ends as it is."))
@click.argument("table", type=TEXT)
@option("--reason", type=TEXT, default="", help=later("What the people at the table are told."))
@_asks
async def close(server: Administration, *, table: str, reason: str) -> None:
    """Close a table."""
    streams = await server.close_table(table, reason)
    text = _("The table {table} is closed; {streams} ended.")
    click.echo(text.format(table=table.strip().upper(), streams=count(streams, "stream")))


@admin.command(
    help=later('Show TEXT to everybody at every table, until another notice or the server\'s end; "" takes it away.')
)
@click.argument("text", type=TEXT)
@_asks
async def announce(server: Administration, *, text: str) -> None:
    """Show a notice."""
    shown = await server.announce(text)
    said = _("The notice is taken away from {tables} with {streams}.")
    if text:
        said = _("The notice is shown at {tables} with {streams}.")
    click.echo(said.format(tables=count(shown.tables, "table"), streams=count(shown.streams, "stream")))


def _print_json(fields: dict[str, object]) -> None:
    click.echo(json.dumps(fields, ensure_ascii=False))


def _stream_fields(stream: admin_pb2.PeerStream) -> dict[str, object]:
    seat = stream.seat if stream.HasField("seat") else None
    return {"table": stream.table, "seat": seat, "waiting": stream.waiting}


def _stream_text(stream: admin_pb2.PeerStream) -> str:
    if not stream.HasField("seat"):
        return _("{table} spectator").format(table=stream.table)
    return _("{table} seat {seat}").format(table=stream.table, seat=stream.seat)


def _for(seconds: int) -> str:
    for size, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            return count(seconds // size, name)
    return count(seconds, "second")
