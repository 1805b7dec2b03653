"""`shanghai-rum join`: a seat at a table of a server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from shanghai_client.cli.house_rules import check_players, read_rules
from shanghai_client.cli.joining import PASSCODE, find_table, open_table
from shanghai_client.cli.logs import log_to
from shanghai_client.cli.naming import read_name
from shanghai_client.cli.record_file import RecordFile
from shanghai_client.cli.running import run
from shanghai_client.cli.sitting import play_at
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.commands.command import Leaving
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended
from shanghai_client.folders import data_folder, log_file, receipts_in
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.seat import Seat
from shanghai_engine.rules import RuleSet


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.option("--table", metavar="CODE", help="The table's code; else the one that waits for players, or a new one.")
@click.option("--code", default="", help="The code with which somebody gives you his seat at the table.")
@click.option("--passcode", default="", envvar=PASSCODE, help=f"What a private table asks for; or ${PASSCODE}.")
@click.option("--name", help="Your name; usually that of your account.")
@click.option("--new", is_flag=True, help="Make a new table, whatever else waits for players.")
@click.option("--players", default=4, show_default=True, help="Seats of a new table, 2 to 8.")
@click.option("--rules", default="standard", show_default=True, metavar="PRESET|FILE", help="Rules of a new table.")
@click.option("--auto", is_flag=True, help="Let a bot play your seat.")
@click.option("--plain", is_flag=True, help="Lines only, for screen readers and pipes (so far there is nothing else).")
@click.option("--record", type=click.Path(path_type=Path), help="Write the game's record to this file when it is over.")
def join(  # noqa: PLR0913 (one parameter for each option)
    address: str,
    *,
    table: str | None,
    code: str,
    passcode: str,
    name: str | None,
    new: bool,
    players: int,
    rules: str,
    auto: bool,
    plain: bool,
    record: Path | None,
) -> None:
    """Sit down at a table of the server at HOST:PORT. The first to sit there is the host: start begins the game.

    Joining again with the same name from the same machine gives the same seat back. A new table is private if there is
    a passcode.
    """
    del plain
    if code and table is None:
        raise WrongInput("a code is for a seat at one table: name that by --table")
    rule_set = read_rules(rules)
    check_players(players, rule_set)
    own = read_name(name)
    with RecordFile(record) as file:
        log_to(log_file())
        made = _New(players, rule_set, wanted=new)
        key = _Key(passcode, code)
        run(_join(address, None if new else table, own, made, key, auto=auto, record=file))


class _New:
    """The table that is made where none is joined."""

    def __init__(self, players: int, rules: RuleSet, *, wanted: bool) -> None:
        self.players = players
        self.rules = rules
        self.wanted = wanted


@dataclass(frozen=True, slots=True)
class _Key:
    """What lets one in: the passcode of a private table, the code of a seat that is handed over; empty for none."""

    passcode: str
    code: str


async def _join(
    address: str, table: str | None, name: str, new: _New, key: _Key, *, auto: bool, record: RecordFile
) -> None:
    book = receipts_in(data_folder())
    async with await Connection.to(address) as connection:
        code = await _code(connection, table, new, key.passcode)
        seat = await _sit(connection, book, code, name, key)
        click.echo(f"Table {seat.table}, seat {seat.index}: you are {seat.name}.", err=True)
        try:
            left = await play_at(seat, auto=auto, on_record=record.write)
        except Ended as ended:
            if ended.lost_seat:
                book.forget(seat.receipt)
            raise
    if left is Leaving.LEAVE:
        book.forget(seat.receipt)
    elif left is Leaving.QUIT:
        click.echo(f"Your seat is kept: shanghai-rum join {address} --table {seat.table} --name {name!r}", err=True)


async def _code(connection: Connection, table: str | None, new: _New, passcode: str) -> str:
    if table is not None:
        return find_table(await connection.tables(), table, connection.address).table
    found = None if new.wanted else open_table(await connection.tables(), private=bool(passcode))
    if found is not None:
        return found
    made = await connection.create_table(seats=new.players, rules=new.rules, passcode=passcode)
    return made.table


async def _sit(connection: Connection, book: ReceiptBook, table: str, name: str, key: _Key) -> Seat:
    """Take a seat, or the one that this user has had there."""
    receipt = book.find(server=connection.address, table=table, name=name)
    if receipt is None or key.code:
        receipt = Receipt.new(server=connection.address, table=table, name=name)
        # Kept before it is used: a seat whose secret is lost could not be found again.
        book.keep(receipt)
    try:
        return await Seat.join(connection, receipt, passcode=key.passcode, code=key.code, keep=book.keep)
    except BaseException:
        if receipt.seat is None:
            book.forget(receipt)
        raise
