"""Time as a table sees it: a number of seconds that only grows, and alarms at moments of it.

Everything that waits goes through a `Clock`, so that tests turn the hands of one and never sleep.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


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
    """The clock of the system, with the alarms of the running event loop."""

    def now(self) -> float:
        """Give the time, in seconds."""
        return time.monotonic()

    def wall(self) -> float:
        """Give the time of day, in seconds since 1970 (UTC)."""
        return time.time()

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Make a call once the time is `when`."""
        return asyncio.get_running_loop().call_later(max(when - time.monotonic(), 0), callback)
