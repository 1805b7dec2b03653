"""Dealing out a turn: which card goes where, once it is settled which runs and sets there shall be.

A plan of a turn says which places the new runs have, by how much the runs of the table grow, and of which ranks the new
sets are. Mostly that leaves nothing to choose: every natural card goes wherever a run has a place for it, and else to a
set of its rank. What remains to be chosen is tried in full: which of several runs gets a card that they all want, which
cards a new set takes from a run, and, where a run of 13 cards has no room for another joker, which of its naturals
make room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import LONGEST_RUN
from shanghai_engine.meld import Meld
from shanghai_engine.solver.effort import STEPS_OF_DEALING, Effort
from shanghai_engine.solver.holding import Holding
from shanghai_engine.solver.table import naturals_of, room_of, way_to_lay_off
from shanghai_engine.solver.terms import ANY_NUMBER, RANKS, Terms
from shanghai_engine.solver.worth import worth_of

Slots = tuple[int, ...]
"""The runs, by their number, that get a natural card of their own."""
_JokerFor = tuple[Meld, int, Card]
"""A joker, by its meld and the place in it, and the card that is swapped for it."""


def number_of(rank: int) -> int:
    """Give the number of the rank of a place in a run; rank 1 is an ace that lies low."""
    return (rank - LOWEST_RANK) % RANKS


@dataclass(frozen=True, slots=True)
class RunToBe:
    """A run that a plan wants: a new one, or what is added to a run of the table.

    `ranks` are those of its new places: of a new run ascending, of one of the table the nearest below first, of which
    there are `low`, then the nearest above. `swaps` are the jokers of a run of the table that may be swapped out, each
    the number of the rank that it stands for and its place in the meld.
    """

    suit: int
    ranks: tuple[int, ...]
    meld: Meld | None = None
    low: int = 0
    swaps: tuple[tuple[int, int], ...] = ()

    @property
    def length(self) -> int:
        """How many cards it will have."""
        return len(self.ranks) + (0 if self.meld is None else len(self.meld.cards))

    def swapped(self, ranks: Collection[int]) -> list[_JokerFor]:
        """Give the swaps that cards of its suit, by their ranks' numbers, make."""
        if self.meld is None:
            return []
        return [
            (self.meld, place, card_of(LOWEST_RANK + rank, self.suit)) for rank, place in self.swaps if rank in ranks
        ]

    def room(self, naturals: Sequence[bool], swapped: int, terms: Terms) -> int:
        """Give how many further jokers it can hold with its new places filled so; below 0 where R8.3 forbids that."""
        number = sum(naturals)
        gaps = len(naturals) - number
        if self.meld is None:
            jokers = gaps
            allowed = number >= terms.fewest_naturals(len(naturals))
        else:
            lying, jokers = naturals_of(self.meld) + swapped, self.meld.jokers - swapped
            low, high = tuple(naturals[: self.low]), tuple(naturals[self.low :])
            allowed = not gaps or way_to_lay_off(low, high, naturals=lying, jokers=jokers, terms=terms) is not None
            number += lying
            jokers += gaps
        return max(0, terms.most_jokers_of_run(number) - jokers) if allowed else -1


