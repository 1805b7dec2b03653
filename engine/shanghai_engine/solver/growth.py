"""How the runs on the table grow: which cards they take at their ends, and which for their jokers (R9, R10).

A *way* lengthens one run onto some places, and puts the cards that its jokers stand for in their place. What all runs
of a suit can use at most is worked out exactly, by what is left of the suit, and remembered: a list of *steps*, each
the net number of wild cards that are needed (below 0 where swaps bring more than gaps need) and the worth that is
then used, both rising.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shanghai_engine.meld import Meld
from shanghai_engine.solver.dealing import RunToBe
from shanghai_engine.solver.holding import SUITS, Layers, Suits, ranks_of, taking, without
from shanghai_engine.solver.table import ranks_above, ranks_below, reaches
from shanghai_engine.solver.terms import RANKS, Terms

Steps = list[tuple[int, int]]
"""Net wild cards, and worth, both rising."""
NOTHING: Steps = [(0, 0)]


@dataclass(frozen=True, slots=True)
class Way:
    """One way for a run to grow onto `places`; `swaps` are the places of its jokers that may be swapped out."""

    places: int
    swaps: int
    run: RunToBe


def rising(steps: Sequence[tuple[int, int]]) -> Steps:
    """Give the steps that are worth more than all with as few wild cards."""
    kept: Steps = []
    for net, worth in sorted(steps, key=lambda step: (step[0], -step[1])):
        if not kept or worth > kept[-1][1]:
            kept.append((net, worth))
    return kept


def together(one: Steps, other: Steps) -> Steps:
    """Give the steps of two parts of a hand together."""
    if one == NOTHING:
        return other
    if other == NOTHING:
        return one
    return rising([(net + more, worth + further) for net, worth in one for more, further in other])


def most_within(steps: Steps, jokers: int) -> int:
    """Give the most worth with so many jokers; less than nothing where there are too few for anything."""
    most = -1
    for net, worth in steps:
        if net > jokers:
            break
        most = worth
    return most


def most_together(one: Steps, other: Steps, jokers: int) -> int:
    """Give the most worth of two parts of a hand with so many jokers; far less than nothing where there are too few."""
    most = -1 << 40
    for net, worth in one:
        further = most_within(other, jokers - net)
        if further >= 0:
            most = max(most, worth + further)
    return most


class Growth:
    """The runs of a table before a hand.

    `ways` lists by run, suit after suit, the ways that matter; `still` are the runs that have only one, to stay as they
    are. `dear` says by suit of which places a natural card brings in a joker where it goes to a set instead.
    """

    def __init__(
        self, melds: Sequence[Meld], masks: Sequence[int], jokers: int, terms: Terms, *, swaps: bool, dear: int
    ) -> None:
        self.dear = dear
        self.ways: list[list[Way]] = []
        self.still: list[Meld] = []
        in_order = sorted(melds, key=lambda meld: meld.suit)
        wanted = [sum(1 << meld.rank + place - 1 for place in meld.joker_places()) if swaps else 0 for meld in in_order]
        fitting = [places & masks[meld.suit] & ~terms.wild_twos for meld, places in zip(in_order, wanted, strict=True)]
        self.most_swaps = sum(places.bit_count() for places in fitting)
        jokers += self.most_swaps
        for meld, able in zip(in_order, fitting, strict=True):
            mask = masks[meld.suit]
            ways = [
                Way(reach.places, able, grown_run(meld, reach.low, reach.high, able))
                for reach in reaches(meld, mask, jokers, terms, swaps=able.bit_count())
            ]
            if len(ways) == 1 and not able:
                self.still.append(meld)
            else:
                self.ways.append(ways)
        self.suit_ends = [sum(ways[0].run.suit <= suit for ways in self.ways) for suit in range(SUITS)]
        self._known: dict[tuple[int, Layers, tuple[int, ...]], Steps] = {}

    def taken(self, way: Way, layers: Layers) -> tuple[int, int, Layers]:
        """Give what a way takes of a suit: the places of the cards, the net wild cards, and what it leaves."""
        got = layers[0] & (way.places | way.swaps)
        net = way.places.bit_count() - got.bit_count()
        if got & self.dear:
            net += (got & self.dear).bit_count()
        return got, net, without(layers, taking(got)) if got else layers

    def steps(self, index: int, layers: Layers, worth: tuple[int, ...]) -> Steps:
        """Give the steps of the run `index` and those after it of its suit; `worth` is that of a card by rank."""
        return self._steps(index, self.suit_ends[self.ways[index][0].run.suit], layers, worth)

    def by_suit(self, suits: Suits, worth: tuple[int, ...]) -> list[Steps]:
        """Give by suit the steps of all its runs."""
        starts = (0, *self.suit_ends)
        return [self._steps(starts[suit], self.suit_ends[suit], suits[suit], worth) for suit in range(SUITS)]

    def _steps(self, index: int, end: int, layers: Layers, worth: tuple[int, ...]) -> Steps:
        if index == end:
            return NOTHING
        key = (index, layers, worth)
        known = self._known.get(key)
        if known is None:
            found: Steps = []
            for way in self.ways[index]:
                got, net, left = self.taken(way, layers)
                gain = sum(worth[rank] for rank in ranks_of(got))
                found += [(net + more, gain + further) for more, further in self._steps(index + 1, end, left, worth)]
            known = self._known[key] = rising(found)
        return known


def later(by_suit: Sequence[Steps]) -> list[Steps]:
    """Give by suit the steps of all later suits together, and last those of all suits."""
    steps = [NOTHING]
    for own in reversed(by_suit):
        steps.append(together(own, steps[-1]))
    whole = steps.pop()
    return [*reversed(steps), whole]


def grown_run(meld: Meld, low: int, high: int, swaps: int) -> RunToBe:
    """Give a run of the table with so many more places at its ends, of whose jokers those at some places may go."""
    places = [place for place in meld.joker_places() if swaps >> meld.rank + place - 1 & 1]
    return RunToBe(
        suit=meld.suit,
        ranks=(*ranks_below(meld, low), *ranks_above(meld, high)),
        meld=meld,
        low=low,
        swaps=tuple(((meld.rank + place - 2) % RANKS, place) for place in places),
    )
