"""The best turn: what to lay down, lay off and swap so that the fewest points, then the fewest cards, stay in hand.

What lies on the table at the turn's end counts, not the way there: a joker that lengthens a meld just laid down might
as well have been laid down with it, and all swaps can come before all lay-offs. So the search goes through

1. the plans for the melds to lay down (`turn_plans`), and for each the ways in which the runs on the table grow
   (`growth`), with a bound as in `planning`: naturals of a rank of which there lies a set can always be played, and are
   worth the same in every plan;
2. the ways to deal a plan out (`dealing`), of which the first nearly always plays all that the plan can.

Then `ordering` finds lawful plays that lead there, which only R10.2 and its like can make impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from shanghai_engine.card import JOKER, Card
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET, Contract
from shanghai_engine.meld import Meld
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.best_so_far import BestSoFar
from shanghai_engine.solver.effort import STEPS_OF_POSITION, STEPS_OF_SWAP
from shanghai_engine.solver.making import Play
from shanghai_engine.solver.nearness import least_missing
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.question import check_turn
from shanghai_engine.solver.setting import Setting
from shanghai_engine.solver.simple import simple_turns
from shanghai_engine.solver.turn_plans import TurnSearch
from shanghai_engine.solver.worth import ANY_WORTH

MANY_POSITIONS = 300
"""How many positions that swaps lead to are put into another order."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The plays of a turn in their order, and what they leave in hand before the discard: points, and cards.

    `exact` says that no turn leaves less. Else the steps of the search were spent, and the points are a bound: lawful,
    and never more than the simple turn leaves (`solver.simple`). That is so for many hands of more than 23 cards. Of
    smaller ones it happens only where twos are wild and other house rules meet that (mostly another `jokers_per_meld`),
    and a hand of about 20 cards lies before a dozen melds or more with many wild cards to swap.
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
    that it may not keep (R16). The search ends after a bounded number of steps, fewer for hands of more than 23 cards;
    `exact` says whether it came to its end before that.
    """
    check_turn(hand, contract, melds, rules, seat=seat, laid_down_now=laid_down_now, must_play=must_play)
    position = Position(
        rules=rules,
        seat=seat,
        hand=tuple(hand),
        melds=tuple(melds),
        contract=contract,
        laid_down_now=laid_down_now,
        owed=tuple(must_play),
    )
    return _Looking(position).turn()


class _Looking:
    """Looking for the best turn, over all sets of swaps."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.best = BestSoFar(start)

    def turn(self) -> Turn:
        """Give the best turn."""
        if self._can_play():
            self._look()
        if self.best.effort.spent:
            for making in simple_turns(self.start):
                self.best.take(making)
        return Turn(
            plays=self.best.plays,
            points=sum(self.best.points[card] for card in self.best.kept),
            cards=len(self.best.kept),
            exact=not self.best.effort.spent,
        )

    def _look(self) -> None:
        """Look for better turns until there are none.

        Jokers are all alike, so that swaps are part of every plan. Where twos are wild too, or swaps can only come
        before the lay-down, that need not find the best turn: then every set of swaps is a position of its own. So it
        is where a better layout was refused: other swaps may bring as many jokers in an order that R10.2 allows. What
        was refused needs jokers, so the positions of most swaps are the likeliest then.
        """
        least, positions = 0, self.start.with_swaps()
        if self.start.may_swap and self.start.lays_off:
            self._look_at(self.start, swaps=True)
            if not self.best.terms.wild_twos or self._swaps_are_alike():
                least = self.best.least_refused
                if self.best.least > least:
                    positions = chain(reversed([*islice(positions, MANY_POSITIONS)]), positions)
        alike: list[Position] = []
        hands: set[tuple[object, ...]] = set()
        for position in positions:
            if self.best.least <= least or not self.best.effort.take(STEPS_OF_SWAP):
                return
            if not self.start.lays_off:
                # Only the hand matters then, unless the swaps that led to it are in an order that R10.2 forbids.
                key = (tuple(sorted(position.hand)), tuple(sorted(position.owed)))
                if key in hands:
                    alike.append(position)
                    continue
                hands.add(key)
            self._look_at(position, swaps=False)
        for position in alike:
            if self.best.least <= self.best.least_refused or self.best.effort.spent:
                return
            self._look_at(position, swaps=False)

    def _swaps_are_alike(self) -> bool:
        """Say whether twos make no difference to swaps: all bring jokers, for cards that are not wild.

        A swapped joker must not be the wild card that one would rather keep either.
        """
        wild = self.start.rules.wild_cards
        if any(wild[swap.card] or self.start.brings(swap) != JOKER for swap in self.start.possible_swaps()):
            return False
        points = self.best.points
        return points[JOKER] >= points[Card.C2] or not any(wild[card] for card in self.best.kept)

    def _can_play(self) -> bool:
        """Say whether anything can be played at all: who is not down must be able to lay down (R10.2)."""
        start = self.start
        if start.contract is None:
            return True
        if least_missing(start.hand, start.contract, start.rules) == 0:
            return True
        return start.rules.joker_swap == "everyone" and any(
            least_missing(start.after(swap).hand, start.contract, start.rules) == 0 for swap in start.possible_swaps()
        )

    def _look_at(self, position: Position, *, swaps: bool) -> None:
        """Look at all plans for a position, with any number of further melds where R16 `extra_melds` allows them.

        Melds that a plan can do without are left out at first. They are looked at only if a plan was worth less than
        it seemed: they might have made room for its wild cards, or a play possible.
        """
        self.best.effort.take(STEPS_OF_POSITION)
        must_sets, must_runs = position.sizes
        setting = Setting(position, swaps=swaps)
        if not position.rules.extra_melds:
            TurnSearch(self.best, position, setting, must_sets, must_runs).look()
            return
        self.best.least_short = ANY_WORTH
        spare = len(position.hand) - sum(must_sets) - sum(must_runs)
        for frugal in (True, False):
            for more_runs in range(spare // SHORTEST_RUN + 1):
                if self.best.least <= (0 if frugal else self.best.least_short) or self.best.effort.spent:
                    return
                self.best.effort.take(STEPS_OF_POSITION)
                more_sets = (spare - more_runs * SHORTEST_RUN) // SHORTEST_SET
                sets, runs = (*must_sets, *[SHORTEST_SET] * more_sets), (*must_runs, *[SHORTEST_RUN] * more_runs)
                TurnSearch(self.best, position, setting, sets, runs).look(frugal=frugal)
