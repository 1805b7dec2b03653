"""The sets of a plan: a rank for each, once the runs are chosen, and those that the plan can do without.

What has been chosen bounds what else can be used: naturals of the ranks that have a set, those that only a set could
use, and, where there are runs on the table, what these can use beside the sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from itertools import accumulate

from shanghai_engine.card import JOKER, Card
from shanghai_engine.solver.allotment import Share, set_share
from shanghai_engine.solver.effort import Effort
from shanghai_engine.solver.fullest_sets import missing_of_sets
from shanghai_engine.solver.holding import Holding, Suits, without_ranks
from shanghai_engine.solver.set_use import SetUse
from shanghai_engine.solver.steps import NOTHING, Steps, most_together, most_within
from shanghai_engine.solver.terms import RANKS, TWO_PLACE, Terms
from shanghai_engine.solver.worth import ANY_WORTH, POINT, Worths


class SetSearch(ABC):
    """The part of a search for the plan of the most worth that chooses the sets, with its runs chosen.

    What a plan is really worth is for the heirs to `weigh`.
    """

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
        self.terms = terms
        self.points = points
        # Sets beyond these may be made, or not; and so may runs, in another search. A frugal one makes neither where it
        # can do without.
        self.must_sets, self.must_runs = len(self.set_sizes), len(self.run_sizes)
        self.frugal = False
        self.distinct_ranks = terms.distinct_ranks
        self.worths = Worths(points, free)
        self.worth = self.worths.by_rank
        self.most = -1
        self.weighed = 0
        self.runs: list[Share] = []
        self.sets: list[Share] = []
        self.taken: list[int] = []
        self.left = holding.suits
        self.ranks_left = holding.ranks
        self.wilds = holding.wilds + coming
        self.dear = dear
        self.wilds_worth = self._wilds_worth()
        # What else than melds of this plan could use; swaps may bring so many jokers for that.
        self.beyond = NOTHING
        self.swapping = 0
        self.looks_beyond = False
        self.set_use = SetUse(holding, self.set_sizes, terms, wilds=self.wilds)
        self.beyond_sets = [0] * (self.wilds + 1)
        self.only = [0] * RANKS
        self.most_only: list[int] = []
        self.only_from: list[int] = []

    def _wilds_worth(self) -> list[int]:
        """Give by number the most worth that so many wild cards have."""
        wilds = [self.points[JOKER]] * self.holding.jokers + [self.points[Card.C2]] * sum(self.holding.twos)
        worths = [0]
        for points in sorted(wilds, reverse=True):
            worths.append(worths[-1] + points * POINT + 1)
        return worths

    def only_in_sets(self, suits: Suits) -> list[int]:
        """Give by rank what the cards left are worth that nothing but sets can use."""
        del suits
        return [count * worth for count, worth in zip(self.ranks_left, self.worth, strict=True)]

    def beyond_runs(self, suits: Suits) -> Steps:
        """Give what else than melds of the plan can use, now that its runs are chosen."""
        del suits
        return self.beyond

    def beyond_beside_sets(self) -> Steps:
        """Give what else than melds of the plan can use beside the sets that have been chosen."""
        return self.beyond

    @abstractmethod
    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Look at the plan that `runs` and `sets` hold.

        Its naturals are worth `used`, as many `jokers` are left after its gaps, and `suits` after its runs.
        """

    def goes_on(self, steps: int) -> bool:
        """Take some steps; where the effort is spent by them no plan is worth looking at any more."""
        if self.effort.take(steps):
            return True
        self.most = ANY_WORTH
        return False

    def most_of(self, sets: Steps, beyond: Steps, jokers: int) -> int:
        """Give the most that sets, and what else than melds of the plan, can use with so many jokers together."""
        return most_together(sets, beyond, jokers - self.swapping)

    def choose_sets(self, jokers: int, used: int, suits: Suits) -> None:
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
        elsewhere = sum(worths)
        if self.looks_beyond:
            self.only = self.only_in_sets(suits)
            self.most_only = [0, *accumulate(self.set_use.most(self.only))]
            elsewhere -= sum(self.only)
            wilds = self.wilds_worth[-1]
            if used + elsewhere + most_within(self.set_use.steps(self.only, ranks), jokers) + wilds <= self.most:
                return
            beyond = self.beyond_runs(suits)
            if used + self.most_of(self.set_use.steps(worths, ranks), beyond, jokers) + wilds <= self.most:
                return
            self.beyond_sets = [most_within(beyond, left - self.swapping) for left in range(jokers + 1)]
        self.only_from = [*accumulate((self.only[rank] for rank in reversed(order)), initial=0)][::-1]
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
        beyond = self.beyond_sets[jokers]
        if index >= self.must_sets and used + min(elsewhere, beyond) + self.wilds_worth[-1] > self.most:
            self.weigh(used, jokers, self.left)
        size = sets[index]
        same = sets.count(size) - (index - sets.index(size))
        # Sets of another size may be of ranks that those of this size have passed over.
        further = order[start:] if same == len(sets) - index else order
        if index and self.looks_beyond and not self._may_beat_beside_sets(used, jokers, left, further):
            return
        others = self.wilds_worth[-1] + beyond
        others += sum(worth for worth, _ in order[: len(sets) - index - same])
        last = self.looks_beyond and same == len(sets) - index
        if not self.goes_on(len(order) - start):
            return
        for place in range(start, len(order)):
            if used + sum(worth for worth, _ in order[place : place + same]) + others <= self.most:
                return
            # Ranks that are passed over have no set of this size any more.
            if last and used + elsewhere + self.only_from[place] + self.wilds_worth[-1] <= self.most:
                return
            worth, rank = order[place]
            alike = [share.size for share in self.sets if share.rank == rank]
            if not self._can_be_of(rank, (size, *alike)) or (self._is_to_spare(index) and (alike or not worth)):
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

    def _can_be_of(self, rank: int, sizes: Sequence[int]) -> bool:
        """Say whether there can be sets of these sizes of one rank (R8.3, R16 `distinct_set_ranks`)."""
        if len(sizes) > 1 and self.distinct_ranks:
            return False
        return self.holding.ranks[rank] >= sum(map(self.terms.fewest_naturals, sizes))

    def _is_to_spare(self, index: int) -> bool:
        """Say whether a frugal search makes the set `index` only where it must."""
        return self.frugal and index >= self.must_sets

    def _may_beat_beside_sets(
        self, used: int, jokers: int, left: Sequence[int], order: Sequence[tuple[int, int]]
    ) -> bool:
        """Say whether so much, and what further sets and others can use beside those chosen, may be more than the best.

        There are so many cards `left` of each rank, and sets are chosen from those in `order`.
        """
        worths = [0] * RANKS
        for worth, rank in order:
            worths[rank] = worth
        further = self.set_use.steps(worths, left)
        return used + self.most_of(further, self.beyond_beside_sets(), jokers) + self.wilds_worth[-1] > self.most

    def _may_beat(self, used: int, sets: int) -> bool:
        """Say whether so much, and what nothing but so many further sets can use, may be more than the best."""
        return not self.looks_beyond or used + self.most_only[min(sets, RANKS)] + self.wilds_worth[-1] > self.most
