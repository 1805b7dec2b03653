"""The admission to a table: which calls and streams come as far as its queue.

By the seat alone, where one makes the call: nobody at another address can use a seat's allowance up, and no stranger
fills the queue of a table.
"""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_server.house.house import House
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.table.steward import Steward
from shanghai_server.table.watcher import Watcher


class Admission:
    """Lets calls and streams in, or refuses them with the time to wait."""

    def __init__(self, steward: Steward, house: House) -> None:
        """Take who knows the seats of the table, and what bounds them."""
        self._steward = steward
        self._house = house

    def check_call(self, token: str, peer: str) -> None:
        """Take note of a call; raises `CallRefused` where its seat, or its peer without a seat, makes too many."""
        rate, now = self._house.settings.calls, self._house.clock.now()
        seat = self._steward.standing.seat_of(token)
        if seat is None:
            self._house.peers.check_call(peer)
            return
        wait = self._steward.allowances.wait(("call", token), rate, now)
        if wait:
            per_second = f"{rate.per_second:g}"
            raise CallRefused.for_now(TableRefusal.TOO_FAST, wait, seat=seat, limit=rate.burst, per_second=per_second)
        self._steward.allowances.use(("call", token), rate, now)

    def check_stream(self, watcher: Watcher, waiting: Sequence[Watcher]) -> None:
        """Take note of a stream that comes, where others wait to be let in; raises `CallRefused`.

        What bounds streams is how many are open, not the calls that wait: all may come at once, after a restart, say.
        """
        settings, table = self._house.settings, self._steward.standing.table
        wait = settings.heartbeat_ms / 1000
        if len(waiting) >= settings.queued_streams:
            limit = settings.queued_streams
            raise CallRefused.for_now(TableRefusal.TOO_MANY_STREAMS, wait, limit=limit, table=table)
        if watcher.token:
            # It takes the place of an older one, so spectators alone can be too many.
            self.check_call(watcher.token, watcher.peer)
            return
        spectators = self._steward.audience.spectators + sum(not each.token for each in waiting)
        if spectators >= settings.spectators:
            limit = settings.spectators
            raise CallRefused.for_now(TableRefusal.TOO_MANY_SPECTATORS, wait, limit=limit, table=table)
        self._house.peers.check_opening(watcher.peer)
