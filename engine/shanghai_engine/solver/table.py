"""The table as the solver sees it: its melds with a hand before them, and the ways in which its runs can grow (R9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shanghai_engine.card import ACE
from shanghai_engine.contract import LONGEST_RUN
from shanghai_engine.meld import End, Meld, MeldKind
from shanghai_engine.solver.terms import ANY_NUMBER, Terms

Naturals = tuple[bool, ...]
"""Of cards that are to be laid off at one end, the first to come first, whether each is natural there."""


@dataclass(frozen=True, slots=True)
class Reach:
    """One way to lengthen a run of the table: by so many cards at its low and at its high end."""

    low: int
    high: int


def places_below(meld: Meld, number: int) -> int:
    """Give the mask of the places just below a run; that of rank 1 is an ace that lies low."""
    return (1 << meld.rank - 1) - (1 << meld.rank - 1 - number)


def places_above(meld: Meld, number: int) -> int:
    """Give the mask of the places just above a run."""
    return (1 << meld.high + number) - (1 << meld.high)


def naturals_of(meld: Meld) -> int:
    """Give how many cards of a meld are natural."""
    return len(meld.cards) - meld.jokers


def room_of(meld: Meld, terms: Terms) -> int:
    """Give how many jokers a meld of the table can take as it lies there (R8.3)."""
    most = terms.most_jokers_of_set if meld.kind is MeldKind.SET else terms.most_jokers_of_run
    return max(0, most(naturals_of(meld)) - meld.jokers)


def way_to_lay_off(low: Naturals, high: Naturals, *, naturals: int, jokers: int, terms: Terms) -> list[End] | None:
    """Give an order in which cards go to the two ends of a run, R8.3 holding after every one; none where there is none.

    `naturals` and `jokers` are those that lie there.
    """
    wilds = len(low) + len(high) - sum(low) - sum(high)
    if terms.limit != "at_most_naturals":
        most = ANY_NUMBER if terms.limit == "any" else terms.limit
        return [End.LOW] * len(low) + [End.HIGH] * len(high) if not wilds or jokers + wilds <= most else None
    slack = naturals - jokers
    # How many more naturals than jokers there are after some cards at each end does not depend on their order.
    ways: dict[tuple[int, int], list[End]] = {(0, 0): []}
    for below in range(len(low) + 1):
        for above in range(len(high) + 1):
            sofar = (*low[:below], *high[:above])
            if (below or above) and slack + 2 * sum(sofar) - len(sofar) >= 0:
                if (below - 1, above) in ways:
                    ways[below, above] = [*ways[below - 1, above], End.LOW]
                elif (below, above - 1) in ways:
                    ways[below, above] = [*ways[below, above - 1], End.HIGH]
    return ways.get((len(low), len(high)))


def reaches(meld: Meld, mask: int, jokers: int, terms: Terms, *, swaps: int = 0) -> list[Reach]:
    """Give the ways to lengthen a run with naturals at these places and so many jokers, that of no card among them.

    So many of its jokers may have been swapped out before.
    Each ends with a natural card at either end: a joker beyond the last is one that has only been put away there.
    """
    lows = [0, *(n for n in range(1, meld.rank - terms.lowest) if mask >> meld.rank - 1 - n & 1)]
    highs = [0, *(n for n in range(1, ACE - meld.high + 1) if mask >> meld.high - 1 + n & 1)]
    found = []
    for low in lows:
        for high in highs:
            if low + high + len(meld.cards) > LONGEST_RUN:
                continue
            ranks = ranks_below(meld, low), ranks_above(meld, high)
            below, above = (tuple(bool(mask >> rank - 1 & 1) for rank in end) for end in ranks)
            if low + high - sum(below) - sum(above) > jokers:
                continue
            lying = naturals_of(meld) + swaps, meld.jokers - swaps
            if way_to_lay_off(below, above, naturals=lying[0], jokers=lying[1], terms=terms) is not None:
                found.append(Reach(low, high))
    return found


def ranks_below(meld: Meld, number: int) -> Sequence[int]:
    """Give the ranks below a run, the nearest first."""
    return range(meld.rank - 1, meld.rank - 1 - number, -1)


def ranks_above(meld: Meld, number: int) -> Sequence[int]:
    """Give the ranks above a run, the nearest first."""
    return range(meld.high + 1, meld.high + 1 + number)
