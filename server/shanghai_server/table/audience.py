"""The audience of a table: its open streams, and what is ready to be shown to them once it is on disk."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from shanghai.v1 import table_pb2
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import Stage, Standing
from shanghai_server.standing.timing import RunningClock
from shanghai_server.table.showing import Showing
from shanghai_server.table.watcher import Shown, Watcher

MOST_LATE_BYTES = 2 * 1024 * 1024
"""How much one table keeps for late spectators: what the longest delay takes among eight, at the usual pace of bots."""


@dataclass(frozen=True, slots=True)
class Late:
    """What spectators will be shown, from when on, and how many games of the table are over in it."""

    due: float
    shown: Shown
    games_over: int


class Audience:
    """The open streams of one table: one of each seat, by the hash of its token, and any number of spectators.

    What is prepared waits until `publish`, or is dropped by `withdraw`. With a delay, in seconds, spectators are shown
    everything so much later: what is published for them is kept until it is due, whether anybody watches or not, so
    that one who comes sees the table as it was. Of a table that was brought back they see how it stands then.
    """

    def __init__(self, delay: float = 0.0) -> None:
        """Begin with nobody there."""
        self._delay = delay
        self._late: deque[Late] = deque()
        self._late_bytes = 0
        self._latest: Late | None = None
        self._seated: dict[str, Watcher] = {}
        self._known: tuple[Seating, frozenset[int]] | None = None
        """Whose persons are connected at a table with these seats, until somebody comes or goes."""
        self._spectators: set[Watcher] = set()
        self._fresh: set[Watcher] = set()
        self._attached: list[Watcher] = []
        self._replaced: list[Watcher] = []
        """Whose seats others came for, who are told so once it is on disk."""
        self._prepared: list[tuple[Watcher, Shown]] = []
        self._prepared_late: list[tuple[Shown, int]] = []
        self._expelled: list[tuple[Watcher, table_pb2.CloseReason.ValueType]] = []
        """Whose tokens hold no seat any more, who are told so once it is on disk."""
        self.counted = True
        """Whether everybody has been shown how many spectators there are."""
        self.changed = False
        """Whether a person has come or gone, or the notice is another one, since the last update was prepared."""

    @property
    def watchers(self) -> list[Watcher]:
        """All open streams."""
        return [*self._seated.values(), *self._spectators]

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return len(self._spectators)

    @property
    def is_late(self) -> bool:
        """Whether spectators see everything later than it happens."""
        return self._delay > 0

    def games_over(self, over: int) -> int:
        """Give how many games of the table a spectator may know to be over, where `over` are."""
        if not self.is_late:
            return over
        return 0 if self._latest is None else self._latest.games_over

    def begin(self, standing: Standing, showing: Showing, *, now: float, age: float) -> None:
        """Keep for late spectators how a table stands that is brought into use `age` seconds after its last fact.

        What was there before that is known no more.
        """
        if self.is_late:
            public = showing.public((), 0, None)
            shown = Shown(standing.sequence, standing.hand_from, standing.told, public, None)
            self._keep_late(Late(now + max(self._delay - age, 0.0), shown, games_over(standing)))
            self.release(now)

    def connected(self, standing: Standing) -> frozenset[int]:
        """Give the seats of the persons whose streams are open."""
        seats = standing.seats
        if self._known is None or self._known[0] is not seats:
            holders = seats.holders
            self._known = seats, frozenset(holders[token] for token in self._seated if token in holders)
        return self._known[1]

    def attach(self, watcher: Watcher, standing: Standing) -> None:
        """Let a stream in. It closes an older one of the same seat, once it is known that it stays."""
        self._known = None
        watcher.told = standing.told_by(watcher.after_sequence)
        self._attached.append(watcher)
        if watcher.token:
            older = self._seated.get(watcher.token)
            if older is not None:
                self._replaced.append(older)
            self._seated[watcher.token] = watcher
            self.changed = self.changed or older is None
        else:
            self._spectators.add(watcher)
            self.counted = False
            if self.is_late:
                if self._latest is not None:
                    watcher.show(self._latest.shown)
                return
        self._fresh.add(watcher)

    def detach(self, watcher: Watcher) -> None:
        """Let a stream go; one that is not here, or no more, changes nothing."""
        self._fresh.discard(watcher)
        if watcher in self._replaced:
            self._replaced.remove(watcher)
        self._expelled = [each for each in self._expelled if each[0] is not watcher]
        if self._seated.get(watcher.token) is watcher:
            del self._seated[watcher.token]
            self._known = None
            self.changed = True
        elif watcher in self._spectators:
            self._spectators.discard(watcher)
            self.counted = False

    def expel(self, token: str, reason: table_pb2.CloseReason.ValueType) -> None:
        """Close the stream of a token that holds no seat any more, once that is on disk.

        The stream that is open now: the token may sit down anew at once, and open another.
        """
        watcher = self._seated.pop(token, None)
        if watcher is not None:
            self._known = None
            self._expelled.append((watcher, reason))

    def prepare(self, standing: Standing, showing: Showing, clock: RunningClock | None) -> None:
        """Encode for everybody how the table stands at this moment."""
        self._prepare_for(self.watchers, standing, showing, clock, late=self.is_late)

    def prepare_first(self, standing: Standing, showing: Showing, clock: RunningClock | None) -> None:
        """Encode a first view for those who have come and for whom nothing is prepared yet."""
        self._prepare_for(list(self._fresh), standing, showing, clock, late=False)

    def _prepare_for(
        self, watchers: list[Watcher], standing: Standing, showing: Showing, clock: RunningClock | None, *, late: bool
    ) -> None:
        if not watchers and not late:
            return
        seats = standing.seats.holders
        public = showing.public(self.connected(standing), self.spectators, clock)
        sequence, hand_from, told = standing.sequence, standing.hand_from, standing.told
        for_spectators = Shown(sequence, hand_from, told, public, None)
        if late:
            self._prepared_late.append((for_spectators, games_over(standing)))
        for watcher in watchers:
            if watcher.token:
                seat = seats.get(watcher.token)
                if seat is None:
                    continue
                shown = Shown(sequence, hand_from, told, public, showing.private(seat))
                self._prepared.append((watcher, shown))
            elif not self.is_late:
                self._prepared.append((watcher, for_spectators))
        self._fresh.clear()

    def publish(self, now: float) -> None:
        """Show what is prepared, and keep for spectators what they are shown later."""
        for older in self._replaced:
            older.close(table_pb2.CLOSE_REASON_REPLACED)
        for watcher, shown in self._prepared:
            watcher.show(shown)
        for shown, over in self._prepared_late:
            self._keep_late(Late(now + self._delay, shown, over))
        for watcher, reason in self._expelled:
            watcher.close(reason)
        self._clear()
        self.release(now)

    def _keep_late(self, late: Late) -> None:
        """Keep what spectators are shown later. Where too much waits the newest is left out for the one behind it.

        Each is whole, so spectators of a table at which bots play faster than anybody reads lose nothing but steps.
        """
        if self._late_bytes > MOST_LATE_BYTES:
            self._late_bytes -= len(self._late.pop().shown.public)
        self._late.append(late)
        self._late_bytes += len(late.shown.public)

    def release(self, now: float) -> None:
        """Show spectators what is due by now."""
        while self._late and self._late[0].due <= now + _EARLY:
            self._latest = self._late.popleft()
            self._late_bytes -= len(self._latest.shown.public)
            for watcher in self._spectators:
                watcher.show(self._latest.shown)

    def next_due(self) -> float | None:
        """Give when spectators are shown something next; none where nothing waits for them."""
        return self._late[0].due if self._late else None

    def withdraw(self) -> None:
        """Drop what is prepared, and those who came meanwhile: it could not be written down.

        Whose seat they came for keeps it, and so does whoever gave it up.
        """
        for watcher in self._attached:
            self.detach(watcher)
        for older in (*(watcher for watcher, _ in self._expelled), *self._replaced):
            self._seated[older.token] = older
        self._known = None
        self._clear()

    def _clear(self) -> None:
        self._prepared = []
        self._prepared_late = []
        self._expelled = []
        self._attached = []
        self._replaced = []

    def close(self, reason: table_pb2.CloseReason.ValueType, retry_after_ms: int | None = None, text: str = "") -> None:
        """End all streams with a reason, and with what the server's host says about it."""
        for watcher in [*self.watchers, *self._replaced, *(watcher for watcher, _ in self._expelled)]:
            watcher.close(reason, retry_after_ms, text)


_EARLY = 0.001
"""An event loop may wake a little before the moment that it was asked for."""


def games_over(standing: Standing) -> int:
    """Give how many games of a table are over."""
    return standing.game_number - (standing.stage is not Stage.OVER)
