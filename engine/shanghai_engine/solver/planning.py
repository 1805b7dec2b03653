"""The plans of a lay-down: a window for every run and a rank for every set, the most worth first.

The worth of a plan is easy to bound: of a set's rank every natural is used, of a run's window one of each rank, and
every wild card may find room. The search goes through the plans, the runs suit by suit and then the sets
(`set_plans`), and leaves a branch as soon as its bound does not beat the best that was found:

- the `worth` of cards is one number, so that sums can be compared;
- a `ceiling` bounds what the runs that are still to be chosen can use, and `set_use` what the sets can.

Wild cards, a wild two at its own place among them, are worth the same in every plan, up to those that find no room.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from operator import ge

from shanghai_engine.solver.allotment import run_share
from shanghai_engine.solver.ceiling import SuitOffer, ceiling
from shanghai_engine.solver.effort import Effort
from shanghai_engine.solver.fullest_sets import missing_of_sets
from shanghai_engine.solver.holding import SUITS, Holding, Layers, Suits, taking, without, without_ranks
from shanghai_engine.solver.set_plans import SetSearch
from shanghai_engine.solver.stages import Candidate, stages
from shanghai_engine.solver.steps import NOTHING, Steps, rising, together
from shanghai_engine.solver.terms import LOW_ACE, Terms
from shanghai_engine.solver.window import ends, playable

Offer = tuple[int, Candidate, int, int, int]
"""A candidate and its place among all, what is left for it, its gaps, and the naturals beyond R8.3's fewest."""


