"""The best lay-down of a hand by itself: the fewest points left in hand, and of those the fewest cards (R8.5, R12.1).

A plan is a window for every run and a rank for every set. Its worth is easy to bound: of a set's rank every natural
is used, of a run's window one of each rank, and no more jokers than there are. The search goes through the plans, the
runs suit by suit and then the sets, and leaves a branch as soon as its bound does not beat the best lay-down found:

- `worth` of cards is one number, points first and cards second, so that sums can be compared;
- `ceiling[suit][runs][jokers]` is the most that so many runs can use of this suit and the later ones together,
  with so many jokers in their gaps; cards that two runs both want are counted once for each suit at most.

A plan that passes is dealt out by an `Allotment`; the wild cards that no gap needs are then added wherever R8.3 allows.
Wild cards, a wild two at its own place among them, are worth the same in every plan, up to those that find no room.
"""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import Contract
from shanghai_engine.meld import MeldDraft
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.allotment import Allotment, Share, run_share, set_share
from shanghai_engine.solver.fulfilment import in_order
from shanghai_engine.solver.holding import SUITS, Holding, Layers, Suits, ranks_of, taking, without, without_ranks
from shanghai_engine.solver.nearness import Search as NearestSearch
from shanghai_engine.solver.nearness import missing_of_sets
from shanghai_engine.solver.terms import LOW_ACE, RANKS, Terms, terms_of
from shanghai_engine.solver.window import playable

POINT = 1 << 10
"""The worth of a point; that of a card is 1, and no hand holds so many cards."""


