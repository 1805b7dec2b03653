"""`shanghai-rum admin`: what the host of a running server asks and does, from the machine that it runs on."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Any

import click

from shanghai.v1 import admin_pb2
from shanghai_client.administering import Administration
from shanghai_client.cli.option_types import TEXT
from shanghai_client.cli.running import run
from shanghai_client.cli.tables import table_fields
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.failure import CannotConnect
from shanghai_client.folders import data_folder
from shanghai_client.present.tables import table_list_lines
from shanghai_wire.shown_text import visible

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


@click.group()
def admin() -> None:
    """Look after a server that runs on this machine: its tables, its people, and what they are told.

    It is found by its data folder, and only its own user can open it.
    """


def _asks(do: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a command of what is asked of a server, which is named by `--data` and is the first argument."""

    @click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Where its games are, as for host.")
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
    from shanghai_server.admin_door import DoorFile, NoDoor

    if not folder.is_dir():
        raise WrongInput(f"there is no folder {str(folder)!r}: name the one that the server was started with")
    try:
        door = DoorFile(folder).read()
    except NoDoor as none:
        raise CannotConnect(str(folder), str(none)) from none
    return door.address, door.token


_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON objects, one a line.")


@admin.command()
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
    click.echo(f"version {found.version}, running for {_for(found.uptime_s)}")
    click.echo(f"{_count(found.tables, 'table')}, {found.tables_in_use} of them in use")
    click.echo(f"{_count(found.people, 'person', 'people')} connected, {_count(found.streams, 'stream')} open")
    if found.notice.text:
        click.echo(visible(f"notice: {found.notice.text}"))


@admin.command()
@_AS_JSON
@_asks
async def tables(server: Administration, *, as_json: bool) -> None:
    """List the tables, with their streams and what is wrong with any."""
    found = await server.tables()
    if as_json:
        for each in found:
            more = {"in_use": each.in_use, "sequence": each.sequence, "streams": each.streams, "waiting": each.waiting}
            _print_json({**table_fields(each.summary), **more, "damage": each.damage})
        return
    if not found:
        click.echo("No tables.")
    for each in found:
        (line,) = table_list_lines([each.summary])
        streams = f"; {_count(each.streams, 'stream')}" if each.in_use else ""
        click.echo(visible(f"{each.summary.table}  cannot be read: {each.damage}" if each.damage else line + streams))


@admin.command()
@_AS_JSON
@_asks
async def peers(server: Administration, *, as_json: bool) -> None:
    """List the addresses from which people play and watch, and the tables that were made from there."""
    found = await server.peers()
    if as_json:
        for peer in found:
            streams = [_stream_fields(stream) for stream in peer.streams]
            _print_json({"address": peer.address, "streams": streams, "tables_made": list(peer.tables_made)})
        return
    if not found:
        click.echo("Nobody.")
    for peer in found:
        seats = ", ".join(_stream_text(stream) for stream in peer.streams)
        made = f"; made {', '.join(peer.tables_made)}" if peer.tables_made else ""
        click.echo(
            visible(f"{peer.address}  {_count(len(peer.streams), 'stream')}{f' ({seats})' if seats else ''}{made}")
        )


@admin.command()
@click.argument("table", type=TEXT)
@click.option("--reason", type=TEXT, default="", help="What the people at the table are told.")
@_asks
async def close(server: Administration, *, table: str, reason: str) -> None:
    """Close the table TABLE for good: nobody can come back to it, and its game ends as it is."""
    streams = await server.close_table(table, reason)
    click.echo(f"The table {table.strip().upper()} is closed; {_count(streams, 'stream')} ended.")


@admin.command()
@click.argument("text", type=TEXT)
@_asks
async def announce(server: Administration, *, text: str) -> None:
    """Show TEXT to everybody at every table, until another notice or the server's end; "" takes it away."""
    shown = await server.announce(text)
    where = f"{_count(shown.tables, 'table')} with {_count(shown.streams, 'stream')}"
    click.echo(f"The notice is shown at {where}." if text else f"The notice is taken away from {where}.")


def _print_json(fields: dict[str, object]) -> None:
    click.echo(json.dumps(fields, ensure_ascii=False))


def _stream_fields(stream: admin_pb2.PeerStream) -> dict[str, object]:
    seat = stream.seat if stream.HasField("seat") else None
    return {"table": stream.table, "seat": seat, "waiting": stream.waiting}


def _stream_text(stream: admin_pb2.PeerStream) -> str:
    return f"{stream.table} seat {stream.seat}" if stream.HasField("seat") else f"{stream.table} spectator"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _for(seconds: int) -> str:
    for size, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= size:
            return _count(seconds // size, name)
    return _count(seconds, "second")
