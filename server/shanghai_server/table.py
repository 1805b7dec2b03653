"""A table: one game, its people, and the one task that touches them.

Intents wait in a bounded queue. The task takes what waits, judges one after the other (`gates.py`), appends the facts
of all of them at once to the journal, and only then publishes and answers: nobody sees what is not on disk. While
nothing waits there is no task.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from structlog.typing import FilteringBoundLogger

from shanghai.v1 import table_pb2
from shanghai_engine.malformed import ShanghaiError
from shanghai_server.agreeing import agree
from shanghai_server.audience import Audience
from shanghai_server.clock import Alarm, Clock
from shanghai_server.disposal import old_at
from shanghai_server.fact import Closed, Noted, Snapshot, WentAbsent, fact_bytes
from shanghai_server.gates import judge
from shanghai_server.intent import (
    Answer,
    Asked,
    Attached,
    Chosen,
    Detached,
    Dismissed,
    Intent,
    Looked,
    Ticked,
    answers_of,
    give_answers,
)
from shanghai_server.joining import check_passcode
from shanghai_server.journal import Journal, JournalError
from shanghai_server.ledger import Call, EvolveFailed, Ledger
from shanghai_server.lobby import come_back
from shanghai_server.past_game import asked_game
from shanghai_server.playing import begin, deal, go_on, play_choice, time_out, time_out_offer
from shanghai_server.rate import Allowances
from shanghai_server.rebuilding import BadTable, Rebuilt, rebuild
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.secret import Secrets
from shanghai_server.settings import Settings
from shanghai_server.showing import Showing, status_of, summary_bytes
from shanghai_server.thinking import Question, Thoughts
from shanghai_server.timing import ClockKind, RunningClock, Timing, bots_that_owe
from shanghai_server.watcher import Watcher

UNNOTED_UPDATES = 1000
"""How many updates that only showed who came and went may follow the last fact before one is written for them. A
restarted server goes on so many behind the last one that it finds, so that a sequence never comes twice."""
JOURNAL_PAUSE = 1.0
"""The seconds that a table's clocks stand still after the journal failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What all tables of a server share. `executor` is where bots think; none is the event loop's own."""

    journal: Journal
    clock: Clock
    settings: Settings
    secrets: Secrets
    executor: Executor | None
    log: FilteringBoundLogger


class Table:
    """One table.

    `call`, `asked_game`, `attach`, `detach` and `dismiss` put an intent into the queue; everything else belongs to the
    table's task. `summary` is the table's line in the list of tables, as it was published last, and empty once the
    table was closed, `status` the status in it; `on_change` is called when it is another one.
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
        self.is_gone = False
        """Whether the table was closed for good, and is not there any more."""
        self._closed = CallRefused(TableRefusal.TABLE_CLOSED)
        self._standing = standing
        self._written = rebuilt.written
        self._snapshot = rebuilt.snapshot
        # By the journal, so that the first update after a restart is noted, whatever it shows: the next restart could
        # not go on behind it otherwise.
        self._noted = standing.sequence
        standing.sequence = self._published = max(standing.sequence, sequence)
        self._house = house
        self._log: FilteringBoundLogger = house.log.bind(table=standing.table)
        self._on_change = on_change
        self._showing = Showing(standing)
        self._timing = timing or Timing(house.settings)
        self._allowances = Allowances()
        self._visited = max(float(standing.at), visited)
        self._audience = self._late_audience()
        self._queue: deque[Intent] = deque()
        self._task: asyncio.Task[None] | None = None
        self._thoughts = Thoughts(self.code, house.executor, self._log, lambda choices: self._put(Chosen(choices)))
        self._alarm: Alarm | None = None
        self._alarm_at: float | None = None
        self._not_before = 0.0
        self._is_stale = False
        self.summary = summary_bytes(standing, (), 0)
        self.status = status_of(standing, ())

    def _late_audience(self) -> Audience:
        """Give an audience; late spectators of it see how the table stands once its last fact is old enough."""
        standing, clock = self._standing, self._house.clock
        audience = Audience(standing.options.spectator_delay_ms / 1000)
        age = max(clock.wall() - standing.at, 0.0)
        audience.begin(standing, self._showing, now=clock.now(), age=age)
        return audience

    @property
    def is_idle(self) -> bool:
        """Whether nobody watches, nothing waits, and nothing is ever due: it can be put away."""
        is_busy = self._task is not None or self._queue or self._thoughts.are_open or self._alarm is not None
        return not (is_busy or self.is_closed or self._is_stale or self._audience.watchers)

    def put_away(self) -> tuple[int, int, Timing]:
        """Take nothing more; gives what the journal does not know of an idle table, and where to read it from.

        That is the sequence of the last snapshot, that of the last update, and the clocks.
        """
        self.is_closed = True
        return self._snapshot, self._standing.sequence, self._timing

    @property
    def watchers(self) -> list[Watcher]:
        """All open streams."""
        return self._audience.watchers

    async def call(self, call: Call) -> Answer:
        """Do what a call asks, and give the answer once it is on disk.

        Raises `CallRefused`, and the engine's `RuleViolation` and `Malformed`.
        """
        return await self._ask(lambda answer: Asked(call, answer))

    async def asked_game(self, *, wanted: int | None, token: str, passcode: str) -> int:
        """Give the number of the game whose record is asked for (`past_game.asked_game`); raises `CallRefused`."""
        number = 0

        def look(ledger: Ledger) -> Answer:
            nonlocal number
            over = self._audience.games_over(ledger.standing)
            number = asked_game(ledger, wanted=wanted, token=token, passcode=passcode, over=over)
            return b""

        await self._ask(lambda answer: Looked(look, answer))
        return number

    async def attach(self, watcher: Watcher) -> None:
        """Open a stream; raises `CallRefused`.

        What bounds streams is how many are open, not the calls that wait: all may come at once, after a restart, say.
        """
        limit = self._house.settings.streams
        waiting = sum(isinstance(each, Attached) for each in self._queue)
        # A seat's stream takes the place of its older one, so spectators alone can be too many.
        if waiting + (0 if watcher.token else len(self._audience.watchers)) >= limit:
            raise CallRefused(TableRefusal.TOO_MANY_STREAMS, limit=limit, table=self.code)
        await self._answered(lambda answer: Attached(watcher, answer))

    def dismiss(self, reason: str, *, if_old: bool = False) -> None:
        """Close the table for good; with `if_old` only if nobody has been there for too long."""
        self._put(Dismissed(reason, if_old))

    @property
    def visited(self) -> float:
        """When somebody was at the table last, in seconds since 1970; now, where somebody is."""
        is_visited = not self.is_closed and (self._queue or self._audience.watchers)
        return self._house.clock.wall() if is_visited else self._visited

    @property
    def old_at(self) -> float:
        """When the table is to be disposed of if nobody comes, in seconds since 1970."""
        return old_at(self._standing, self._house.settings, self.visited)

    def detach(self, watcher: Watcher) -> None:
        """Take note that a stream is closed."""
        self._put(Detached(watcher))

    async def _ask(self, intent: Callable[[asyncio.Future[Answer]], Intent]) -> Answer:
        limit = self._house.settings.queued_intents
        # Streams that come and go are no calls, however many they are.
        if sum(isinstance(each, Asked | Looked) for each in self._queue) >= limit:
            raise CallRefused(TableRefusal.TABLE_BUSY, limit=limit, table=self.code)
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
        self._queue.append(intent)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.code}")

    async def _run(self) -> None:
        """Work until nothing waits."""
        batch: list[Intent] = []
        try:
            while self._queue:
                count = min(len(self._queue), self._house.settings.batched_intents)
                batch = [self._queue.popleft() for _ in range(count)]
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
        house = self._house
        ledger = Ledger(
            self._standing, house.settings, house.secrets, house.clock.now(), house.clock.wall(), self._allowances
        )
        outcomes: list[tuple[asyncio.Future[Answer], Answer | Exception]] = []
        failed = False
        for intent in batch:
            try:
                self._do(intent, ledger, outcomes)
            except EvolveFailed:
                self._log.exception("table failed")
                failed = True
                break
        if not failed:
            self._show_presence(ledger)
        if not await self._append(ledger):
            outcomes = [(answer, CallRefused(TableRefusal.NOT_WRITTEN)) for answer in answers_of(batch)]
        give_answers(outcomes)
        if failed:
            self._fail(batch)
        elif self._standing.is_closed:
            self._dismissed()
        self._set_alarm()

    def _do(
        self, intent: Intent, ledger: Ledger, outcomes: list[tuple[asyncio.Future[Answer], Answer | Exception]]
    ) -> None:
        """Do what one intent asks and what follows by itself, and prepare the update that shows it."""
        if self._standing.is_closed:
            gone = CallRefused(TableRefusal.NO_SUCH_TABLE, table=self.code)
            outcomes += [(answer, gone) for answer in answers_of([intent])]
            return
        if isinstance(intent, Asked | Attached | Detached):
            self._visited = ledger.wall
        was_between_hands = self._standing.between_hands
        self._perform(intent, ledger, outcomes)
        for token, why in ledger.closings:
            self._audience.expel(token, why)
        ledger.closings.clear()
        agree(ledger, self._connected())
        if self._standing.between_hands and not was_between_hands and ledger.show():
            # Where nobody has to be waited for, the next deal follows at once: the hand's end is shown all the same.
            self._settle()
            self._prepare()
        go_on(ledger, self._connected())
        self._settle()
        if ledger.show():
            self._prepare()

    def _perform(
        self, intent: Intent, ledger: Ledger, outcomes: list[tuple[asyncio.Future[Answer], Answer | Exception]]
    ) -> None:
        match intent:
            case Asked(call, answer):
                judged = self._attempt(lambda: judge(ledger, call, self._connected()))
                outcomes.append((answer, judged))
            case Looked(look, answer):
                outcomes.append((answer, self._attempt(lambda: look(ledger))))
            case Attached(watcher, answer):
                outcomes.append((answer, self._attempt(lambda: self._attach(ledger, watcher))))
            case Detached(watcher):
                self._audience.detach(watcher)
            case Chosen(choices):
                for choice in choices:
                    play_choice(ledger, choice, self._log)
            case Dismissed(reason, if_old):
                if not if_old or self.old_at <= ledger.wall:
                    ledger.take(Closed(reason=reason))
            case Ticked():
                self._tick(ledger)

    def _attempt(self, attempt: Callable[[], Answer]) -> Answer | Exception:
        """Give an answer, or why there is none."""
        try:
            return attempt()
        except (CallRefused, ShanghaiError) as refused:
            return refused
        except EvolveFailed:
            raise
        except Exception:  # noqa: BLE001 # a fault in one call must not harm its table; it logs the traceback
            self._log.exception("a call failed")
            return CallRefused(TableRefusal.INTERNAL)

    def _attach(self, ledger: Ledger, watcher: Watcher) -> Answer:
        if watcher.token:
            seat = self._standing.seat_of(watcher.token)
            if seat is None:
                raise CallRefused(TableRefusal.BAD_TOKEN)
            come_back(ledger, seat)
        else:
            if not self._standing.options.spectators:
                raise CallRefused(TableRefusal.NO_SPECTATORS, table=self.code)
            check_passcode(ledger, watcher.passcode)
        self._audience.attach(watcher, self._standing)
        return b""

    def _tick(self, ledger: Ledger) -> None:
        """Do what is due."""
        standing, now = self._standing, self._house.clock.now()
        self._audience.release(now)
        match self._timing.due(now):
            case ClockKind.NONCES:
                begin(ledger)
            case ClockKind.OFFER:
                time_out_offer(ledger)
            case ClockKind.TURN:
                time_out(ledger, ledger.game.state.turn, missed=True)
            case ClockKind.PAUSE:
                deal(ledger)
            case None:
                pass
        for token in self._timing.graces_due(now):
            seat = standing.seat_of(token)
            if seat is not None and not standing.seats[seat].absent:
                ledger.take(WentAbsent(seat=seat))
                ledger.may_agree = True
        if self._timing.bots_due(now):
            self._ask_bots()

    def _ask_bots(self) -> None:
        """Let the bots that owe something think. What they choose comes back as an intent like any other."""
        standing, game = self._standing, self._standing.game
        self._timing.bots_asked()
        if game is None:
            return
        decisions = self._showing.decisions()
        questions = [
            Question(
                standing.decision_text, standing.seats[seat].level, standing.bot_salt, game.view(seat), decisions[seat]
            )
            for seat in bots_that_owe(standing)
        ]
        self._thoughts.ask(questions)

    def _connected(self) -> frozenset[int]:
        return self._audience.connected(self._standing)

    def _settle(self) -> None:
        self._timing.settle(self._standing, self._connected(), self._house.clock.now())

    def _show_presence(self, ledger: Ledger) -> None:
        """Prepare the update that shows who came and went, and the first views."""
        if self._audience.changed:
            if self._standing.sequence - self._noted >= UNNOTED_UPDATES - 1:
                ledger.take(Noted())
                ledger.seen = True
                ledger.show()
            else:
                self._standing.showed(self._standing.sequence + 1)
            self._prepare()
        self._audience.prepare_first(self._standing, self._showing, self._clock_shown())

    def _prepare(self) -> None:
        self._audience.changed = False
        self._audience.prepare(self._standing, self._showing, self._clock_shown())

    def _clock_shown(self) -> RunningClock | None:
        return self._timing.shown(self._house.clock.now())

    async def _append(self, ledger: Ledger) -> bool:
        """Write the facts down and publish what they changed, or go back to what is written. Gives which."""
        if ledger.facts:
            records = [fact_bytes(fact) for fact in ledger.dated()]
            try:
                await self._write(records, [isinstance(fact, Snapshot) for fact in ledger.facts])
            except JournalError as error:
                self._log.error("nothing could be written; the table goes back to its last record", error=str(error))
                self._audience.withdraw()
                self._is_stale = True
                self._not_before = self._house.clock.now() + JOURNAL_PAUSE
                await self._rebuild()
                return False
            self._noted = max([self._noted, *(fact.shown for fact in ledger.facts)])
        is_news = self._published != self._standing.sequence
        self._published = self._standing.sequence
        self._audience.publish(self._house.clock.now())
        if is_news:
            self._summarize()
        return True

    async def _write(self, records: list[bytes], is_snapshot: list[bool]) -> None:
        snapshot = len(records) - 1 - is_snapshot[::-1].index(True) if any(is_snapshot) else None
        before = self._written
        self._written = await self._house.journal.append(self.code, before, records, snapshot=snapshot)
        if snapshot is not None:
            self._snapshot = before + 1 + snapshot

    async def _rebuild(self) -> bool:
        """Stand where the journal says; gives whether it could be read."""
        try:
            rebuilt = await rebuild(self._house.journal, self.code, self._house.settings, snapshot=self._snapshot)
        except (JournalError, BadTable) as error:
            self._log.error("the table could not be rebuilt", error=str(error))
            return False
        standing = rebuilt.standing
        standing.sequence = max(standing.sequence, self._published)
        self._standing, self._written, self._snapshot = standing, rebuilt.written, rebuilt.snapshot
        self._showing = Showing(standing)
        self._timing.forget_bots()
        self._is_stale = False
        self._settle()
        return True

    def _summarize(self) -> None:
        summary = summary_bytes(self._standing, self._connected(), self._audience.spectators)
        if summary != self.summary:
            self.summary = summary
            self.status = status_of(self._standing, self._connected())
            self._on_change()

    def _set_alarm(self) -> None:
        """Wake the table when the next thing is due."""
        due = None if self.is_closed else self._timing.next_due()
        if due is not None:
            due = max(due, self._not_before)
        late = None if self.is_closed else self._audience.next_due()
        if late is not None:
            due = late if due is None else min(due, late)
        if due == self._alarm_at:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None if due is None else self._house.clock.call_at(due, self._ring)
        self._alarm_at = due

    def _ring(self) -> None:
        self._alarm, self._alarm_at = None, None
        self._put(Ticked())

    def _fail(self, batch: list[Intent]) -> None:
        """Close this table alone, after a fault of ours. What is in the journal stays."""
        reason = "something in it failed, and the game is kept as it was before"
        self._close(
            CallRefused(TableRefusal.TABLE_CLOSED, table=self.code, reason=reason), table_pb2.CLOSE_REASON_TABLE_CLOSED
        )
        give_answers([(answer, CallRefused(TableRefusal.INTERNAL)) for answer in answers_of(batch)])
        self._on_change()

    def _dismissed(self) -> None:
        """Let everybody go: the table was closed for good, and that is on disk."""
        self._close(CallRefused(TableRefusal.NO_SUCH_TABLE, table=self.code), table_pb2.CLOSE_REASON_TABLE_CLOSED)
        self.is_gone = True
        self._on_change()

    def _close(
        self, refusal: CallRefused, reason: table_pb2.CloseReason.ValueType, retry_after_ms: int | None = None
    ) -> None:
        self.is_closed = True
        self._closed = refusal
        self.summary = b""
        self._audience.close(reason, retry_after_ms)
        give_answers([(answer, refusal) for answer in answers_of(self._queue)])
        self._queue.clear()
        self._set_alarm()
        self._thoughts.cancel()

    async def shut_down(self) -> None:
        """Answer what waits, end all streams and take nothing more: the server stops."""
        while self._task is not None:
            await asyncio.wait([self._task])
        retry = self._house.settings.retry_after_ms
        self._close(CallRefused(TableRefusal.SHUTTING_DOWN), table_pb2.CLOSE_REASON_SHUTTING_DOWN, retry)
