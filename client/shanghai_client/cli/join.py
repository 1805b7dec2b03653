"""`shanghai-rum join`: a seat at a table of a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from shanghai.v1 import table_pb2
from shanghai_client.cli.given import given_options, not_used
from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.joining import find_table, find_table_at, late_tables, open_table, own_seat
from shanghai_client.cli.logs import log_as_user
from shanghai_client.cli.naming import own_name
from shanghai_client.cli.option_types import KEY, RULES, TEXT, Whole
from shanghai_client.cli.passcode import PASSCODE, WRONG_PASSCODE, IsPrivate, with_passcode
from shanghai_client.cli.record_file import RecordFile
from shanghai_client.cli.running import run
from shanghai_client.cli.screen_choice import Screen, chosen_screen, screen_options
from shanghai_client.cli.securing import security_options
from shanghai_client.cli.sitting import play_at
from shanghai_client.cli.telling import tell
from shanghai_client.cli.terms import TERMS, Terms, terms_options
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.commands.command import Leaving
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended, Refused
from shanghai_client.folders import data_folder, receipts_in
from shanghai_client.language import _, later
from shanghai_client.own_seats import live_seats, take_seat
from shanghai_client.person_name import BadName, check_length
from shanghai_client.program import command_line
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.scene import check_seat
from shanghai_client.seat import Seat
from shanghai_client.security import Security
from shanghai_engine.rules import RuleSet

_OF_A_TABLE = ("players", "rules", *TERMS)
"""The options that say how a new table is."""


@command(
    help=later(
        "Sit down at a table of the server at HOST:PORT. The first to sit there is the host: start begins the game.\n\n"
        "Joining again from the same machine gives the same seat back, whatever your name is there, also without the"
        " table's code until the game is over; another --name, or --new, asks for another seat. Players, rules and"
        " clocks are those of a table that is made; it is private if there is a passcode."
    )
)
@click.argument("address", metavar="HOST:PORT")
@option(
    "--table",
    type=TEXT,
    metavar="CODE",
    help=later("The table's code; else yours, one that waits for players, or a new one."),
)
@option("--code", type=KEY, help=later("The code with which somebody gives you his seat at the table."))
@option(
    "--passcode",
    type=KEY,
    envvar=PASSCODE,
    help=later("What a private table asks for; or $SHANGHAI_RUM_PASSCODE."),
)
@option("--name", help=later("Your name; else that of your settings, or of your account."))
@option("--new", is_flag=True, help=later("Make a new table, whatever else waits for players."))
@option("--players", type=Whole(), default=4, show_default=True, help=later("Seats of a new table, 2 to 8."))
@option(
    "--rules",
    type=RULES,
    default="standard",
    show_default=True,
    metavar="PRESET|FILE",
    help=later("Rules of a new table."),
)
@terms_options
@option("--auto", is_flag=True, help=later("Let a bot play your seat; as the host it starts once every seat is taken."))
@option("--start", is_flag=True, help=later("As the host start the game at once: bots take the free seats."))
@screen_options
@option(
    "--record", type=click.Path(path_type=Path), help=later("Write the game's record to this file when it is over.")
)
@option("--force", is_flag=True, help=later("Let --record overwrite a file that is there."))
@security_options
def join(  # noqa: PLR0913 (one parameter for each option)
    address: str,
    *,
    table: str | None,
    code: str | None,
    passcode: str | None,
    name: str | None,
    new: bool,
    players: int,
    rules: str,
    auto: bool,
    start: bool,
    record: Path | None,
    force: bool,
    secured: Security,
    **terms: Any,  # noqa: ANN401 (texts, numbers and switches)
) -> None:
    """Sit down at a table of a server."""
    if code and table is None:
        raise WrongInput(_("a code is for a seat at one table: name that by --table"))
    if code and new:
        raise WrongInput(_("--code goes without --new: it is for a seat at a table that is there"))
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    own = own_name(name)
    with RecordFile(record, force=force) as file:
        log_as_user()
        made = _New(players, rule_set, Terms(**terms), wanted=new)
        screen = None if auto else chosen_screen()
        of = None if new else table
        who = _Who(own, said=name is not None)

        def sit(passcode: str) -> None:
            key = _Key(passcode, code or "")
            run(_join(address, secured, of, who, made, key, auto=auto, start=start, record=file, screen=screen))

        with_passcode(passcode or "", sit)


class _New:
    """The table that is made where none is joined."""

    def __init__(self, players: int, rules: RuleSet, terms: Terms, *, wanted: bool) -> None:
        self.players = players
        self.rules = rules
        self.terms = terms
        self.wanted = wanted


@dataclass(frozen=True, slots=True)
class _Who:
    """One's name; `said` where it is this command's, and not the usual one."""

    name: str
    said: bool


@dataclass(frozen=True, slots=True)
class _Key:
    """What lets one in: the passcode of a private table, the code of a seat that is handed over; empty for none."""

    passcode: str
    code: str


async def _join(  # noqa: PLR0913 (what was asked for)
    address: str,
    secured: Security,
    table: str | None,
    who: _Who,
    new: _New,
    key: _Key,
    *,
    auto: bool,
    start: bool,
    record: RecordFile,
    screen: Screen | None,
) -> None:
    book = receipts_in(data_folder())
    for path in book.damaged():
        tell(_("{path} holds no seat that can be read, and is passed over").format(path=repr(str(path))))
    async with await Connection.to(address, security=secured) as connection:
        tables, receipts = await connection.tables(), list(book.all(server=connection.address))
        table = None if table is None else (await find_table_at(connection, tables, table, address)).table
        there, mine = _meant(tables, receipts, table, who, new, key)
        if there is not None and mine is None and not (key.passcode or key.code):
            _check_open(find_table(tables, there, address))
        name = who.name if mine is None else mine.name
        unused = not_used(given_options(_OF_A_TABLE)) if there is not None else ""
        if unused:
            text = _("The table {table} is there already, so {unused} (--new makes one).")
            click.echo(text.format(table=there, unused=unused), err=True)
        if table is None:
            others = [each for each in live_seats(tables, receipts) if each != mine]
            _tell_other_seats(connection, others, address)
            _tell_games([] if new.wanted or there is not None else tables)
        code = there if there is not None else await _made(connection, book, new, key.passcode, name)
        seat = await _seated(connection, book, code, name, key)
        text = _("Table {table}, seat {seat}: you are {name}.")
        click.echo(text.format(table=seat.table, seat=seat.index, name=seat.name), err=True)
        try:
            if start:
                await _start(seat)
            left = await play_at(seat, auto=auto, on_record=record.write, screen=screen)
        except Ended as ended:
            if ended.lost_seat:
                book.forget(seat.receipt)
            raise
    if left is Leaving.LEAVE:
        book.forget(seat.receipt)
    elif left is Leaving.QUIT:
        line = way_back(connection, address, seat.table, name)
        click.echo(_("Your seat is kept: {command}").format(command=line), err=True)


def way_back(connection: Connection, address: str, table: str, name: str) -> str:
    """Give the command line that takes one back to a seat.

    It asks for TLS where that was switched on meanwhile, and names whom one trusts: a certificate that was pinned is
    known, and an authority is not.
    """
    secured: tuple[str, ...] = ("--tls",) if connection.finds_tls else ()
    if connection.authority:
        secured = ("--ca", connection.authority)
    return command_line("join", address, "--table", table, "--name", name, *secured)


def _meant(
    tables: Sequence[table_pb2.TableSummary],
    receipts: Iterable[Receipt],
    table: str | None,
    who: _Who,
    new: _New,
    key: _Key,
) -> tuple[str | None, Receipt | None]:
    """Give the table that is meant, none for a new one, and the receipt of one's seat there, none for taking one."""
    if new.wanted:
        return None, None
    if not key.code:
        # Whoever comes back wants his seat, whatever else waits for players by now, and whatever he is called there.
        mine = own_seat(tables, receipts, table=table, name=who.name if who.said else None)
        if mine is not None:
            return mine.table, mine
    return (table or open_table(tables, private=bool(key.passcode))), None


