"""How far each seat was from its contract when it was asked last, so that the next question about it is cheap.

One more card brings a hand nearer by one card at most (`solver.distance`), while a card less never does. So a hand
that was three cards away cannot lay down before three more cards have come to it, whatever they are; and with the third
only if each of the three has a part in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import Glance, least_missing
from shanghai_engine.state import Hand
from shanghai_engine.value import made_quickly


@made_quickly
@dataclass(frozen=True, slots=True)
class _Known:
    """A hand, a glance at it, and a number of cards that is not above its distance to a contract."""

    hand: Hand
    glance: Glance
    contract: Contract
    least: int


class Reach:
    """Remembers by seat how far its hand was from the contract, so that the next question about it is cheap."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Know nothing yet."""
        self._known: dict[int, _Known] = {}

    def least_missing(self, seat: int, hand: Hand, contract: Contract, rules: RuleSet) -> int:
        """Give 0 where a seat's hand can lay down (R8.5), else a number from 1 that is not above `solver.distance`."""
        least, self._known[seat] = self._look(seat, hand, contract, rules)
        return least

    def would_miss(self, seat: int, hand: Hand, contract: Contract, rules: RuleSet) -> int:
        """Give the same of a hand that the seat may come to hold."""
        return self._look(seat, hand, contract, rules)[0]

    def _look(self, seat: int, hand: Hand, contract: Contract, rules: RuleSet) -> tuple[int, _Known]:
        known = self._known.get(seat)
        if known is None or known.contract is not contract or known.glance.rules is not rules:
            glance = Glance(hand, rules)
            least = least_missing(hand, contract, rules, glance)
        else:
            gone, come = changes(known.hand, hand)
            least = known.least - len(come)
            if least > 0:
                return least, known
            glance = known.glance.after(hand, gone, come)
            if least == 0 < known.least and not all(glance.serves(card, contract) for card in come):
                least = 1
            else:
                least = least_missing(hand, contract, rules, glance)
        return least, _Known(hand, glance, contract, least)

    def copy(self) -> Reach:
        """Give an independent copy."""
        twin = Reach()
        twin._known = self._known.copy()
        return twin


def changes(before: Hand, now: Hand) -> tuple[list[Card], Hand]:
    """Give the cards that went from a hand and those that came; those that stayed have kept their order.

    Where they have not, some that stayed are among both.
    """
    gone: list[Card] = []
    kept, size = 0, len(now)
    for card in before:
        if kept < size and now[kept] is card:
            kept += 1
        else:
            gone.append(card)
    return gone, now[kept:]


def cards_come(before: Hand, now: Hand) -> int:
    """Give how many cards have come to a hand, at most; those that stayed have kept their order."""
    return len(changes(before, now)[1])