def best_lay_down(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> tuple[MeldDraft, ...] | None:
    """Give the lay-down that leaves the fewest points, then the fewest cards, in hand; none where there is none (R8.5).

    Sets come first, then runs, each from the longest down. The order of the hand makes no difference.
    """
    terms = terms_of(rules)
    holding = Holding(hand, terms)
    if NearestSearch(holding, contract, terms, limit=1).nearest():
        return None
    return _Search(holding, contract, terms, rules.card_points).best()


class _Search:
    """One search for the plan of the most worth."""

    def __init__(self, holding: Holding, contract: Contract, terms: Terms, points: Sequence[int]) -> None:
        self.holding = holding
        self.contract = contract
        self.terms = terms
        self.points = points
        self.worth = [points[card_of(LOWEST_RANK + rank, 0)] * POINT + 1 for rank in range(RANKS)]
        self.worths: dict[int, int] = {}
        self.most = -1
        self.found: tuple[MeldDraft, ...] | None = None
        self.runs: list[Share] = []
        self.sets: list[Share] = []
        self.taken: list[int] = []
        ranks_worth = [count * worth for count, worth in zip(holding.ranks, self.worth, strict=True)]
        self.sets_ceiling = sum(sorted(ranks_worth, reverse=True)[: len(contract.sets)])
        self.wilds_worth = self._wilds_worth()
        self.masks = holding.masks(terms.wild_twos)
        self.candidates = {size: self._candidates(size) for size in dict.fromkeys(contract.runs)}
        self.ceiling = {size: self._ceiling(size) for size in self.candidates}

    def _wilds_worth(self) -> list[int]:
        """Give by number the most worth that so many wild cards have."""
        wilds = [self.points[JOKER]] * self.holding.jokers + [self.points[Card.C2]] * sum(self.holding.twos)
        worths = [0]
        for points in sorted(wilds, reverse=True):
            worths.append(worths[-1] + points * POINT + 1)
        return worths

    def best(self) -> tuple[MeldDraft, ...] | None:
        """Give the lay-down of the best plan."""
        self._choose_run(0, (0, 0), self.holding.wilds, 0, self.holding.suits)
        return self.found

    def _worth(self, mask: int) -> int:
        """Give the worth of the cards at the places of a mask."""
        worth = self.worths.get(mask)
        if worth is None:
            worth = self.worths[mask] = sum(self.worth[rank] for rank in ranks_of(mask))
        return worth

    def _worth_of_suit(self, layers: Layers) -> int:
        """Give the worth of all cards of a suit."""
        return sum(self._worth(layer & ~LOW_ACE) for layer in layers)

    def _candidates(self, size: int) -> list[list[tuple[int, int, int, int]]]:
        """Give by suit the windows for a run as (worth, gaps, window, ranks held), the most worth first."""
        return [
            sorted(
                (
                    (self._worth(held), gaps, window, held)
                    for gaps, window, held in playable(mask, size, self.holding.wilds, self.terms)
                ),
                key=lambda candidate: (-candidate[0], candidate[1], candidate[2]),
            )
            for mask in self.masks
        ]

    def _ceiling(self, size: int) -> list[list[list[int]]]:
        """Give `ceiling[suit][runs][jokers]` for runs of a size."""
        most_runs = self.contract.runs.count(size)
        most_jokers = self.holding.wilds
        ceiling = [[[0] * (most_jokers + 1) for _ in range(most_runs + 1)]]
        for suit in reversed(range(SUITS)):
            alone = self._most_of_suit(suit, size, most_runs)
            later = ceiling[-1]
            ceiling.append(
                [
                    [
                        max(
                            alone[here][gaps] + later[runs - here][jokers - gaps]
                            for here in range(runs + 1)
                            for gaps in range(jokers + 1)
                        )
                        for jokers in range(most_jokers + 1)
                    ]
                    for runs in range(most_runs + 1)
                ]
            )
        ceiling.reverse()
        return ceiling

    def _most_of_suit(self, suit: int, size: int, most_runs: int) -> list[list[int]]:
        """Give by runs and jokers the most worth that so many runs, or fewer, can use of one suit."""
        one = [0] * (self.holding.wilds + 1)
        for worth, gaps, _, _ in self.candidates[size][suit]:
            one[gaps] = max(one[gaps], worth)
        for jokers in range(1, len(one)):
            one[jokers] = max(one[jokers - 1], one[jokers])
        whole = self._worth_of_suit(self.holding.suits[suit])
        table = [[0] * len(one), one]
        while len(table) <= most_runs:
            table.append(
                [
                    min(whole, max(one[gaps] + table[-1][jokers - gaps] for gaps in range(jokers + 1)))
                    for jokers in range(len(one))
                ]
            )
        return table

    def _choose_run(self, index: int, start: tuple[int, int], jokers: int, used: int, suits: Suits) -> None:
        """Choose the run `index` and all that follow it; of runs of one size each begins at its forerunner's place.

        `start` is a suit and a place among its candidates; `jokers` are left after the gaps; `used` is worth so far.
        """
        runs = self.contract.runs
        if index == len(runs):
            self._choose_sets(jokers, used)
            return
        size = runs[index]
        following = runs.count(size) - (index - runs.index(size)) - 1
        ceiling = self.ceiling[size]
        others = self.sets_ceiling + self.wilds_worth[-1]
        for later in dict.fromkeys(runs[index + following + 1 :]):
            others += self.ceiling[later][0][runs.count(later)][jokers]
        for suit in range(start[0], SUITS):
            if used + ceiling[suit][following + 1][jokers] + others <= self.most:
                return
            if self.terms.distinct_suits and any(share.suit == suit for share in self.runs):
                continue
            for place in range(start[1] if suit == start[0] else 0, len(self.candidates[size][suit])):
                worth, _, window, held = self.candidates[size][suit][place]
                layers = suits[suit]
                got = layers[0] & held
                gaps = window.bit_count() - got.bit_count()
                if gaps > jokers:
                    continue
                now = used + (worth if got == held else self._worth(got))
                after = without(layers, taking(window))
                bound = self._bound(ceiling[suit + 1], following, jokers - gaps, self._worth_of_suit(after), worth)
                if now + bound + others <= self.most:
                    continue
                self.taken.append(got)
                self.runs.append(run_share(self.terms, suit, window, window.bit_count()))
                next_start = (suit, place) if following else (0, 0)
                self._choose_run(index + 1, next_start, jokers - gaps, now, (*suits[:suit], after, *suits[suit + 1 :]))
                self.runs.pop()
                self.taken.pop()

    def _bound(self, later: list[list[int]], following: int, jokers: int, rest: int, worth: int) -> int:
        """Give the most that the following runs of one size can use of this suit and of the later ones.

        `rest` is what this suit is still worth, `worth` what the run just chosen was: none after it is worth more.
        """
        return max(min(rest, here * worth) + later[following - here][jokers] for here in range(following + 1))

    def _choose_sets(self, jokers: int, used: int) -> None:
        """Choose the sets, with the runs chosen and their cards taken."""
        ranks = without_ranks(self.holding.ranks, self.taken)
        if missing_of_sets(ranks, self.contract.sets) > jokers:
            return
        worths = [count * worth for count, worth in zip(ranks, self.worth, strict=True)]
        order = sorted(self.terms.set_ranks, key=lambda rank: (-worths[rank], rank))
        self._choose_set(0, 0, jokers, used, ranks, [(worths[rank], rank) for rank in order])

    def _choose_set(
        self, index: int, start: int, jokers: int, used: int, left: list[int], order: list[tuple[int, int]]
    ) -> None:
        """Choose the rank of the set `index` and of all that follow it, from the rank of which most worth is left."""
        sets = self.contract.sets
        if index == len(sets):
            self._weigh(used)
            return
        size = sets[index]
        same = sets.count(size) - (index - sets.index(size))
        others = self.wilds_worth[-1] + sum(worth for worth, _ in order[: len(sets) - index - same])
        for place in range(start, len(order)):
            if used + sum(worth for worth, _ in order[place : place + same]) + others <= self.most:
                return
            worth, rank = order[place]
            got = min(size, left[rank])
            alike = [share.size for share in self.sets if share.rank == rank]
            if alike and self.terms.distinct_ranks:
                continue
            needed = sum(map(self.terms.fewest_naturals, (size, *alike)))
            if size - got > jokers or self.holding.ranks[rank] < needed:
                continue
            left[rank] -= got
            self.sets.append(set_share(self.terms, rank, size))
            next_start = place if same > 1 else 0
            self._choose_set(index + 1, next_start, jokers - size + got, used if alike else used + worth, left, order)
            self.sets.pop()
            left[rank] += got

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

    def _weigh(self, used: int) -> None:
        """Deal the plan out, and take it if it can be laid down and is worth more than the best so far."""
        if used + self.wilds_worth[min(self.holding.wilds, self._room())] <= self.most:
            return
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
        worth += sum(self.points[card] * POINT + 1 for wilds in given for card in wilds)
        if worth > self.most:
            self.most = worth
            self.found = in_order(share.draft(wilds) for share, wilds in zip(allotment.shares, given, strict=True))
