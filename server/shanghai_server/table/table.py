"""A table: one game, its people, and the one task that touches them.

Intents wait in a bounded queue. The task takes what waits, judges one after the other (`gates.py`), appends the facts
of all of them at once to the journal, and only then publishes and answers: nobody sees what is not on disk. While
nothing waits there is no task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from shanghai.v1 import table_pb2
from shanghai_server.house.clock import Alarm
from shanghai_server.house.house import House
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.journal.journal import JournalError
from shanghai_server.standing.disposal import old_at
from shanghai_server.standing.ledger import Call, EvolveFailed, Ledger
from shanghai_server.standing.rebuilding import BadTable, Rebuilt
from shanghai_server.standing.timing import Timing
from shanghai_server.table.admission import Admission
from shanghai_server.table.annals import Annals
from shanghai_server.table.discretion import Discretion
from shanghai_server.table.intent import (
    Answer,
    Asked,
    Attached,
    Chosen,
    Detached,
    Dismissed,
    Intent,
    Outcomes,
    Refreshed,
    Ticked,
    answers_of,
    give_answers,
)
from shanghai_server.table.intent_queue import GATHERING, IntentQueue
from shanghai_server.table.showing import Summary, status_of, summary_bytes
from shanghai_server.table.steward import Steward
from shanghai_server.table.telling import tell
from shanghai_server.table.watcher import Watcher
from shanghai_server.verbs.joining import check_spectator
from shanghai_server.verbs.past_game import PastGames

BUSY_MS = 200
"""After how long a call for which the queue has no room is to be made again: a batch takes some milliseconds."""
CLOSED_BY_HOST = "the server's host closed it"
"""Why a table is closed, as its last fact says, where the host says nothing."""
JOURNAL_PAUSE = 1.0
"""The seconds that a table's clocks stand still after the journal failed."""


