"""Chance that is made only when it is asked for: a bot is given some for every decision, and seldom needs it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any


class LateRandom(random.Random):
    """The same as `random.Random(seed())`, but that the seed is not worked out before the first number is asked for.

    To seed a `random.Random` takes longer than most decisions.
    """

    def __init__(self, seed: Callable[[], int]) -> None:
        """Take what will give the seed."""
        # The base's own would seed it at once.
        self._late: Callable[[], int] | None = seed
        self.gauss_next = None

    def _begin(self) -> None:
        if self._late is not None:
            super().seed(self._late())
            self._late = None

    def random(self) -> float:
        """Give the next number from 0.0 up to, but not including, 1.0."""
        self._begin()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """Give a number of `k` random bits."""
        self._begin()
        return super().getrandbits(k)

    def seed(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 whatever the base takes
        """Begin anew from another seed."""
        self._late = None
        super().seed(*arguments, **named)

    def getstate(self) -> tuple[Any, ...]:
        """Give the state, as `random.Random` does."""
        self._begin()
        return super().getstate()

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on from a state."""
        self._late = None
        super().setstate(state)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is by then, a `random.Random`."""
        return random.Random, (), self.getstate()
