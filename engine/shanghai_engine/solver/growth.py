"""How the runs on the table grow: which cards they take at their ends, and which for their jokers (R9, R10).

A run grows in *parts*: the cards that its jokers stand for are put in their place, and each of its ends is lengthened
in one of several *ways*. Which of two runs has a card makes no difference to what both can use, and the low ends of
all runs of a suit want places that lie within each other, as the high ends do. So, part by part, little is left to tell
apart, and what all runs of a suit can use at most is soon worked out by what is left of the suit: a list of *steps*,
each the net number of wild cards that are needed (below 0 where swaps bring more than gaps need) and the worth that is
then used, both rising. That both ends of a run go together (R8.3, and no run is longer than its suit) is left to who
chooses the ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shanghai_engine.meld import End, Meld
from shanghai_engine.solver.dealing import RunToBe
from shanghai_engine.solver.holding import SUITS, Layers, places_of_ranks, ranks_of, taking, without
from shanghai_engine.solver.steps import NOTHING, Steps, rising
from shanghai_engine.solver.table import places_above, places_below, ranks_above, ranks_below, reaches
from shanghai_engine.solver.terms import RANKS, Terms


@dataclass(frozen=True, slots=True)
class Way:
    """One way for a part to grow: by so many new places, with natural cards for those `wanted`."""

    new: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a run, by the number of the run among those that grow, and its ways, the shortest first.

    `end` is none for the jokers that may go: there is but one way.
    """

    run: int
    suit: int
    end: End | None
    ways: tuple[Way, ...]


class Price:
    """What cards are worth, by rank; of `dear` places a natural card that a run takes costs a wild card elsewhere."""

    __slots__ = ("_sums", "dear", "worth")

    def __init__(self, worth: tuple[int, ...], dear: int) -> None:
        """Take both; `Growth.prices` gives the same price for the same."""
        self.worth = worth
        self.dear = dear
        self._sums: dict[int, int] = {}

    def of(self, places: int) -> int:
        """Give the worth of the cards at some places."""
        worth = self._sums.get(places)
        if worth is None:
            worth = self._sums[places] = sum(self.worth[rank] for rank in ranks_of(places))
        return worth


Prices = tuple[Price, ...]
"""The price of the cards of each suit."""


