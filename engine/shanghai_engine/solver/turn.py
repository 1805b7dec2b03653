"""The best turn: what to lay down, lay off and swap so that the fewest points, then the fewest cards, stay in hand.

What lies on the table at the turn's end counts, not the way there: a joker that lengthens a meld just laid down might
as well have been laid down with it, and all swaps can come before all lay-offs. So the search goes through

1. the sets of swaps that can be made, since each gives another hand before other melds;
2. the plans for the melds to lay down (`planning`), and for each the ways in which the runs on the table grow
   (`table`), with a bound as in `planning`: naturals of a rank of which there lies a set can always be played, and are
   worth the same in every plan;
3. the ways to deal a plan out (`dealing`), of which the first nearly always plays all that the plan can.

Then `ordering` finds lawful plays that lead there, which only R10.2 and its like can make impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from shanghai_engine.card import LOWEST_RANK, Card, card_of
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET, Contract
from shanghai_engine.meld import Meld, MeldKind
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.dealing import Dealing, RunToBe, grown
from shanghai_engine.solver.holding import Holding, Suits, ranks_of, taking, without
from shanghai_engine.solver.nearness import can_lay_down
from shanghai_engine.solver.ordering import Layout, Play, plays_for
from shanghai_engine.solver.planning import PlanSearch, worth_of
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.table import reaches
from shanghai_engine.solver.terms import PLACES, terms_of

MOST_CARDS_EXACT = 23
"""Up to so many cards in hand every plan is looked at."""
MOST_PLANS = 2000
"""How many plans are looked at for a larger hand."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The plays of a turn in their order, and what they leave in hand before the discard: points, and cards.

    `exact` says that no turn leaves less; else it was not certain within reason, and the points are a bound.
    """

    plays: tuple[Play, ...]
    points: int
    cards: int
    exact: bool


def best_turn(
    hand: Sequence[Card],
    contract: Contract | None,
    melds: Sequence[Meld],
    rules: RuleSet,
    *,
    seat: int = 0,
    laid_down_now: bool = False,
    must_play: Sequence[Card] = (),
) -> Turn:
    """Give the plays of a seat on turn that leave the fewest points, then the fewest cards, in hand (R8 to R10, R16).

    `contract` is that which the seat has still to lay down, none where it is down; `melds` are those on the table, each
    at the place of its `id`. `laid_down_now` says that it laid down in this turn, and `must_play` are swapped jokers
    that it may not keep (R16). Exact for hands of up to 23 cards.
    """
    position = Position(
        rules=rules,
        seat=seat,
        hand=tuple(hand),
        melds=tuple(melds),
        contract=contract,
        laid_down_now=laid_down_now,
        owed=tuple(must_play),
    )
    return _BestTurn(position).turn()


class _BestTurn:
    """The best turn found so far, over all sets of swaps."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.terms = terms_of(start.rules)
        self.points = start.rules.card_points
        self.least = self.worth(start.hand)
        self.plays: tuple[Play, ...] = ()
        self.kept: tuple[Card, ...] = start.hand
        self.plans_left = MOST_PLANS if len(start.hand) > MOST_CARDS_EXACT else -1

    def worth(self, cards: Sequence[Card]) -> int:
        """Give the worth of cards."""
        return sum(worth_of(self.points, card) for card in cards)

    def turn(self) -> Turn:
        """Give the best turn."""
        if self._can_play():
            for position in self.start.with_swaps():
                for search in self._searches(position):
                    search.search(search.always)
                if not self.least:
                    break
        return Turn(
            plays=self.plays,
            points=sum(self.points[card] for card in self.kept),
            cards=len(self.kept),
            exact=self.plans_left != 0,
        )

    def _can_play(self) -> bool:
        """Say whether anything can be played at all: who is not down must be able to lay down (R10.2)."""
        start = self.start
        if start.contract is None:
            return True
        if can_lay_down(start.hand, start.contract, start.rules):
            return True
        return start.rules.joker_swap == "everyone" and any(
            can_lay_down(start.after(swap).hand, start.contract, start.rules) for swap in start.possible_swaps()
        )

    def _searches(self, position: Position) -> Iterator[_TurnSearch]:
        """Give a search for each number of further melds, of which there are none but by R16 `extra_melds`."""
        contract = position.contract
        sets, runs = (contract.sets, contract.runs) if contract is not None else ((), ())
        if not position.rules.extra_melds:
            yield _TurnSearch(self, position, sets, runs)
            return
        spare = len(position.hand) - sum(sets) - sum(runs)
        numbers = product(range(spare // SHORTEST_SET + 1), range(spare // SHORTEST_RUN + 1))
        for more_sets, more_runs in sorted(numbers, key=sum):
            if more_sets * SHORTEST_SET + more_runs * SHORTEST_RUN <= spare:
                yield _TurnSearch(self, position, (*sets, *[3] * more_sets), (*runs, *[4] * more_runs))

    def offer(self, position: Position, layout: Layout) -> bool:
        """Take a layout if lawful plays lead there and leave less than the best so far; say whether it was taken."""
        making = plays_for(self.start, position, layout)
        if making is None:
            return False
        kept = making.kept()
        if self.worth(kept) >= self.least:
            return False
        self.least = self.worth(kept)
        self.plays, self.kept = tuple(making.plays), kept
        return True


class _TurnSearch(PlanSearch):
    """One search among the plans for a position, swaps being done."""

    def __init__(self, best: _BestTurn, position: Position, sets: Sequence[int], runs: Sequence[int]) -> None:
        self.turn = best
        self.position = position
        contract = position.contract
        further = contract is None or (len(sets), len(runs)) != (len(contract.sets), len(contract.runs))
        self.layable = position.melds if position.lays_off else ()
        self.table_sets = [meld for meld in self.layable if meld.kind is MeldKind.SET]
        free = {meld.rank - LOWEST_RANK for meld in self.table_sets}
        terms = best.terms
        super().__init__(Holding(position.hand, terms), sets, runs, terms=terms, points=best.points, free=free)
        # Further melds may be alike: which of them are the contract's is settled by their order.
        self.distinct_ranks = self.distinct_ranks and not further
        self.distinct_suits = self.distinct_suits and not further
        self.hand_worth = best.worth(position.hand)
        self.most = self.hand_worth - best.least
        self.always = sum(
            count * worth_of(self.points, _of_rank(rank))
            for rank, count in enumerate(self.holding.ranks)
            if rank in free
        )
        self.keepable = position.keepable()
        self._look_at_runs()

    def _look_at_runs(self) -> None:
        """List the ways in which the runs of the table can grow, the most worth first."""
        wilds = self.holding.wilds
        self.growths: list[list[tuple[int, int, int, RunToBe]]] = []
        for meld in self.layable:
            if meld.kind is MeldKind.RUN:
                mask = self.masks[meld.suit]
                ways = []
                for reach in reaches(meld, mask, wilds, self.terms):
                    held = reach.places & mask & ~self.terms.wild_twos
                    gaps = reach.places.bit_count() - held.bit_count()
                    if gaps <= wilds:
                        ways.append((self._worth(held), gaps, reach.places, grown(meld, reach)))
                ways.sort(key=lambda way: (-way[0], way[1], way[2]))
                self.growths.append(ways)
        self.grown: list[RunToBe] = []
        # By run, and by jokers, what it and those that follow can use at most.
        self.growth_ceiling = [[0] * (wilds + 1)]
        for ways in reversed(self.growths):
            later = self.growth_ceiling[-1]
            most = later.copy()
            for worth, gaps, _, _ in ways:
                for jokers in range(gaps, wilds + 1):
                    most[jokers] = max(most[jokers], worth + later[jokers - gaps])
            self.growth_ceiling.append(most)
        self.growth_ceiling.reverse()
        self.beyond = self.growth_ceiling[0]

    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Let the runs of the table grow in every way that may be worth it, with the plan's melds as they are."""
        new = {share.rank for share in self.sets}
        self._grow(0, used, jokers, suits, new)

    def _grow(self, index: int, used: int, jokers: int, suits: Suits, new: set[int]) -> None:
        if used + self.growth_ceiling[index][jokers] + self.wilds_worth[-1] <= self.most or not self.turn.plans_left:
            return
        if index == len(self.growths):
            self._deal(used)
            return
        for _, _, places, run in self.growths[index]:
            layers = suits[run.suit]
            got = layers[0] & places
            gaps = places.bit_count() - got.bit_count()
            if gaps > jokers:
                continue
            worth = sum(self.worth[rank] for rank in ranks_of(got) if rank not in new)
            after = suits
            if got:
                after = (*suits[: run.suit], without(layers, taking(got)), *suits[run.suit + 1 :])
            self.grown.append(run)
            self._grow(index + 1, used + worth, jokers - gaps, after, new)
            self.grown.pop()

    def _deal(self, used: int) -> None:
        """Deal the plan out in the ways that are worth more than the best so far, until one can be played."""
        self.turn.plans_left -= 1
        runs = [RunToBe(share.suit, _ranks_of_window(share.window)) for share in self.runs]
        sets = [(share.rank, share.size) for share in self.sets]
        goal = used + self.wilds_worth[-1]
        dealing = Dealing(
            self.holding,
            [*runs, *self.grown],
            sets,
            self.table_sets,
            terms=self.terms,
            points=self.points,
            keepable=self.keepable,
        )
        for dealt in dealing.ways():
            if dealt.worth > self.most:
                layout = Layout(runs=[*runs, *self.grown], naturals=dealt.naturals, sets=sets, kept=dealt.kept)
                if self.turn.offer(self.position, layout):
                    self.most = self.hand_worth - self.turn.least
            if self.most >= goal:
                return


def _of_rank(number: int) -> Card:
    """Give a card of the rank with a number."""
    return card_of(LOWEST_RANK + number, 0)


def _ranks_of_window(window: int) -> tuple[int, ...]:
    """Give the ranks of a window, from the lowest up; 1 for an ace that lies low."""
    return tuple(place + 1 for place in range(PLACES) if window >> place & 1)
