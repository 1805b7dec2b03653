"""What the melds on a table take, by lay-off and by swap: worked out anew only for the melds that have changed.

From one turn to the next the melds mostly stay as they are, while every seat that is down asks again what they take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.meld import SET, End, Meld, lay_offs_of, swaps_of
from shanghai_engine.rules import RuleSet
from shanghai_engine.value import made_quickly

_Ends = Mapping[Card, tuple[End | None, ...]]
"""By card, the ends of a meld that it can join; of a set there is none to name."""


@made_quickly
@dataclass(frozen=True, slots=True)
class _Opening:
    """What one meld takes: by card the ends that it can join, and the places to swap at, each with a card for it."""

    ends: _Ends
    swaps: tuple[tuple[int, Card], ...]


class Openings:
    """Remembers what the melds that it was asked about last take, so that the next question about them is cheap."""

    __slots__ = ("_lay_off_cards", "_melds", "_openings", "_rules", "_swap_cards")

    def __init__(self) -> None:
        """Know nothing yet."""
        self._melds: list[Meld] = []
        self._rules: RuleSet | None = None
        self._openings: tuple[_Opening, ...] = ()
        self._lay_off_cards: frozenset[Card] = frozenset()
        self._swap_cards: frozenset[Card] = frozenset()

    def lay_offs(self, seat: int, held: AbstractSet[Card], melds: list[Meld], rules: RuleSet) -> list[LayOff]:
        """Give every lay-off that fits (R9.2), of the cards that a seat holds: by card, meld and end."""
        self._look(melds, rules)
        return [
            LayOff(seat, meld, card, end)
            for card in sorted(self._lay_off_cards & held)
            for meld, opening in enumerate(self._openings)
            for end in opening.ends.get(card, ())
        ]

    def swaps(self, seat: int, held: AbstractSet[Card], melds: list[Meld], rules: RuleSet) -> list[Swap]:
        """Give every swap that fits (R10.1), of the cards that a seat holds: by meld, joker and card."""
        self._look(melds, rules)
        if self._swap_cards.isdisjoint(held):
            return []
        return [
            Swap(seat, meld, index, card)
            for meld, opening in enumerate(self._openings)
            for index, card in opening.swaps
            if card in held
        ]

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
        before = self._melds if self._rules is rules else []
        known = len(before)
        self._openings = tuple(
            [
                self._openings[place] if place < known and before[place] is meld else _opening(meld, rules)
                for place, meld in enumerate(melds)
            ]
        )
        self._melds, self._rules = melds.copy(), rules
        self._lay_off_cards = frozenset().union(*[opening.ends for opening in self._openings])
        self._swap_cards = frozenset([card for opening in self._openings for _, card in opening.swaps])


def _opening(meld: Meld, rules: RuleSet) -> _Opening:
    places = _places(meld) if meld.jokers else ()
    swaps = tuple([(index, card) for index in places for card in swaps_of(meld, index, rules)])
    return _Opening(_by_card(lay_offs_of(meld, rules)), swaps)


@lru_cache(maxsize=1 << 14)
def _by_card(taken: tuple[tuple[Card, End | None], ...]) -> _Ends:
    ends: dict[Card, tuple[End | None, ...]] = {}
    for card, end in taken:
        ends[card] = (*ends.get(card, ()), end)
    return ends


def _places(meld: Meld) -> Sequence[int]:
    """Give the places to swap at: jokers of a set that are equal cards stand for the same, so one place is enough."""
    places = meld.joker_places()
    if meld.kind is SET:
        return list({meld.cards[index]: index for index in reversed(places)}.values())[::-1]
    return places
