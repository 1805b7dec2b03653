"""The cards that are new in one's hand: what came since one's own last discard of this hand."""

from __future__ import annotations

from collections import Counter

from shanghai_engine.card import Card
from shanghai_engine.event import Discarded, OfferResult, Swapped
from shanghai_engine.history import HandDealt, OfferSettled
from shanghai_engine.view import View


def new_cards(view: View | None) -> Counter[Card]:
    """Count the cards of the viewer's hand that are new; what was dealt is not."""
    if view is None or view.own is None:
        return Counter()
    seat, events = view.own.seat, view.public.events
    since = 0
    for index, event in enumerate(events):
        if isinstance(event, HandDealt) or (isinstance(event, Discarded) and event.seat == seat):
            since = index + 1
    came: Counter[Card] = Counter()
    for event in events[since:]:
        match event:
            case OfferSettled(seat=got, result=result) if got == seat and result is not OfferResult.NONE:
                came[event.card] += 1
            case Swapped(seat=who) if who == seat:
                came[Card.JOKER] += 1
            case _:
                continue
    for learned in view.own.learned:
        if learned.index >= since:
            came.update(learned.cards)
    return came & Counter(view.own.hand)
