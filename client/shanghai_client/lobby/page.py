"""Everything that the lobby shows, as one frozen value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from shanghai.v1 import table_pb2
from shanghai_client.lobby.draft import FIELDS, Draft
from shanghai_client.screen.model import Link, Look

NARROWEST, LOWEST = 40, 12
"""The smallest terminal that the lobby is shown in, in columns and rows."""


class Page(Enum):
    """What is shown."""

    SERVERS = "servers"
    TABLES = "tables"
    NEW = "a new table"


class Search(Enum):
    """How far the search for hosts in the local network is."""

    OFF = "off"
    RUNNING = "running"
    NOTHING = "nothing found"
    FOUND = "found"


class Ask(Enum):
    """What is being typed."""

    ADDRESS = "address"
    NAME = "name"
    TABLE = "table"
    PASSCODE = "passcode"
    CODE = "code"
    FIELD = "field"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that can be opened: its HOST:PORT, and where it is known from, in words."""

    address: str
    known: str
    fits: bool = True
    """Whether it speaks this client's revision of the contract, as far as that is known."""
    tls: bool = False
    """Whether it says that it speaks TLS."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that is typed: what for, how it is asked, and what it is about, a table's code or a field's name."""

    ask: Ask
    label: str
    about: str = ""
    watching: bool = False
    """Whether a passcode is for watching, not for sitting down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lobby:
    """What is on the screen.

    `servers` are those that were found and known; `address` is the one that is open, empty where none is, and `tables`
    are its tables, none before they were heard; `notice` is what its host tells everybody. `held` are the codes of the
    tables at which this user has a seat, `sent_away` the servers and codes of those whose hosts have sent him away in
    this lobby. `cursor` is the chosen row of the page, -1 where the chosen table has gone.
    """

    columns: int = 80
    rows: int = 24
    look: Look = field(default_factory=Look)
    name: str = ""
    said: bool = False
    """Whether the player has said the name for this time, so that seats under other names are not meant."""
    page: Page = Page.SERVERS
    servers: tuple[Server, ...] = ()
    search: Search = Search.OFF
    address: str = ""
    version: str = ""
    tables: tuple[table_pb2.TableSummary, ...] | None = None
    held: frozenset[str] = frozenset()
    sent_away: frozenset[tuple[str, str]] = frozenset()
    notice: table_pb2.Notice | None = None
    cursor: int = 0
    draft: Draft = field(default_factory=Draft)
    question: Question | None = None
    note: str = ""
    link: Link = field(default_factory=Link)
    now: float = 0.0
    busy: bool = False
    helping: bool = False
    """Whether the keys of the page are explained over it."""

    @property
    def has_room(self) -> bool:
        """Whether the terminal is large enough for the lobby."""
        return self.columns >= NARROWEST and self.rows >= LOWEST

    @property
    def choices(self) -> int:
        """How many rows of the page can be chosen."""
        if self.page is Page.SERVERS:
            # Before the servers stands the game against bots, behind them another address.
            return len(self.servers) + 2
        return len(self.tables or ()) if self.page is Page.TABLES else len(FIELDS) + 1

    def with_servers(self, servers: Sequence[Server], search: Search) -> Lobby:
        """Give the lobby with the servers that there are now. Chosen is a server, not a row, whoever comes and goes.

        Where it has gone nothing is opened by the next key: the row for another address is chosen.
        """
        cursor = self.cursor
        if self.page is Page.SERVERS and cursor > 0:
            addresses = [server.address for server in servers]
            chosen = self.servers[cursor - 1].address if cursor <= len(self.servers) else ""
            cursor = 1 + (addresses.index(chosen) if chosen in addresses else len(addresses))
        return replace(self, servers=tuple(servers), search=search, cursor=cursor)

    @property
    def table(self) -> table_pb2.TableSummary | None:
        """The chosen table; none on other pages, where there is none, and where it has gone."""
        if self.page is not Page.TABLES or not self.tables or self.cursor < 0:
            return None
        return self.tables[min(self.cursor, len(self.tables) - 1)]

    def table_of(self, code: str) -> table_pb2.TableSummary | None:
        """Give the table of a code; none where there is none."""
        wanted = code.strip().upper()
        return next((table for table in self.tables or () if table.table.upper() == wanted), None)
