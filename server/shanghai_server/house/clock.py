"""Time as a table sees it: a number of seconds that only grows, and alarms at moments of it.

Everything that waits goes through a `Clock`, so that tests turn the hands of one and never sleep.
"""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Callable
from typing import Protocol

PULSE = 1.0
"""The seconds between two looks by which a running event loop shows that it runs."""


class Alarm(Protocol):
    """A call that will be made at its moment, unless it is cancelled before."""

    def cancel(self) -> None:
        """Do not make the call; after it was made this does nothing."""
        ...


class Clock(Protocol):
    """What tells the time and wakes. Times are seconds since some moment that nobody needs to know.

    `wall` is the time of day, for what must be right after a restart too; it may jump, so nothing else uses it.
    """

    def now(self) -> float:
        """Give the time, in seconds."""
        ...

    def wall(self) -> float:
        """Give the time of day, in seconds since 1970 (UTC)."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Make a call, on the event loop, once the time is `when`; at once where that is past."""
        ...


class SystemClock:
    """The clock of the system, with the alarms of the running event loop.

    From its first alarm on it leaves out the time in which the loop stood still for two seconds or more, as in a
    process that was stopped or whose machine was: in that time nobody could be heard, so it is nobody's.
    """

    def __init__(self, system: Callable[[], float] = time.monotonic) -> None:
        """Begin with the time of the system, in seconds."""
        self._system = system
        self._left_out = 0.0
        self._seen: float | None = None
        """When the loop was last seen to run, by the system; none before it is looked at."""

    def now(self) -> float:
        """Give the time, in seconds."""
        system = self._system()
        if self._seen is not None:
            gap = system - self._seen
            if gap >= 2 * PULSE:
                # For up to one pulse of it the loop ran.
                self._left_out += gap - PULSE
            self._seen = system
        return system - self._left_out

    def wall(self) -> float:
        """Give the time of day, in seconds since 1970 (UTC)."""
        return time.time()

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Make a call once the time is `when`, or sooner by what is left out meanwhile."""
        if self._seen is None:
            self._seen = self._system()
            _look(weakref.ref(self))
        return asyncio.get_running_loop().call_later(max(when - self.now(), 0), callback)


def _look(clock: weakref.ref[SystemClock]) -> None:
    """See that the loop runs, and again after a while, as long as somebody has the clock."""
    seen = clock()
    if seen is not None:
        seen.now()
        asyncio.get_running_loop().call_later(PULSE, _look, clock)
