"""What a seat has seen of this hand: cards that cannot come any more, and what the others visibly collect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from shanghai_engine.card import RANK, SUIT, Card
from shanghai_engine.event import Discarded, DrawSource, OfferResult
from shanghai_engine.history import CardDrawn, OfferSettled
from shanghai_engine.view import PublicView

CLOSE = 2
"""How many ranks apart two cards of a suit may lie to be collected for the same run."""


def seen_cards(public: PublicView, hand: tuple[Card, ...]) -> Counter[Card]:
    """Count the cards that are in the hand, in melds, dead, or offered: no stock and no other hand holds them."""
    seen = Counter(hand)
    seen.update(public.dead)
    for meld in public.melds:
        seen.update(meld.cards)
    if public.upcard is not None:
        seen[public.upcard] += 1
    return seen


def collected(public: PublicView) -> dict[int, list[Card]]:
    """Give by seat the upcards that it took or bought in this hand and has not discarded since."""
    cards: dict[int, list[Card]] = {}
    for event in public.events:
        match event:
            case OfferSettled(card=card, result=OfferResult.BOUGHT, seat=int(seat)):
                cards.setdefault(seat, []).append(card)
            case CardDrawn(seat=seat, source=DrawSource.UPCARD, card=Card() as card):
                cards.setdefault(seat, []).append(card)
            case Discarded(seat=seat, card=card) if card in cards.get(seat, ()):
                cards[seat].remove(card)
            case _:
                pass
    return cards


def who_collects(public: PublicView, seat: int, collections: Mapping[int, Sequence[Card]], card: Card) -> int:
    """Count the other seats, not down yet, whose collection a card would fit under this hand's contract."""
    contract = public.contract
    return sum(
        other != seat
        and not public.seats[other].down
        and any(
            (contract.sets and RANK[held] == RANK[card])
            or (contract.runs and SUIT[held] == SUIT[card] and abs(RANK[held] - RANK[card]) <= CLOSE)
            for held in cards
        )
        for other, cards in collections.items()
    )
