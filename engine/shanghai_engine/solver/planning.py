"""The plans of a lay-down: a window for every run and a rank for every set, the most worth first.

The worth of a plan is easy to bound: of a set's rank every natural is used, of a run's window one of each rank, and
every wild card may find room. The search goes through the plans, the runs suit by suit and then the sets, and leaves a
branch as soon as its bound does not beat the best that was found:

- the `worth` of cards is one number, so that sums can be compared;
- a `ceiling` bounds what the runs that are still to be chosen can use.

Wild cards, a wild two at its own place among them, are worth the same in every plan, up to those that find no room.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from itertools import accumulate

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.solver.allotment import Share, run_share, set_share
from shanghai_engine.solver.ceiling import SuitOffer, ceiling
from shanghai_engine.solver.effort import Effort
from shanghai_engine.solver.holding import SUITS, Holding, Layers, Suits, ranks_of, taking, without, without_ranks
from shanghai_engine.solver.nearness import missing_of_sets
from shanghai_engine.solver.stages import Candidate, stages
from shanghai_engine.solver.steps import NOTHING, Steps, rising
from shanghai_engine.solver.terms import LOW_ACE, RANKS, TWO_PLACE, Terms
from shanghai_engine.solver.window import playable
from shanghai_engine.solver.worth import ANY_WORTH, POINT, worth_of


class PlanSearch(ABC):
    """One search for the plan of the most worth; what a plan is really worth is for the heirs to `weigh`."""

    def __init__(  # noqa: PLR0913 what is asked, and what the heirs add to it
        self,
        holding: Holding,
        sets: Sequence[int],
        runs: Sequence[int],
        *,
        terms: Terms,
        points: Sequence[int],
        effort: Effort,
        free: Collection[int] = (),
        coming: int = 0,
        dear: int = 0,
    ) -> None:
        """Ask for sets and runs of these sizes; the cards of the `free` ranks are of no worth, wherever they go.

        Up to so many wild cards may be `coming` besides those of the hand, which are of no worth either; `dear` are the
        places whose natural cards would bring one, so that a run that takes them costs as many as with jokers there.
        The search ends when the `effort` is spent, with the best that it has found by then.
        """
        self.effort = effort
        self.holding = holding
        self.set_sizes = tuple(sets)
        self.run_sizes = tuple(runs)
        self.stages = stages(self.run_sizes)
        self.terms = terms
        self.points = points
        # Sets beyond these may be made, or not; and so may runs, in another search. A frugal one makes neither where it
        # can do without.
        self.must_sets, self.must_runs = len(self.set_sizes), len(self.run_sizes)
        self.frugal = False
        self.distinct_ranks = terms.distinct_ranks
        self.distinct_suits = terms.distinct_suits
        self.worth = [0 if rank in free else worth_of(points, card_of(LOWEST_RANK + rank, 0)) for rank in range(RANKS)]
        self.worths: dict[int, int] = {}
        self.most = -1
        self.runs: list[Share] = []
        self.sets: list[Share] = []
        self.taken: list[int] = []
        self.spare = [0] * SUITS
        self.left = holding.suits
        self.ranks_left = holding.ranks
        self.wilds = holding.wilds + coming
        self.dear = dear
        self.wilds_worth = self._wilds_worth()
        self.masks = holding.masks(terms.wild_twos)
        # What else than melds of this plan could use with so many wild cards left.
        self.beyond = [0] * (self.wilds + 1)
        self.looks_beyond = False
        self.beyond_sets = self.beyond
        self.only = [0] * RANKS
        self.most_only: list[int] = []
        self.candidates = {size: self._candidates(size) for size in dict.fromkeys(runs)}
        self.ceiling = {size: self._ceiling(size) for size in self.candidates}

    def _wilds_worth(self) -> list[int]:
        """Give by number the most worth that so many wild cards have."""
        wilds = [self.points[JOKER]] * self.holding.jokers + [self.points[Card.C2]] * sum(self.holding.twos)
        worths = [0]
        for points in sorted(wilds, reverse=True):
            worths.append(worths[-1] + points * POINT + 1)
        return worths

    def search(self, used: int = 0) -> None:
        """Go through all plans that may be better than the best that is known; `used` is of worth in all of them."""
        self._choose_run(0, (0, 0), self.wilds, used, self.holding.suits)

    def most_beyond(self, suits: Suits, suit: int) -> int:
        """Give a bound on what else than melds of the plan can use where no more runs are made of suits before one."""
        del suits, suit
        return 0

    def most_settled(self, suits: Suits, suit: int) -> int:
        """Give a bound on what can be used of the cards left where no more runs are made of suits before one."""
        del suit
        return sum(map(self._worth_of_suit, suits))

    def beyond_around(self, suits: Suits, suit: int) -> Steps:
        """Give what else can use the other suits, where no more runs are made of suits before one."""
        del suits, suit
        return NOTHING

    def most_beyond_in(self, suit: int, layers: Layers, around: Steps, jokers: int) -> int:
        """Give a bound on what else can use these cards of one suit, and all `around`, with so many jokers left."""
        del suit, layers, around, jokers
        return 0

    def only_in_sets(self, suits: Suits) -> list[int]:
        """Give by rank what the cards left are worth that nothing but sets can use."""
        del suits
        return [count * worth for count, worth in zip(self.ranks_left, self.worth, strict=True)]

    def beyond_runs(self, suits: Suits) -> list[int]:
        """Give by jokers what else than melds of the plan can use at most, now that its runs are chosen."""
        del suits
        return self.beyond

    @abstractmethod
    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Look at the plan that `runs` and `sets` hold.

        Its naturals are worth `used`, as many `jokers` are left after its gaps, and `suits` after its runs.
        """

    def _worth(self, mask: int) -> int:
        """Give the worth of the cards at the places of a mask."""
        worth = self.worths.get(mask)
        if worth is None:
            worth = self.worths[mask] = sum(self.worth[rank] for rank in ranks_of(mask))
        return worth

    def _worth_of_suit(self, layers: Layers) -> int:
        """Give the worth of all cards of a suit."""
        return sum(self._worth(layer & ~LOW_ACE) for layer in layers)

    def _candidates(self, size: int) -> list[list[Candidate]]:
        """Give by suit the windows for a run, the most worth first."""
        return [self._candidates_in(suit, size) for suit in range(SUITS)]

    def _candidates_in(self, suit: int, size: int) -> list[Candidate]:
        found = []
        for gaps, window, held in playable(self.masks[suit], size, self.wilds, self.terms):
            length = gaps + held.bit_count()
            # A wild two at its own place is a natural too: which of the runs of its suit gets it is settled later.
            fewest = self.terms.run_naturals[length]
            if window & self.terms.wild_twos and self.holding.twos[suit]:
                fewest -= 1
            cost = gaps + (held & self.dear).bit_count() if self.dear else gaps
            found.append(Candidate(self._worth(held), cost, window, held, taking(window), length, fewest))
        found.sort(key=lambda candidate: (-candidate.worth, candidate.cost, candidate.window))
        return found

    def _ceiling(self, size: int) -> list[list[list[int]]]:
        """Give `ceiling[suit][runs][jokers]` for runs of a size."""
        suits = [
            SuitOffer(
                one=rising([(run.cost, run.worth) for run in runs]),
                whole=self._worth_of_suit(layers),
                cards=sum([(layer & ~LOW_ACE).bit_count() for layer in layers]),
            )
            for runs, layers in zip(self.candidates[size], self.holding.suits, strict=True)
        ]
        return ceiling(suits, size=size, runs=self.run_sizes.count(size), wilds=self.wilds)

    def _choose_run(self, index: int, start: tuple[int, int], jokers: int, used: int, suits: Suits) -> None:
        """Choose the run `index` and all that follow it; of runs of one size each begins at its forerunner's place.

        `start` is a suit and a place among its candidates; `jokers` are left after the gaps; `used` is worth so far.
        """
        if index == len(self.stages):
            self._choose_sets(jokers, used, suits)
            return
        stage = self.stages[index]
        ceiling = self.ceiling[stage.size]
        missing, most_of_sets = self._sets_beside_runs()
        within = most_of_sets + self.wilds_worth[-1]
        # What runs take from the sets costs more jokers there, never fewer.
        free = jokers - missing
        if free < 0:
            return
        others = within + self.beyond[free]
        for size, number in stage.later:
            others += self.ceiling[size][0][number][free]
        for suit in range(start[0], SUITS):
            if self.looks_beyond and not stage.later and suit > start[0]:
                if used + self.most_settled(suits, suit) + self.wilds_worth[-1] <= self.most:
                    return
                others = min(others, within + self.most_beyond(suits, suit))
            if used + ceiling[suit][stage.following + 1][free] + others <= self.most:
                return
            if not (self.distinct_suits and any(share.suit == suit for share in self.runs)):
                first = start[1] if suit == start[0] else 0
                self._choose_in_suit(index, (suit, first), jokers, missing, used, suits, (within, others))

    def _sets_beside_runs(self) -> tuple[int, int]:
        """Give how many jokers the sets need at least beside the runs chosen, and the most worth that they can use."""
        if not self.set_sizes:
            return 0, 0
        ranks = without_ranks(self.holding.ranks, self.taken)
        worths = [count * worth for count, worth in zip(ranks, self.worth, strict=True)]
        return missing_of_sets(ranks, self.set_sizes[: self.must_sets]), sum(self._most_of_ranks(worths))

    def _choose_in_suit(
        self,
        index: int,
        start: tuple[int, int],
        jokers: int,
        missing: int,
        used: int,
        suits: Suits,
        bounds: tuple[int, int],
    ) -> None:
        """Choose the run `index` in one suit, from a place among its candidates.

        The sets need `missing` of the jokers at least; `bounds` are for them and the wild cards, and for all but runs.
        """
        stage = self.stages[index]
        suit, first = start
        within, others = bounds
        layers = suits[suit]
        ceiling = self.ceiling[stage.size][suit + 1]
        # The last of all runs: what runs on the table use in other suits is settled then.
        around: Steps = []
        if self.looks_beyond and not stage.later and not stage.following:
            around = self.beyond_around(suits, suit)
        # Of all runs of the least size one is to spare, whichever it is, where there is one more than must be.
        spares = self.frugal and len(self.run_sizes) > self.must_runs and stage.size == self.run_sizes[-1]
        candidates = self.candidates[stage.size][suit]
        if not self._goes_on(len(candidates) - first):
            return
        for place in range(first, len(candidates)):
            candidate = candidates[place]
            got = layers[0] & candidate.held
            gaps = candidate.length - (got & ~self.dear).bit_count()
            spare = self.spare[suit] + got.bit_count() - candidate.fewest
            free = jokers - gaps - missing
            if free < 0 or spare < 0:
                continue
            now = used + (candidate.worth if got == candidate.held else self._worth(got))
            if spares and self._can_do_without(suit, candidate.window, got):
                continue
            after = without(layers, candidate.taken)
            rest = self._worth_of_suit(after)
            if now + self._bound(ceiling, stage.following, free, rest, candidate.worth) + others <= self.most:
                continue
            if around and now + within + self.most_beyond_in(suit, after, around, free) <= self.most:
                continue
            before, self.spare[suit] = self.spare[suit], spare
            self.taken.append(got)
            self.runs.append(run_share(self.terms, suit, candidate.window, candidate.length))
            next_start = (suit, place) if stage.following else (0, 0)
            self._choose_run(index + 1, next_start, jokers - gaps, now, (*suits[:suit], after, *suits[suit + 1 :]))
            self.runs.pop()
            self.taken.pop()
            self.spare[suit] = before

    def _goes_on(self, steps: int) -> bool:
        """Take some steps; where the effort is spent by them no plan is worth looking at any more."""
        if self.effort.take(steps):
            return True
        self.most = ANY_WORTH
        return False

    def _can_do_without(self, suit: int, window: int, got: int) -> bool:
        """Say whether a run is worth nothing, or makes one with another run of the plan that it touches or overlaps.

        So it does where the two have no card twice, and where a joker more in one meld is always as good as in two.
        """
        if not self._worth(got):
            return True
        if not isinstance(self.terms.limit, str):
            return False
        around = window << 1 | window | window >> 1
        return any(run.suit == suit and run.window & around and not run.window & got for run in self.runs)

    def _bound(self, later: list[list[int]], following: int, jokers: int, rest: int, worth: int) -> int:
        """Give the most that the following runs of one size can use of this suit and of the later ones.

        `rest` is what this suit is still worth, `worth` what the run just chosen was: none after it is worth more.
        """
        return max(min(rest, here * worth) + later[following - here][jokers] for here in range(following + 1))

    def _choose_sets(self, jokers: int, used: int, suits: Suits) -> None:
        """Choose the sets, with the runs chosen and their cards taken."""
        self.left = suits
        self.ranks_left = ranks = without_ranks(self.holding.ranks, self.taken)
        if not self.set_sizes:
            self.weigh(used, jokers, suits)
            return
        if missing_of_sets(ranks, self.set_sizes[: self.must_sets]) > jokers:
            return
        worths = [count * worth for count, worth in zip(ranks, self.worth, strict=True)]
        order = sorted(self.terms.set_ranks, key=lambda rank: (-worths[rank], rank))
        if self.looks_beyond:
            self.only = self.only_in_sets(suits)
            self.most_only = [0, *accumulate(self._most_of_ranks(self.only))]
        elsewhere = sum(worths) - sum(self.only)
        if self._may_beat(used + elsewhere, len(self.set_sizes)):
            self.beyond_sets = self.beyond_runs(suits)
            self._choose_set(0, 0, jokers, used, ranks, [(worths[rank], rank) for rank in order], elsewhere)

    def _choose_set(
        self,
        index: int,
        start: int,
        jokers: int,
        used: int,
        left: list[int],
        order: list[tuple[int, int]],
        elsewhere: int,
    ) -> None:
        """Choose the rank of the set `index` and of all that follow it, from the rank of which most worth is left.

        `elsewhere` bounds what else can use of the ranks of which there is no set yet.
        """
        sets = self.set_sizes
        if index == len(sets):
            self.weigh(used, jokers, self.left)
            return
        if index >= self.must_sets:
            most = min(elsewhere, self.beyond_sets[jokers]) if self.looks_beyond else 0
            if used + most + self.wilds_worth[-1] > self.most:
                self.weigh(used, jokers, self.left)
        size = sets[index]
        same = sets.count(size) - (index - sets.index(size))
        others = self.wilds_worth[-1] + self.beyond_sets[jokers]
        others += sum(worth for worth, _ in order[: len(sets) - index - same])
        if not self._goes_on(len(order) - start):
            return
        for place in range(start, len(order)):
            if used + sum(worth for worth, _ in order[place : place + same]) + others <= self.most:
                return
            worth, rank = order[place]
            alike = [share.size for share in self.sets if share.rank == rank]
            if not self._can_be_of(rank, (size, *alike)):
                continue
            if self.frugal and index >= self.must_sets and (alike or not worth):
                continue
            got = min(size, left[rank])
            missing = size if self.dear & TWO_PLACE << rank else size - got
            now, beside = (used, elsewhere) if alike else (used + worth, elsewhere - worth + self.only[rank])
            if missing > jokers or not self._may_beat(now + beside, len(sets) - index - 1):
                continue
            left[rank] -= got
            self.sets.append(set_share(self.terms, rank, size))
            next_start = place if same > 1 else 0
            self._choose_set(index + 1, next_start, jokers - missing, now, left, order, beside)
            self.sets.pop()
            left[rank] += got

    def _most_of_ranks(self, worths: Sequence[int]) -> list[int]:
        """Give the most worths, by rank, that as many sets as there may be can use, the greatest first."""
        fewest = self.terms.fewest_naturals(self.set_sizes[-1]) if self.set_sizes else 0
        able = [worth if held >= fewest else 0 for worth, held in zip(worths, self.holding.ranks, strict=True)]
        return sorted(able, reverse=True)[: len(self.set_sizes)]

    def _can_be_of(self, rank: int, sizes: Sequence[int]) -> bool:
        """Say whether there can be sets of these sizes of one rank (R8.3, R16 `distinct_set_ranks`)."""
        if len(sizes) > 1 and self.distinct_ranks:
            return False
        return self.holding.ranks[rank] >= sum(map(self.terms.fewest_naturals, sizes))

    def _may_beat(self, used: int, sets: int) -> bool:
        """Say whether so much, and what nothing but so many further sets can use, may be more than the best."""
        return not self.looks_beyond or used + self.most_only[min(sets, RANKS)] + self.wilds_worth[-1] > self.most
