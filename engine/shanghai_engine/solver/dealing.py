"""Dealing out a turn: which card goes where, once it is settled which runs and sets there shall be.

A plan of a turn says which places the new runs have, by how much the runs of the table grow, and of which ranks the new
sets are. Mostly that leaves nothing to choose: every natural card goes wherever a run has a place for it, and else to a
set of its rank. What remains to be chosen is tried in full: which of several runs gets a card that they all want, which
cards a new set takes from a run, and, where a run of 13 cards has no room for another joker, which of its naturals
make room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.meld import Meld
from shanghai_engine.solver.holding import SUITS, Holding
from shanghai_engine.solver.planning import worth_of
from shanghai_engine.solver.table import Reach, naturals_of, ranks_above, ranks_below, room_of, way_to_lay_off
from shanghai_engine.solver.terms import RANKS, Terms

Slots = tuple[int, ...]
"""The runs, by their number, that get a natural card of their own."""


@dataclass(frozen=True, slots=True)
class RunToBe:
    """A run that a plan wants: a new one from rank `low` on, or what `reach` adds to a run of the table.

    `ranks` are those of its new places: of a new run ascending, of one of the table the nearest below first, then the
    nearest above.
    """

    suit: int
    ranks: tuple[int, ...]
    meld: Meld | None = None
    reach: Reach | None = None

    @property
    def lying(self) -> tuple[int, int]:
        """How many naturals and jokers lie there already."""
        return (0, 0) if self.meld is None else (naturals_of(self.meld), self.meld.jokers)

    def allows(self, naturals: Sequence[bool], terms: Terms) -> bool:
        """Say whether R8.3 lets its new places be filled with naturals and jokers so."""
        if self.meld is None or self.reach is None:
            return sum(naturals) >= terms.fewest_naturals(len(naturals))
        low, high = tuple(naturals[: self.reach.low]), tuple(naturals[self.reach.low :])
        lying = self.lying
        return way_to_lay_off(low, high, naturals=lying[0], jokers=lying[1], terms=terms) is not None


def grown(meld: Meld, reach: Reach) -> RunToBe:
    """Give what a reach adds to a run of the table."""
    return RunToBe(meld.suit, (*ranks_below(meld, reach.low), *ranks_above(meld, reach.high)), meld, reach)


@dataclass(frozen=True, slots=True)
class Group:
    """Equal natural cards and the runs, by their number, that have a place for one: those of `choices` get it."""

    suit: int
    rank: int
    copies: int
    slots: Slots
    choices: tuple[Slots, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A turn dealt out, and the worth of what it plays; `naturals` says of each run which places have their natural.

    `kept` are the wild cards that find no room.
    """

    worth: int
    naturals: tuple[tuple[bool, ...], ...]
    kept: tuple[Card, ...]


