"""The clocks of a table: what is due when, and which clock everybody sees.

They run only for whom owes something, and only while at least one person is connected, or none is left to wait for, and
nobody has paused the game; stopped they keep what is left. A person's grace runs before and after a game too: who is
absent is not the host. Nothing of them is journaled: after a restart a clock begins anew, and those of a seat only once
its person is back or its grace is over. Whoever sits down later is not waited for in this way: else anybody could take
the clock from all by sitting down and never coming.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from enum import Enum

from shanghai_engine.state import Phase
from shanghai_server.house.settings import Settings
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import PausedBy, Stage, Standing

_EARLY = 0.001
"""An event loop may wake a little before the moment that it was asked for."""


class ClockKind(Enum):
    """What a clock runs for."""

    OFFER = "offer"
    TURN = "turn"
    PAUSE = "pause"
    NONCES = "nonces"


@dataclass(slots=True)
class Countdown:
    """A time that runs out, in seconds, while it runs: what is left when it stands, when it ends while it runs."""

    left: float
    ends: float | None = None

    def run(self, now: float, *, running: bool) -> None:
        """Let it run or stand from now on."""
        if running and self.ends is None:
            self.ends = now + self.left
        elif not running and self.ends is not None:
            self.left = max(self.ends - now, 0.0)
            self.ends = None

    def is_due(self, now: float) -> bool:
        """Say whether it has run out."""
        return self.ends is not None and self.ends <= now + _EARLY


@dataclass(frozen=True, slots=True)
class Wanted:
    """The clock that a standing asks for: `name` tells it from every other, `seats` are those that it waits for."""

    name: Hashable
    kind: ClockKind
    seat: int | None
    seats: tuple[int, ...]
    ms: int


@dataclass(frozen=True, slots=True)
class RunningClock:
    """The clock that everybody sees, with the milliseconds left."""

    kind: ClockKind
    seat: int | None
    left_ms: int


class Timing:
    """The clocks of one table."""

    def __init__(self, settings: Settings, *, awaited: Collection[str] = ()) -> None:
        """Begin with no clock; `settle` says what is wanted.

        `awaited` are the tokens (SHA-256) of those who sat there before a restart, and are given time to come back.
        """
        self._settings = settings
        self._wanted: Wanted | None = None
        self._clock: Countdown | None = None
        self._graces: dict[str, Countdown] = {}
        self._bots: tuple[Hashable, Countdown | None] | None = None
        self._awaited = set(awaited)
        self._settled: tuple[Seating, Collection[int], PausedBy | None] | None = None
        """The seats, who was connected, and the pause, by which it is settled whom the table waits for."""

    def settle(self, standing: Standing, connected: Collection[int], now: float) -> None:
        """Take in how the table stands now, and whose persons are connected."""
        seats, pause = standing.seats, standing.pause
        if (
            self._settled is None
            or self._settled[0] is not seats
            or self._settled[1] != connected
            or self._settled[2] is not pause
        ):
            self._settled = seats, connected, pause
            self._settle_persons(standing, connected, now)
        wanted = _wanted(standing, self._settings)
        if wanted is None:
            if standing.stage is not Stage.PLAYING:
                self._clock = None
            elif self._clock is not None:
                # Kept: else whoever lets a stand-in have his seat and takes it again would have all the time once more.
                self._clock.run(now, running=False)
        else:
            if self._clock is None or self._wanted is None or wanted.name != self._wanted.name:
                self._clock = Countdown(wanted.ms / 1000)
            self._wanted = wanted
            self._clock.run(now, running=self._runs(standing, wanted, connected))
        self._settle_bots(standing, connected, now)

    def _runs(self, standing: Standing, wanted: Wanted, connected: Collection[int]) -> bool:
        if wanted.kind is ClockKind.NONCES:
            return True
        if standing.pause is not None:
            return False
        return standing.is_attended(connected) and not any(self._is_waited_for(standing, seat) for seat in wanted.seats)

    def _is_waited_for(self, standing: Standing, index: int) -> bool:
        """Say whether the table waits for a seat: by its option, or because it has not come back since the restart."""
        seat = standing.seats[index]
        if not seat.is_person:
            return False
        if seat.absent:
            return standing.options.wait_for_absent
        return standing.options.grace_ms > 0 and seat.token in self._awaited

    def _settle_persons(self, standing: Standing, connected: Collection[int], now: float) -> None:
        seats = standing.seats
        gone = {seats[index].token for index in seats.present.difference(connected)}
        # Once for each: whoever comes, is absent, or holds the seat no more is not awaited again.
        self._awaited &= gone
        if not standing.options.grace_ms:
            gone.clear()
        for token in self._graces.keys() - gone:
            del self._graces[token]
        for token in gone:
            grace = self._graces.setdefault(token, Countdown(standing.options.grace_ms / 1000))
            grace.run(now, running=bool(connected) and standing.pause is None)

    def _settle_bots(self, standing: Standing, connected: Collection[int], now: float) -> None:
        bots = standing.played_by_bots
        if not bots or not standing.is_attended(connected) or next(bots_that_owe(standing), None) is None:
            self._bots = None
            return
        # With the seats: when another seat is given to a stand-in, the bots are asked again. Those that have answered
        # stay in it: that a person has answered before his stand-in must not show in when others do (R7.14).
        name = (standing.game_number, standing.decision_id, tuple(_bots_asked(standing)))
        if self._bots is None or self._bots[0] != name:
            pace = Countdown(standing.options.bot_pace_ms / 1000)
            pace.run(now, running=True)
            self._bots = (name, pace)

    def bots_asked(self) -> None:
        """Take note that the bots are thinking, and are not to be asked again about the same."""
        if self._bots is not None:
            self._bots = (self._bots[0], None)

    def forget_bots(self) -> None:
        """Let the bots be asked again: what they chose was not written down."""
        self._bots = None

    def due(self, now: float) -> ClockKind | None:
        """Give the kind of the clock that has run out; none where it has not."""
        if self._clock is not None and self._wanted is not None and self._clock.is_due(now):
            return self._wanted.kind
        return None

    def graces_due(self, now: float) -> list[str]:
        """Give the tokens (SHA-256) of those whose grace is over."""
        return [token for token, grace in self._graces.items() if grace.is_due(now)]

    def bots_due(self, now: float) -> bool:
        """Say whether the bots that owe something have taken long enough."""
        pace = self._bots[1] if self._bots is not None else None
        return pace is not None and pace.is_due(now)

    def next_due(self) -> float | None:
        """Give the next moment at which something is due; none where nothing runs."""
        pace = self._bots[1] if self._bots is not None else None
        countdowns = (*self._graces.values(), self._clock, pace)
        return min((each.ends for each in countdowns if each is not None and each.ends is not None), default=None)

    def shown(self, now: float) -> RunningClock | None:
        """Give the clock that everybody sees; none where none runs."""
        if self._clock is None or self._wanted is None or self._clock.ends is None:
            return None
        left = max(round((self._clock.ends - now) * 1000), 0)
        return RunningClock(self._wanted.kind, self._wanted.seat, left)


def bots_that_owe(standing: Standing) -> Iterator[int]:
    """Give the seats that a bot plays and that owe something in the game."""
    if standing.game is None or standing.stage is not Stage.PLAYING or standing.pause is not None:
        return
    state = standing.game.state
    if state.phase is Phase.OFFER:
        bots = standing.played_by_bots
        yield from (seat for seat in state.asked.order if seat not in state.answers and seat in bots)
    elif state.phase is Phase.PLAY and state.turn in standing.played_by_bots:
        yield state.turn


def _bots_asked(standing: Standing) -> Iterator[int]:
    """Give the seats that a bot plays and that the open decision is put to, whether they have answered or not."""
    if standing.game is not None:
        state = standing.game.state
        asked = state.asked.order if state.phase is Phase.OFFER else (state.turn,)
        bots = standing.played_by_bots
        yield from (seat for seat in asked if seat in bots)


def _wanted(standing: Standing, settings: Settings) -> Wanted | None:
    if standing.stage is Stage.STARTING:
        return Wanted(("nonces", standing.game_number), ClockKind.NONCES, None, (), settings.nonces_ms)
    if standing.game is None or standing.stage is not Stage.PLAYING:
        return None
    state, options = standing.game.state, standing.options
    bots = standing.played_by_bots
    if state.phase is Phase.HAND_OVER:
        if options.pause_ms:
            return Wanted(("pause", standing.game_number, state.hand), ClockKind.PAUSE, None, (), options.pause_ms)
    elif state.phase is Phase.OFFER:
        # All seats of the claim order, whether they have answered or not: the clock must not tell (R7.14).
        asked = tuple([seat for seat in state.asked.order if seat not in bots])
        if asked and options.offer_ms:
            name: Hashable = ("offer", standing.game_number, standing.decision_id)
            return Wanted(name, ClockKind.OFFER, None, asked, options.offer_ms)
    elif state.turn not in bots and options.turn_ms:
        # Without the step: a turn has one clock, from its draw to its discard.
        name = ("turn", standing.game_number, state.hand, state.turn_number)
        return Wanted(name, ClockKind.TURN, state.turn, (state.turn,), options.turn_ms)
    return None
