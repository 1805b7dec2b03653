"""A figure that something must reach, and whether it does: one line, the same for every bench."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """A figure in words, what was found, and the most that it may be, or where `floor` the least."""

    figure: str
    found: float
    limit: float
    floor: bool = False

    @property
    def met(self) -> bool:
        """Whether what was found is within the limit."""
        return self.found >= self.limit if self.floor else self.found <= self.limit

    def __str__(self) -> str:
        """Give the verdict first, then the figure and the share of the limit that it is."""
        least = "at least" if self.floor else "at most"
        return (
            f"{'met' if self.met else 'NOT MET'}: {self.figure} {self.found:,.4g}, {least} {self.limit:,.4g} is asked"
            f" ({self.found / self.limit:.2f} of it)"
        )
