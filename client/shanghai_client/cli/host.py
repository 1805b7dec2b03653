"""`shanghai-rum host`: a server for others, with a table that waits for them."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shanghai.v1 import table_pb2
from shanghai_client.channel import BadAddress, check_address
from shanghai_client.cli.calling_out import CallingOut, calling_out
from shanghai_client.cli.certifying import Certifying, certificate_options
from shanghai_client.cli.chosen import setting_options
from shanghai_client.cli.exposure import exposure
from shanghai_client.cli.given import given_options, not_used
from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.invitation import Invitation
from shanghai_client.cli.levels import check_level, levels_help
from shanghai_client.cli.limits import limit_options
from shanghai_client.cli.option_types import KEY, RULES, Whole
from shanghai_client.cli.passcode import PASSCODE
from shanghai_client.cli.reachable import EVERYWHERE, unread_addresses
from shanghai_client.cli.running import run, until_stopped
from shanghai_client.cli.serving import Serving, serving_options
from shanghai_client.cli.terms import TERMS, Terms, terms_options
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.connection import Connection
from shanghai_client.failure import Refused
from shanghai_client.folders import data_folder, data_path
from shanghai_client.language import _, later
from shanghai_client.nearby import USUAL_PORT
from shanghai_client.reasons import sentence_by_reason
from shanghai_client.receipt import Receipt
from shanghai_client.seat import Seat
from shanghai_client.security import PLAIN, Security
from shanghai_client.server_faults import server_fault_text
from shanghai_client.system_errors import why
from shanghai_engine.rules import RuleSet

if TYPE_CHECKING:
    from shanghai_server.doors.certificate import Certificate
    from shanghai_server.house.settings import Settings

_OF_A_TABLE = ("players", "bots", "level", "rules", "passcode", *TERMS)
"""The options that say how a new table is."""


@command(
    help=later(
        "Serve tables until stopped, and print the line with which others join each.\n\n"
        "Games are kept in DIR: after a restart with the same DIR every table stands as it stood. A table is opened"
        " where none is unfinished."
    )
)
@option(
    "--listen",
    default=f"127.0.0.1:{USUAL_PORT}",
    show_default=True,
    metavar="ADDR",
    help=later("HOST:PORT to listen on."),
)
@option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    show_default=str(data_path() / "host"),
    help=later("Where the games are kept."),
)
@option("--players", type=Whole(), default=4, show_default=True, help=later("Seats of the table, 2 to 8."))
@option("--bots", type=Whole(), default=0, show_default=True, help=later("How many of them bots take."))
@option("--level", default="", help=levels_help)
@option(
    "--rules", type=RULES, default="standard", show_default=True, metavar="PRESET|FILE", help=later("The rules (R16).")
)
@terms_options
@option(
    "--passcode",
    type=KEY,
    envvar=PASSCODE,
    help=later("Make the table private with this; or $SHANGHAI_RUM_PASSCODE."),
)
@option("--new", is_flag=True, help=later("Open a table even where an unfinished one is there."))
@serving_options
@limit_options
@certificate_options
@option(
    "--announce/--no-announce",
    default=None,
    help=later("Let others find this host in the local network; usually where ADDR can be reached from there."),
)
@setting_options("discovery")
def host(  # noqa: PLR0913 (one parameter for each option)
    *,
    listen: str,
    data: Path | None,
    players: int,
    bots: int,
    level: str,
    rules: str,
    passcode: str | None,
    new: bool,
    serving: Serving,
    settings: Settings,
    certifying: Certifying,
    announce: bool | None,
    **terms: Any,  # noqa: ANN401 (texts, numbers and switches)
) -> None:
    """Serve tables until stopped."""
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    if not 0 <= bots < players:
        text = _("{bots} bots do not fit: a table of {players} has room for 0 to {most} and a person")
        raise WrongInput(text.format(bots=bots, players=players, most=players - 1))
    if level:
        check_level(level)
    if passcode is not None:
        _check_passcode(passcode)
    _check_free(listen)
    folder = data if data is not None else data_folder() / "host"
    if folder.exists() and not folder.is_dir():
        raise WrongInput(_("the games cannot be kept in {folder!r}: it is a file").format(folder=str(folder)))
    certificate = certifying.certificate(folder)
    opening = Opening(players, bots, level, rule_set, Terms(**terms), passcode or "", even_beside=new)
    calling = calling_out(listen, announce=announce)
    run(until_stopped(_serve(listen, folder, opening, serving, settings, certificate, calling)))
    click.echo(_("The server has stopped."), err=True)


class Opening:
    """The table that is opened for others."""

    def __init__(
        self,
        players: int,
        bots: int,
        level: str,
        rules: RuleSet,
        terms: Terms,
        passcode: str,
        *,
        even_beside: bool,
    ) -> None:
        """Take the seats, how many of them bots take, the rules and the terms; with a passcode the table is private.

        `even_beside` opens it even where a table is not finished.
        """
        self.even_beside = even_beside
        self.passcode = passcode
        self.title = terms.title
        self.options = terms.options()
        self.players = players
        self.bots = bots
        self.level = level
        self.rules = rules


def _check_passcode(passcode: str) -> None:
    """Find out that a table can be opened with a passcode; raises `WrongInput`."""
    from shanghai_server.house.refusal import CallRefused
    from shanghai_server.standing.passcode import check_passcode

    try:
        check_passcode(passcode)
    except CallRefused as refused:
        raise WrongInput(sentence_by_reason(refused.refusal.name, refused.values) or refused.message) from refused


def _check_free(listen: str) -> None:
    """Find out that nobody listens on an address, before anything is made; raises `WrongInput`."""
    try:
        check_address(listen, lowest=0)
    except BadAddress as bad:
        raise WrongInput(str(bad)) from bad
    name, _colon, port = listen.rpartition(":")
    try:
        found = socket.getaddrinfo(name.strip("[]"), int(port), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _name, where = found[0]
        with socket.socket(family, kind, protocol) as probe:
            # A port that was closed a moment ago is free, as it is for the server.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            probe.listen(1)
    except OSError as error:
        text = _("cannot listen on {address!r}: {why}")
        raise WrongInput(text.format(address=listen, why=why(error))) from error


async def _serve(
    listen: str,
    folder: Path,
    opening: Opening,
    serving: Serving,
    settings: Settings,
    certificate: Certificate | None,
    calling: CallingOut | None,
) -> None:
    """Serve until cancelled."""
    from shanghai_server.doors.beside import Beside
    from shanghai_server.doors.descriptors import prepare
    from shanghai_server.doors.garbage import collect_seldom
    from shanghai_server.doors.server import GameServer, ListenError
    from shanghai_server.journal.journal import JournalError
    from shanghai_server.journal.sqlite_journal import SqliteJournal

    async with AsyncExitStack() as stack:
        journal = SqliteJournal(folder)
        try:
            await journal.open()
        except JournalError as error:
            text = _("the games cannot be kept in {folder!r}: {why}")
            raise WrongInput(text.format(folder=str(folder), why=server_fault_text(str(error)))) from error
        stack.push_async_callback(journal.close)
        beside = Beside(metrics=serving.metrics, admin=folder)
        log = serving.open_log(folder)
        prepare(settings, log)
        server = GameServer(
            journal,
            listen=listen,
            settings=settings,
            log=log,
            certificate=certificate,
            beside=beside,
        )
        try:
            port = await server.start()
        except ListenError as error:
            raise WrongInput(server_fault_text(str(error))) from error
        stack.push_async_callback(server.stop)
        collect_seldom()
        for damage in await server.restored():
            click.echo(
                _("shanghai-rum: {damage}; it was left as it is").format(damage=server_fault_text(damage)), err=True
            )
        name = listen.rpartition(":")[0]
        for warning in filter(None, (exposure(name, tls=certificate is not None), unread_addresses(name))):
            click.echo(warning, err=True)
        if certificate is not None:
            told = _("The fingerprint of the certificate (SHA-256) is {fingerprint}")
            click.echo(told.format(fingerprint=certificate.fingerprint), err=True)
        await _announce(listen, port, opening, certificate)
        serving.tell(server.metrics_port)
        if calling is not None:
            await stack.enter_async_context(calling.until_done(port, tls=certificate is not None))
        click.echo(_("Ctrl-C stops the server; the games are kept."), err=True)
        await asyncio.get_running_loop().create_future()


async def _announce(listen: str, port: int, opening: Opening, certificate: Certificate | None) -> None:
    """Open a table unless one is unfinished, and print how to join each that is not over."""
    name = listen.rpartition(":")[0]
    address = f"127.0.0.1:{port}" if name in EVERYWHERE else f"{name}:{port}"
    secured = PLAIN if certificate is None else Security(fingerprint=certificate.fingerprint)
    invitation = await Invitation.of(name, address, certificate)
    async with await Connection.to(address, security=secured) as connection:
        tables = await connection.tables()
        open_tables = {table.table: table.private for table in tables if table.status != table_pb2.TABLE_STATUS_OVER}
        if not open_tables or opening.even_beside:
            try:
                open_tables[await _open(connection, opening)] = bool(opening.passcode)
            except Refused as refused:
                # The tables that are there are served all the same.
                click.echo(_("shanghai-rum: no table was opened: {why}").format(why=refused), err=True)
        else:
            unused = not_used(given_options(_OF_A_TABLE))
            text = _("What is unfinished goes on, and no table is opened (--new opens one).")
            if unused:
                text = _("What is unfinished goes on, and no table is opened, so {unused} (--new opens one).")
            click.echo(text.format(unused=unused), err=True)
        for code, private in open_tables.items():
            for line in (_("Table {code}").format(code=code), *invitation.lines(code, private=private)):
                click.echo(line)


async def _open(connection: Connection, opening: Opening) -> str:
    made = await connection.create_table(
        seats=opening.players,
        rules=opening.rules,
        name=opening.title,
        options=opening.options,
        passcode=opening.passcode,
    )
    if opening.bots:
        # Only who holds a seat can seat bots: this one is given up again, and the first to join is the host.
        receipt = Receipt.new(server=connection.address, table=made.table, name=_("Opening the table"))
        seat = await Seat.join(connection, receipt, passcode=opening.passcode)
        for _bot in range(opening.bots):
            await seat.add_bot(level=opening.level)
        await seat.leave()
    return made.table
