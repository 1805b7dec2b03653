"""How far a seat is from its contract, as it becomes known: what was found out once bounds what can be true later.

One more card brings a hand nearer by one card at most, one card less takes it farther away by one at most. So a hand
that was three cards away is two or three away after a draw, and one question to the solver, a quick one, decides which.
"""

from __future__ import annotations

from functools import lru_cache
from threading import get_ident

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.reach import cards_come
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import Glance, least_missing
from shanghai_engine.solver.aim import Aim, aim_within
from shanghai_engine.state import Hand, without_card
from shanghai_engine.view import OwnView, PublicView


class Away:
    """The distance of one hand after the other to a contract, of which bounds are known for the last one.

    Every answer is exact, whatever was asked before. The cards of every hand are in ascending order.
    """

    __slots__ = ("_aim", "_contract", "_hand", "_least", "_most", "_rules")

    def __init__(self, contract: Contract, rules: RuleSet) -> None:
        """Begin with no card at all: every card of the contract is missing."""
        self._contract = contract
        self._rules = rules
        self._hand: Hand = ()
        self._least = self._most = contract.size
        self._aim: Aim | None = None

    def _look_at(self, hand: Hand) -> None:
        """Go on to a hand: cards that have come and gone since the last one move the bounds."""
        if hand != self._hand:
            come = cards_come(self._hand, hand)
            gone = len(self._hand) + come - len(hand)
            self._least = max(0, self._least - come, self._contract.size - len(hand))
            if gone and not (self._aim and self._aim.holds(hand)):
                self._most = min(self._contract.size, self._most + gone)
                self._aim = None
            self._hand = hand

    def _comes_within(self, most: int, *, least: int) -> bool:
        """Look for a way that misses so few cards; `least` is near enough."""
        aim = aim_within(self._hand, self._contract, self._rules, most=most, least=least)
        if aim is None:
            self._least = most + 1
            return False
        self._most, self._aim = aim.missing, aim
        return True

    def cannot_lay_down(self, hand: Hand) -> None:
        """Take in that a hand cannot lay down, which is known from what it may do."""
        self._look_at(hand)
        self._least = max(1, self._least)

    def beyond(self, hand: Hand, most: int) -> bool:
        """Say whether the distance of a hand is more than that."""
        self._look_at(hand)
        if self._least <= most < self._most:
            self._comes_within(most, least=most)
        return self._least > most

    def distance(self, hand: Hand) -> int:
        """Give the distance of a hand."""
        self._look_at(hand)
        # Where no aim is known it is looked for too.
        most = self._most - 1 if self._aim else self._most
        if self._least <= most:
            self._comes_within(most, least=self._least)
            self._least = self._most
        return self._most

    def as_near_without(self, hand: Hand, card: Card) -> bool:
        """Say whether the distance of a hand is the same without one of its cards."""
        now, left = self.distance(hand), without_card(hand, card)
        if not (self._aim and self._aim.spares(card, hand)):
            aim = aim_within(left, self._contract, self._rules, most=now, least=now)
            if aim is None:
                return False
            self._aim = aim
        self._hand = left
        return True

    def completed_by(self, hand: Hand, card: Card) -> bool:
        """Say whether a hand can lay down with one more card and cannot without it."""
        self._look_at(hand)
        if self._least == 0:
            self._least = least_missing(hand, self._contract, self._rules)
        if self._least != 1:
            return False
        more = (*hand, card)
        glance = Glance(more, self._rules)
        return glance.serves(card, self._contract) and not least_missing(more, self._contract, self._rules, glance)


def away_of(public: PublicView, own: OwnView) -> Away:
    """Give what is known of how far a seat is, or was in this hand when it was asked before."""
    return _remembered(get_ident(), public.hand_commitment, own.seat, public.contract, public.rules)


@lru_cache(maxsize=1 << 8)
def _remembered(_thread: int, _hand: bytes, _seat: int, contract: Contract, rules: RuleSet) -> Away:
    # Threads do not share one: what it knows of a hand is changed in several steps.
    return Away(contract, rules)