class Dealing:
    """All ways to deal out one plan.

    `keepable` says how many wild cards of each kind may stay in hand.
    """

    def __init__(
        self,
        holding: Holding,
        runs: Sequence[RunToBe],
        sets: Sequence[tuple[int, int]],
        table_sets: Sequence[Meld],
        *,
        terms: Terms,
        points: Sequence[int],
        keepable: Counter[Card],
    ) -> None:
        """Take the runs, and the sets as pairs of the rank's number and the size asked."""
        self.terms = terms
        self.points = points
        self.keepable = keepable
        self.holding = holding
        self.runs = runs
        self.counts = holding.naturals()
        self.wild_rank = 0 if terms.wild_twos else -1
        self.sets: dict[int, list[int]] = {}
        for rank, size in sets:
            self.sets.setdefault(rank, []).append(size)
        self.set_ranks = {*self.sets, *(meld.rank - LOWEST_RANK for meld in table_sets)}
        self.table_room = sum(room_of(meld, terms) for meld in table_sets)
        self.wanted: dict[tuple[int, int], list[int]] = {}
        for number, run in enumerate(runs):
            for rank in run.ranks:
                key = (run.suit, (rank - LOWEST_RANK) % RANKS)
                if self.counts[key[0]][key[1]]:
                    self.wanted.setdefault(key, []).append(number)

    def ways(self) -> Iterator[Dealt]:
        """Give the ways that may be worth the most, the likeliest first."""
        crowded = False
        groups = [self._group(key, slots, fewer=key[1] in self.sets) for key, slots in self.wanted.items()]
        for dealt in self._dealt(groups):
            yield dealt
            crowded = crowded or bool(dealt.kept)
        if crowded:
            yield from self._dealt([self._group(key, slots, fewer=True) for key, slots in self.wanted.items()])

    def _group(self, key: tuple[int, int], slots: Sequence[int], *, fewer: bool) -> Group:
        """Give the choices for equal cards: as many runs as can get one, or, where it may help, fewer."""
        copies = self.counts[key[0]][key[1]]
        most = min(copies, len(slots))
        sizes = range(most, -1, -1) if fewer else (most,)
        choices = tuple(chain.from_iterable(combinations(slots, size) for size in sizes))
        return Group(*key, copies, tuple(slots), choices)

    def _dealt(self, groups: Sequence[Group]) -> Iterator[Dealt]:
        for choice in product(*(group.choices for group in groups)):
            dealt = self._deal(groups, choice)
            if dealt is not None:
                yield dealt

    def _deal(self, groups: Sequence[Group], choice: Sequence[Slots]) -> Dealt | None:
        """Deal out as chosen; give none where that breaks R8.3 or asks for more wild cards than there are."""
        got: list[set[int]] = [set() for _ in self.runs]
        left = [row.copy() for row in self.counts]
        for group, slots in zip(groups, choice, strict=True):
            left[group.suit][group.rank] -= len(slots)
            for slot in slots:
                got[slot].add(group.rank)
        naturals = tuple(
            tuple((rank - LOWEST_RANK) % RANKS in ranks for rank in run.ranks)
            for run, ranks in zip(self.runs, got, strict=True)
        )
        gaps, room = 0, self.table_room
        for run, held in zip(self.runs, naturals, strict=True):
            if not run.allows(held, self.terms):
                return None
            lying = run.lying
            number = lying[0] + sum(held)
            jokers = lying[1] + len(held) - sum(held)
            gaps += len(held) - sum(held)
            room += max(0, self.terms.most_jokers_of_run(number) - jokers)
        sums = [sum(left[suit][rank] for suit in range(SUITS)) for rank in range(RANKS)]
        needed = self._sets(sums)
        if needed is None:
            return None
        gaps += needed[0]
        room += needed[1]
        return self._with_wilds(naturals, left, gaps, room)

    def _sets(self, sums: Sequence[int]) -> tuple[int, int] | None:
        """Give how many jokers the sets must and how many more they can hold; none where they lack naturals."""
        must = room = 0
        at_most = self.terms.limit == "at_most_naturals"
        for rank in self.set_ranks:
            sizes = self.sets.get(rank, [])
            if sums[rank] < sum(map(self.terms.fewest_naturals, sizes)):
                return None
            missing = max(0, sum(sizes) - sums[rank])
            must += missing
            if sizes:
                room += self.terms.most_jokers_of_sets(sums[rank], len(sizes)) - missing
            elif at_most:
                room += sums[rank]
        return must, room

    def _with_wilds(
        self, naturals: tuple[tuple[bool, ...], ...], left: list[list[int]], gaps: int, room: int
    ) -> Dealt | None:
        """Fill the gaps with the wild cards that are left, and keep those of least worth for which there is no room."""
        wilds = Counter({JOKER: self.holding.jokers})
        if self.wild_rank == 0:
            wilds.update({card_of(LOWEST_RANK, suit): left[suit][0] for suit in range(SUITS)})
        number = wilds.total()
        if gaps > number:
            return None
        kept: list[Card] = []
        if number - gaps > room:
            able = [card for card, held in wilds.items() for _ in range(min(held, self.keepable[card]))]
            able.sort(key=lambda card: (self.points[card], card))
            kept = able[: number - gaps - room]
            if len(kept) < number - gaps - room:
                return None
        worth = sum(worth_of(self.points, card) * held for card, held in self._played(left).items())
        return Dealt(worth - sum(worth_of(self.points, card) for card in kept), naturals, tuple(kept))

    def _played(self, left: list[list[int]]) -> Counter[Card]:
        """Give all cards of the hand but the naturals that no run and no set takes."""
        played: Counter[Card] = Counter({JOKER: self.holding.jokers})
        for suit, row in enumerate(self.counts):
            for rank, held in enumerate(row):
                stays = 0 if rank in self.set_ranks or rank == self.wild_rank else left[suit][rank]
                if held > stays:
                    played[card_of(LOWEST_RANK + rank, suit)] = held - stays
        return played
