"""How near a hand is to a contract: whether it can be laid down, how many cards are missing, and which help.

A card that is missing may be drawn as one likes, and then the very card that a place needs is never worse than a
joker. So a *plan*, a window for every run and a rank for every set, costs two things: `missing`, the places that
no card of the hand fills, and `lacking`, those among them that a joker must not fill, because R8.3 wants at least
half of each meld natural. With some jokers in hand the plan is then away from a lay-down by

    max(lacking, missing - jokers)   cards, if that is above 0.

With one joker at most that is `missing - jokers`: a meld that misses cards may have one, so it lacks fewer naturals.

The search goes through the plans, run by run and set by set, the fullest first, and leaves a branch as soon as it
cannot beat the best plan found. Taking each meld's cards out of the hand before the next is looked at counts `missing`
exactly, since it does not matter which of two melds a card fills up. For `lacking` it does matter; there the search
goes by what each meld lacks if it may have all its cards, and an `Allotment` counts exactly for the plans that remain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shanghai_engine.card import CARDS, Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.allotment import Allotment, Share, run_share, set_share
from shanghai_engine.solver.effort import MOST_STEPS_NEAR, Effort
from shanghai_engine.solver.fullest_sets import fullest_ranks, missing_of_distinct_sets, missing_of_sets
from shanghai_engine.solver.glance import Glance
from shanghai_engine.solver.holding import Holding, Suits, ranks_of, without, without_ranks
from shanghai_engine.solver.question import check_question
from shanghai_engine.solver.terms import Terms, terms_of
from shanghai_engine.solver.window import nearest

MANY_MELDS = 4
"""Melds of a contract from which on plans are so many that those of its runs are dealt out by themselves first."""
MANY = 6
"""Cards to spare with which a lay-down is looked for before it is ruled out."""
_Candidate = tuple[int, int, int, int, int, int]
"""A run to be: cards missing and naturals lacking if it had all it can, places held and taken, length, and suit."""


def can_lay_down(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> bool:
    """Say whether the hand holds melds that fulfil the contract (R8.5): exact for any that a table can have (R16)."""
    check_question(hand, contract, rules)
    return least_missing(hand, contract, rules) == 0


def least_missing(hand: Sequence[Card], contract: Contract, rules: RuleSet, glance: Glance | None = None) -> int:
    """Give 0 where the hand can lay down, else a number from 1 that is not above `distance`, and sooner than that.

    Whoever has a glance at the hand already gives it along.
    """
    spare = len(hand) - contract.size
    if spare < 0:
        return -spare
    glance = glance or Glance(hand, rules)
    # A hand with many cards to spare can nearly always lay down, one with few hardly ever.
    if spare >= MANY and glance.plainly_fulfils(contract):
        return 0
    missing = glance.missing(contract)
    if missing > 0:
        return missing
    if spare < MANY and glance.plainly_fulfils(contract):
        return 0
    if len(contract.runs) == 1:
        missing = glance.missing_beside_run(contract)
        if missing > 0:
            return missing
    terms = terms_of(rules)
    return Search(Holding(hand, terms), contract, terms, limit=1).nearest()


def can_lay_down_apart(
    hand: Sequence[Card], contract: Contract, rules: RuleSet, *, ranks: Collection[int], suits: Collection[int]
) -> bool:
    """Say whether the hand holds melds that fulfil the contract, no set of some ranks and no run of some suits.

    That is what is left to lay down beside melds that must differ from these (R16 `distinct_set_ranks`,
    `distinct_run_suits`). Ranks go by their numbers.
    """
    if not ranks and not suits:
        return least_missing(hand, contract, rules) == 0
    if Glance(hand, rules).missing(contract) > 0:
        return False
    terms = terms_of(rules)
    return not Search(Holding(hand, terms), contract, terms, limit=1, no_sets_of=ranks, no_runs_of=suits).nearest()


def distance(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> int:
    """Give the fewest further cards, of one's own choice, with which the contract can be laid down; 0 if it can now.

    Exact for all that a table can ask for; `how_near` says whether it is where a contract is larger than that (R16).
    """
    check_question(hand, contract, rules)
    terms = terms_of(rules)
    return Search(Holding(hand, terms), contract, terms, limit=contract.size).nearest()


def is_within(hand: Sequence[Card], contract: Contract, rules: RuleSet, *, most: int) -> bool:
    """Say whether `distance` is `most` or less: much sooner than `distance` does."""
    terms = terms_of(rules)
    return Search(Holding(hand, terms), contract, terms, limit=most + 1, least=most).nearest() <= most


def outs(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> frozenset[Card]:
    """Give the cards each of which brings the distance down by one; none where it is 0."""
    return how_near(hand, contract, rules).outs


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near a hand is to a contract: its `distance` and its `outs`.

    `exact` says that both are certain. Else, which no contract that a table can have was ever seen to lead to (R16),
    the distance is not above what is said, and there may be further outs.
    """

    distance: int
    outs: frozenset[Card]
    exact: bool


