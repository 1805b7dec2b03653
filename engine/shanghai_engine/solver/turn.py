"""The best turn: what to lay down, lay off and swap so that the fewest points, then the fewest cards, stay in hand.

What lies on the table at the turn's end counts, not the way there: a joker that lengthens a meld just laid down might
as well have been laid down with it, and all swaps can come before all lay-offs. So the search goes through

1. the plans for the melds to lay down (`planning`), and for each the ways in which the runs on the table grow
   (`growth`), with a bound as in `planning`: naturals of a rank of which there lies a set can always be played, and are
   worth the same in every plan;
2. the ways to deal a plan out (`dealing`), of which the first nearly always plays all that the plan can.

Then `ordering` finds lawful plays that lead there, which only R10.2 and its like can make impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from shanghai_engine.action import Swap
from shanghai_engine.card import JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET, Contract
from shanghai_engine.meld import End, Meld, MeldKind
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.allotment import Allotment, run_share, set_share
from shanghai_engine.solver.dealing import Dealing, RunToBe, TableSets
from shanghai_engine.solver.growth import Growth, Prices, taken
from shanghai_engine.solver.holding import Holding, Layers, Suits, places_of_ranks, ranks_of
from shanghai_engine.solver.making import Play
from shanghai_engine.solver.nearness import can_lay_down
from shanghai_engine.solver.ordering import Layout, plays_for
from shanghai_engine.solver.planning import PlanSearch, worth_of
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.steps import Steps, later, most_together, most_within, together
from shanghai_engine.solver.terms import LOW_ACE, PLACES, RANKS, TWO_PLACE, terms_of

MOST_CARDS_EXACT = 23
"""Up to so many cards in hand every plan is looked at."""
MOST_PLANS = 5000
"""How many plans are looked at for a larger hand."""

ANY_WORTH = 1 << 40
"""More than any bound on what a plan is worth."""


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
        self._able: dict[tuple[Card, ...], bool] = {}
        self.kept: tuple[Card, ...] = start.hand
        self.plans_left = MOST_PLANS if len(start.hand) > MOST_CARDS_EXACT else -1

    def worth(self, cards: Sequence[Card]) -> int:
        """Give the worth of cards."""
        return sum(worth_of(self.points, card) for card in cards)

    def turn(self) -> Turn:
        """Give the best turn."""
        if self._can_play():
            self._look()
        return Turn(
            plays=self.plays,
            points=sum(self.points[card] for card in self.kept),
            cards=len(self.kept),
            exact=self.plans_left != 0,
        )

    def _look(self) -> None:
        """Look for better turns until there are none.

        Jokers are all alike, so that swaps are part of every plan. Where twos are wild too, or swaps can only come
        before the lay-down, that need not find the best turn: then every set of swaps is a position of its own.
        """
        together = self.start.may_swap and self.start.lays_off
        if together:
            self._search(self.start, swaps=True)
            if not self.terms.wild_twos or self._swaps_are_alike():
                return
        for position in self.start.with_swaps():
            if not self.least:
                return
            self._search(position, swaps=False)

    def _swaps_are_alike(self) -> bool:
        """Say whether twos make no difference to swaps: all bring jokers, for cards that are not wild.

        A swapped joker must not be the wild card that one would rather keep either.
        """
        wild = self.start.rules.wild_cards
        if any(wild[swap.card] or self.start.brings(swap) != JOKER for swap in self.start.possible_swaps()):
            return False
        return self.points[JOKER] >= self.points[Card.C2] or not any(wild[card] for card in self.kept)

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

    def _search(self, position: Position, *, swaps: bool) -> None:
        """Look at all plans for a position, with any number of further melds where R16 `extra_melds` allows them."""
        contract = position.contract
        sets, runs = (contract.sets, contract.runs) if contract is not None else ((), ())
        further = [(0, 0)]
        if position.rules.extra_melds:
            spare = len(position.hand) - sum(sets) - sum(runs)
            numbers = product(range(spare // SHORTEST_SET + 1), range(spare // SHORTEST_RUN + 1))
            further = [n for n in sorted(numbers, key=sum) if n[0] * SHORTEST_SET + n[1] * SHORTEST_RUN <= spare]
        for more_sets, more_runs in further:
            if not self.least:
                return
            every_set, every_run = (*sets, *[SHORTEST_SET] * more_sets), (*runs, *[SHORTEST_RUN] * more_runs)
            search = _TurnSearch(self, position, every_set, every_run, swaps=swaps)
            search.search(search.always)

    def able(self, hand: Sequence[Card], contract: Contract) -> bool:
        """Say whether a hand can lay a contract down, and remember it."""
        key = tuple(sorted(hand))
        known = self._able.get(key)
        if known is None:
            known = self._able[key] = can_lay_down(hand, contract, self.start.rules)
        return known

    def offer(self, position: Position, layout: Layout, swaps: Sequence[tuple[int, int, Card]]) -> bool:
        """Take a layout if lawful plays lead there and leave less than the best so far; say whether it was taken."""
        for meld, place, card in swaps:
            position = position.after(Swap(position.seat, meld, place, card))
        making = plays_for(self.start, position, layout, self.able)
        if making is None:
            return False
        kept = making.kept()
        if self.worth(kept) >= self.least:
            return False
        self.least = self.worth(kept)
        self.plays, self.kept = tuple(making.plays), kept
        return True


class _TurnSearch(PlanSearch):
    """One search among the plans for a position, with further swaps or without."""

    def __init__(
        self, best: _BestTurn, position: Position, sets: Sequence[int], runs: Sequence[int], *, swaps: bool
    ) -> None:
        self.turn = best
        self.position = position
        contract = position.contract
        further = contract is None or (len(sets), len(runs)) != (len(contract.sets), len(contract.runs))
        layable = position.melds if position.lays_off else ()
        terms = best.terms
        holding = Holding(position.hand, terms)
        table_sets = [meld for meld in layable if meld.kind is MeldKind.SET]
        self.table = TableSets(table_sets, terms, swaps=swaps and position.rules.swap_in_sets)
        # Each card of such a rank brings in a joker from a set; used elsewhere it costs one.
        brings = {rank for rank, jokers in self.table.jokers.items() if holding.ranks[rank] <= len(jokers)}
        # Where there are more cards of the rank than jokers, the first may be used elsewhere for nothing.
        self.brought = {rank: len(jokers) for rank, jokers in self.table.jokers.items() if rank not in brings}
        dear = places_of_ranks(brings)
        from_sets = sum(min(len(jokers), holding.ranks[rank]) for rank, jokers in self.table.jokers.items())
        self.growth = Growth(
            [meld for meld in layable if meld.kind is MeldKind.RUN],
            holding.masks(terms.wild_twos),
            holding.wilds + from_sets,
            terms,
            swaps=swaps,
        )
        coming = from_sets + self.growth.most_swaps
        super().__init__(
            holding, sets, runs, terms=terms, points=best.points, free=self.table.ranks, coming=coming, dear=dear
        )
        # Further melds may be alike: which of them are the contract's is settled by their order.
        self.distinct_ranks = self.distinct_ranks and not further
        self.distinct_suits = self.distinct_suits and not further
        # A meld of cards that can be laid off anyway is worth making only where it makes room for wild cards.
        if further and isinstance(terms.limit, str) and not terms.wild_twos:
            self.must_sets = 0 if contract is None else len(contract.sets)
            self.must_runs = 0 if contract is None else len(contract.runs)
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
        self.most_growth = [steps[-1][1] for steps in by_suit]
        self.later = self.later_at_first = later(by_suit)
        self.looks_beyond = bool(self.growth.parts)
        self.beyond = [
            max(0, most_within(self.later[-1], jokers - self.growth.most_swaps)) for jokers in range(self.wilds + 1)
        ]

    def most_beyond(self, suits: Suits, suit: int) -> int:
        """Give a bound on what the runs of the table can use where the suits before one are settled."""
        own = [steps[-1][1] for steps in self.growth.by_suit(suits[:suit], self.prices)]
        return sum(own) + sum(self.most_growth[suit:])

    def beyond_around(self, suits: Suits, suit: int) -> Steps:
        """Give what the runs of the table can use of the other suits where those before one are settled."""
        around = self.later_at_first[suit]
        for steps in self.growth.by_suit(suits[:suit], self.prices):
            around = together(steps, around)
        return around

    def most_beyond_in(self, suit: int, layers: Layers, around: Steps, jokers: int) -> int:
        """Give a bound on what the runs of the table can use of these cards of one suit, and of those `around`."""
        own = self.growth.of_suit(suit, layers, self.prices[suit])
        return most_together(own, around, jokers - self.growth.most_swaps)

    def only_in_sets(self, suits: Suits) -> list[int]:
        """Give by rank what the cards left are worth that no run of the table can take."""
        worths = [0] * RANKS
        for suit, layers in enumerate(suits):
            for layer in self.growth.out_of_reach(suit, layers):
                for rank in ranks_of(layer & ~LOW_ACE):
                    worths[rank] += self.worth[rank]
        return worths

    def weigh(self, used: int, jokers: int, suits: Suits) -> None:
        """Let the runs of the table grow in every way that may be worth it, with the plan's melds as they are."""
        if not self.turn.plans_left:
            self.most = ANY_WORTH
            return
        self.turn.plans_left -= 1
        prices = self.prices
        if self.sets:
            prices, suits = self._beside_sets(suits)
        by_suit = self.growth.by_suit(suits, prices)
        if used + sum([steps[-1][1] for steps in by_suit]) + self.wilds_worth[-1] <= self.most:
            return
        self.later = later(by_suit)
        if used + most_within(self.later[-1], jokers - self.growth.most_swaps) + self.wilds_worth[-1] <= self.most:
            return
        runs = [run_share(self.terms, share.suit, share.window, share.size) for share in self.runs]
        sets = [set_share(self.terms, share.rank, share.size) for share in self.sets]
        if Allotment(self.holding, runs, sets).balance():
            return
        self.before_growth = suits
        shared = (share.rank for share in self.sets if not self.dear & TWO_PLACE << share.rank)
        self.sharing = {rank: 0 for rank in shared if self.ranks_left[rank]} | self.brought
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

    def _beside_sets(self, suits: Suits) -> tuple[Prices, Suits]:
        """Give what cards are worth to the runs of the table beside the plan's sets, and those that they may take."""
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
        runs = [RunToBe(share.suit, _ranks_of_window(share.window)) for share in self.runs]
        runs += self.growth.still
        runs += [run[low, high] for run, (low, high) in zip(self.growth.runs, self.reached, strict=True)]
        sets = [(share.rank, share.size) for share in self.sets]
        dealing = Dealing(
            self.holding, runs, sets, self.table, terms=self.terms, points=self.points, keepable=self.keepable
        )
        for dealt in dealing.ways():
            if dealt.worth > self.most:
                layout = Layout(runs=runs, naturals=dealt.naturals, sets=sets, kept=dealt.kept)
                if self.turn.offer(self.position, layout, dealt.swaps):
                    # No bound goes beyond a hand of which nothing is left.
                    self.most = self.hand_worth - self.turn.least if self.turn.least else ANY_WORTH
            if self.most >= used + self.wilds_worth[-1]:
                return


def _of_rank(number: int) -> Card:
    """Give a card of the rank with a number."""
    return card_of(LOWEST_RANK + number, 0)


def _copies(suits: Suits, place: int) -> int:
    """Give how many cards of one place, whatever their suit, there are."""
    return sum([bool(layer & place) for layers in suits for layer in layers])


def _ranks_of_window(window: int) -> tuple[int, ...]:
    """Give the ranks of a window, from the lowest up; 1 for an ace that lies low."""
    return tuple(place + 1 for place in range(PLACES) if window >> place & 1)
