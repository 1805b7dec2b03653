"""The discretion of a table: what of it is counted, and told of its answers, only once an open offer has closed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from shanghai_engine.decision import DecisionId
from shanghai_server.house.counts import Counts

KEPT_LINES = 1000
"""So many lines for the log are kept while an offer is open; of more the last ones."""


class Discretion:
    """Keeps back, while an offer is open at a table, what would tell how many have answered it (R7.14).

    What is kept back does not depend on whether anybody has: else that nothing is counted would tell it.
    """

    def __init__(self, counts: Counts, offer: DecisionId | None = None) -> None:
        """Take the numbers that are shown, and the offer that is open, by the id of its decision; none for none."""
        self._shown = counts
        self._kept = Counts()
        self._lines: deque[Callable[[], None]] = deque(maxlen=KEPT_LINES)
        self._offer = offer

    @property
    def counts(self) -> Counts:
        """Where to count now."""
        return self._shown if self._offer is None else self._kept

    def tell(self, line: Callable[[], None]) -> None:
        """Write a line to the log, now or once the offer has closed."""
        if self._offer is None:
            line()
        else:
            self._lines.append(line)

    def see(self, offer: DecisionId | None) -> None:
        """Take note which offer is open now, none for none, and give away what was kept back for another one."""
        if offer == self._offer:
            return
        self._offer = offer
        kept, self._kept = self._kept, Counts()
        self._shown.add(kept)
        while self._lines:
            self._lines.popleft()()
