"""The plans of a turn: those of its new melds, and with each the ways in which the runs on the table grow.

Naturals of a rank of which there lies a set can always be played, and are worth the same in every plan. A plan is left
as soon as a bound on what it and the runs of the table can use together does not beat the best turn that was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.card import LOWEST_RANK, Card, card_of
from shanghai_engine.meld import End
from shanghai_engine.solver.allotment import Allotment, Share, run_share, set_share
from shanghai_engine.solver.best_so_far import BestSoFar
from shanghai_engine.solver.dealing import Dealing, RunToBe
from shanghai_engine.solver.effort import STEPS_OF_GROWTH, STEPS_OF_PLAN
from shanghai_engine.solver.growth import Prices, taken
from shanghai_engine.solver.holding import SUITS, Layers, Suits, places_of_ranks, ranks_of, without_ranks
from shanghai_engine.solver.ordering import Layout
from shanghai_engine.solver.planning import PlanSearch
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.setting import Setting
from shanghai_engine.solver.steps import NOTHING, Steps, later, most_together, most_within, together
from shanghai_engine.solver.terms import ANY_NUMBER, LOW_ACE, PLACES, RANKS, TWO_PLACE
from shanghai_engine.solver.worth import ANY_WORTH, worth_of


class TurnSearch(PlanSearch):
    """One search among the plans for a position, with further swaps or without."""

    def __init__(
        self, best: BestSoFar, position: Position, setting: Setting, sets: Sequence[int], runs: Sequence[int]
    ) -> None:
        """Ask for sets and runs of these sizes, of which those that the position must lay down come first."""
        self.best = best
        self.position = position
        self.setting = setting
        self.table = setting.table
        self.growth = setting.growth
        holding, dear = setting.holding, setting.dear
        super().__init__(
            holding,
            sets,
            runs,
            terms=best.terms,
            points=best.points,
            effort=best.effort,
            free=self.table.ranks,
            coming=setting.coming,
            dear=dear,
        )
        self.must_sets, self.must_runs = map(len, position.sizes)
        # Further melds may be alike: which of them are the contract's is settled by their order.
        self.distinct_ranks &= len(sets) == self.must_sets
        self.distinct_suits &= len(runs) == self.must_runs
        self.hand_worth = best.worth(position.hand)
        self.most = self.hand_worth - best.least
        self.always = sum(
            count * worth_of(self.points, _of_rank(rank))
            for rank, count in enumerate(holding.ranks)
            if rank in self.table.ranks
        )
        self.keepable = position.keepable()
        self.reached = [[0, 0] for _ in self.growth.runs]
        self.prices = self.growth.prices(self.worth, dear)
        by_suit = self.growth.by_suit(holding.suits, self.prices)
        self.later = later(by_suit)
        self.settled: dict[tuple[object, ...], list[int]] = {}
        self.beside_key: tuple[Suits, tuple[tuple[int, int], ...]] | None = None
        self.beside: tuple[Prices, Suits, list[Steps]] = (self.prices, holding.suits, by_suit)
        self.looks_beyond = bool(self.growth.parts)
        self.trims = True
        *_, self.beyond = self.beyond_from = [NOTHING]
        for suit in reversed(self.suits):
            self.beyond = together(by_suit[suit], self.beyond)
            self.beyond_from.insert(0, self.beyond)
        self.swapping = self.growth.most_swaps
        # Who must be down before the first swap lays the contract down with the wild cards of the hand.
        waits = position.contract is not None and position.rules.joker_swap == "down_only" and setting.coming > 0
        self.first_wilds = holding.wilds if waits else ANY_NUMBER

    def look(self, *, frugal: bool = False) -> None:
        """Look for better turns; a frugal search makes no melds that it can do without."""
        self.frugal = frugal
        self.search(self.always)

    def choose_sets(self, jokers: int, used: int, suits: Suits) -> None:
        """Choose the sets, unless the runs chosen cannot be laid down before the first swap."""
        if self._is_left():
            return
        super().choose_sets(jokers, used, suits)

    def _is_left(self) -> bool:
        """Say whether a plan is left since it cannot be laid down before the first swap.

        That says nothing about other runs that leave the same cards, nor about the same plan with one meld more, which
        could be the contract's: a frugal search makes none that gains nothing else.
        """
        if not self._lacks_first_wilds():
            return False
        self.weighed += 1
        self.best.least_short = 0
        return True

    def _lacks_first_wilds(self) -> bool:
        """Say whether the contract's melds among those chosen, as short as may be, need more wild cards than there are.

        A wild two at its own place is one of these. The contract's are those that need the fewest.
        """
        contract = self.position.contract
        if contract is None or self.first_wilds == ANY_NUMBER:
            return False
        ranks = self.holding.ranks
        sets = sorted(max(0, min(contract.sets) - ranks[share.rank]) for share in self.sets) if contract.sets else []
        needed = sum(sets[: self.must_sets])
        if contract.runs:
            size = min(contract.runs)
            runs = sorted(size - self._most_naturals(share, size) for share in self.runs)
            needed += sum(runs[: self.must_runs])
        return needed > self.first_wilds

    def _most_naturals(self, run: Share, size: int) -> int:
        """Give how many places of a part of a run, of a size, have a natural card that is not wild."""
        layers = self.holding.suits[run.suit]
        held = layers[0] & run.window if layers else 0
        # A further run may be shorter than those of the contract.
        starts = range(max(1, run.window.bit_length() - size + 1))
        return max((held >> start & (1 << size) - 1).bit_count() for start in starts)

    def suits_in_order(self) -> Sequence[int]:
        """Give the suits, those of fewest cards first: where there are few ways it is known soon what is left."""
        return sorted(range(SUITS), key=lambda suit: sum(layer.bit_count() for layer in self.holding.suits[suit]))

    def beyond_settled(self, suits: Suits, number: int) -> Steps:
        """Give what the runs of the table can use of the first suits."""
        settled = NOTHING
        for suit in self.suits[:number]:
            settled = together(settled, self.growth.of_suit(suit, suits[suit], self.prices[suit]))
        return settled

    def beyond_around(self, suits: Suits, number: int) -> Steps:
        """Give what the runs of the table can use of all suits but one, where those before it are settled."""
        return together(self.beyond_settled(suits, number), self.beyond_from[number + 1])

    def most_beyond_in(self, suit: int, layers: Layers, around: Steps, jokers: int) -> int:
        """Give a bound on what the runs of the table can use of these cards of one suit, and of those `around`."""
        own = self.growth.of_suit(suit, layers, self.prices[suit])
        return most_together(own, around, jokers - self.growth.most_swaps)

    def most_settled(self, suits: Suits, number: int) -> list[int]:
        """Give by jokers the most that can be used of the first suits, of which no more runs are made."""
        first = self.suits[:number]
        ranks = without_ranks(self.holding.ranks, self.taken) if self.set_sizes else ()
        key = (number, *[suits[suit] for suit in first], *ranks)
        known = self.settled.get(key)
        if known is None:
            known = self.settled[key] = self._most_settled(suits, number, ranks)
        return known

    def _most_settled(self, suits: Suits, number: int, ranks: Sequence[int]) -> list[int]:
        first = self.suits[:number]
        settled = self.beyond_settled(suits, number)
        # What swaps in the other suits bring may be used in these.
        swaps = sum([self.growth.swaps[suit] for suit in first])
        if not self.set_sizes:
            return [most_within(settled, jokers - swaps) for jokers in range(self.wilds + 1)]
        only, every = [0] * RANKS, [0] * RANKS
        for suit in first:
            layers = suits[suit]
            for rank, count in enumerate(self.setting.out_of_reach(suit, layers)):
                only[rank] += count * self.worth[rank]
            for layer in layers:
                for rank in ranks_of(layer & ~LOW_ACE):
                    every[rank] += self.worth[rank]
        reachable = sum(every) - sum(only)
        in_sets, only_in_sets = self.set_use.steps(every, ranks), self.set_use.steps(only, ranks)
        return [
            min(
                reachable + most_within(only_in_sets, jokers),
                most_together(in_sets, settled, jokers - swaps),
            )
            for jokers in range(self.wilds + 1)
        ]

    def only_in_sets(self, suits: Suits) -> list[int]:
        """Give by rank what the cards left are worth that no run of the table takes."""
        counts = self.setting.only_in_sets(suits)
        return [count * worth for count, worth in zip(counts, self.worth, strict=True)]

    def beyond_runs(self, suits: Suits) -> Steps:
        """Give what the runs of the table can use, now that the plan's runs are chosen."""
        return later(self.growth.by_suit(suits, self.prices))[-1]

    def beyond_beside_sets(self) -> Steps:
        """Give what the runs of the table can use beside the sets that have been chosen."""
        return later(self._beside_sets(self.left)[2])[-1]

    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Let the runs of the table grow in every way that may be worth it, with the plan's melds as they are."""
        if not self.goes_on(STEPS_OF_PLAN):
            return
        if self._is_left():
            return
        if self.sets:
            prices, suits, by_suit = self._beside_sets(suits)
        else:
            prices, by_suit = self.prices, self.growth.by_suit(suits, self.prices)
        if used + sum([steps[-1][1] for steps in by_suit]) + self.wilds_worth[-1] <= self.most:
            return
        self.later = later(by_suit)
        if used + most_within(self.later[-1], jokers - self.growth.most_swaps) + self.wilds_worth[-1] <= self.most:
            return
        self.weighed += 1
        runs = [run_share(self.terms, share.suit, share.window, share.size) for share in self.runs]
        sets = [set_share(self.terms, share.rank, share.size) for share in self.sets]
        if Allotment(self.holding, runs, sets).balance():
            return
        self.before_growth = suits
        shared = (share.rank for share in self.sets if not self.dear & TWO_PLACE << share.rank)
        self.sharing = {rank: 0 for rank in shared if self.ranks_left[rank]} | self.setting.brought
        self.missed = self._missed(suits)
        self._grow(0, used, jokers - self.missed - self.growth.most_swaps, suits, prices)

    def _missed(self, suits: Suits) -> int:
        """Give how many jokers more are needed for cards that sets miss, where the runs of the table leave these suits.

        Of a rank of which there are more cards than sets need, or jokers to swap, the first may go to the runs for
        nothing. Of others each costs a joker, which their price tells.
        """
        missed = 0
        for rank, jokers in self.sharing.items():
            left = self.ranks_left[rank]
            if left:
                place = TWO_PLACE << rank
                left -= _copies(self.before_growth, place) - _copies(suits, place)
            missed += jokers - min(jokers, left)
        return missed

    def _beside_sets(self, suits: Suits) -> tuple[Prices, Suits, list[Steps]]:
        """Give what cards are worth to the runs of the table beside the plan's sets, and those that they may take.

        And by suit the steps of these runs then. A plan that is weighed is asked about once more.
        """
        key = (suits, tuple([(share.rank, share.size) for share in self.sets]))
        if key != self.beside_key:
            prices, left = self._left_beside_sets(suits)
            self.beside_key, self.beside = key, (prices, left, self.growth.by_suit(left, prices))
        return self.beside

    def _left_beside_sets(self, suits: Suits) -> tuple[Prices, Suits]:
        ranks = {share.rank for share in self.sets}
        # A card of a new set's rank is used anyway; unless the set has more than it must, it is missed there.
        worth = [0 if rank in ranks else worth for rank, worth in enumerate(self.worth)]
        dear = self.dear | places_of_ranks(rank for rank in ranks if not self.ranks_left[rank])
        reserved = places_of_ranks(rank for rank in ranks if self._beyond_naturals(rank) <= 0)
        return self.growth.prices(worth, dear), tuple(
            [tuple([layer & ~reserved for layer in layers]) for layers in suits]
        )

    def _beyond_naturals(self, rank: int) -> int:
        """Give how many cards of a new sets' rank are left by the new runs beyond the naturals that R8.3 asks for."""
        sizes = [share.size for share in self.sets if share.rank == rank]
        held = self.holding.ranks[rank] - sum(rank in ranks_of(taken) for taken in self.taken)
        return held - sum(map(self.terms.fewest_naturals, sizes))

    def _grow(self, index: int, used: int, jokers: int, suits: Suits, prices: Prices) -> None:
        """Let the part `index` and those after it grow; `jokers` are left for that, or lacking."""
        if index == len(self.growth.parts):
            if used + self.wilds_worth[-1] > self.most and jokers >= self._missed(suits) - self.missed:
                self._deal(used)
            return
        if not self.goes_on(STEPS_OF_GROWTH):
            return
        part = self.growth.parts[index]
        layers, price = suits[part.suit], prices[part.suit]
        steps = self.growth.steps(index, layers, price)
        if used + most_together(steps, self.later[part.suit], jokers) + self.wilds_worth[-1] <= self.most:
            return
        reached = self.reached[part.run]
        for way in part.ways:
            if part.end is not None:
                reached[part.end is End.HIGH] = way.new
                # The high ends come after the low ones.
                if part.end is End.HIGH and (reached[0], reached[1]) not in self.growth.runs[part.run]:
                    continue
            net, gain, left = taken(way, layers, price)
            after = (*suits[: part.suit], left, *suits[part.suit + 1 :])
            self._grow(index + 1, used + gain, jokers - net, after, prices)
        reached[part.end is End.HIGH] = 0

    def _deal(self, used: int) -> None:
        """Deal the plan out in the ways that are worth more than the best so far, until one can be played."""
        if not self.goes_on(STEPS_OF_PLAN):
            return
        runs = [RunToBe(share.suit, _ranks_of_window(share.window)) for share in self.runs]
        runs += self.growth.still
        runs += [run[low, high] for run, (low, high) in zip(self.growth.runs, self.reached, strict=True)]
        sets = [(share.rank, share.size) for share in self.sets]
        dealing = Dealing(
            self.holding,
            runs,
            sets,
            self.table,
            terms=self.terms,
            points=self.points,
            keepable=self.keepable,
            effort=self.effort,
        )
        for dealt in dealing.ways():
            if dealt.worth > self.most:
                layout = Layout(runs=runs, naturals=dealt.naturals, sets=sets, kept=dealt.kept)
                if self.best.offer(self.position, layout, dealt.swaps, leaves=self.hand_worth - dealt.worth):
                    # No bound goes beyond a hand of which nothing is left.
                    self.most = self.hand_worth - self.best.least if self.best.least else ANY_WORTH
            if self.most >= used + self.wilds_worth[-1]:
                return
        self.best.least_short = min(self.best.least_short, self.hand_worth - used - self.wilds_worth[-1])


def _of_rank(number: int) -> Card:
    """Give a card of the rank with a number."""
    return card_of(LOWEST_RANK + number, 0)


def _copies(suits: Suits, place: int) -> int:
    """Give how many cards of one place, whatever their suit, there are."""
    return sum([bool(layer & place) for layers in suits for layer in layers])


def _ranks_of_window(window: int) -> tuple[int, ...]:
    """Give the ranks of a window, from the lowest up; 1 for an ace that lies low."""
    return tuple(place + 1 for place in range(PLACES) if window >> place & 1)
