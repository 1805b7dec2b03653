"""The steward of a table: does what one intent after the other asks and what follows, and prepares what it shows.

Nothing here is written down or sent; that is the table's business, once for a batch of intents.
"""

from __future__ import annotations

from collections.abc import Callable

from structlog.typing import FilteringBoundLogger

from shanghai.v1 import table_pb2
from shanghai_engine.malformed import ShanghaiError
from shanghai_server.house.house import House
from shanghai_server.house.rate import Allowances
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.disposal import old_at
from shanghai_server.standing.fact import Closed, Noted, WentAbsent
from shanghai_server.standing.ledger import EvolveFailed, Ledger
from shanghai_server.standing.standing import Standing
from shanghai_server.standing.timing import ClockKind, RunningClock, Timing, bots_that_owe
from shanghai_server.table.audience import Audience
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
)
from shanghai_server.table.showing import Showing
from shanghai_server.table.watcher import Watcher
from shanghai_server.verbs.agreeing import agree
from shanghai_server.verbs.gates import judge
from shanghai_server.verbs.joining import check_spectator
from shanghai_server.verbs.lobby import come_back, sit_down
from shanghai_server.verbs.playing import MISSED_TURNS, begin, deal, go_on, play_choice, time_out, time_out_offer
from shanghai_server.verbs.thinking import Choice, Question, Thoughts

CROWD = 32
"""From so many spectators on it is shown only now and then how many there are."""
CROWD_PAUSE = 1.0
"""The seconds between two updates that show no more than that."""
UNNOTED_UPDATES = 1000
"""How many updates that only showed who came and went may follow the last fact before one is written for them. A
restarted server goes on so many behind the last one that it finds, so that a sequence never comes twice."""