def _check_open(table: table_pb2.TableSummary) -> None:
    """Raise `IsPrivate` for a table that nobody joins without its passcode."""
    if table.private:
        raise IsPrivate(table.table)


def _tell_other_seats(connection: Connection, seats: Iterable[Receipt], address: str) -> None:
    """Say where this user has seats, too: there he may have meant to come back."""
    for seat in seats:
        line = way_back(connection, address, seat.table, seat.name)
        text = _("You have a seat at {table} as {name}, too: {command} takes you back there.")
        tell(text.format(table=seat.table, name=seat.name, command=line))


def _tell_games(tables: Sequence[table_pb2.TableSummary]) -> None:
    """Say at which tables a latecomer could sit down: there he may have meant to play."""
    late = _(" or ").join(f"--table {each}" for each in late_tables(tables))
    if late:
        text = _("No table waits for players, so you make a new one; at a bot's seat you can play on here: {tables}")
        tell(text.format(tables=late))


async def _seated(connection: Connection, book: ReceiptBook, table: str, name: str, key: _Key) -> Seat:
    try:
        return await take_seat(connection, book, table=table, name=name, passcode=key.passcode, code=key.code)
    except Refused as refusal:
        if refusal.reason != WRONG_PASSCODE or key.passcode:
            raise
        raise IsPrivate(table) from refusal


async def _start(seat: Seat) -> None:
    """Start the game if that is still to be done and this seat may."""
    table = find_table(await seat.connection.tables(), seat.table, seat.connection.address)
    if table.status != table_pb2.TABLE_STATUS_LOBBY:
        return
    if table.seats[check_seat(seat.index, len(table.seats))].host:
        await seat.start()
    else:
        click.echo(_("Only the host of the table starts the game, so --start is not used."), err=True)


async def _made(connection: Connection, book: ReceiptBook, new: _New, passcode: str, name: str) -> str:
    # A table that is made for a name which is refused there would stand empty, and so would one for a seat that cannot
    # be kept.
    try:
        check_length(name, most=connection.info.limits.name_characters)
    except BadName as bad:
        raise WrongInput(str(bad)) from bad
    book.check_room(server=connection.address, name=name)
    options = new.terms.options()
    made = await connection.create_table(
        seats=new.players, rules=new.rules, name=new.terms.title, options=options, passcode=passcode
    )
    return made.table
