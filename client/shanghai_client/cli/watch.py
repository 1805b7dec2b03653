"""`shanghai-rum watch`: a table, as everybody may see it."""

from __future__ import annotations

import click

from shanghai_client.cli.joining import find_table, find_table_at, running_table
from shanghai_client.cli.logs import log_as_user
from shanghai_client.cli.option_types import KEY, TEXT
from shanghai_client.cli.passcode import PASSCODE, IsPrivate, with_passcode
from shanghai_client.cli.running import run
from shanghai_client.cli.screen_choice import Screen, chosen_screen, screen_options
from shanghai_client.cli.securing import security_options
from shanghai_client.cli.sitting import watch_at
from shanghai_client.cli.worded import command, option
from shanghai_client.connection import Connection
from shanghai_client.language import later
from shanghai_client.security import Security
from shanghai_client.watching import watch as watch_table


@command(help=later("Watch a table of the server at HOST:PORT as a spectator, who sees nobody's cards."))
@click.argument("address", metavar="HOST:PORT")
@option("--table", type=TEXT, metavar="CODE", help=later("The table's code; else the only table there is."))
@option(
    "--passcode",
    type=KEY,
    envvar=PASSCODE,
    help=later("What a private table asks for; or $SHANGHAI_RUM_PASSCODE."),
)
@screen_options
@security_options
def watch(address: str, *, table: str | None, passcode: str | None, secured: Security) -> None:
    """Watch a table of a server."""
    log_as_user()
    screen = chosen_screen()
    with_passcode(passcode or "", lambda passcode: run(_watch(address, secured, table, passcode, screen)))


async def _watch(address: str, secured: Security, table: str | None, passcode: str, screen: Screen | None) -> None:
    async with await Connection.to(address, security=secured) as connection:
        tables = await connection.tables()
        if table is None:
            code = running_table(tables)
        else:
            code = (await find_table_at(connection, tables, table, address)).table
        found = find_table(tables, code, address)
        if found.private and found.spectators_allowed and not passcode:
            raise IsPrivate(code)
        await watch_at(lambda: watch_table(connection, code, passcode=passcode), screen=screen)
