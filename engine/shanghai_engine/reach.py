"""How far each seat was from its contract when it was asked last, so that the next question about it is cheap.

One more card brings a hand nearer by one card at most (`solver.distance`), while a card less never does. So a hand
that was three cards away cannot lay down before three more cards have come to it, whatever they are.
"""

from __future__ import annotations

from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import least_missing
from shanghai_engine.state import Hand


class Reach:
    """Remembers by seat how far its hand was from the contract, so that the next question about it is cheap."""

    __slots__ = ("_far",)

    def __init__(self) -> None:
        """Know nothing yet."""
        self._far: dict[int, tuple[Hand, Contract, RuleSet, int]] = {}

    def least_missing(self, seat: int, hand: Hand, contract: Contract, rules: RuleSet) -> int:
        """Give 0 where the hand can lay down (R8.5), else a number from 1 that is not above `solver.distance`."""
        before = self._far.get(seat)
        if before is not None and before[1] is contract and before[2] is rules:
            least = before[3] - cards_come(before[0], hand)
            if least > 0:
                return least
        least = least_missing(hand, contract, rules)
        if least > 0:
            self._far[seat] = (hand, contract, rules, least)
        return least

    def copy(self) -> Reach:
        """Give an independent copy."""
        twin = Reach()
        twin._far = self._far.copy()
        return twin


def cards_come(before: Hand, now: Hand) -> int:
    """Give how many cards have come to a hand, at most; those that stayed have kept their order."""
    come = place = 0
    size = len(before)
    for card in now:
        while place < size and before[place] is not card:
            place += 1
        if place < size:
            place += 1
        else:
            come += 1
    return come
