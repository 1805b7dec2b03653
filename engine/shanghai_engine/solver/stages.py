"""The stages of a plan: one choice after another of its runs, and what there is to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Candidate(NamedTuple):
    """A run to be: its worth, how many wild cards it costs, its window, the places held and taken, and its length.

    `fewest` are the naturals that R8.3 asks of it from the suit's own cards.
    """

    worth: int
    cost: int
    window: int
    held: int
    taken: int
    length: int
    fewest: int


class Stage(NamedTuple):
    """The choice of one run: its size, how many of that size follow, and the later sizes with the number of each."""

    size: int
    following: int
    later: tuple[tuple[int, int], ...]


def stages(sizes: Sequence[int]) -> list[Stage]:
    """Give the stages for runs of these sizes, the largest first."""
    found = []
    for index, size in enumerate(sizes):
        rest = sizes[index + 1 :]
        later = tuple((other, rest.count(other)) for other in dict.fromkeys(rest) if other != size)
        found.append(Stage(size, rest.count(size), later))
    return found