class PlanSearch(SetSearch):
    """One search for the plan of the most worth."""

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
        """Ask as of a `SetSearch`."""
        super().__init__(
            holding, sets, runs, terms=terms, points=points, effort=effort, free=free, coming=coming, dear=dear
        )
        self.stages = stages(self.run_sizes)
        self.needed_from: list[int] = []
        self.cards: dict[Layers, int] = {}
        self.distinct_suits = terms.distinct_suits
        self.spare = [0] * SUITS
        self.masks = holding.masks(terms.wild_twos)
        # The places of the search from which no plan was worth weighing: of the same cards left, no later start
        # and no fewer jokers or naturals to spare can be better.
        self.hopeless: dict[tuple[int, Suits], list[tuple[tuple[int, int], int, tuple[int, ...]]]] = {}
        # What else than melds of this plan could use of the suits from each on.
        self.beyond_from = [NOTHING] * SUITS
        # Whether to leave out runs that end with a gap because another has the card.
        self.trims = False
        self.offers: dict[tuple[int, int, int], list[Offer]] = {}
        self.candidates = {size: self._candidates(size) for size in dict.fromkeys(runs)}
        self.suits = self.suits_in_order()
        self.ceiling = {size: self._ceiling(size) for size in self.candidates}

    def search(self, used: int = 0) -> None:
        """Go through all plans that may be better than the best that is known; `used` is of worth in all of them."""
        must = sum(self.set_sizes[: self.must_sets])
        self.needed_from = [must + sum(self.run_sizes[index:]) for index in range(len(self.run_sizes))]
        self._choose_run(0, (0, 0), self.wilds, used, self.holding.suits)

    def suits_in_order(self) -> Sequence[int]:
        """Give the suits in the order in which runs are chosen in them."""
        return range(SUITS)

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
            found.append(Candidate(self.worths.of(held), cost, window, held, taking(window), length, fewest))
        found.sort(key=lambda candidate: (-candidate.worth, candidate.cost, candidate.window))
        return found

    def _ceiling(self, size: int) -> list[list[list[int]]]:
        """Give `ceiling[suit][runs][jokers]` for runs of a size."""
        suits = [
            SuitOffer(
                one=rising([(run.cost, run.worth) for run in runs]),
                whole=self.worths.of_suit(layers),
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
            self.choose_sets(jokers, used, suits)
        elif not index or self._enough_for_runs(index, jokers, suits):
            self._choose_suit(index, start, jokers, used, suits)
        if self.weighed == weighed and not self.distinct_suits:
            hopeless.append((start, jokers, spare))

    def _enough_for_runs(self, index: int, jokers: int, suits: Suits) -> bool:
        """Say whether the suits, with so many jokers, may have the cards for the run `index` and all that follow it."""
        left = [self._cards_of(layers) for layers in suits]
        if sum(left) + jokers < self.needed_from[index]:
            return False
        # As if all were of the least size: a suit's last cards need jokers to be one more run.
        size = self.run_sizes[-1]
        runs = len(self.run_sizes) - index - sum([cards // size for cards in left])
        if runs <= 0:
            return True
        gaps = sorted([size - cards % size for cards in left if cards % size])
        return sum(gaps[:runs]) + size * max(0, runs - len(gaps)) <= jokers

    def _cards_of(self, layers: Layers) -> int:
        """Give the number of cards of a suit."""
        cards = self.cards.get(layers)
        if cards is None:
            cards = self.cards[layers] = sum([(layer & ~LOW_ACE).bit_count() for layer in layers])
        return cards

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
        others = wilds + self.most_of(sets, self.beyond, free)
        for size, number in stage.later:
            others += self.ceiling[size][0][number][free]
        for number in range(start[0], SUITS):
            settled: list[int] = []
            if number and self.looks_beyond and not stage.later:
                settled = self.most_settled(suits, number)
                rest = sum([self.worths.of_suit(suits[suit]) for suit in self.suits[number:]])
                if used + rest + settled[jokers] + wilds <= self.most:
                    return
                if number > start[0]:
                    beyond = together(self.beyond_settled(suits, number), self.beyond_from[number])
                    others = min(others, wilds + self.most_of(sets, beyond, free))
            if used + ceiling[number][stage.following + 1][free] + others <= self.most:
                return
            suit = self.suits[number]
            if not (self.distinct_suits and any(share.suit == suit for share in self.runs)):
                first = start[1] if number == start[0] else 0
                self._choose_in_suit(index, (number, first), jokers, missing, used, suits, sets, others, settled)

    def _sets_beside_runs(self) -> tuple[int, Steps]:
        """Give how many jokers the sets need at least beside the runs chosen, and what they can use with more."""
        if not self.set_sizes:
            return 0, NOTHING
        ranks = without_ranks(self.holding.ranks, self.taken)
        missing = missing_of_sets(ranks, self.set_sizes[: self.must_sets])
        worths = [count * worth for count, worth in zip(ranks, self.worth, strict=True)]
        if missing:
            return missing, [(0, sum(self.set_use.most(worths)))]
        return 0, self.set_use.steps(worths, ranks)

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
        later_suits = wilds + sum([self.worths.of_suit(suits[later]) for later in self.suits[number + 1 :]])
        # The last of all runs: what runs on the table use in other suits is settled then.
        around: Steps = []
        if self.looks_beyond and not stage.later:
            around = together(self.beyond_around(suits, number), sets)
        # Of all runs of the least size one is to spare, whichever it is, where there is one more than must be.
        spares = self.frugal and len(self.run_sizes) > self.must_runs and stage.size == self.run_sizes[-1]
        offers = self._offers(stage.size, suit, layers[0])
        offers = offers[bisect_left(offers, (first,)) :]
        if not self.goes_on(len(offers)):
            return
        for place, candidate, got, gaps, beyond_fewest in offers:
            spare = self.spare[suit] + beyond_fewest
            free = jokers - gaps - missing
            if free < 0 or spare < 0:
                continue
            now = used + self.worths.of(got)
            if spares and self._can_do_without(suit, candidate.window, got):
                continue
            after = without(layers, candidate.taken)
            rest = self.worths.of_suit(after)
            if settled and now + rest + later_suits + settled[jokers - gaps] <= self.most:
                continue
            more = self._bound(ceiling, stage.following, free, rest, candidate.worth)
            if now + more + others <= self.most:
                continue
            if around and now + wilds + more + self.most_beyond_in(suit, after, around, free) <= self.most:
                continue
            before, self.spare[suit] = self.spare[suit], spare
            self.taken.append(got)
            self.runs.append(run_share(self.terms, suit, candidate.window, candidate.length))
            next_start = (number, place) if stage.following else (0, 0)
            self._choose_run(index + 1, next_start, jokers - gaps, now, (*suits[:suit], after, *suits[suit + 1 :]))
            self.runs.pop()
            self.taken.pop()
            self.spare[suit] = before

    def _offers(self, size: int, suit: int, layer: int) -> list[Offer]:
        """Give what a suit still has for one run, where a layer is all that a run can have of it."""
        known = self.offers.get((size, suit, layer))
        if known is None:
            known = self.offers[size, suit, layer] = []
            trims = self.trims and not self.holding.twos[suit]
            for place, candidate in enumerate(self.candidates[size][suit]):
                got = layer & candidate.held
                gaps = candidate.length - (got & ~self.dear).bit_count()
                if gaps > self.wilds or (trims and got != candidate.held and self._is_cut(candidate, got, size)):
                    continue
                known.append((place, candidate, got, gaps, got.bit_count() - candidate.fewest))
        return known

    def _is_cut(self, candidate: Candidate, got: int, size: int) -> bool:
        """Say whether a run that has `got` these cards does no more than a shorter one, with a joker where it is cut.

        So it does where it has not both of its ends, and enough naturals by itself (R8.3).
        """
        return candidate.length > size and got.bit_count() >= candidate.fewest and not ends(got, candidate.window)

    def _can_do_without(self, suit: int, window: int, got: int) -> bool:
        """Say whether a run is worth nothing, or makes one with another run of the plan that it touches or overlaps.

        So it does where the two have no card twice, and where a joker more in one meld is always as good as in two.
        """
        if not self.worths.of(got):
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
