"""`shanghai-rum lobby`: servers, their tables, and a game against bots, on the whole screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from shanghai_client.cli.chosen import LOOK, chosen_settings, setting_options
from shanghai_client.cli.house_rules import read_rules
from shanghai_client.cli.logs import log_as_user
from shanghai_client.cli.naming import own_name
from shanghai_client.cli.running import in_terminal, moves_cursor, run
from shanghai_client.cli.screen_choice import Screen, chosen_screen
from shanghai_client.cli.securing import security_options
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.commands.command import Leaving
from shanghai_client.failure import ClientFailure, Ended, Refused
from shanghai_client.folders import data_folder, receipts_in
from shanghai_client.language import _, later
from shanghai_client.quoted import quoted
from shanghai_client.receipt import INSIDE, ReceiptBook
from shanghai_client.security import Security
from shanghai_client.settings import interfaces_of
from shanghai_client.table_desk import Interrupt
from shanghai_engine.rules import RuleSet

if TYPE_CHECKING:
    from shanghai_client.lobby.desk import LobbyDesk
    from shanghai_client.lobby.outcome import Spectating
    from shanghai_client.lobby.page import Server
    from shanghai_client.seat import Seat

_NO_SEAT = "BAD_TOKEN"
"""The reason of a refusal where a token holds no seat any more."""
_MOST_KNOWN = 8
"""Servers at which one has played that are listed."""


@command(
    help=later(
        "Open the lobby: the tables of servers, also of those in the local network, and games against bots. It is what"
        " shanghai-rum alone opens on a terminal.\n\nWith HOST:PORT it begins at that server."
    )
)
@click.argument("address", metavar="[HOST:PORT]", default="")
@option("--name", help=later("Your name; else that of your settings, or of your account."))
@setting_options(*LOOK, "plain", "discovery")
@security_options
def lobby(address: str, *, name: str | None, secured: Security) -> None:
    """Open the lobby."""
    own = own_name(name)
    screen = chosen_screen(says=False)
    if chosen_settings().settings.plain:
        raise WrongInput(
            _(
                "the lobby is one screen: line by line shanghai-rum tables lists tables, join sits down at one or makes"
                " one, watch looks on, and play begins a game against bots"
            )
        )
    if screen is None and in_terminal() and not moves_cursor():
        text = _(
            "the lobby is one screen, and this terminal cannot move its cursor (TERM is {term}): shanghai-rum tables"
            " lists tables, join sits down at one, and play begins a game against bots"
        )
        raise WrongInput(text.format(term=quoted(os.environ.get("TERM", ""))))
    if screen is None:
        raise WrongInput(
            _(
                "the lobby needs a terminal of 80 x 24 signs: shanghai-rum tables lists tables, join sits down at one,"
                " and play begins a game against bots"
            )
        )
    log_as_user()
    said = name is not None
    while (alone := run(_visit(address, own, screen, secured, said=said))) is not None:
        # Loaded here: not everybody plays alone.
        from shanghai_client.cli.play import play

        own, said = alone
        click.get_current_context().invoke(play, name=own)
        screen, address = chosen_screen() or screen, ""


async def _visit(address: str, name: str, screen: Screen, secured: Security, *, said: bool) -> tuple[str, bool] | None:
    """Be in the lobby, and at its tables, until it is left.

    Gives one's name, and whether it was said for this time, where it is left for a game against bots.
    """
    # Loaded here: the help of this command needs no screen.
    from shanghai_client.lobby.app import run_lobby
    from shanghai_client.lobby.desk import LobbyDesk
    from shanghai_client.lobby.outcome import Alone, Seated, Spectating

    book, settings = receipts_in(data_folder()), chosen_settings().settings
    async with LobbyDesk(
        name=name,
        said=said,
        look=screen.look,
        book=book,
        read_rules=_rules,
        known=tuple(_known(book, settings.address)),
        interfaces=interfaces_of(settings.discovery),
        security=secured,
    ) as desk:
        if address:
            await desk.begin_at(address)
        while True:
            outcome = await run_lobby(desk)
            match outcome:
                case Seated(seat):
                    await _play(desk, seat, book, screen)
                case Spectating():
                    await _look_on(desk, outcome, screen)
                case _:
                    return (desk.lobby.name, desk.lobby.said) if isinstance(outcome, Alone) else None
            screen = _liked_now(desk, screen)
            desk.lobby = replace(desk.lobby, look=screen.look)


def _liked_now(desk: LobbyDesk, before: Screen) -> Screen:
    """Give the screen as the settings are now; what is wrong in them by now is said, and they stay as they were."""
    try:
        return chosen_screen() or before
    except WrongInput as wrong:
        desk.note(str(wrong))
        return before


async def _play(desk: LobbyDesk, seat: Seat, book: ReceiptBook, screen: Screen) -> None:
    """Play a seat, and say in the lobby how that ended; whatever ended it, nobody sits down again by himself."""
    from shanghai_client.cli.sitting import play_at

    try:
        left = await play_at(seat, auto=False, screen=screen)
    except Interrupt:
        raise
    except ClientFailure as failure:
        lost = isinstance(failure, Ended) and failure.lost_seat
        if lost or (isinstance(failure, Refused) and failure.reason == _NO_SEAT):
            # Somebody else's by now, as after it was handed over: the next time one sits down anew.
            book.forget(seat.receipt)
        if isinstance(failure, Ended) and failure.sent_away:
            desk.sent_away(seat.table)
        desk.note(_("{table}: {why}").format(table=seat.table, why=str(failure)))
        return
    if left is Leaving.LEAVE:
        book.forget(seat.receipt)
        desk.note(_("you have left {table}").format(table=seat.table))
    elif left is Leaving.QUIT:
        desk.note(_("your seat at {table} is kept: Enter takes you back").format(table=seat.table))


async def _look_on(desk: LobbyDesk, outcome: Spectating, screen: Screen) -> None:
    from shanghai_client.cli.sitting import watch_at
    from shanghai_client.watching import watch

    connection, table, passcode = outcome.connection, outcome.table, outcome.passcode
    try:
        await watch_at(lambda: watch(connection, table, passcode=passcode), screen=screen)
    except Interrupt:
        raise
    except ClientFailure as failure:
        desk.note(_("{table}: {why}").format(table=table, why=str(failure)))


def _rules(text: str) -> RuleSet:
    """Read a preset or a file, and say what is wrong in it as the lobby shows it."""
    try:
        return read_rules(text, waits=False)
    except WrongInput as wrong:
        raise ClientFailure(str(wrong)) from wrong


def _known(book: ReceiptBook, address: str) -> Iterator[Server]:
    """Give the server of the settings, and those at which one has a seat, or had, the last first."""
    from shanghai_client.lobby.page import Server

    if address:
        yield Server(address, _("in your settings"))
    servers = dict.fromkeys(receipt.server for receipt in book.all())
    known = [server for server in servers if not server.startswith(INSIDE) and server != address]
    for server in known[:_MOST_KNOWN]:
        yield Server(server, _("you have played there"))
