"""What everybody has seen of this hand: cards that cannot come any more, and what each seat visibly collects."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from shanghai_engine.bots.layers import Layers, layers_of
from shanghai_engine.card import CARDS, RANK, SUIT, Card
from shanghai_engine.event import BOUGHT, FROM_UPCARD, Discarded
from shanghai_engine.history import CardDrawn, OfferSettled
from shanghai_engine.view import PublicView

CLOSE = 2
"""How many ranks apart two cards of a suit may lie to be collected for the same run."""


@lru_cache(maxsize=8)
def open_cards(public: PublicView) -> Layers:
    """Give the layers of the cards in melds, dead, or offered: no stock and no hand holds them."""
    upcard = () if public.upcard is None else (public.upcard,)
    return layers_of(chain(upcard, public.dead, *(meld.cards for meld in public.melds)))


def collected(public: PublicView) -> dict[int, list[Card]]:
    """Give by seat the upcards that it took or bought in this hand and has not discarded since."""
    cards: dict[int, list[Card]] = {}
    for event in public.events:
        if isinstance(event, Discarded):
            held = cards.get(event.seat)
            if held and event.card in held:
                held.remove(event.card)
        elif isinstance(event, CardDrawn):
            if event.source is FROM_UPCARD and event.card is not None:
                cards.setdefault(event.seat, []).append(event.card)
        elif isinstance(event, OfferSettled) and event.result is BOUGHT and event.seat is not None:
            cards.setdefault(event.seat, []).append(event.card)
    return cards


def wanted(public: PublicView, seat: int) -> list[int]:
    """Give for each other seat that visibly collects a bit for every card that fits, under this contract."""
    return [fitting for other, fitting in _fitting(public).items() if other != seat]


@lru_cache(maxsize=8)
def _fitting(public: PublicView) -> dict[int, int]:
    """Give by seat, of those that collect and are not down, a bit for every card that fits what it has."""
    contract = public.contract
    fitting: dict[int, int] = {}
    for seat, cards in collected(public).items():
        if not public.seats[seat].down:
            fitting[seat] = 0
            for card in cards:
                if contract.sets:
                    fitting[seat] |= _SAME_RANK[card]
                if contract.runs:
                    fitting[seat] |= _CLOSE_IN_SUIT[card]
    return fitting


_SAME_RANK = (0, *(sum(1 << other for other in CARDS if RANK[other] == RANK[card]) for card in CARDS))
_CLOSE_IN_SUIT = (
    0,
    *(
        sum(1 << other for other in CARDS if SUIT[other] == SUIT[card] and abs(RANK[other] - RANK[card]) <= CLOSE)
        for card in CARDS
    ),
)
"""By card number, a bit for each card that fits it in a set or in a run."""
