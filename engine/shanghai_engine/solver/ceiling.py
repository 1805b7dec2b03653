"""The ceiling: the most that runs of one size can use, by suit, number of runs and wild cards.

`ceiling[suit][runs][jokers]` is the most that so many runs can use of this suit and the later ones together, with so
many wild cards in their gaps; cards that two runs both want are counted once for each suit at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shanghai_engine.solver.steps import TOO_FEW, Steps, rising


class SuitOffer(NamedTuple):
    """What a suit has for runs: the steps of `one` run, what the `whole` suit is worth, and how many cards it has."""

    one: Steps
    whole: int
    cards: int


def ceiling(suits: Sequence[SuitOffer], *, size: int, runs: int, wilds: int) -> list[list[list[int]]]:
    """Give the ceiling of up to so many runs of a size, with up to so many wild cards.

    It is `TOO_FEW` and less where there cannot be so many runs.
    """
    later = [[TOO_FEW if number else 0] * (wilds + 1) for number in range(runs + 1)]
    found = [later]
    for suit in reversed(suits):
        if suit.one:
            alone = _alone(suit, size=size, runs=runs, wilds=wilds)
            later = [_both(alone, later, number) for number in range(runs + 1)]
        found.append(later)
    found.reverse()
    return found


def _alone(suit: SuitOffer, *, size: int, runs: int, wilds: int) -> list[Steps]:
    """Give for 1, 2, ... runs in one suit the steps of what they can use at most."""
    found = [suit.one]
    for number in range(2, runs + 1):
        # What two runs both want is a gap in one of them.
        fewest = size * number - suit.cards
        steps = [
            (max(gaps + more, fewest), min(suit.whole, worth + other))
            for gaps, worth in suit.one
            for more, other in found[-1]
        ]
        found.append(rising([step for step in steps if step[0] <= wilds]))
    return found


def _both(alone: Sequence[Steps], later: Sequence[Sequence[int]], runs: int) -> list[int]:
    """Give by jokers the most that so many runs can use of one suit and the later ones together."""
    most = list(later[runs])
    for here, steps in enumerate(alone[:runs], start=1):
        rest = later[runs - here]
        for gaps, worth in steps:
            for jokers in range(gaps, len(most)):
                most[jokers] = max(most[jokers], worth + rest[jokers - gaps])
    return most
