"""All tables of a server: found, brought into use, put away, disposed of."""

from __future__ import annotations

import asyncio
import functools
from contextlib import suppress

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.malformed import ShanghaiError
from shanghai_server.house.house import House
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.journal.journal import DamagedRecord, JournalError
from shanghai_server.standing.disposal import MAKES_ROOM, NOBODY_CAME_BACK, old_at
from shanghai_server.standing.rebuilding import BadTable, Rebuilt, rebuild
from shanghai_server.standing.timing import Timing
from shanghai_server.table.discretion import Discretion
from shanghai_server.table.showing import status_of, summary_bytes
from shanghai_server.table.steward import UNNOTED_UPDATES
from shanghai_server.table.table import Table
from shanghai_server.tables.closings import Closings
from shanghai_server.tables.kept import Kept
from shanghai_server.tables.making import TableMaking
from shanghai_server.tables.records import Records
from shanghai_server.tables.table_list import TableList
from shanghai_server.verbs.gates import token_hash

LIST_PATIENCE = 4.0
"""The seconds that whoever asks for the list waits after a restart; clients give up an attempt after five."""
TOLD_TOGETHER = 100
"""After how many rebuilt tables the list is told anew, while a server brings back those of its journal."""


class Tables:
    """The tables of one server, by code, in the order in which they were made."""

    def __init__(self, house: House) -> None:
        """Begin with no table; `load` finds those of the journal."""
        self._house = house
        self._kept: dict[str, Kept] = {}
        self._waking: dict[str, asyncio.Task[None]] = {}
        self._disposing: dict[str, asyncio.Task[None]] = {}
        self._drowsy: set[Table] = set()
        self._making = TableMaking(house)
        self._records = Records(house.journal)
        self._closings = Closings()
        self._made_for_callers: set[asyncio.Task[service_pb2.CreateTableResponse]] = set()
        self._is_open = True
        self._list = TableList(lambda: [kept.shown for kept in self._kept.values()], house.board)
        self._restoring: asyncio.Task[None] | None = None

    async def load(self) -> None:
        """Find every table of the journal, and begin to rebuild them one after another; raises `JournalError`.

        A table that somebody asks for is rebuilt at once, so nobody waits for the others.
        """
        for entry in await self._house.journal.tables():
            self._kept[entry.table] = Kept(snapshot=entry.snapshot)
        self._restoring = asyncio.get_running_loop().create_task(self._restore(), name="restoring tables")

    async def restored(self) -> list[str]:
        """Wait until every table has been rebuilt once; gives a sentence for each that cannot be."""
        if self._restoring is not None:
            await asyncio.wait([self._restoring])
        return [kept.damage for kept in self._kept.values() if kept.damage]

    async def listed(self) -> None:
        """Wait until the list is whole, but not for ever: with very many tables it has those that are back by then."""
        if self._restoring is not None and not self._restoring.done():
            await asyncio.wait([self._restoring], timeout=LIST_PATIENCE)

    async def _restore(self) -> None:
        codes = list(self._kept)
        try:
            for code in codes:
                await self._making.learn(code)
            self._making.all_known()
            for number, code in enumerate(codes, start=1):
                kept = self._kept.get(code)
                if kept is not None and kept.table is None and code not in self._waking and not kept.damage:
                    await self._restore_one(code, kept)
                if number % TOLD_TOGETHER == 0:
                    self._list.tell()
        except Exception:  # the task's outermost line; it logs the traceback
            self._house.log.exception("tables could not be restored")
        finally:
            self._making.all_known()
            self._list.tell()

    async def _restore_one(self, code: str, kept: Kept) -> None:
        """Find out how a table stands, for the list, and let go of it again, unless it goes on without anybody."""
        try:
            rebuilt = await self._rebuild(code, kept)
        except CallRefused:
            return
        standing = rebuilt.standing
        # Somebody may have asked for it meanwhile.
        if kept.table is not None or kept.summary or code in self._waking:
            return
        if standing.goes_on_alone:
            self._use(code, kept, rebuilt)
        else:
            kept.snapshot = rebuilt.snapshot
            kept.summary, kept.status = summary_bytes(standing, (), 0), status_of(standing, ())
            kept.old_at = old_at(standing, self._house.settings, float(standing.at))

    async def _rebuild(self, code: str, kept: Kept) -> Rebuilt:
        """Read a table from the journal; raises `CallRefused`.

        One that cannot be read is logged and left out; its records stay as they are, and its code stays taken.
        """
        try:
            rebuilt = await rebuild(self._house.journal, code, self._house.settings, snapshot=kept.snapshot)
        except (BadTable, DamagedRecord) as error:
            self._house.log.exception("a table is left out", table=code)
            kept.damage = str(error)
            raise self._unreadable(code) from error
        except JournalError as error:
            self._house.log.exception("a table could not be read", table=code)
            raise CallRefused(TableRefusal.NOT_WRITTEN) from error
        if rebuilt.standing.closed is not None:
            self._kept.pop(code, None)
            self._closings.note(code, rebuilt.standing.closed)
            raise self._closings.refusal(code)
        return rebuilt

    def _unreadable(self, code: str) -> CallRefused:
        return CallRefused(TableRefusal.TABLE_CLOSED, table=code, reason="what is kept of it cannot be read")

    async def find(self, code: str, peer: str | None = None) -> Table:
        """Give a table by its code, in either case of letters, rebuilt where it is not in use.

        It is in use at least until the caller gives way to another task. Raises `CallRefused`. Where one that is not
        there or not in use is asked for by a peer, that counts as a call of it: bringing tables back is work.
        """
        name = code.strip().upper()
        kept = self._kept.get(name)
        if peer is not None and (kept is None or kept.table is None):
            self._house.peers.check_call(peer)
        if kept is None:
            raise self._closings.refusal(code)
        while kept.table is None:
            if kept.damage:
                raise self._unreadable(name)
            if not self._is_open:
                raise CallRefused(TableRefusal.SHUTTING_DOWN)
            waking = self._waking.get(name)
            if waking is None:
                waking = asyncio.get_running_loop().create_task(self._wake(name, kept), name=f"waking {name}")
                self._waking[name] = waking
                waking.add_done_callback(lambda _: self._waking.pop(name, None))
            # Whoever else waits for it still does when this caller goes.
            await asyncio.wait([waking])
            refused = waking.exception()
            if refused is not None:
                raise refused
        return kept.table

    async def _wake(self, code: str, kept: Kept) -> None:
        """Bring a table into use; raises `CallRefused`."""
        self._use(code, kept, await self._rebuild(code, kept))

    def _use(self, code: str, kept: Kept, rebuilt: Rebuilt) -> None:
        """Have a table in memory, and in motion where it goes on though nobody comes (R2.3)."""
        # Behind every update that only showed who came and went, and of which the journal knows nothing.
        sequence = kept.sequence or rebuilt.standing.sequence + UNNOTED_UPDATES
        changed = functools.partial(self._changed, code)
        timing = kept.timing or Timing(self._house.settings, awaited=rebuilt.standing.seats.holders)
        kept.table = Table(rebuilt, self._house, changed, sequence=sequence, timing=timing, visited=kept.visited)
        kept.timing = None
        if rebuilt.standing.goes_on_alone:
            kept.table.ring()

    def rest(self) -> None:
        """Put away the tables that have been idle since the last time; the next call brings them back."""
        idle = {kept.table for kept in self._kept.values() if kept.table is not None and kept.table.is_idle}
        for table in idle & self._drowsy:
            kept = self._kept[table.code]
            (kept.summary, kept.status), kept.visited, kept.old_at = kept.shown, table.visited, table.old_at
            kept.table = None
            kept.snapshot, kept.sequence, kept.timing = table.put_away()
        self._drowsy = {table for table in idle if not table.is_closed}

    @property
    def table_list(self) -> TableList:
        """The list that everybody sees."""
        return self._list

    def in_use(self) -> list[Table]:
        """Give the tables that are in memory, in the order in which they were made."""
        return [kept.table for kept in self._kept.values() if kept.table is not None]

    def statuses(self) -> list[table_pb2.TableStatus.ValueType]:
        """Give the status of every table; unspecified where it has not been read since the start."""
        return [kept.shown[1] for kept in self._kept.values()]

    def stands_at(self, code: str) -> tuple[str, int] | None:
        """Give the code of a table and the sequence of its last update; none where there is no such table in use."""
        kept = self._kept.get(code.strip().upper())
        return None if kept is None or kept.table is None else (kept.table.code, kept.table.sequence)

    def discretion(self, code: str) -> Discretion | None:
        """Give with what discretion it is counted what is done at a table; none where there is no such table in use."""
        kept = self._kept.get(code.strip().upper())
        return None if kept is None or kept.table is None else kept.table.discretion

    def kept(self) -> list[tuple[str, Kept]]:
        """Give every table by its code, in the order in which they were made."""
        return list(self._kept.items())

    @property
    def number(self) -> int:
        """The number of all tables, in use or not."""
        return len(self._kept)

    async def record(self, request: service_pb2.GetRecordRequest, peer: str) -> bytes:
        """Give the record of a game that is over (`GetRecordResponse`), read from the journal; raises `CallRefused`."""
        table = await self.find(request.table, peer)
        number = table.asked_game(
            wanted=request.game_number if request.HasField("game_number") else None,
            token=token_hash(request.seat_token) if request.seat_token else "",
            passcode=request.passcode,
            peer=peer,
        )
        try:
            return await self._records.record(table.code, number)
        except (BadTable, JournalError) as error:
            self._house.log.exception("a record could not be read", table=table.code)
            raise self._unreadable(table.code) from error

    async def create(self, request: service_pb2.CreateTableRequest, peer: str) -> service_pb2.CreateTableResponse:
        """Make a table for a peer; a repeat gets the first one. Raises `CallRefused` and `BadRules`.

        It is made to its end even where the caller goes: what is on disk must be known here, or a repeat makes another.
        """
        make_room, add = functools.partial(self._make_room, peer), functools.partial(self._add, peer)
        making = asyncio.get_running_loop().create_task(self._making.create(request, make_room, self._kept, add))
        self._made_for_callers.add(making)
        making.add_done_callback(self._has_made)
        return await asyncio.shield(making)

    def _has_made(self, making: asyncio.Task[service_pb2.CreateTableResponse]) -> None:
        """Let go of the making of a table; what it raised is its caller's, and nobody's where that one has gone."""
        self._made_for_callers.discard(making)
        error = None if making.cancelled() else making.exception()
        if error is not None and not isinstance(error, CallRefused | ShanghaiError):
            self._house.log.error("a table could not be made", exc_info=error)

    async def _make_room(self, peer: str) -> None:
        """Let the oldest game that is over go where no other table fits; raises `CallRefused` if none can be made."""
        limit = self._house.settings.tables
        if not self._is_open:
            raise CallRefused(TableRefusal.SHUTTING_DOWN)
        self._house.peers.check_tables(peer, self._is_unfinished)
        if len(self._kept) >= limit:
            # After a restart even tables that were closed long ago count until they have been read.
            await self.listed()
        if len(self._kept) >= limit:
            await self._let_the_oldest_go()
        if len(self._kept) >= limit:
            raise CallRefused.for_now(TableRefusal.TOO_MANY_TABLES, self._house.settings.sweep_ms / 1000, limit=limit)

    async def _let_the_oldest_go(self) -> None:
        """Close the game that has been over for the longest and that nobody looks at; the journal keeps its record."""
        over = [(kept.is_old_at, code) for code, kept in self._kept.items() if kept.is_over and not kept.is_in_use]
        if over:
            with suppress(CallRefused):
                await (await self.find(min(over)[1])).close(MAKES_ROOM)

    def _is_unfinished(self, code: str) -> bool:
        kept = self._kept.get(code)
        return kept is not None and not kept.is_over

    def _add(self, peer: str, made: Rebuilt) -> None:
        code = made.standing.table
        self._house.peers.made(peer, code)
        self._kept[code] = Kept(table=Table(made, self._house, functools.partial(self._changed, code)))
        self._list.tell()

    def _changed(self, code: str) -> None:
        """Take note that a table's line in the list is another one, or that the table is gone."""
        kept = self._kept.get(code)
        if kept is not None and kept.table is not None and kept.table.gone is not None:
            del self._kept[code]
            self._closings.note(code, kept.table.gone)
        self._list.tell()

    def sweep(self) -> None:
        """Dispose of the tables that nobody has come back to for too long; their records stay in the journal."""
        now = self._house.clock.wall()
        for code, kept in self._kept.items():
            if kept.table is not None and kept.table.is_closed:
                # Something in it failed: it waits for the next start of the server.
                continue
            if 0 < kept.is_old_at <= now and code not in self._disposing:
                disposing = asyncio.get_running_loop().create_task(self._dispose(code), name=f"disposing of {code}")
                self._disposing[code] = disposing
                disposing.add_done_callback(functools.partial(self._disposed, code))

    def _disposed(self, code: str, _task: asyncio.Task[None]) -> None:
        del self._disposing[code]

    async def _dispose(self, code: str) -> None:
        """Close an old table, if nobody has come meanwhile; one that cannot be read stays as it is."""
        with suppress(CallRefused):
            (await self.find(code)).dismiss(NOBODY_CAME_BACK, if_old=True)

    async def shut_down(self) -> None:
        """Take nothing more, answer what waits, and end all streams."""
        self._is_open = False
        self._list.end()
        if self._restoring is not None:
            self._restoring.cancel()
            await asyncio.wait([self._restoring])
        # Those that wait for their turn find that nothing is open any more.
        await asyncio.gather(*self._made_for_callers, return_exceptions=True)
        async with self._making.pause():
            await asyncio.gather(*self._waking.values(), *self._disposing.values(), return_exceptions=True)
            await asyncio.gather(*(table.shut_down() for table in self.in_use()))