class Steward:
    """What a table is while it is in use: how it stands, its clocks, its streams, and its bots.

    `visited` is when somebody was there before the streams that are open now, in seconds since 1970, `allowances` how
    often what has been done here. `chosen` is given what the bots choose.
    """

    def __init__(
        self,
        standing: Standing,
        house: House,
        log: FilteringBoundLogger,
        chosen: Callable[[list[Choice]], None],
        *,
        timing: Timing | None,
        visited: float,
    ) -> None:
        """Take how the table stands, and the clocks where it has been in use before."""
        self.standing = standing
        self.timing = timing or Timing(house.settings)
        self._visited = visited
        self._house = house
        self._log = log
        self._showing = Showing(standing, self._house.board)
        self.allowances = Allowances()
        self.thoughts = Thoughts(standing.table, house.executor, log, chosen)
        self._count_due = 0.0
        self.audience = self._late_audience()

    def _late_audience(self) -> Audience:
        """Give an audience; late spectators of it see how the table stands once its last fact is old enough."""
        standing, clock = self.standing, self._house.clock
        audience = Audience(standing.options.spectator_delay_ms / 1000)
        age = max(clock.wall() - standing.at, 0.0)
        audience.begin(standing, self._showing, now=clock.now(), age=age)
        return audience

    def stand(self, standing: Standing) -> None:
        """Go on from how the journal says that the table stands; what the bots chose since then has not happened."""
        self.standing = standing
        self._showing = Showing(standing, self._house.board)
        self.timing.forget_bots()
        self._settle(self.connected)

    @property
    def connected(self) -> frozenset[int]:
        """The seats of the persons whose streams are open."""
        return self.audience.connected(self.standing)

    @property
    def visited(self) -> float:
        """When somebody was at the table last, in seconds since 1970; now, where a stream is open."""
        return self._house.clock.wall() if self.audience.watchers else self._visited

    @property
    def old_at(self) -> float:
        """When the table is to be disposed of if nobody comes, in seconds since 1970."""
        return old_at(self.standing, self._house.settings, self.visited)

    def open_ledger(self, *, behind: int, size: int) -> Ledger:
        """Give a ledger for the next batch of intents, for a table of `size` bytes.

        `behind` records stand behind the last snapshot.
        """
        house, clock = self._house, self._house.clock
        return Ledger(
            self.standing,
            house.settings,
            house.secrets,
            clock.now(),
            clock.wall(),
            self.allowances,
            behind=behind,
            is_full=size >= house.settings.table_bytes,
        )

    def do(self, intent: Intent, ledger: Ledger, outcomes: Outcomes) -> None:
        """Do what one intent asks and what follows by itself, and prepare the update that shows it.

        The outcome goes to `outcomes`. Raises `EvolveFailed`, and then the table cannot go on.
        """
        if self.standing.closed is not None:
            gone = CallRefused(TableRefusal.TABLE_CLOSED, table=self.standing.table, reason=self.standing.closed)
            outcomes += [(answer, gone) for answer in answers_of([intent])]
            return
        if isinstance(intent, Asked | Attached | Detached):
            self._visited = ledger.wall
        was_between_hands = self.standing.between_hands
        self._perform(intent, ledger, outcomes)
        for token, why in ledger.closings:
            self.audience.expel(token, why)
        ledger.closings.clear()
        # What follows by itself lets nobody in and sends nobody away.
        connected = self.connected
        agree(ledger, connected)
        if self.standing.between_hands and not was_between_hands and ledger.show():
            # Where nobody has to be waited for, the next deal follows at once: the hand's end is shown all the same.
            self._settle(connected)
            self._prepare()
        go_on(ledger, connected)
        self._settle(connected)
        if ledger.show():
            self._prepare()

    def _perform(self, intent: Intent, ledger: Ledger, outcomes: Outcomes) -> None:
        match intent:
            case Asked(call, answer):
                judged = self._attempt(lambda: judge(ledger, call, self.connected))
                outcomes.append((answer, judged))
            case Attached(watcher, answer):
                outcomes.append((answer, self._attempt(lambda: self._attach(ledger, watcher))))
            case Detached(watcher):
                self.audience.detach(watcher)
            case Chosen(choices):
                for choice in choices:
                    play_choice(ledger, choice, self._log)
            case Dismissed(reason, if_old):
                self._dismiss(ledger, reason, if_old=if_old)
            case Refreshed():
                self.audience.changed = True
            case Ticked():
                self._tick(ledger)

    def _dismiss(self, ledger: Ledger, reason: str, *, if_old: bool) -> None:
        if not if_old or self.old_at <= ledger.wall:
            ledger.take(Closed(reason=reason))

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
            seat = self.standing.seat_of(watcher.token)
            if seat is None:
                raise CallRefused(TableRefusal.BAD_TOKEN)
            seated = self.standing.seats[seat]
            # Who has missed turns was connected: that his client comes back by itself shows nothing of him (R14.2).
            shows_person = not watcher.sitting or watcher.sitting != seated.sitting or seated.missed < MISSED_TURNS
            if not sit_down(ledger, seat, watcher.sitting):
                watcher.close(table_pb2.CLOSE_REASON_REPLACED)
                return b""
            if shows_person:
                come_back(ledger, seat)
        else:
            check_spectator(ledger, watcher.passcode, watcher.peer)
        self.audience.attach(watcher, self.standing)
        return b""

    def _tick(self, ledger: Ledger) -> None:
        """Do what is due."""
        standing, now = self.standing, self._house.clock.now()
        self.audience.release(now)
        match self.timing.due(now):
            case ClockKind.NONCES:
                begin(ledger)
            case ClockKind.OFFER:
                time_out_offer(ledger)
            case ClockKind.TURN:
                time_out(ledger, ledger.game.state.turn, missed=True)
            case ClockKind.PAUSE:
                deal(ledger, self.connected)
            case None:
                pass
        for token in self.timing.graces_due(now):
            seat = standing.seat_of(token)
            if seat is not None and not standing.seats[seat].absent:
                ledger.take(WentAbsent(seat=seat))
                ledger.may_agree = True
        if self.timing.bots_due(now):
            self._ask_bots()

    def _ask_bots(self) -> None:
        """Let the bots that owe something think. What they choose comes back as an intent like any other."""
        standing, game = self.standing, self.standing.game
        self.timing.bots_asked()
        if game is None:
            return
        decisions, name = self._showing.decisions(), standing.decision_text
        questions = [
            Question(name, standing.seats[seat].level, standing.bot_salt, game.view(seat), decisions[seat])
            for seat in bots_that_owe(standing)
        ]
        self.thoughts.ask(questions)

    def _settle(self, connected: frozenset[int]) -> None:
        self.timing.settle(self.standing, connected, self._house.clock.now())

    def show_presence(self, ledger: Ledger, noted: int) -> None:
        """Prepare the update that shows who came and went, and the first views.

        `noted` is the sequence of the last update that is written down.
        """
        if self.audience.changed or self._must_count():
            if self.standing.sequence - noted >= UNNOTED_UPDATES - 1:
                ledger.take(Noted())
                ledger.seen = True
                ledger.show()
            else:
                self.standing.showed(self.standing.sequence + 1)
            self._prepare()
        self.audience.prepare_first(self.standing, self._showing, self._clock_shown())

    def _must_count(self) -> bool:
        """Say whether it is time to show how many spectators there are, and that is all that has changed.

        Where they are a crowd, each who comes or goes would cost an update to all: then that is shown now and then.
        """
        if self.audience.counted:
            return False
        return self.audience.spectators < CROWD or self._count_due <= self._house.clock.now()

    def _prepare(self) -> None:
        self.audience.changed, self.audience.counted = False, True
        self._count_due = self._house.clock.now() + CROWD_PAUSE
        self.audience.prepare(self.standing, self._showing, self._clock_shown())

    def _clock_shown(self) -> RunningClock | None:
        return self.timing.shown(self._house.clock.now())

    def next_due(self, not_before: float) -> float | None:
        """Give when something is due next; none where nothing is. The clocks stand still until `not_before`."""
        due = self.timing.next_due()
        late = self.audience.next_due()
        moments = [] if due is None else [max(due, not_before)]
        if not self.audience.counted:
            moments.append(self._count_due)
        return min(moments if late is None else [*moments, late], default=None)
