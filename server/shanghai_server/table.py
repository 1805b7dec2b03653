"""A table: one game, its people, and the one task that touches them.

Intents wait in a bounded queue. The task takes what waits, judges one after the other (`gates.py`), appends the facts
of all of them at once to the journal, and only then publishes and answers: nobody sees what is not on disk. While
nothing waits there is no task.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass

from google.protobuf.message import Message
from structlog.typing import FilteringBoundLogger

from shanghai.v1 import table_pb2
from shanghai_engine.malformed import ShanghaiError
from shanghai_engine.violation import RuleViolation
from shanghai_server.audience import Audience
from shanghai_server.clock import Alarm, Clock
from shanghai_server.fact import Noted, WentAbsent, fact_bytes
from shanghai_server.gates import judge
from shanghai_server.intent import Asked, Attached, Chosen, Detached, Intent, Looked, Ticked
from shanghai_server.journal import Journal, JournalError
from shanghai_server.ledger import Call, EvolveFailed, Ledger
from shanghai_server.lobby import come_back
from shanghai_server.playing import act_for, begin, deal, go_on, time_out, time_out_offer
from shanghai_server.rebuilding import BadTable, rebuild
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.settings import Settings
from shanghai_server.showing import Showing, summary_bytes
from shanghai_server.standing import Standing
from shanghai_server.thinking import Choice, Question, think
from shanghai_server.timing import ClockKind, RunningClock, Timing, bots_that_owe
from shanghai_server.watcher import Watcher

Answer = Message | bytes

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
    executor: Executor | None
    log: FilteringBoundLogger


class Table:
    """One table.

    `call`, `look`, `attach` and `detach` put an intent into the queue; everything else belongs to the table's task.
    `summary` is the table's line in the list of tables, as it was published last, and empty once the table was closed;
    `on_change` is called when it is another one.
    """

    def __init__(self, standing: Standing, written: int, house: House, on_change: Callable[[Table], None]) -> None:
        """Take how the table stands, and the sequence of its last record in the journal."""
        self.code = standing.table
        self.is_closed = False
        self._closed = CallRefused(TableRefusal.TABLE_CLOSED)
        self._standing = standing
        self._written = written
        self._noted = self._published = standing.sequence
        self._house = house
        self._log: FilteringBoundLogger = house.log.bind(table=standing.table)
        self._on_change = on_change
        self._showing = Showing(standing)
        self._timing = Timing(house.settings)
        self._audience = Audience()
        self._queue: deque[Intent] = deque()
        self._task: asyncio.Task[None] | None = None
        self._thoughts: set[asyncio.Task[None]] = set()
        self._alarm: Alarm | None = None
        self._alarm_at: float | None = None
        self._not_before = 0.0
        self._is_stale = False
        self.summary = summary_bytes(standing, (), 0)

    @property
    def watchers(self) -> list[Watcher]:
        """All open streams."""
        return self._audience.watchers

    async def call(self, call: Call) -> Answer:
        """Do what a call asks, and give the answer once it is on disk.

        Raises `CallRefused`, and the engine's `RuleViolation` and `Malformed`.
        """
        return await self._ask(lambda answer: Asked(call, answer))

    async def look(self, look: Callable[[Standing], Answer]) -> Answer:
        """Give what a question finds, which changes nothing; raises `CallRefused`."""
        return await self._ask(lambda answer: Looked(look, answer))

    async def attach(self, watcher: Watcher) -> None:
        """Open a stream; raises `CallRefused`."""
        await self._ask(lambda answer: Attached(watcher, answer))

    def detach(self, watcher: Watcher) -> None:
        """Take note that a stream is closed."""
        self._put(Detached(watcher))

    async def _ask(self, intent: Callable[[asyncio.Future[Answer]], Intent]) -> Answer:
        if self.is_closed:
            raise self._closed
        limit = self._house.settings.queued_intents
        if len(self._queue) >= limit:
            raise CallRefused(TableRefusal.TABLE_BUSY, limit=limit, table=self.code)
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
            self._log.exception("table failed")
            self._fail(batch)
        finally:
            self._task = None

    async def _process(self, batch: list[Intent]) -> None:
        if self._is_stale and not await self._rebuild():
            _answer([(answer, CallRefused(TableRefusal.NOT_WRITTEN)) for answer in _answers(batch)])
            self._set_alarm()
            return
        ledger = Ledger(self._standing, self._house.settings)
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
            outcomes = [(answer, CallRefused(TableRefusal.NOT_WRITTEN)) for answer in _answers(batch)]
        _answer(outcomes)
        if failed:
            self._fail(batch)
        self._set_alarm()

    def _do(
        self, intent: Intent, ledger: Ledger, outcomes: list[tuple[asyncio.Future[Answer], Answer | Exception]]
    ) -> None:
        """Do what one intent asks, and prepare the update that shows it."""
        was_between_hands = self._standing.between_hands
        match intent:
            case Asked(call, answer):
                outcomes.append((answer, self._call(ledger, call)))
            case Looked(look, answer):
                outcomes.append((answer, self._attempt(lambda: look(self._standing))))
            case Attached(watcher, answer):
                outcomes.append((answer, self._attach(ledger, watcher)))
            case Detached(watcher):
                self._audience.detach(watcher)
            case Chosen(choices):
                for choice in choices:
                    self._choose(ledger, choice)
            case Ticked():
                self._tick(ledger)
        if self._standing.between_hands and not was_between_hands and ledger.show():
            # Where nobody has to be waited for, the next deal follows at once: the hand's end is shown all the same.
            self._settle()
            self._prepare()
        go_on(ledger, self._connected())
        self._settle()
        if ledger.show():
            self._prepare()

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

    def _call(self, ledger: Ledger, call: Call) -> Answer | Exception:
        answer = self._attempt(lambda: judge(ledger, call, self._connected()))
        if call.verb == "LeaveTable" and not isinstance(answer, Exception):
            self._audience.leave(call.token)
        return answer

    def _attach(self, ledger: Ledger, watcher: Watcher) -> Answer | Exception:
        if watcher.token:
            seat = self._standing.seat_of(watcher.token)
            if seat is None:
                return CallRefused(TableRefusal.BAD_TOKEN)
            come_back(ledger, seat)
        self._audience.attach(watcher, self._standing)
        return b""

    def _choose(self, ledger: Ledger, choice: Choice) -> None:
        """Do what a bot chose, if its seat still owes that and is still played by it."""
        standing = self._standing
        if choice.decision != str(standing.decision_id) or choice.seat not in bots_that_owe(standing):
            return
        if choice.action is not None:
            try:
                act_for(ledger, choice.seat, choice.action)
            except RuleViolation as refused:
                self._log.error("a bot chose what is not lawful", seat=choice.seat, reason=refused.code)
            else:
                return
        time_out(ledger, choice.seat, missed=False)

    def _tick(self, ledger: Ledger) -> None:
        """Do what is due."""
        standing, now = self._standing, self._house.clock.now()
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
            Question(standing.seats[seat].level, standing.bot_salt, game.view(seat), decisions[seat])
            for seat in bots_that_owe(standing)
        ]
        thought = asyncio.get_running_loop().create_task(self._think(questions), name=f"bots of {self.code}")
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)

    async def _think(self, questions: list[Question]) -> None:
        try:
            choices = await think(questions, self._house.executor, self._log)
        except Exception:  # noqa: BLE001 # the task's outermost line; it logs the traceback, and the game goes on
            self._log.exception("bots could not think")
            choices = [Choice(asked.decision.seat, str(asked.decision.id), None) for asked in questions]
        self._put(Chosen(choices))

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
            records = [fact_bytes(fact) for fact in ledger.facts]
            try:
                self._written = await self._house.journal.append(self.code, self._written, records)
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
        self._audience.publish()
        if is_news:
            self._summarize()
        return True

    async def _rebuild(self) -> bool:
        """Stand where the journal says; gives whether it could be read."""
        try:
            standing, written = await rebuild(self._house.journal, self.code, self._house.settings)
        except (JournalError, BadTable) as error:
            self._log.error("the table could not be rebuilt", error=str(error))
            return False
        standing.sequence = max(standing.sequence, self._published)
        self._standing, self._written = standing, written
        self._showing = Showing(standing)
        self._timing.forget_bots()
        self._is_stale = False
        self._settle()
        return True

    def _summarize(self) -> None:
        summary = summary_bytes(self._standing, self._connected(), self._audience.spectators)
        if summary != self.summary:
            self.summary = summary
            self._on_change(self)

    def _set_alarm(self) -> None:
        """Wake the table when the next thing is due."""
        due = None if self.is_closed else self._timing.next_due()
        if due is not None:
            due = max(due, self._not_before)
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
        _answer([(answer, CallRefused(TableRefusal.INTERNAL)) for answer in _answers(batch)])
        self._on_change(self)

    def _close(
        self, refusal: CallRefused, reason: table_pb2.CloseReason.ValueType, retry_after_ms: int | None = None
    ) -> None:
        self.is_closed = True
        self._closed = refusal
        self.summary = b""
        self._audience.close(reason, retry_after_ms)
        _answer([(answer, refusal) for answer in _answers(self._queue)])
        self._queue.clear()
        self._set_alarm()
        for thought in self._thoughts:
            thought.cancel()

    async def shut_down(self) -> None:
        """Answer what waits, end all streams and take nothing more: the server stops."""
        while self._task is not None:
            await asyncio.wait([self._task])
        retry = self._house.settings.retry_after_ms
        self._close(CallRefused(TableRefusal.SHUTTING_DOWN), table_pb2.CLOSE_REASON_SHUTTING_DOWN, retry)


def _answers(intents: Iterable[Intent]) -> list[asyncio.Future[Answer]]:
    return [intent.answer for intent in intents if isinstance(intent, Asked | Looked | Attached)]


def _answer(outcomes: Iterable[tuple[asyncio.Future[Answer], Answer | Exception]]) -> None:
    """Give every call its answer, unless whoever made it has gone."""
    for future, outcome in outcomes:
        if future.done():
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
