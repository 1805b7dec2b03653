"""The best lay-down of a hand by itself: the fewest points left in hand, and of those the fewest cards (R8.5, R12.1).

Each of the plans that `planning` goes through is dealt out by an `Allotment`; the wild cards that no gap needs are then
added wherever R8.3 allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import MeldDraft
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.allotment import Allotment, run_share, set_share
from shanghai_engine.solver.effort import STEPS_OF_BOUND, STEPS_OF_PLAN, STEPS_OF_WILD, Effort
from shanghai_engine.solver.fulfilment import in_order
from shanghai_engine.solver.holding import Holding, Suits
from shanghai_engine.solver.nearness import least_missing, nearest_plan
from shanghai_engine.solver.planning import PlanSearch
from shanghai_engine.solver.question import check_question
from shanghai_engine.solver.terms import terms_of
from shanghai_engine.solver.worth import worth_of


def best_lay_down(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> tuple[MeldDraft, ...] | None:
    """Give the lay-down that leaves the fewest points, then the fewest cards, in hand; none where there is none (R8.5).

    Sets come first, then runs, each from the longest down. The order of the hand makes no difference. Exact for hands
    of up to 23 cards; of a larger one it is the best that was found with a bounded effort, and always a lay-down where
    there is one.
    """
    check_question(hand, contract, rules)
    return lay_down_within(hand, contract, rules, Effort.for_hand(len(hand)))


def lay_down_within(
    hand: Sequence[Card], contract: Contract, rules: RuleSet, effort: Effort
) -> tuple[MeldDraft, ...] | None:
    """Give the best lay-down that is found with an effort; a lay-down where there is one, however small the effort."""
    if least_missing(hand, contract, rules) > 0:
        return None
    terms = terms_of(rules)
    holding = Holding(hand, terms)
    search = _BestSearch(holding, contract.sets, contract.runs, terms=terms, points=rules.card_points, effort=effort)
    search.search()
    if search.found is None:
        search.take_nearest(contract)
    return search.found


class _BestSearch(PlanSearch):
    """One search for the lay-down of the most worth."""

    found: tuple[MeldDraft, ...] | None = None

    def _room(self) -> int:
        """Give a bound on the wild cards that the plan's melds can hold, however its cards are dealt out (R8.3)."""
        room = 0
        for rank in {share.rank for share in self.sets}:
            alike = sum(share.rank == rank for share in self.sets)
            room += self.terms.most_jokers_of_sets(self.holding.ranks[rank], alike)
        for share in self.runs:
            held = (self.masks[share.suit] & share.window).bit_count()
            room += max(map(self.terms.most_jokers_of_run, range(held + 1)))
            room += bool(share.window & self.terms.wild_twos and self.holding.twos[share.suit])
        return room

    def take_nearest(self, contract: Contract) -> None:
        """Take the lay-down that is found soonest: the effort was spent before there was any."""
        self.most = -1
        self.runs, self.sets = nearest_plan(self.holding, contract, self.terms)
        self._deal()

    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Deal the plan out where it may be worth more than the best so far."""
        del jokers, suits  # The allotment counts them again.
        # How much room there is for wild cards differs from plan to plan, whatever is left.
        self.weighed += 1
        if (
            not self.goes_on(STEPS_OF_BOUND)
            or used + self.wilds_worth[min(self.holding.wilds, self._room())] <= self.most
        ):
            return
        if self.goes_on(STEPS_OF_PLAN + STEPS_OF_WILD * self.holding.wilds):
            self._deal()

    def _deal(self) -> None:
        """Deal out what `runs` and `sets` hold, and take it if it can be laid down and is worth more than the best."""
        runs = [run_share(self.terms, share.suit, share.window, share.size) for share in self.runs]
        sets = [set_share(self.terms, share.rank, share.size) for share in self.sets]
        allotment = Allotment(self.holding, runs, sets)
        if allotment.balance():
            return
        if sum(share.missing for share in allotment.shares) > len(allotment.wilds(self.points)):
            return
        allotment.make_room(self.points)
        given = allotment.spread(allotment.wilds(self.points))
        worth = sum(self.worth[rank] for share in allotment.shares for _, rank in share.naturals)
        worth += sum(worth_of(self.points, card) for wilds in given for card in wilds)
        if worth > self.most:
            self.most = worth
            self.found = in_order(share.draft(wilds) for share, wilds in zip(allotment.shares, given, strict=True))
