"""The desk of the lobby: the connection, the lists that change by themselves, and what the keys ask for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Self, TypeVar

from shanghai.v1 import table_pb2
from shanghai_client.channel import BadAddress
from shanghai_client.connection import Connection, Listing
from shanghai_client.failure import CannotConnect, ClientFailure
from shanghai_client.language import _
from shanghai_client.lobby.draft import Draft
from shanghai_client.lobby.effect import Connect, Disconnect, Effect, Leave, LookOn, Make, PlayHere, Sit, Type
from shanghai_client.lobby.hosts import found_hosts
from shanghai_client.lobby.keys import Step, answered, pressed
from shanghai_client.lobby.outcome import Alone, Outcome, Seated, Spectating
from shanghai_client.lobby.page import Lobby, Page, Search, Server
from shanghai_client.nearby import CannotLook
from shanghai_client.own_seats import seat_at, take_seat
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.rule_faults import rule_fault_text
from shanghai_client.screen.model import Link, Look
from shanghai_client.seat import Seat
from shanghai_client.security import PLAIN, Security
from shanghai_client.table_desk import Interrupt
from shanghai_client.watching import PAUSES, Lost, watch_tables
from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import RuleSet

Result = TypeVar("Result")
_TICK = 1.0


ReadRules = Callable[[str], RuleSet]
"""What reads a preset or a file of rules; raises `ClientFailure` with what would be right."""


class LobbyDesk:
    """What a player has in the lobby. It outlives the terminal's screen: after a game one comes back to it.

    The terminal sets `redraw` and `open_value`, and gives keys to `press` and what was typed to `typed`. Use it as a
    context: at its end the connection is closed.
    """

    def __init__(
        self,
        *,
        name: str,
        said: bool = False,
        look: Look,
        book: ReceiptBook,
        read_rules: ReadRules,
        known: Sequence[Server] = (),
        interfaces: Sequence[str] | None = (),
        security: Security = PLAIN,
    ) -> None:
        """Take the player's name, how the screen looks, his receipts, what reads rules, and the servers that he knows.

        `said` is whether he has said the name for this time: then seats under other names are not meant.

        `security` is how the connections to them are secured; what it tells is shown in the lobby.

        `interfaces` are the addresses of this machine on whose networks hosts are looked for, none at all for not
        looking, empty for all.
        """
        self.lobby = Lobby(name=name, said=said, look=look, servers=tuple(known))
        self.redraw: Callable[[], None] = _do_nothing
        self.open_value: Callable[[str], None] = _type_nothing
        self._book = book
        self._read_rules = read_rules
        self._known = tuple(known)
        self._interfaces = interfaces
        self._security = security
        self._connection: Connection | None = None
        self._begun: asyncio.Queue[Effect] = asyncio.Queue()
        self._opened = asyncio.Event()
        self.drawn = asyncio.Event()
        """Set whenever a picture is on the terminal."""
        self._wanted = ""
        self._hearing: asyncio.Task[Lost] | None = None
        self._heard = 0

    async def __aenter__(self) -> Self:
        """Give the desk itself."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close the connection."""
        await self._disconnect()

    # What the terminal tells

    def resized(self, columns: int, rows: int) -> None:
        """Take in the size of the terminal."""
        self.lobby = replace(self.lobby, columns=columns, rows=rows)

    def press(self, key: str) -> None:
        """Do what a key does."""
        self._take(pressed(self.lobby, key))

    def choose(self, row: int) -> None:
        """Choose a row by the mouse; the chosen one is entered."""
        if row == self.lobby.cursor:
            self.press("enter")
        elif 0 <= row < self.lobby.choices:
            self._show(replace(self.lobby, cursor=row, note=""))

    def typed(self, text: str) -> None:
        """Take in what was typed; empty takes the question back."""
        called = self.lobby.name
        self._take(answered(self.lobby, text))
        if self.lobby.name != called:
            self._show(replace(self.lobby, held=self._held(self.lobby.tables or ())))

    def take_back(self) -> None:
        """Take the question back, without an answer."""
        self._show(replace(self.lobby, question=None))

    def interrupted(self) -> None:
        """Take in Ctrl-C: the second one ends the program."""
        sentence = _("Ctrl-C again ends the program")
        if self.lobby.note == sentence:
            raise Interrupt("interrupted")
        self.note(sentence)

    def note(self, sentence: str) -> None:
        """Show a sentence until the next key."""
        self._show(replace(self.lobby, note=sentence))

    def sent_away(self, table: str) -> None:
        """Remember that the host of a table has sent this user away: he is asked back before he sits down there."""
        lobby = self.lobby
        away = lobby.sent_away | {(lobby.address, table)}
        self._show(replace(lobby, sent_away=away, held=lobby.held - {table}))

    def _take(self, step: Step) -> None:
        self._show(step.lobby)
        if isinstance(step.effect, Type):
            self.open_value(step.effect.text)
        elif step.effect is not None:
            self._begun.put_nowait(step.effect)

    def _show(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.redraw()

    # What is done

    async def begin_at(self, address: str) -> None:
        """Open a server at once, as where the player has named one."""
        await self._guarded(self._connect(address))

    async def work(self) -> Outcome:
        """Do what was begun, one thing after another, and give where the lobby is left to."""
        while True:
            effect = await self._begun.get()
            self._show(replace(self.lobby, busy=True))
            try:
                left, outcome = await self._perform(effect)
            finally:
                self._show(replace(self.lobby, busy=False))
            if left:
                return outcome

    async def _perform(self, effect: Effect) -> tuple[bool, Outcome]:
        """Do something; gives whether the lobby is left by it, and where to."""
        match effect:
            case Leave():
                return True, None
            case PlayHere():
                return True, Alone()
            case Connect(address, tls):
                await self._guarded(self._connect(address, tls=tls))
            case Disconnect():
                await self._disconnect()
            case LookOn(table, passcode) if self._connection is not None:
                return True, Spectating(self._connection, table, passcode)
            case Sit(table, passcode, code):
                return self._seated(await self._guarded(self._sit(table, passcode, code)))
            case Make(draft):
                return self._seated(await self._guarded(self._make(draft)))
            case _:
                pass
        return False, None

    def _seated(self, seat: Seat | None) -> tuple[bool, Outcome]:
        if seat is None:
            return False, None
        # Where one comes back to; a table that was just made is not in the list yet.
        codes = [table.table for table in self.lobby.tables or ()]
        self._wanted = "" if seat.table in codes else seat.table
        cursor = codes.index(seat.table) if seat.table in codes else 0
        held = self._held(self.lobby.tables or ()) | {seat.table}
        self.lobby = replace(self.lobby, page=Page.TABLES, cursor=cursor, held=held)
        return True, Seated(seat)

    async def _guarded(self, work: Coroutine[Any, Any, Result]) -> Result | None:
        """Do something that can fail, and say why it did."""
        try:
            return await work
        except BadRules as bad:
            self._show(replace(self.lobby, busy=False, note=rule_fault_text(bad)))
        except CannotConnect as failure:
            why = str(failure) if self._connection is None else await self._why(self._connection.address)
            self._show(replace(self.lobby, busy=False, note=why))
        except (ClientFailure, BadAddress) as failure:
            self._show(replace(self.lobby, busy=False, note=str(failure)))
        return None

    async def _why(self, address: str) -> str:
        """Say why a server does not answer any more: who comes anew is told more, as that it speaks TLS now."""
        try:
            async with await Connection.to(address, security=self._security):
                return _("the server was lost for a moment: do it once more")
        except ClientFailure as failure:
            return str(failure)

    async def _connect(self, address: str, *, tls: bool = False) -> None:
        await self._disconnect()
        told: list[str] = []
        security = replace(self._security.for_host(tls=tls), note=told.append)
        self._connection = connection = await Connection.to(address, security=security)
        info = connection.info
        self._show(
            replace(
                self.lobby,
                page=Page.TABLES,
                cursor=0,
                address=address,
                version=info.version,
                tables=None,
                draft=replace(self.lobby.draft, usual=info.usual_options),
                note=" ".join(told),
            )
        )
        self._opened.set()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._opened.clear()
        self.lobby = replace(
            self.lobby, address="", version="", tables=None, held=frozenset(), notice=None, link=Link()
        )
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.wait({self._hearing})
            self._hearing = None
        if connection is not None:
            await connection.close()

    async def _sit(self, table: str, passcode: str = "", code: str = "") -> Seat | None:
        if self._connection is None:
            return None
        return await self._seat_at(self._connection, table, passcode, code)

    async def _seat_at(self, connection: Connection, table: str, passcode: str, code: str = "") -> Seat:
        summary = self.lobby.table_of(table)
        mine = None if code else self._mine(summary, self._book.all(server=connection.address))
        name = self.lobby.name if mine is None else mine.name
        return await take_seat(connection, self._book, table=table, name=name, passcode=passcode, code=code)

    async def _make(self, draft: Draft) -> Seat | None:
        connection = self._connection
        if connection is None:
            return None
        rules = self._read_rules(draft.rules)
        rules.check_players(draft.players)
        self._book.check_room(server=connection.address, name=self.lobby.name)
        made = await connection.create_table(
            seats=draft.players, rules=rules, name=draft.name, options=draft.options, passcode=draft.passcode
        )
        seat = await self._seat_at(connection, made.table, draft.passcode)
        for _bot in range(draft.bots):
            await seat.add_bot(level=draft.level)
        return seat

    # What changes by itself

    async def follow_tables(self) -> None:
        """Keep the list of the open server's tables as it is there, and come back by itself when it is lost."""
        attempts = 0
        while True:
            await self._opened.wait()
            connection = self._connection
            if connection is None:
                continue
            heard = self._heard
            # A task of its own: that it ends with its connection is not the end of this one.
            self._hearing = hearing = asyncio.create_task(self._hear(connection))
            try:
                await asyncio.wait({hearing})
            finally:
                hearing.cancel()
            if connection is not self._connection:
                continue
            lost = Lost(_("the connection is lost"), 0.0) if hearing.cancelled() else hearing.result()
            attempts = 1 if self._heard > heard else attempts + 1
            await self._lost(lost, max(lost.retry_in, PAUSES.pause(attempts)))

    async def _hear(self, connection: Connection) -> Lost:
        """Take in the list of a server's tables until the connection breaks, and give how."""
        try:
            async with aclosing(watch_tables(connection)) as changes:
                async for heard in changes:
                    if isinstance(heard, Lost):
                        return heard
                    self._heard += 1
                    self._listed(connection, heard)
        except ClientFailure as failure:
            self.note(str(failure))
        return Lost(_("the connection is lost"), 0.0)

    def _listed(self, connection: Connection, listing: Listing) -> None:
        if connection is not self._connection:
            return
        tables = listing.tables
        by_code = {table.table: table for table in tables}
        cursor, chosen = self.lobby.cursor, self.lobby.table
        wanted = self._wanted or ("" if chosen is None else chosen.table)
        if self.lobby.page is Page.TABLES and wanted in by_code:
            # Others come and go: what is chosen is a table, not a row.
            cursor, self._wanted = list(by_code).index(wanted), ""
        lobby = self.lobby
        if chosen is not None and chosen.table not in by_code:
            # Whoever presses a key now means the one that has gone.
            cursor, lobby = -1, replace(lobby, note=_("the table {table} has gone").format(table=chosen.table))
        held, notice = self._held(tables), listing.notice
        self._show(replace(lobby, tables=tables, held=held, notice=notice, cursor=cursor, link=Link()))

    def _held(self, tables: Sequence[table_pb2.TableSummary]) -> frozenset[str]:
        """Give the codes of those tables at which this user has a seat."""
        receipts = list(self._book.all(server=self.lobby.address))
        return frozenset(table.table for table in tables if self._mine(table, receipts) is not None)

    def _mine(self, table: table_pb2.TableSummary | None, receipts: Iterable[Receipt]) -> Receipt | None:
        return seat_at(table, receipts, name=self.lobby.name, others=not self.lobby.said)

    async def _lost(self, lost: Lost, pause: float) -> None:
        now = asyncio.get_running_loop().time()
        since = now if self.lobby.link.lost_at is None else self.lobby.link.lost_at
        link = Link(since, now + pause, lost.sentence, lost.right)
        self._show(replace(self.lobby, link=link, now=now))
        await asyncio.sleep(pause)

    async def follow_hosts(self) -> None:
        """Look for hosts in the local network, and list those that are there."""
        if self._interfaces is None:
            return
        try:
            async with aclosing(found_hosts(self._interfaces)) as changes:
                async for search, found in changes:
                    there = {server.address for server in found}
                    known = [server for server in self._known if server.address not in there]
                    self._show(self.lobby.with_servers((*known, *found), search))
        except CannotLook as cannot:
            self.note(str(cannot))
        finally:
            self.lobby = replace(self.lobby, search=Search.OFF)

    async def tick(self) -> None:
        """Let the seconds of a lost connection be seen."""
        while True:
            await asyncio.sleep(_TICK)
            if not self.lobby.link.whole:
                self._show(replace(self.lobby, now=asyncio.get_running_loop().time()))


def _do_nothing() -> None:
    """Draw nothing: no terminal is there yet."""


def _type_nothing(_text: str) -> None:
    """Open no line: no terminal is there yet."""
