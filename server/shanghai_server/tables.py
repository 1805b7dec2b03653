"""All tables of a server, and the list of them that everybody sees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from shanghai.v1 import service_pb2
from shanghai_engine.rules import FEWEST_PLAYERS, STANDARD, RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_server.fact import Created, Request, fact_bytes
from shanghai_server.gates import check_request_id, likeness
from shanghai_server.journal import Conflict, JournalError
from shanghai_server.lobby import bad_field
from shanghai_server.option import options_mapping, read_options
from shanghai_server.rebuilding import BadTable, rebuild
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.secret import Secrets
from shanghai_server.standing import Standing
from shanghai_server.table import UNNOTED_UPDATES, House, Table
from shanghai_server.wording import read_label
from shanghai_wire.rules import read_rules


class Tables:
    """The tables of one server, by code, in the order in which they were made."""

    def __init__(self, house: House, secrets: Secrets) -> None:
        """Begin with no table; `load` brings back those of the journal."""
        self._house = house
        self._secrets = secrets
        self._tables: dict[str, Table] = {}
        self._created: dict[str, Request] = {}
        self._creating = asyncio.Lock()
        self._is_open = True
        self._lists: set[asyncio.Event] = set()

    async def load(self) -> None:
        """Bring back every table of the journal; raises `JournalError`.

        One that cannot be read is logged and left out; its records stay as they are, and its code stays taken.
        """
        for entry in await self._house.journal.tables():
            try:
                standing, written = await rebuild(self._house.journal, entry.table, self._house.settings)
            except BadTable:
                self._house.log.exception("a table was left out", table=entry.table)
                continue
            # Behind every update that only showed who came and went, and of which the journal knows nothing.
            standing.sequence += UNNOTED_UPDATES
            self._add(standing, written)

    def find(self, code: str) -> Table:
        """Give a table by its code, in either case of letters; raises `CallRefused`."""
        table = self._tables.get(code.strip().upper())
        if table is None:
            raise CallRefused(TableRefusal.NO_SUCH_TABLE, table=ascii(code[:64]))
        return table

    def all(self) -> list[Table]:
        """Give all tables, in the order in which they were made."""
        return list(self._tables.values())

    async def create(self, request: service_pb2.CreateTableRequest) -> service_pb2.CreateTableResponse:
        """Make a table; a repeat gets the first one. Raises `CallRefused` and `BadRules`."""
        request_id = check_request_id(request.request_id)
        alike = likeness("CreateTable", request)
        async with self._creating:
            first = self._created.get(request_id)
            if first is not None:
                if first.likeness != alike:
                    raise CallRefused(TableRefusal.REQUEST_ID_REUSED, request_id=ascii(request_id))
                return service_pb2.CreateTableResponse.FromString(first.answer)
            if not self._is_open:
                raise CallRefused(TableRefusal.SHUTTING_DOWN)
            return await self._create(request, request_id, alike)

    async def _create(
        self, request: service_pb2.CreateTableRequest, request_id: str, alike: bytes
    ) -> service_pb2.CreateTableResponse:
        settings = self._house.settings
        if len(self._tables) >= settings.tables:
            raise CallRefused(TableRefusal.TOO_MANY_TABLES, limit=settings.tables)
        if not FEWEST_PLAYERS <= request.seats <= settings.seats:
            raise bad_field("seats", request.seats, f"a table has {FEWEST_PLAYERS} to {settings.seats} seats (R1.2)")
        rules = _read_rule_set(request)
        rules.check_players(request.seats)
        name = read_label(request.name, limit=settings.name_characters)
        options = read_options(request.options, settings.options)
        game_seed = self._secrets.game_seed()
        salt = self._secrets.bot_salt()
        while True:
            code = self._secrets.table_code()
            if code in self._tables:
                continue
            answer = service_pb2.CreateTableResponse(table=code, commitment=commitment(game_seed))
            fact = Created(
                name=name,
                seats=request.seats,
                rules=rules.to_mapping(),
                options=options_mapping(options),
                game_seed=game_seed.hex(),
                bot_salt=salt.hex(),
                request=Request(token="", id=request_id, likeness=alike, answer=answer.SerializeToString()),
            )
            try:
                written = await self._house.journal.append(code, 0, [fact_bytes(fact)])
            except Conflict:
                # A table that was left out, or that another server made.
                continue
            except JournalError as error:
                self._house.log.exception("no table could be made")
                raise CallRefused(TableRefusal.NOT_WRITTEN) from error
            self._add(Standing(code, fact, settings), written)
            return answer

    def _add(self, standing: Standing, written: int) -> None:
        self._tables[standing.table] = Table(standing, written, self._house, self._changed)
        if standing.created is not None:
            self._created[standing.created.id] = standing.created
        self._tell()

    def _changed(self, _table: Table) -> None:
        """Take note that a table's line in the list is another one."""
        self._tell()

    def _tell(self) -> None:
        for changed in self._lists:
            changed.set()

    def list_bytes(self) -> bytes:
        """Give the bytes of the list of tables (`ListTablesResponse`, `WatchTablesResponse`)."""
        return b"".join(table.summary for table in self._tables.values())

    async def lists(self) -> AsyncGenerator[bytes, None]:
        """Give the list of tables now, and again after each change, until the server stops."""
        changed = asyncio.Event()
        self._lists.add(changed)
        try:
            while self._is_open:
                changed.clear()
                yield self.list_bytes()
                await changed.wait()
        finally:
            self._lists.discard(changed)

    async def shut_down(self) -> None:
        """Take nothing more, answer what waits, and end all streams."""
        self._is_open = False
        self._tell()
        async with self._creating:
            await asyncio.gather(*(table.shut_down() for table in self.all()))


def _read_rule_set(request: service_pb2.CreateTableRequest) -> RuleSet:
    match request.WhichOneof("rule_set"):
        case "preset":
            return RuleSet.preset(request.preset)
        case "rules":
            return read_rules(request.rules)
        case _:
            return STANDARD
