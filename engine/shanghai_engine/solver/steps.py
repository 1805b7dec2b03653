"""Steps: what a part of a hand can use at most with so many wild cards, and what several parts can together.

Each step is the net number of wild cards that are needed, and the worth that is then used; both rise.
"""

from __future__ import annotations

from collections.abc import Sequence

Steps = list[tuple[int, int]]
"""Net wild cards, and worth, both rising."""
NOTHING: Steps = [(0, 0)]
TOO_FEW = -1 << 40
"""What is used where there are too few wild cards for anything: far less than nothing."""


def rising(steps: Sequence[tuple[int, int]]) -> Steps:
    """Give the steps that are worth more than all with as few wild cards."""
    kept: Steps = []
    most, last = TOO_FEW, TOO_FEW
    for step in sorted(steps):
        net, worth = step
        if worth > most:
            if net == last:
                kept[-1] = step
            else:
                kept.append(step)
            most, last = worth, net
    return kept


def together(one: Steps, other: Steps) -> Steps:
    """Give the steps of two parts of a hand together."""
    if one == NOTHING:
        return other
    if other == NOTHING:
        return one
    return rising([(net + more, worth + further) for net, worth in one for more, further in other])


def most_within(steps: Steps, jokers: int) -> int:
    """Give the most worth with so many jokers; `TOO_FEW` where there are not enough for anything."""
    most = TOO_FEW
    for net, worth in steps:
        if net > jokers:
            break
        most = worth
    return most


def most_together(one: Steps, other: Steps, jokers: int) -> int:
    """Give the most worth of two parts of a hand with so many jokers; `TOO_FEW` where there are not enough."""
    most = TOO_FEW
    place = len(other) - 1
    for net, worth in one:
        while place >= 0 and net + other[place][0] > jokers:
            place -= 1
        if place < 0:
            break
        both = worth + other[place][1]
        most = max(most, both)
    return most


def later(by_suit: Sequence[Steps]) -> list[Steps]:
    """Give by suit the steps of all later suits together, and last those of all suits."""
    steps = [NOTHING]
    for own in reversed(by_suit):
        steps.append(together(own, steps[-1]))
    whole = steps.pop()
    return [*reversed(steps), whole]
