"""What a seat has seen of this hand: cards that cannot come any more, and what the others visibly collect."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from shanghai_engine.card import CARDS, RANK, SUIT, Card
from shanghai_engine.event import BOUGHT, FROM_UPCARD, Discarded
from shanghai_engine.history import CardDrawn, OfferSettled
from shanghai_engine.view import PublicView

CLOSE = 2
"""How many ranks apart two cards of a suit may lie to be collected for the same run."""


def seen_cards(public: PublicView, hand: tuple[Card, ...]) -> Counter[Card]:
    """Count the cards that are in the hand, in melds, dead, or offered: no stock and no other hand holds them."""
    seen = Counter(chain(hand, public.dead, *(meld.cards for meld in public.melds)))
    if public.upcard is not None:
        seen[public.upcard] += 1
    return seen


def collected(public: PublicView) -> dict[int, list[Card]]:
    """Give by seat the upcards that it took or bought in this hand and has not discarded since."""
    cards: dict[int, list[Card]] = {}
    for event in public.events:
        if isinstance(event, CardDrawn):
            if event.source is FROM_UPCARD and event.card is not None:
                cards.setdefault(event.seat, []).append(event.card)
        elif isinstance(event, Discarded):
            held = cards.get(event.seat)
            if held and event.card in held:
                held.remove(event.card)
        elif isinstance(event, OfferSettled) and event.result is BOUGHT and event.seat is not None:
            cards.setdefault(event.seat, []).append(event.card)
    return cards


class Wanted:
    """What the other seats that are not down yet collect under this hand's contract."""

    __slots__ = ("_fitting",)

    def __init__(self, public: PublicView, seat: int) -> None:
        """Look at what each of them took or bought."""
        contract = public.contract
        self._fitting: list[int] = []
        for other, cards in collected(public).items():
            if other == seat or public.seats[other].down:
                continue
            fitting = 0
            for card in cards:
                if contract.sets:
                    fitting |= _SAME_RANK[card]
                if contract.runs:
                    fitting |= _CLOSE_IN_SUIT[card]
            self._fitting.append(fitting)

    def by(self, card: Card) -> int:
        """Count the seats whose collection a card would fit."""
        return sum(fitting >> card & 1 for fitting in self._fitting)


_SAME_RANK = (0, *(sum(1 << other for other in CARDS if RANK[other] == RANK[card]) for card in CARDS))
_CLOSE_IN_SUIT = (
    0,
    *(
        sum(1 << other for other in CARDS if SUIT[other] == SUIT[card] and abs(RANK[other] - RANK[card]) <= CLOSE)
        for card in CARDS
    ),
)
"""By card number, a bit for each card that fits it in a set or in a run."""
