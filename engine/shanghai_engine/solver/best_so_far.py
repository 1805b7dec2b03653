"""The best turn found so far, which all searches of one turn share."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.action import Swap
from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.solver.effort import STEPS_OF_ABLE, Effort
from shanghai_engine.solver.making import Making, Play
from shanghai_engine.solver.nearness import least_missing
from shanghai_engine.solver.ordering import Layout, plays_for
from shanghai_engine.solver.position import Position
from shanghai_engine.solver.terms import terms_of
from shanghai_engine.solver.worth import ANY_WORTH, worth_of


class BestSoFar:
    """The plays that leave the least worth in hand, `least`, of all that were offered, and what they leave, `kept`.

    `effort` counts down the steps that they may still take together.
    """

    def __init__(self, start: Position) -> None:
        """Begin with no plays at all."""
        self.start = start
        self.terms = terms_of(start.rules)
        self.points = start.rules.card_points
        self.least = self.worth(start.hand)
        self.plays: tuple[Play, ...] = ()
        self.kept: tuple[Card, ...] = start.hand
        self.least_short = ANY_WORTH
        """The least that a plan seemed to leave that came to less than it seemed."""
        self.least_refused = ANY_WORTH
        """The least that a layout would have left to which no lawful plays led."""
        self.effort = Effort.for_hand(len(start.hand))
        self._able: dict[tuple[Card, ...], bool] = {}

    def worth(self, cards: Sequence[Card]) -> int:
        """Give the worth of cards."""
        return sum(worth_of(self.points, card) for card in cards)

    def able(self, hand: Sequence[Card], contract: Contract) -> bool:
        """Say whether a hand can lay a contract down, and remember it; no hand can when the effort is spent."""
        key = tuple(sorted(hand))
        known = self._able.get(key)
        if known is None:
            if not self.effort.take(STEPS_OF_ABLE):
                return False
            known = self._able[key] = least_missing(hand, contract, self.start.rules) == 0
        return known

    def offer(self, position: Position, layout: Layout, swaps: Sequence[tuple[int, int, Card]], *, leaves: int) -> bool:
        """Take a layout if lawful plays lead there and leave less than the best so far; say whether it was taken.

        `leaves` is the worth that it would leave in hand.
        """
        for meld, place, card in swaps:
            position = position.after(Swap(position.seat, meld, place, card))
        making = plays_for(self.start, position, layout, self.able, self.effort)
        if making is None:
            self.least_refused = min(self.least_refused, leaves)
            return False
        return self.take(making)

    def take(self, making: Making) -> bool:
        """Take lawful plays if they leave less than the best so far; say whether they do."""
        kept = making.kept()
        if self.worth(kept) >= self.least:
            return False
        self.least = self.worth(kept)
        self.plays, self.kept = tuple(making.plays), kept
        return True