@dataclass(frozen=True, slots=True)
class Group:
    """Equal natural cards, and the choices of the runs, by their number, that get one of them."""

    suit: int
    rank: int
    choices: tuple[Slots, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A turn dealt out, and the worth of what it plays less that of what it takes up and keeps.

    `naturals` says of each run which new places have their natural, `swaps` which jokers are swapped for which cards
    (as the meld's id, the place in it, and the card); `kept` are the wild cards that find no room.
    """

    worth: int
    naturals: tuple[tuple[bool, ...], ...]
    swaps: tuple[tuple[int, int, Card], ...]
    kept: tuple[Card, ...]


class TableSets:
    """The sets on the table: their ranks' numbers, their room, and the jokers that may be swapped out of them."""

    def __init__(self, melds: Sequence[Meld], terms: Terms, *, swaps: bool) -> None:
        """Sum up the sets."""
        self.ranks = {meld.rank - LOWEST_RANK for meld in melds}
        self.room = sum(room_of(meld, terms) for meld in melds)
        self.jokers: dict[int, list[tuple[Meld, int]]] = {}
        if swaps:
            for meld in melds:
                places = [(meld, place) for place in meld.joker_places()]
                if places:
                    self.jokers.setdefault(meld.rank - LOWEST_RANK, []).extend(places)


class Dealing:
    """All ways to deal out one plan."""

    def __init__(
        self,
        holding: Holding,
        runs: Sequence[RunToBe],
        sets: Sequence[tuple[int, int]],
        table: TableSets,
        *,
        terms: Terms,
        points: Sequence[int],
        keepable: Counter[Card],
        effort: Effort,
    ) -> None:
        """Take the runs, and the sets as pairs of the rank's number and the size asked.

        `keepable` says how many wild cards of each kind may stay in hand. The ways end when the `effort` is
        spent.
        """
        self.effort = effort
        self.terms = terms
        self.points = points
        self.keepable = keepable
        self.holding = holding
        self.runs = runs
        self.table = table
        self.counts = holding.naturals()
        self.wild_rank = 0 if terms.wild_twos else -1
        self.sets: dict[int, list[int]] = {}
        for rank, size in sets:
            self.sets.setdefault(rank, []).append(size)
        self.set_ranks = {*self.sets, *table.ranks}
        self.surplus = 0
        self.wanted: dict[tuple[int, int], list[int]] = {}
        for number, run in enumerate(runs):
            for rank in (*map(number_of, run.ranks), *(rank for rank, _ in run.swaps)):
                if self.counts[run.suit][rank]:
                    self.wanted.setdefault((run.suit, rank), []).append(number)

    def ways(self) -> Iterator[Dealt]:
        """Give the ways that may be worth the most, the likeliest first."""
        wanted = self.wanted
        likely = {key: self._without_swaps(key) for key in wanted}
        if likely != wanted:
            yield from self._dealt([self._group(key, slots) for key, slots in likely.items()])
        yield from self._dealt([self._group(key, slots, fewer=key[1] in self.sets) for key, slots in wanted.items()])
        if self.surplus:
            # Each natural that makes room puts one wild card more away, so no more need to than there are too many.
            wilds = self.holding.wilds + sum(len(run.swaps) for run in self.runs)
            full = {number for number, run in enumerate(self.runs) if run.length + wilds > LONGEST_RUN}
            yield from self._dealt(
                [
                    self._group(key, slots, fewer=key[1] in self.sets or not full.isdisjoint(slots))
                    for key, slots in wanted.items()
                ],
                self.surplus,
            )

    def _without_swaps(self, key: tuple[int, int]) -> list[int]:
        """Give the runs that want a card; those that have a joker in its place only where no set takes it."""
        slots = self.wanted[key]
        if key[1] not in self.set_ranks:
            return slots
        return [slot for slot in slots if all(rank != key[1] for rank, _ in self.runs[slot].swaps)]

    def _group(self, key: tuple[int, int], slots: Sequence[int], *, fewer: bool = False) -> Group:
        """Give the choices for equal cards: as many runs as can get one, or, where it may help, fewer."""
        most = min(self.counts[key[0]][key[1]], len(slots))
        sizes = range(most, -1, -1) if fewer else (most,)
        return Group(*key, tuple(chain.from_iterable(combinations(slots, size) for size in sizes)))

    def _dealt(self, groups: Sequence[Group], spare: int = ANY_NUMBER) -> Iterator[Dealt]:
        """Give what the choices of each group come to, if no more than `spare` naturals make room for wild cards."""
        held: list[set[int]] = [set() for _ in self.runs]
        for (_, rank), slots in self.wanted.items():
            for slot in slots:
                held[slot].add(rank)
        left = [row.copy() for row in self.counts]
        if all(self._allowed(slot, ranks) for slot, ranks in enumerate(held)):
            yield from self._choose(sorted(groups, key=lambda group: len(group.choices)), held, left, spare)

    def _allowed(self, slot: int, ranks: Collection[int]) -> bool:
        """Say whether R8.3 allows a run with the naturals of these ranks."""
        run = self.runs[slot]
        swapped = sum(rank in ranks for rank, _ in run.swaps)
        return run.room([number_of(rank) in ranks for rank in run.ranks], swapped, self.terms) >= 0

    def _choose(
        self, groups: Sequence[Group], held: list[set[int]], left: list[list[int]], spare: int
    ) -> Iterator[Dealt]:
        """Choose for the first group and then for the others.

        `held` are the ranks by run where those not chosen yet have all that they want, and `left` is what sets have
        then if they have nothing: neither may break R8.3, since both only get worse.
        """
        if not groups:
            dealt = self._deal(held, left)
            if dealt is not None:
                yield dealt
            return
        group = groups[0]
        for slots in group.choices:
            if not self.effort.take(STEPS_OF_DEALING):
                return
            fewer = 0 if group.rank in self.sets else len(group.choices[0]) - len(slots)
            if fewer > spare:
                continue
            without = [slot for slot in self.wanted[group.suit, group.rank] if slot not in slots]
            left[group.suit][group.rank] -= len(slots)
            for slot in without:
                held[slot].discard(group.rank)
            if self._enough_for_sets(group.rank, left) and all(self._allowed(slot, held[slot]) for slot in without):
                yield from self._choose(groups[1:], held, left, spare - fewer)
            for slot in without:
                held[slot].add(group.rank)
            left[group.suit][group.rank] += len(slots)

    def _enough_for_sets(self, rank: int, left: list[list[int]]) -> bool:
        """Say whether the new sets of a rank can have the naturals that R8.3 asks for."""
        sizes = self.sets.get(rank)
        return sizes is None or sum(row[rank] for row in left) >= sum(map(self.terms.fewest_naturals, sizes))

    def _deal(self, got: Sequence[Collection[int]], left: list[list[int]]) -> Dealt | None:
        """Deal out as chosen; give none where that asks for more wild cards than there are."""
        naturals = []
        swaps: list[_JokerFor] = []
        gaps, room = 0, self.table.room
        for run, ranks in zip(self.runs, got, strict=True):
            held = tuple([number_of(rank) in ranks for rank in run.ranks])
            mine = run.swapped(ranks) if run.swaps else []
            swaps += mine
            gaps += len(held) - sum(held)
            room += max(0, run.room(held, len(mine), self.terms))
            naturals.append(held)
        needed = self._sets([sum(row[rank] for row in left) for rank in range(RANKS)])
        if needed is None:
            return None
        gaps += needed[0]
        room += needed[1]
        room += self._swap_in_sets(swaps, left, gaps)
        return self._with_wilds(tuple(naturals), swaps, left, gaps, room)

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

    def _swap_in_sets(self, swaps: list[_JokerFor], left: list[list[int]], gaps: int) -> int:
        """Swap jokers out of sets while there are too few wild cards for the gaps; give the room that this makes."""
        needed = gaps - self.holding.jokers - len(swaps)
        if self.wild_rank == 0:
            needed -= sum(row[0] for row in left)
        made = 0
        for rank, jokers in self.table.jokers.items():
            cards = [card_of(LOWEST_RANK + rank, suit) for suit, row in enumerate(left) for _ in range(row[rank])]
            spare = cards[sum(self.sets.get(rank, [])) :]
            for (meld, place), card in list(zip(jokers, spare, strict=False))[: max(0, needed - made)]:
                swaps.append((meld, place, card))
                made += 1
        return made

    def _with_wilds(
        self,
        naturals: tuple[tuple[bool, ...], ...],
        swaps: Sequence[_JokerFor],
        left: list[list[int]],
        gaps: int,
        room: int,
    ) -> Dealt | None:
        """Fill the gaps with the wild cards that are left, and keep those of least worth for which there is no room."""
        wilds = Counter({JOKER: self.holding.jokers})
        wilds.update(meld.cards[place] for meld, place, _ in swaps)
        if self.wild_rank == 0:
            wilds.update({card_of(LOWEST_RANK, suit): row[0] for suit, row in enumerate(left)})
        more = wilds.total() - gaps
        if more < 0:
            return None
        kept: list[Card] = []
        if more > room:
            self.surplus = max(self.surplus, more - room)
            able = [card for card, held in wilds.items() for _ in range(min(held, self.keepable[card]))]
            able.sort(key=lambda card: (self.points[card], card))
            kept = able[: more - room]
            if len(kept) < more - room:
                return None
        worth = sum(worth_of(self.points, card) * held for card, held in self._played(left).items())
        worth -= sum(worth_of(self.points, card) for card in kept)
        return Dealt(worth, naturals, tuple((meld.id, place, card) for meld, place, card in swaps), tuple(kept))

    def _played(self, left: list[list[int]]) -> Counter[Card]:
        """Give all cards of the hand but the naturals that no run and no set takes."""
        played: Counter[Card] = Counter({JOKER: self.holding.jokers})
        for suit, row in enumerate(self.counts):
            for rank, held in enumerate(row):
                stays = 0 if rank in self.set_ranks or rank == self.wild_rank else left[suit][rank]
                if held > stays:
                    played[card_of(LOWEST_RANK + rank, suit)] = held - stays
        return played
