"""How often something may be done: so many times at once, and then so many times a second.

Nothing of this is journaled: after a restart everybody may begin anew. It is a bucket that leaks, in a few lines of
our own: the libraries for it read the system's clock themselves, or wait where a call is to be refused. Here the time
is given, so a test turns the clock, and the refusal says how long to wait.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit: `burst` times at once, and `per_second` times a second in the long run."""

    burst: int
    per_second: float


@dataclass(slots=True)
class Allowances:
    """What each of many has used of its allowances, in times of the server's clock.

    `most` is how many are remembered; then those are forgotten that have done nothing for the longest time. `whole_at`
    is when everybody has all of his allowances again, if nothing is done until then.
    """

    most: int = 1000
    whole_at: float = 0.0
    _used: dict[Hashable, tuple[float, float]] = field(default_factory=dict)

    def wait(self, key: Hashable, rate: Rate, now: float) -> float:
        """Give the seconds until the next time is allowed; 0 where it is now."""
        return max(self._level(key, rate, now) + 1 - rate.burst, 0.0) / rate.per_second

    def use(self, key: Hashable, rate: Rate, now: float) -> None:
        """Take note that it was done once."""
        level = self._level(key, rate, now) + 1
        self._used.pop(key, None)
        self._used[key] = (level, now)
        self.whole_at = max(self.whole_at, now + level / rate.per_second)
        if len(self._used) > self.most:
            # The one that has done nothing for the longest time.
            del self._used[next(iter(self._used))]

    def _level(self, key: Hashable, rate: Rate, now: float) -> float:
        level, at = self._used.get(key, (0.0, now))
        return max(level - (now - at) * rate.per_second, 0.0)
