"""What a server has done since it started, counted: plain numbers that cost nothing to keep.

Nothing in them names a person, a token, a card or a table; `metrics.py` shows them to whoever may look.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

APPEND_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds, in seconds, by which the appends to the journal are told apart."""


@dataclass(slots=True)
class Durations:
    """How long something took: how often up to each bound and no longer than the one before, and in all, in seconds."""

    bounds: tuple[float, ...]
    numbers: list[int] = field(default_factory=list)
    total: float = 0.0

    def __post_init__(self) -> None:
        """Begin with nothing; the last number is of what took longer than every bound."""
        self.numbers = [0] * (len(self.bounds) + 1)

    def add(self, seconds: float) -> None:
        """Take note that it took so long once."""
        self.numbers[bisect_left(self.bounds, seconds)] += 1
        self.total += seconds

    def add_all(self, others: Durations) -> None:
        """Take in others, with the same bounds."""
        self.numbers = [number + more for number, more in zip(self.numbers, others.numbers, strict=True)]
        self.total += others.total


@dataclass(slots=True)
class Counts:
    """The numbers of one server.

    `calls` is by method and outcome (`Outcome`), streams included; `refusals` by reason, which is a code of ours or of
    the engine's; `appends` how long the journal took to make what a table did durable; `messages` and `message_bytes`
    what was sent on streams.
    """

    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    appends: Durations = field(default_factory=lambda: Durations(APPEND_BOUNDS))
    messages: int = 0
    message_bytes: int = 0

    def add(self, others: Counts) -> None:
        """Take in others."""
        self.calls.update(others.calls)
        self.refusals.update(others.refusals)
        self.appends.add_all(others.appends)
        self.messages += others.messages
        self.message_bytes += others.message_bytes
