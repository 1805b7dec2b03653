"""`shanghai-rum host`: a server for others, with a table that waits for them."""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import click
import structlog

from shanghai.v1 import table_pb2
from shanghai_client.channel import BadAddress, check_address
from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.joining import PASSCODE
from shanghai_client.cli.logs import log_to
from shanghai_client.cli.running import run
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.connection import Connection
from shanghai_client.failure import Refused
from shanghai_client.folders import data_folder
from shanghai_client.receipt import Receipt
from shanghai_client.seat import Seat
from shanghai_engine.bots import LEVELS
from shanghai_engine.rules import RuleSet

EVERYWHERE = ("0.0.0.0", "[::]")  # noqa: S104 (compared with, never listened on unless asked for)
_OPEN = frozenset({table_pb2.TABLE_STATUS_LOBBY, table_pb2.TABLE_STATUS_STARTING})


@click.command()
@click.option("--listen", default="127.0.0.1:7410", show_default=True, metavar="ADDR", help="HOST:PORT to listen on.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Where the games are kept.")
@click.option("--players", default=4, show_default=True, help="Seats of the table, 2 to 8.")
@click.option("--bots", default=0, show_default=True, help="How many of them bots take.")
@click.option("--level", default="", help=f"How well the bots play: {', '.join(LEVELS)}.")
@click.option("--rules", default="standard", show_default=True, metavar="PRESET|FILE", help="The rules (R16).")
@click.option("--pace", type=click.FloatRange(0, 60), help="Seconds that a bot takes for what it does; usually 0.8.")
@click.option("--passcode", default="", envvar=PASSCODE, help=f"Make the table private with this; or ${PASSCODE}.")
def host(
    *,
    listen: str,
    data: Path | None,
    players: int,
    bots: int,
    level: str,
    rules: str,
    pace: float | None,
    passcode: str,
) -> None:
    """Serve tables until stopped, open one, and print the line with which others join it.

    Games are kept in DIR: after a restart with the same DIR every table stands as it stood.
    """
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    if not 0 <= bots < players:
        raise WrongInput(f"{bots} bots do not fit: a table of {players} has room for 0 to {players - 1} and a person")
    if level and level not in LEVELS:
        raise WrongInput(f"there is no level {level!r}: the levels are {', '.join(LEVELS)}")
    _check_free(listen)
    folder = data if data is not None else data_folder() / "host"
    if folder.exists() and not folder.is_dir():
        raise WrongInput(f"the games cannot be kept in {str(folder)!r}: it is a file")
    run(_host(listen, folder, Opening(players, bots, level, rule_set, pace, passcode)))


class Opening:
    """The table that is opened for others."""

    def __init__(self, players: int, bots: int, level: str, rules: RuleSet, pace: float | None, passcode: str) -> None:
        """Take the seats, how many of them bots take, the rules, the bots' pace in seconds (none for the usual).

        With a passcode the table is private.
        """
        self.passcode = passcode
        self.options = table_pb2.TableOptions(bot_pace_ms=None if pace is None else round(pace * 1000))
        self.players = players
        self.bots = bots
        self.level = level
        self.rules = rules


def _check_free(listen: str) -> None:
    """Find out that nobody listens on an address, before anything is made; raises `WrongInput`."""
    try:
        check_address(listen, lowest=0)
    except BadAddress as bad:
        raise WrongInput(str(bad)) from bad
    name, _, port = listen.rpartition(":")
    try:
        found = socket.getaddrinfo(name.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as probe:
            # A port that was closed a moment ago is free, as it is for the server.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            probe.listen(1)
    except OSError as error:
        raise WrongInput(f"cannot listen on {listen!r}: {error.strerror or error}") from error


async def _host(listen: str, folder: Path, opening: Opening) -> None:
    from shanghai_server.journal import JournalError
    from shanghai_server.server import GameServer, ListenError
    from shanghai_server.sqlite_journal import SqliteJournal

    async with AsyncExitStack() as stack:
        journal = SqliteJournal(folder)
        try:
            await journal.open()
        except JournalError as error:
            raise WrongInput(f"the games cannot be kept in {str(folder)!r}: {error}") from error
        stack.push_async_callback(journal.close)
        log_to(folder / "server.log")
        server = GameServer(journal, listen=listen, log=structlog.get_logger("server"))
        try:
            port = await server.start()
        except ListenError as error:
            raise WrongInput(str(error)) from error
        stack.push_async_callback(server.stop)
        for damage in await server.restored():
            click.echo(f"shanghai-rum: {damage}; it was left as it is", err=True)
        await _announce(listen, port, opening)
        click.echo("Ctrl-C stops the server; the games are kept.", err=True)
        await _stopped()
    click.echo("The server has stopped.", err=True)


async def _announce(listen: str, port: int, opening: Opening) -> None:
    """Open a table unless one waits already, and print how to join each that is not over."""
    name = listen.rpartition(":")[0]
    async with await Connection.to(f"127.0.0.1:{port}" if name in EVERYWHERE else f"{name}:{port}") as connection:
        tables = await connection.tables()
        codes = [table.table for table in tables if table.status != table_pb2.TABLE_STATUS_OVER]
        if not any(table.status in _OPEN for table in tables):
            try:
                codes.append(await _open(connection, opening))
            except Refused as refused:
                # The tables that are there are served all the same.
                click.echo(f"shanghai-rum: no table was opened: {refused}", err=True)
        for code in codes:
            click.echo(f"Table {code}")
            click.echo(f"  join it with: shanghai-rum join {_reachable(name)}:{port} --table {code} --name NAME")


async def _open(connection: Connection, opening: Opening) -> str:
    made = await connection.create_table(
        seats=opening.players, rules=opening.rules, options=opening.options, passcode=opening.passcode
    )
    if opening.bots:
        # Only who holds a seat can seat bots: this one is given up again, and the first to join is the host.
        receipt = Receipt.new(server=connection.address, table=made.table, name="Opening the table")
        seat = await Seat.join(connection, receipt, passcode=opening.passcode)
        for _ in range(opening.bots):
            await seat.add_bot(level=opening.level)
        await seat.leave()
    return made.table


def _reachable(name: str) -> str:
    """Give the name by which others reach this machine: that of the machine where it listens everywhere."""
    if name not in EVERYWHERE:
        return name
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: the system only says which of its addresses would be used to get out.
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return address
    return socket.gethostname()


async def _stopped() -> None:
    """Wait for SIGINT or SIGTERM: both end a server in good order."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await stop.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
