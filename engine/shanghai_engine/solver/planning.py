"""The plans of a lay-down: a window for every run and a rank for every set, the most worth first.

The worth of a plan is easy to bound: of a set's rank every natural is used, of a run's window one of each rank, and
every wild card may find room. The search goes through the plans, the runs suit by suit and then the sets, and leaves a
branch as soon as its bound does not beat the best that was found:

- the `worth` of cards is one number, so that sums can be compared;
- a `ceiling` bounds what the runs that are still to be chosen can use.

Wild cards, a wild two at its own place among them, are worth the same in every plan, up to those that find no room.
The module is longer than others here because every bound reads what the search has chosen so far.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from itertools import accumulate
from operator import ge

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.solver.allotment import Share, run_share, set_share
from shanghai_engine.solver.ceiling import SuitOffer, ceiling
from shanghai_engine.solver.effort import Effort
from shanghai_engine.solver.holding import SUITS, Holding, Layers, Suits, ranks_of, taking, without, without_ranks
from shanghai_engine.solver.nearness import missing_of_sets
from shanghai_engine.solver.stages import Candidate, stages
from shanghai_engine.solver.steps import NOTHING, Steps, most_together, most_within, rising, together
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
        # The places of the search from which no plan was worth weighing: of the same cards left, no later start
        # and no fewer jokers or naturals to spare can be better.
        self.hopeless: dict[tuple[int, Suits], list[tuple[tuple[int, int], int, tuple[int, ...]]]] = {}
        self.weighed = 0
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
        # What else than melds of this plan could use, also of the suits from each on; swaps may bring so many jokers
        # for that.
        self.beyond = NOTHING
        self.beyond_from = [NOTHING] * SUITS
        self.swapping = 0
        self.looks_beyond = False
        self.beyond_sets = [0] * (self.wilds + 1)
        self.set_steps: dict[tuple[int, ...], Steps] = {}
        self.only = [0] * RANKS
        self.most_only: list[int] = []
        self.only_from: list[int] = []
        self.candidates = {size: self._candidates(size) for size in dict.fromkeys(runs)}
        self.suits = range(SUITS)
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

    def beyond_settled(self, suits: Suits, number: int) -> Steps:
        """Give what else than melds of the plan can use of the first suits, of which no more runs are made."""
        del suits, number
        return NOTHING

    def most_settled(self, suits: Suits, number: int) -> list[int]:
        """Give by jokers the most that can be used of the first suits, of which no more runs are made."""
        del suits, number
        return []

    def beyond_around(self, suits: Suits, number: int) -> Steps:
        """Give what else can use all suits but one, by its place in `suits`; those before it are settled."""
        del suits, number
        return NOTHING

    def most_beyond_in(self, suit: int, layers: Layers, around: Steps, jokers: int) -> int:
        """Give a bound on what else can use these cards of one suit, and all `around`, with so many jokers left."""
        del suit, layers, around, jokers
        return 0

    def only_in_sets(self, suits: Suits) -> list[int]:
        """Give by rank what the cards left are worth that nothing but sets can use."""
        del suits
        return [count * worth for count, worth in zip(self.ranks_left, self.worth, strict=True)]

    def beyond_runs(self, suits: Suits) -> Steps:
        """Give what else than melds of the plan can use, now that its runs are chosen."""
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
            for runs, layers in [(self.candidates[size][suit], self.holding.suits[suit]) for suit in self.suits]
        ]
        return ceiling(suits, size=size, runs=self.run_sizes.count(size), wilds=self.wilds)

    def _choose_run(self, index: int, start: tuple[int, int], jokers: int, used: int, suits: Suits) -> None:
        """Choose the run `index` and all that follow it; of runs of one size each begins at its forerunner's place.

        `start` is a suit and a place among its candidates; `jokers` are left after the gaps; `used` is worth so far.
        """
        spare = tuple(self.spare)
        hopeless = self.hopeless.setdefault((index, suits), [])
        for from_start, with_jokers, with_spare in hopeless:
            if from_start <= start and with_jokers >= jokers and all(map(ge, with_spare, spare)):
                return
        weighed = self.weighed
        if index == len(self.stages):
            self._choose_sets(jokers, used, suits)
        else:
            self._choose_suit(index, start, jokers, used, suits)
        if self.weighed == weighed and not self.distinct_suits:
            hopeless.append((start, jokers, spare))

    def _choose_suit(self, index: int, start: tuple[int, int], jokers: int, used: int, suits: Suits) -> None:
        """Choose the suit of the run `index`, and then the run and all that follow it."""
        stage = self.stages[index]
        ceiling = self.ceiling[stage.size]
        missing, sets = self._sets_beside_runs()
        # What runs take from the sets costs more jokers there, never fewer.
        free = jokers - missing
        if free < 0:
            return
        wilds = self.wilds_worth[-1]
        others = wilds + self._most_of(sets, self.beyond, free)
        for size, number in stage.later:
            others += self.ceiling[size][0][number][free]
        for number in range(start[0], SUITS):
            settled: list[int] = []
            if number and self.looks_beyond and not stage.later:
                settled = self.most_settled(suits, number)
                rest = sum([self._worth_of_suit(suits[suit]) for suit in self.suits[number:]])
                if used + rest + settled[jokers] + wilds <= self.most:
                    return
                if number > start[0]:
                    beyond = together(self.beyond_settled(suits, number), self.beyond_from[number])
                    others = min(others, wilds + self._most_of(sets, beyond, free))
            if used + ceiling[number][stage.following + 1][free] + others <= self.most:
                return
            suit = self.suits[number]
            if not (self.distinct_suits and any(share.suit == suit for share in self.runs)):
                first = start[1] if number == start[0] else 0
                self._choose_in_suit(index, (number, first), jokers, missing, used, suits, sets, others, settled)

    def _most_of(self, sets: Steps, beyond: Steps, jokers: int) -> int:
        """Give the most that sets, and what else than melds of the plan, can use with so many jokers together."""
        return most_together(sets, beyond, jokers - self.swapping)

    def _sets_beside_runs(self) -> tuple[int, Steps]:
        """Give how many jokers the sets need at least beside the runs chosen, and what they can use with more."""
        if not self.set_sizes:
            return 0, NOTHING
        ranks = without_ranks(self.holding.ranks, self.taken)
        missing = missing_of_sets(ranks, self.set_sizes[: self.must_sets])
        worths = [count * worth for count, worth in zip(ranks, self.worth, strict=True)]
        if missing:
            return missing, [(0, sum(self._most_of_ranks(worths)))]
        return 0, self.steps_of_sets(worths, ranks)

    def steps_of_sets(self, worths: Sequence[int], ranks: Sequence[int]) -> Steps:
        """Give what sets can use of worths by rank, where there are so many cards of each rank for them."""
        key = (*worths, *ranks)
        known = self.set_steps.get(key)
        if known is None:
            known = self.set_steps[key] = self._steps_of_sets(worths, ranks)
        return known

    def _steps_of_sets(self, worths: Sequence[int], ranks: Sequence[int]) -> Steps:
        size, number = self.set_sizes[-1], len(self.set_sizes)
        fewest = self.terms.fewest_naturals(size)
        by_missing: list[list[int]] = [[] for _ in range(size + 1)]
        for worth, held, whole in zip(worths, ranks, self.holding.ranks, strict=True):
            if worth and whole >= fewest:
                by_missing[max(0, size - held)].append(worth)
        sums = [[0, *accumulate(sorted(worths, reverse=True))] for worths in by_missing]
        found = [(0, 0, 0)]
        for missing in range(1, size + 1):
            if by_missing[missing]:
                found = [
                    (jokers + missing * more, sets + more, used + worth)
                    for jokers, sets, used in found
                    for more, worth in enumerate(sums[missing])
                    if sets + more <= number and jokers + missing * more <= self.wilds
                ]
        whole_ranks = sums[0]
        most = len(whole_ranks) - 1
        return rising([(jokers, used + whole_ranks[min(most, number - sets)]) for jokers, sets, used in found])

    def _choose_in_suit(  # noqa: PLR0913, PLR0917 a search goes deep, and its bounds with it
        self,
        index: int,
        start: tuple[int, int],
        jokers: int,
        missing: int,
        used: int,
        suits: Suits,
        sets: Steps,
        others: int,
        settled: Sequence[int],
    ) -> None:
        """Choose the run `index` in one suit, from a place among its candidates.

        The sets need `missing` of the jokers at least, and can use what `sets` says; `others` bounds what all but runs
        can use, `settled` by jokers what can be used of the suits before, if there are any.
        """
        stage = self.stages[index]
        number, first = start
        wilds = self.wilds_worth[-1]
        suit = self.suits[number]
        layers = suits[suit]
        ceiling = self.ceiling[stage.size][number + 1]
        later_suits = wilds + sum([self._worth_of_suit(suits[later]) for later in self.suits[number + 1 :]])
        # The last of all runs: what runs on the table use in other suits is settled then.
        around: Steps = []
        if self.looks_beyond and not stage.later and not stage.following:
            around = together(self.beyond_around(suits, number), sets)
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
            if settled and now + rest + later_suits + settled[jokers - gaps] <= self.most:
                continue
            if now + self._bound(ceiling, stage.following, free, rest, candidate.worth) + others <= self.most:
                continue
            if around and now + wilds + self.most_beyond_in(suit, after, around, free) <= self.most:
                continue
            before, self.spare[suit] = self.spare[suit], spare
            self.taken.append(got)
            self.runs.append(run_share(self.terms, suit, candidate.window, candidate.length))
            next_start = (number, place) if stage.following else (0, 0)
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
        elsewhere = sum(worths)
        if self.looks_beyond:
            self.only = self.only_in_sets(suits)
            self.most_only = [0, *accumulate(self._most_of_ranks(self.only))]
            elsewhere -= sum(self.only)
            wilds = self.wilds_worth[-1]
            if used + elsewhere + most_within(self.steps_of_sets(self.only, ranks), jokers) + wilds <= self.most:
                return
            beyond = self.beyond_runs(suits)
            if used + self._most_of(self.steps_of_sets(worths, ranks), beyond, jokers) + wilds <= self.most:
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
        others = self.wilds_worth[-1] + beyond
        others += sum(worth for worth, _ in order[: len(sets) - index - same])
        last = self.looks_beyond and same == len(sets) - index
        if not self._goes_on(len(order) - start):
            return
        for place in range(start, len(order)):
            if used + sum(worth for worth, _ in order[place : place + same]) + others <= self.most:
                return
            # Ranks that are passed over have no set of this size any more.
            if last and used + elsewhere + self.only_from[place] + self.wilds_worth[-1] <= self.most:
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
