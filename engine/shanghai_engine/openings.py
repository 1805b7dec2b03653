"""What the melds on a table take, by lay-off and by swap: worked out anew only when the table has changed.

From one turn to the next the melds mostly stay as they are, while every seat that is down asks again what they take.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.meld import SET, End, Meld, lay_offs_of, swaps_of
from shanghai_engine.rules import RuleSet


class Openings:
    """Remembers what the melds that it was asked about last take, so that the next question about them is cheap."""

    __slots__ = ("_lay_offs", "_melds", "_rules", "_swap_cards", "_swaps")

    def __init__(self) -> None:
        """Know nothing yet."""
        self._melds: list[Meld] = []
        self._rules: RuleSet | None = None
        self._lay_offs: dict[Card, list[tuple[int, End | None]]] = {}
        self._swaps: list[tuple[int, int, Card]] = []
        self._swap_cards: set[Card] = set()

    def lay_offs(self, seat: int, held: AbstractSet[Card], melds: list[Meld], rules: RuleSet) -> list[LayOff]:
        """Give every lay-off that fits (R9.2), of the cards that a seat holds: by card, meld and end."""
        self._look(melds, rules)
        taken = self._lay_offs
        return [LayOff(seat, meld, card, end) for card in sorted(taken.keys() & held) for meld, end in taken[card]]

    def swaps(self, seat: int, held: AbstractSet[Card], melds: list[Meld], rules: RuleSet) -> list[Swap]:
        """Give every swap that fits (R10.1), of the cards that a seat holds: by meld, joker and card."""
        self._look(melds, rules)
        if self._swap_cards.isdisjoint(held):
            return []
        return [Swap(seat, meld, index, card) for meld, index, card in self._swaps if card in held]

    def copy(self) -> Openings:
        """Give an independent copy."""
        twin = Openings()
        # What was found is never changed, only replaced.
        for name in Openings.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin

    def _look(self, melds: list[Meld], rules: RuleSet) -> None:
        if self._melds == melds and self._rules is rules:
            return
        self._melds, self._rules = melds.copy(), rules
        self._lay_offs = {}
        for meld in melds:
            for card, end in lay_offs_of(meld, rules):
                self._lay_offs.setdefault(card, []).append((meld.id, end))
        self._swaps = [
            (meld.id, index, card)
            for meld in melds
            if meld.jokers
            for index in _places(meld)
            for card in swaps_of(meld, index, rules)
        ]
        self._swap_cards = {card for _, _, card in self._swaps}


def _places(meld: Meld) -> list[int]:
    """Give the places to swap at: jokers of a set that are equal cards stand for the same, so one place is enough."""
    places = meld.joker_places()
    if meld.kind is SET:
        return list({meld.cards[index]: index for index in reversed(places)}.values())[::-1]
    return places
