"""A clock whose hands a test turns: no test waits for time to pass."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass


class HandClock:
    """A clock whose hands a test turns."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._alarms: list[tuple[float, int, HandAlarm]] = []
        self._count = itertools.count()

    def now(self) -> float:
        """Give the time, in seconds."""
        return self._now

    def wall(self) -> float:
        """Give the time of day, in seconds since 1970."""
        return self._now + 1_800_000_000

    def call_at(self, when: float, callback: Callable[[], None]) -> HandAlarm:
        """Keep a call until its moment; one that is due already is made soon."""
        alarm = HandAlarm(callback)
        if when <= self._now:
            asyncio.get_running_loop().call_soon(alarm.ring)
        else:
            heapq.heappush(self._alarms, (when, next(self._count), alarm))
        return alarm

    def advance(self, seconds: float) -> None:
        """Let time pass, and make the calls that are due, in their order."""
        end = self._now + seconds
        while self._alarms and self._alarms[0][0] <= end:
            self._now, _, alarm = heapq.heappop(self._alarms)
            alarm.ring()
        self._now = end


@dataclass
class HandAlarm:
    """A call that a `HandClock` will make."""

    callback: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        """Do not make it."""
        self.cancelled = True

    def ring(self) -> None:
        """Make it, once."""
        if not self.cancelled:
            self.cancelled = True
            self.callback()