def how_near(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> Nearness:
    """Give the `distance` and the `outs` of a hand, after a bounded number of steps, and whether they are certain."""
    check_question(hand, contract, rules)
    terms = terms_of(rules)
    effort = Effort(MOST_STEPS_NEAR)
    away = Search(Holding(hand, terms), contract, terms, limit=contract.size, effort=effort).nearest()
    found = frozenset(card for card in CARDS if away and _is_nearer((*hand, card), contract, terms, away, effort))
    return Nearness(away, found, exact=not effort.spent)


def _is_nearer(hand: Sequence[Card], contract: Contract, terms: Terms, away: int, effort: Effort) -> bool:
    """Say whether a hand is nearer than that; one card more never brings it nearer by more than one."""
    search = Search(Holding(hand, terms), contract, terms, limit=away, least=away - 1, effort=effort)
    return search.nearest() < away


def nearest_plan(holding: Holding, contract: Contract, terms: Terms) -> tuple[list[Share], list[Share]]:
    """Give runs and sets without cards, as which a hand that can lay down can do so."""
    search = Search(holding, contract, terms, limit=1, chooses_sets=True)
    if search.nearest():
        raise ValueError(f"{contract} cannot be laid down")
    return search.plan()


class Search:
    """One search for the plan that is nearest, among those nearer than a limit; `least` is known to be a bound.

    Where there shall be no sets of some ranks, or no runs of some suits, these count as if the hand had none of their
    cards: so no such meld is ever within reach of a lay-down that needs no further card.
    """

    def __init__(  # noqa: PLR0913 a search has many sides
        self,
        holding: Holding,
        contract: Contract,
        terms: Terms,
        *,
        limit: int,
        least: int = 0,
        no_sets_of: Collection[int] = (),
        no_runs_of: Collection[int] = (),
        chooses_sets: bool = False,
        effort: Effort | None = None,
    ) -> None:
        """Ask for a distance below the limit; the nearest plan is then in `found_runs` and `found_ranks`.

        The ranks of sets that differ in size are not looked for with one joker or none, unless `chooses_sets` says so.
        Where the `effort` is spent, its own or one that several searches share, the nearest plan found by then counts.
        """
        self.effort = effort or Effort(MOST_STEPS_NEAR)
        self.found_runs: list[tuple[int, int, int]] = []
        self.found_ranks: list[int] = []
        self.chooses_sets = chooses_sets
        self.ranks = holding.ranks
        if no_sets_of:
            self.ranks = [0 if rank in no_sets_of else number for rank, number in enumerate(holding.ranks)]
        self.no_runs_of = no_runs_of
        self.holding = holding
        self.contract = contract
        self.terms = terms
        self.jokers = min(holding.wilds, terms.most_wilds_of(contract, sum(holding.twos)))
        # Whether only `missing` counts; a wild two, which is natural at its own place, is not so simple.
        self.counts_missing = not self.jokers or (self.jokers == 1 and not terms.wild_twos)
        self.best = limit
        self.run_plan: list[tuple[int, int, int]] = []
        self.set_plan: list[int] = []
        self.melds = len(contract.runs) + len(contract.sets)
        self.taken: list[int] = []
        self.wanted_ranks: set[int] = set()
        self.missing_of_sets = missing_of_distinct_sets if terms.distinct_ranks else missing_of_sets
        self.set_naturals = tuple(map(terms.fewest_naturals, contract.sets))
        # What the runs from each on, and the sets after them, must miss and lack at least, if none takes from another.
        self.floor = [self.missing_of_sets(self.ranks, contract.sets)]
        self.lack_floor = [self.missing_of_sets(self.ranks, self.set_naturals)]
        most = limit - 1 + self.jokers - self.floor[0]
        self.candidates = {size: self._candidates(size, most) for size in dict.fromkeys(contract.runs)}
        for size in reversed(contract.runs):
            runs = self.candidates[size]
            self.floor.append(self.floor[-1] + (runs[0][0] if runs else most + 1))
            self.lack_floor.append(self.lack_floor[-1] + min([run[1] for run in runs], default=0))
        self.floor.reverse()
        self.lack_floor.reverse()
        self.least = max(least, self.floor[0] - self.jokers, self.lack_floor[0])

    def _candidates(self, size: int, most: int) -> list[_Candidate]:
        """Give the runs to be of a size, the fullest first, but those that miss more than `most`: no plan has them."""
        found: list[_Candidate] = []
        for suit, mask in enumerate(self.holding.masks(self.terms.wild_twos)):
            places = 0 if suit in self.no_runs_of else mask
            for run in nearest(places, size, self.jokers, self.terms):
                if run[0] > most:
                    break
                found.append((*run, suit))
        found.sort()
        return found

    def nearest(self) -> int:
        """Give the distance, or the limit where no plan is below it."""
        if self.least < self.best:
            self._choose_run(0, 0, 0, 0, self.holding.suits)
        return self.best

    def _choose_run(self, index: int, start: int, missing: int, lacking: int, suits: Suits) -> None:
        """Choose the run `index` and all that follow it; of runs of one size each begins at its forerunner's place.

        `missing` counts what the runs chosen miss now that each has taken its cards, `lacking` what they lack even
        if each could have all its cards.
        """
        if not self._goes_on():
            return
        runs = self.contract.runs
        if index > 1 and self.melds >= MANY_MELDS and self._lacking_of_runs() >= self.best:
            return
        if index == len(runs):
            self._choose_sets(missing, lacking)
            return
        size = runs[index]
        candidates = self.candidates[size]
        same = runs.count(size) - (index - runs.index(size))
        others = self.floor[index + same] - self.jokers
        for place in range(start, len(candidates)):
            least, lack, held, taken, length, suit = candidates[place]
            if missing + least * same + others >= self.best:
                return
            if self.terms.distinct_suits and any(run[0] == suit for run in self.run_plan):
                continue
            layers = suits[suit]
            got = layers[0] & held
            now = missing + length - got.bit_count()
            lacking_now = lacking + lack
            if now + least * (same - 1) + others >= self.best or lacking_now + self.lack_floor[index + 1] >= self.best:
                continue
            after = (*suits[:suit], without(layers, taken), *suits[suit + 1 :])
            self.run_plan.append((suit, held, length))
            self.taken.append(got)
            self._choose_run(index + 1, place if same > 1 else 0, now, lacking_now, after)
            self.run_plan.pop()
            self.taken.pop()
            if self.best <= self.least:
                return

    def _goes_on(self) -> bool:
        """Take a step; where the effort is spent no plan need be nearer than the best so far."""
        if self.effort.take(1):
            return True
        self.least = self.best
        return False

    def _lacking_of_runs(self) -> int:
        """Give how many naturals the runs chosen lack together: with more melds they never lack fewer."""
        if len({suit for suit, _, _ in self.run_plan}) == len(self.run_plan):
            return 0
        return Allotment(self.holding, self._shares(self.run_plan, ())[0], ()).balance()

    def _choose_sets(self, missing: int, lacking: int) -> None:
        """Choose the sets, with the runs chosen and their cards taken out of the suits."""
        ranks = without_ranks(self.ranks, self.taken)
        least = missing + self.missing_of_sets(ranks, self.contract.sets)
        if least - self.jokers >= self.best:
            return
        if self.chooses_sets or not self.counts_missing:
            self.wanted_ranks = {rank for _, held, _ in self.run_plan for rank in ranks_of(held)}
            order = sorted(self.terms.set_ranks, key=lambda rank: (-ranks[rank], -self.ranks[rank]))
            self._choose_set(0, 0, missing, lacking, ranks, list(self.ranks), order)
        else:
            self.best = max(0, least - self.jokers)
            self.found_runs = self.run_plan.copy()
            self.found_ranks = fullest_ranks(ranks, self.contract.sets, distinct=self.terms.distinct_ranks)

    def _choose_set(
        self, index: int, start: int, missing: int, lacking: int, left: list[int], whole: list[int], order: list[int]
    ) -> None:
        """Choose the rank of the set `index` and of all that follow it, from the rank of which most is left.

        `left` is what runs and earlier sets have left of each rank, `whole` what is left where only the naturals that
        R8.3 asks of the earlier sets are taken from the whole hand.
        """
        if not self._goes_on():
            return
        sets = self.contract.sets
        if index == len(sets):
            self._weigh(missing, lacking)
            return
        size, naturals, rest = sets[index], self.set_naturals[index], sets[index + 1 :]
        tried: set[int] = set()
        for place in range(start, len(order)):
            rank = order[place]
            if rank in self.set_plan:
                if self.terms.distinct_ranks:
                    continue
            elif rank not in self.wanted_ranks:
                # Of ranks that no run wants anything of, those of as many cards are all alike.
                if left[rank] in tried:
                    continue
                tried.add(left[rank])
            got, got_of_whole = min(size, left[rank]), min(naturals, whole[rank])
            left[rank] -= got
            whole[rank] -= got_of_whole
            now, lacking_now = missing + size - got, lacking + naturals - got_of_whole
            if (
                now + self.missing_of_sets(left, rest) - self.jokers < self.best
                and lacking_now + self.missing_of_sets(whole, self.set_naturals[index + 1 :]) < self.best
            ):
                self.set_plan.append(rank)
                next_start = place if rest and rest[0] == size else 0
                self._choose_set(index + 1, next_start, now, lacking_now, left, whole, order)
                self.set_plan.pop()
            left[rank] += got
            whole[rank] += got_of_whole
            if self.best <= self.least:
                return

    def _weigh(self, missing: int, lacking: int) -> None:
        """Take the plan if it is nearer than the best so far."""
        least = max(0, missing - self.jokers, lacking)
        if least >= self.best:
            return
        runs, sets = self._shares(self.run_plan, self.set_plan)
        least = max(least, Allotment(self.holding, runs, sets).balance())
        if least < self.best:
            self.best = least
            self.found_runs, self.found_ranks = self.run_plan.copy(), self.set_plan.copy()

    def plan(self) -> tuple[list[Share], list[Share]]:
        """Give runs and sets without cards, as which the nearest plan was found."""
        return self._shares(self.found_runs, self.found_ranks)

    def _shares(
        self, run_plan: Sequence[tuple[int, int, int]], set_plan: Sequence[int]
    ) -> tuple[list[Share], list[Share]]:
        """Give the melds to be of a plan, without cards."""
        runs = [run_share(self.terms, *run) for run in run_plan]
        plan = zip(set_plan, self.contract.sets, strict=False)
        return runs, [set_share(self.terms, rank, size) for rank, size in plan]