class Table:
    """One table.

    `call`, `attach`, `detach` and `dismiss` put an intent into the queue; everything else belongs to the
    table's task. `summary` is the table's line in the list of tables, as it was published last, and empty once the
    table was closed, `status` the status in it; `on_change` is called when it is another one.
    `discretion` says what of the table is counted when.
    """

    def __init__(
        self,
        rebuilt: Rebuilt,
        house: House,
        on_change: Callable[[], None],
        *,
        sequence: int = 0,
        timing: Timing | None = None,
        visited: float = 0.0,
    ) -> None:
        """Take how the table stands in the journal.

        `sequence` is that of the last update where that is a later one, `timing` the clocks where the table has been in
        use before, and `visited` when somebody was there last, in seconds since 1970, if that was later than the last
        record.
        """
        standing = rebuilt.standing
        self.code = standing.table
        self.is_closed = False
        self.gone: str | None = None
        """Why the table was closed for good, and is not there any more; none while it is there."""
        self._closed = CallRefused(TableRefusal.TABLE_CLOSED)
        # Of the journal alone, so that the first update after a restart is noted, whatever it shows: the next restart
        # could not go on behind it otherwise.
        self.discretion = Discretion(house.counts, standing.open_offer)
        self._annals = Annals(self.code, house, rebuilt, self.discretion)
        standing.sequence = self._published = max(standing.sequence, sequence)
        self._house = house
        self._log: FilteringBoundLogger = house.log.bind(table=self.code)
        self._on_change = on_change
        visited = max(float(standing.at), visited)
        self._steward = Steward(
            standing, house, self._log, lambda choices: self._put(Chosen(choices)), timing=timing, visited=visited
        )
        self._admission = Admission(self._steward, house)
        self._past = PastGames.of(standing)
        self._queue = IntentQueue()
        self._task: asyncio.Task[None] | None = None
        self._alarm: Alarm | None = None
        self._alarm_at: float | None = None
        self._not_before = 0.0
        self._is_stale = False
        self._closing_text = ""
        self._line = Summary()
        self._line.is_news(standing, (), 0)
        self.summary = summary_bytes(standing, (), 0)
        self.status = status_of(standing, ())

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches or waits, nothing is ever due or left of what was done: it can be put away."""
        steward, busy = self._steward, self._task is not None or self._queue or self._alarm is not None
        busy = busy or steward.thoughts.are_open or steward.allowances.whole_at > self._house.clock.now()
        return not (busy or self.is_closed or self._is_stale or steward.audience.watchers)

    def put_away(self) -> tuple[int, int, Timing]:
        """Take nothing more; gives what the journal does not know of an idle table, and where to read it from.

        That is the sequence of the last snapshot, that of the last update, and the clocks.
        """
        self.is_closed = True
        self.discretion.see(None)
        return self._annals.snapshot, self._steward.standing.sequence, self._steward.timing

    @property
    def queued(self) -> int:
        """How many intents wait."""
        return len(self._queue)

    @property
    def sequence(self) -> int:
        """The sequence of the last update that was published."""
        return self._published

    @property
    def watchers(self) -> list[Watcher]:
        """All open streams."""
        return self._steward.audience.watchers

    def beat(self) -> None:
        """Say on every stream that it is alive, and part with those whose clients do not read."""
        settings = self._house.settings
        for watcher in self.watchers:
            watcher.beat()
            if watcher.stuck * settings.heartbeat_ms >= settings.too_slow_ms > 0:
                self._log.info("a client does not read", seat=self._steward.standing.seat_of(watcher.token))
                watcher.give_up()
                self.detach(watcher)

    def viewers(self) -> list[tuple[Watcher, int | None]]:
        """Give all open streams with the seats that they show; none for a spectator's."""
        seats = self._steward.standing.seats.holders
        return [(watcher, seats.get(watcher.token)) for watcher in self.watchers]

    async def call(self, call: Call) -> Answer:
        """Do what a call asks, and give the answer once it is on disk.

        Raises `CallRefused`, and the engine's `RuleViolation` and `Malformed`.
        """
        self._admission.check_call(call.token, call.peer)
        return await self._ask(lambda answer: Asked(call, answer))

    def asked_game(self, *, wanted: int | None, token: str, passcode: str, peer: str) -> int:
        """Give the number of the game whose record is asked for, from 1; raises `CallRefused`.

        `wanted` is none for the last that is over, `token` (SHA-256 in hex) empty for whoever holds no seat. It is
        answered from what is on disk, and waits for nothing (`PastGames`).
        """
        self._admission.check_call(token, peer)
        if self.is_closed:
            raise self._closed
        over = self._past.over
        if token:
            self._past.check_holder(token)
        else:
            check_spectator(self._open_ledger(), passcode, peer)
            over = self._steward.audience.games_over(over)
        return self._past.asked_game(wanted, over)

    async def attach(self, watcher: Watcher) -> None:
        """Open a stream; raises `CallRefused`.

        What bounds streams is how many are open, not the calls that wait: all may come at once, after a restart, say.
        """
        self._admission.check_stream(watcher, self._queue.opening)
        await self._answered(lambda answer: Attached(watcher, answer))

    async def close(self, reason: str) -> None:
        """Close the table for good, and tell its people why; it is on disk then. Raises `CallRefused`."""
        self._closing_text = reason
        self._put(Dismissed(reason or CLOSED_BY_HOST, if_old=False))
        while self._task is not None:
            await asyncio.wait([self._task])
        if self.gone is None:
            raise CallRefused(TableRefusal.NOT_WRITTEN)

    def ring(self) -> None:
        """Do what is due, and see what is due next: as its alarm does, or as one that was not in use is begun with."""
        self._alarm, self._alarm_at = None, None
        self._put(Ticked())

    def refresh(self) -> None:
        """Show everybody the table once more: something around it has changed."""
        self._put(Refreshed())

    def dismiss(self, reason: str, *, if_old: bool = False) -> None:
        """Close the table for good; with `if_old` only if nobody has been there for too long."""
        self._put(Dismissed(reason, if_old))

    @property
    def visited(self) -> float:
        """When somebody was at the table last, in seconds since 1970; now, where somebody is."""
        return self._house.clock.wall() if self._queue and not self.is_closed else self._steward.visited

    @property
    def old_at(self) -> float:
        """When the table is to be disposed of if nobody comes, in seconds since 1970."""
        return old_at(self._steward.standing, self._house.settings, self.visited)

    def detach(self, watcher: Watcher) -> None:
        """Take note that a stream is closed."""
        self._put(Detached(watcher))

    async def _ask(self, intent: Callable[[asyncio.Future[Answer]], Intent]) -> Answer:
        limit = self._house.settings.queued_intents
        if self._queue.calls >= limit:
            busy = CallRefused(TableRefusal.TABLE_BUSY, limit=limit, table=self.code)
            busy.retry_after_ms = BUSY_MS
            raise busy
        return await self._answered(intent)

    async def _answered(self, intent: Callable[[asyncio.Future[Answer]], Intent]) -> Answer:
        if self.is_closed:
            raise self._closed
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._put(intent(answer))
        return await answer

    def _put(self, intent: Intent) -> None:
        if self.is_closed:
            return
        self._queue.put(intent)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.code}")

    async def _run(self) -> None:
        """Work until nothing waits."""
        batch: list[Intent] = []
        try:
            while self._queue:
                batch = self._queue.take(self._house.settings.batched_intents)
                await self._process(batch)
        except Exception:  # noqa: BLE001 # the task's outermost line; it logs the traceback
            try:
                self._log.exception("table failed")
            finally:
                # Whatever the log makes of it: nobody waits for ever.
                self._fail(batch)
        finally:
            self._task = None

    async def _process(self, batch: list[Intent]) -> None:
        if self._is_stale and not await self._rebuild():
            give_answers([(answer, CallRefused(TableRefusal.NOT_WRITTEN)) for answer in answers_of(batch)])
            self._set_alarm()
            return
        ledger = self._open_ledger()
        outcomes: Outcomes = []
        failed = not await self._do(batch, ledger, outcomes)
        if not failed:
            self._steward.show_presence(ledger, self._annals.noted)
        if not await self._append(ledger):
            outcomes = [(answer, CallRefused(TableRefusal.NOT_WRITTEN)) for answer in answers_of(batch)]
        self.discretion.see(self._steward.standing.open_offer)
        give_answers(outcomes)
        if failed:
            self._fail(batch)
        elif self._steward.standing.closed is not None:
            self._dismissed(self._steward.standing.closed)
        self._set_alarm()

    def _open_ledger(self) -> Ledger:
        return self._steward.open_ledger(behind=self._annals.behind, size=self._annals.size)

    async def _do(self, batch: list[Intent], ledger: Ledger, outcomes: Outcomes) -> bool:
        """Do what a batch of intents asks; gives whether the table can go on.

        While nobody sees anything of it, as of the first answers to an offer, what follows within a moment joins the
        batch: seats often answer at once, and whoever answers last need not wait until the others' answers are written.
        """
        until, done = asyncio.get_running_loop().time() + GATHERING, 0
        while True:
            for intent in batch[done:]:
                try:
                    self._steward.do(intent, ledger, outcomes)
                except EvolveFailed:
                    self._log.exception("table failed")
                    return False
            done = len(batch)
            may_wait = ledger.is_sealed and all(isinstance(intent, Asked) for intent in batch)
            if not may_wait or not await self._queue.more(until):
                return True
            batch += self._queue.take(self._house.settings.batched_intents)

    async def _append(self, ledger: Ledger) -> bool:
        """Write the facts down and publish what they changed, or go back to what is written. Gives which."""
        if ledger.facts:
            try:
                await self._annals.append(ledger.dated())
            except JournalError as error:
                self._log.error("nothing could be written; the table goes back to its last record", error=str(error))
                self._steward.audience.withdraw()
                self._is_stale = True
                self._not_before = self._house.clock.now() + JOURNAL_PAUSE
                await self._rebuild()
                return False
            tell(self._log, ledger.facts, record=self._annals.written, sequence=self._steward.standing.sequence)
            self._past = PastGames.of(self._steward.standing)
        is_news = self._published != self._steward.standing.sequence
        self._published = self._steward.standing.sequence
        self._steward.audience.publish(self._house.clock.now())
        if is_news:
            self._summarize()
        return True

    async def _rebuild(self) -> bool:
        """Stand where the journal says; gives whether it could be read."""
        try:
            standing = await self._annals.read()
        except (JournalError, BadTable) as error:
            self._log.error("the table could not be rebuilt", error=str(error))
            return False
        standing.sequence = max(standing.sequence, self._published)
        self._steward.stand(standing)
        self._is_stale = False
        return True

    def _summarize(self) -> None:
        steward = self._steward
        standing, connected, spectators = steward.standing, steward.connected, steward.audience.spectators
        if self._line.is_news(standing, connected, spectators):
            self.summary = summary_bytes(standing, connected, spectators)
            self.status = status_of(standing, connected)
            self._on_change()

    def _set_alarm(self) -> None:
        """Wake the table when the next thing is due."""
        due = None if self.is_closed else self._steward.next_due(self._not_before)
        if due == self._alarm_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None if due is None else self._house.clock.call_at(due, self.ring)
        self._alarm_at = due

    def _fail(self, batch: list[Intent]) -> None:
        """Close this table alone, after a fault of ours. What is in the journal stays.

        It stays closed while this server runs: what failed once would fail again, and again. After a restart, with a
        program that may be a newer one, it stands as it stood before the fault.
        """
        reason = "something in it failed; the game is kept as it was before, until the server is started again"
        self._close(self._refusal(reason), table_pb2.CLOSE_REASON_FAULT)
        give_answers([(answer, CallRefused(TableRefusal.INTERNAL)) for answer in answers_of(batch)])
        self._on_change()

    def _dismissed(self, reason: str) -> None:
        """Let everybody go: the table was closed for good, and that is on disk."""
        self._close(self._refusal(reason), table_pb2.CLOSE_REASON_TABLE_CLOSED, text=self._closing_text)
        self.gone = reason
        self._on_change()

    def _refusal(self, reason: str) -> CallRefused:
        return CallRefused(TableRefusal.TABLE_CLOSED, table=self.code, reason=reason)

    def _close(
        self, refusal: CallRefused, reason: table_pb2.CloseReason.ValueType, retry_ms: int | None = None, text: str = ""
    ) -> None:
        self.is_closed = True
        self.discretion.see(None)
        self._closed = refusal
        self.summary = b""
        self._steward.audience.close(reason, retry_ms, text)
        give_answers([(answer, refusal) for answer in answers_of(self._queue.clear())])
        self._set_alarm()
        self._steward.thoughts.cancel()

    async def shut_down(self) -> None:
        """Answer what waits, end all streams and take nothing more: the server stops."""
        while self._task is not None:
            await asyncio.wait([self._task])
        retry = self._house.settings.retry_after_ms
        self._close(CallRefused(TableRefusal.SHUTTING_DOWN), table_pb2.CLOSE_REASON_SHUTTING_DOWN, retry)