class Growth:
    """The runs of a table before a hand.

    `parts` are those of the runs that can grow, suit after suit, and `runs` says by run what each may become, by how
    many places it grows at its low and at its high end; `still` are the runs that stay as they are.
    """

    def __init__(self, melds: Sequence[Meld], masks: Sequence[int], jokers: int, terms: Terms, *, swaps: bool) -> None:
        """Look at the runs with naturals at these places by suit, and so many jokers; `swaps` says whether to swap."""
        self.still: list[RunToBe] = []
        self.runs: list[dict[tuple[int, int], RunToBe]] = []
        parts: list[Part] = []
        wanted = [sum(1 << meld.rank + place - 1 for place in meld.joker_places()) if swaps else 0 for meld in melds]
        fitting = [places & masks[meld.suit] & ~terms.wild_twos for meld, places in zip(melds, wanted, strict=True)]
        self.swaps = [0] * SUITS
        for meld, places in zip(melds, fitting, strict=True):
            self.swaps[meld.suit] += places.bit_count()
        self.most_swaps = sum(self.swaps)
        for meld, able in zip(melds, fitting, strict=True):
            found = reaches(meld, masks[meld.suit], jokers + self.most_swaps, terms, swaps=able.bit_count())
            if len(found) == 1 and not able:
                self.still.append(grown_run(meld, 0, 0, 0))
                continue
            if able:
                parts.append(Part(len(self.runs), meld.suit, None, (Way(0, able),)))
            lows = tuple(Way(low, places_below(meld, low)) for low in sorted({reach.low for reach in found}))
            highs = tuple(Way(high, places_above(meld, high)) for high in sorted({reach.high for reach in found}))
            parts += [
                Part(len(self.runs), meld.suit, end, ways)
                for end, ways in ((End.LOW, lows), (End.HIGH, highs))
                if len(ways) > 1
            ]
            self.runs.append({(reach.low, reach.high): grown_run(meld, reach.low, reach.high, able) for reach in found})
        self.parts = sorted(parts, key=_order)
        self.suit_ends = [sum(part.suit <= suit for part in self.parts) for suit in range(SUITS)]
        self.wanted = [0] * len(self.parts)
        for index in reversed(range(len(self.parts))):
            if index + 1 < self.suit_ends[self.parts[index].suit]:
                self.wanted[index] = self.wanted[index + 1]
            for way in self.parts[index].ways:
                self.wanted[index] |= taking(way.wanted)
        first = [0, *self.suit_ends[:-1]]
        ranks = [
            set(ranks_of(self.wanted[start] & masks[suit])) if start < end else set()
            for suit, (start, end) in enumerate(zip(first, self.suit_ends, strict=True))
        ]
        # What a suit has not, or no run of it wants, makes no difference to its price.
        self._ranks = [(kept, places_of_ranks(kept)) for kept in ranks]
        self._wanted_by = [self._by_copies(start, end) for start, end in zip(first, self.suit_ends, strict=True)]
        self._prices: dict[tuple[tuple[int, ...], int], Price] = {}
        self._known: dict[tuple[int, Layers, Price], Steps] = {}

    def _by_copies(self, start: int, end: int) -> list[int]:
        """Give the places that one part or more of a suit wants, those that two or more want, and so on."""
        wanted = [0] * (end - start)
        for part in self.parts[start:end]:
            more = 0
            for way in part.ways:
                more |= taking(way.wanted)
            for copies in range(len(wanted)):
                wanted[copies], more = wanted[copies] | more, wanted[copies] & more
        return wanted

    def out_of_reach(self, suit: int, layers: Layers) -> Layers:
        """Give those of the cards of a suit that no run of the table can take."""
        wanted = self._wanted_by[suit]
        return tuple([layer & ~(wanted[copy] if copy < len(wanted) else 0) for copy, layer in enumerate(layers)])

    def prices(self, worth: Sequence[int], dear: int) -> Prices:
        """Give the price of each suit."""
        found = []
        for ranks, places in self._ranks:
            key = (tuple([each if rank in ranks else 0 for rank, each in enumerate(worth)]), dear & places)
            if key not in self._prices:
                self._prices[key] = Price(*key)
            found.append(self._prices[key])
        return tuple(found)

    def steps(self, index: int, layers: Layers, price: Price) -> Steps:
        """Give the steps of the part `index` and those after it of its suit."""
        return self._steps(index, self.suit_ends[self.parts[index].suit], layers, price)

    def of_suit(self, suit: int, layers: Layers, price: Price) -> Steps:
        """Give the steps of all parts of a suit."""
        return self._steps(self.suit_ends[suit - 1] if suit else 0, self.suit_ends[suit], layers, price)

    def by_suit(self, suits: Sequence[Layers], prices: Prices) -> list[Steps]:
        """Give by suit, for the first few suits or all, the steps of all its runs."""
        return [self.of_suit(suit, layers, prices[suit]) for suit, layers in enumerate(suits)]

    def _steps(self, index: int, end: int, layers: Layers, price: Price) -> Steps:
        if index == end:
            return NOTHING
        # What the runs that are left cannot take makes no difference, nor more copies than there are parts.
        wanted = self.wanted[index]
        layers = tuple([layer & wanted for layer in layers[: end - index]])
        key = (index, layers, price)
        known = self._known.get(key)
        if known is None:
            found: Steps = []
            # Of the ways that take the same cards only the shortest matters.
            shortest: dict[int, Way] = {}
            for way in self.parts[index].ways:
                shortest.setdefault(layers[0] & way.wanted, way)
            for way in shortest.values():
                net, gain, left = taken(way, layers, price)
                further = self._steps(index + 1, end, left, price)
                found += [(net + more, gain + worth) for more, worth in further]
            known = self._known[key] = rising(found)
        return known


def _order(part: Part) -> tuple[int, int, int]:
    """Give the order of the parts: by suit, the jokers, the low ends from above, and the high ends from below."""
    if part.end is None:
        return part.suit, 0, 0
    place = part.ways[-1].wanted
    return (part.suit, 1, -place.bit_length()) if part.end is End.LOW else (part.suit, 2, place & -place)


def taken(way: Way, layers: Layers, price: Price) -> tuple[int, int, Layers]:
    """Give what a way takes of a suit: the net wild cards, the worth of the cards, and what it leaves."""
    got = layers[0] & way.wanted
    if not got:
        return way.new, 0, layers
    net = way.new - got.bit_count() + (got & price.dear).bit_count()
    return net, price.of(got), without(layers, taking(got))


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
