"""The audience of a table: its open streams, and what is ready to be shown to them once it is on disk."""

from __future__ import annotations

from shanghai.v1 import table_pb2
from shanghai_server.showing import Showing
from shanghai_server.standing import Standing
from shanghai_server.timing import RunningClock
from shanghai_server.watcher import Shown, Watcher


class Audience:
    """The open streams of one table: one of each seat, by the hash of its token, and any number of spectators.

    What is prepared waits until `publish`, or is dropped by `withdraw`.
    """

    def __init__(self) -> None:
        """Begin with nobody there."""
        self._seated: dict[str, Watcher] = {}
        self._spectators: set[Watcher] = set()
        self._fresh: set[Watcher] = set()
        self._attached: list[Watcher] = []
        self._prepared: list[tuple[Watcher, Shown]] = []
        self._leaving: list[str] = []
        self.changed = False
        """Whether somebody has come or gone since the last update was prepared."""

    @property
    def watchers(self) -> list[Watcher]:
        """All open streams."""
        return [*self._seated.values(), *self._spectators]

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return len(self._spectators)

    def connected(self, standing: Standing) -> frozenset[int]:
        """Give the seats of the persons whose streams are open."""
        seats = (standing.seat_of(token) for token in self._seated)
        return frozenset(seat for seat in seats if seat is not None)

    def attach(self, watcher: Watcher, standing: Standing) -> None:
        """Let a stream in. It closes an older one of the same seat."""
        if watcher.token:
            older = self._seated.get(watcher.token)
            if older is not None:
                older.close(table_pb2.CLOSE_REASON_REPLACED)
            self._seated[watcher.token] = watcher
            self.changed = self.changed or older is None
        else:
            self._spectators.add(watcher)
            self.changed = True
        watcher.told = standing.told_by(watcher.after_sequence)
        self._fresh.add(watcher)
        self._attached.append(watcher)

    def detach(self, watcher: Watcher) -> None:
        """Let a stream go; one that is not here, or no more, changes nothing."""
        self._fresh.discard(watcher)
        if self._seated.get(watcher.token) is watcher:
            del self._seated[watcher.token]
            self.changed = True
        elif watcher in self._spectators:
            self._spectators.discard(watcher)
            self.changed = True

    def leave(self, token: str) -> None:
        """Close the stream of a seat that was given up, once that is on disk."""
        self._leaving.append(token)

    def prepare(self, standing: Standing, showing: Showing, clock: RunningClock | None) -> None:
        """Encode for everybody how the table stands at this moment."""
        self._prepare_for(self.watchers, standing, showing, clock)

    def prepare_first(self, standing: Standing, showing: Showing, clock: RunningClock | None) -> None:
        """Encode a first view for those who have come and for whom nothing is prepared yet."""
        self._prepare_for(list(self._fresh), standing, showing, clock)

    def _prepare_for(
        self, watchers: list[Watcher], standing: Standing, showing: Showing, clock: RunningClock | None
    ) -> None:
        if not watchers:
            return
        public = showing.public(self.connected(standing), self.spectators, clock)
        sequence, hand_from, told = standing.sequence, standing.hand_from, standing.told
        for watcher in watchers:
            private = None
            if watcher.token:
                seat = standing.seat_of(watcher.token)
                if seat is None:
                    continue
                private = showing.private(seat)
            self._prepared.append((watcher, Shown(sequence, hand_from, told, public, private)))
        self._fresh.clear()

    def publish(self) -> None:
        """Show what is prepared."""
        for watcher, shown in self._prepared:
            watcher.show(shown)
        for token in self._leaving:
            watcher_of = self._seated.pop(token, None)
            if watcher_of is not None:
                watcher_of.close(table_pb2.CLOSE_REASON_LEFT)
        self._clear()

    def withdraw(self) -> None:
        """Drop what is prepared, and those who came meanwhile: it could not be written down."""
        for watcher in self._attached:
            self.detach(watcher)
        self._clear()

    def _clear(self) -> None:
        self._prepared = []
        self._leaving = []
        self._attached = []

    def close(self, reason: table_pb2.CloseReason.ValueType, retry_after_ms: int | None = None) -> None:
        """End all streams with a reason."""
        for watcher in self.watchers:
            watcher.close(reason, retry_after_ms)
