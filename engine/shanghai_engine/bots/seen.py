"""What everybody has seen of this hand: cards that cannot come any more, and what each seat visibly collects."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

from shanghai_engine.bots.tally import tally
from shanghai_engine.card import CARDS, RANK, SUIT, Card
from shanghai_engine.event import BOUGHT, FROM_UPCARD, Discarded
from shanghai_engine.history import CardDrawn, OfferSettled, PublicEvent
from shanghai_engine.state import without_card
from shanghai_engine.view import PublicView

Events = tuple[PublicEvent, ...]
Collected = dict[int, tuple[Card, ...]]
"""By seat, cards that it collects; never changed."""

CLOSE = 2
"""How many ranks apart two cards of a suit may lie to be collected for the same run."""


@lru_cache(maxsize=8)
def open_cards(public: PublicView) -> int:
    """Tally the cards in melds, dead, or offered: no stock and no hand holds them."""
    upcard = () if public.upcard is None else (public.upcard,)
    return tally(chain(upcard, public.dead, *(meld.cards for meld in public.melds)))


def collected(public: PublicView) -> Collected:
    """Give by seat the upcards that it took or bought in this hand and has not discarded since."""
    return _collecting_of(public.hand_commitment).until(public.events)


class _Collecting:
    """What was collected in one hand up to some event, to go on from there."""

    __slots__ = ("_last",)

    def __init__(self, _hand: bytes) -> None:
        """Begin before the first event."""
        self._last: tuple[Events, Collected] = (), {}

    def until(self, events: Events) -> Collected:
        """Give what was collected after these events, which need not go on from the last ones that were asked about."""
        known, cards = self._last
        if events[: len(known)] != known:
            known, cards = (), {}
        for event in events[len(known) :]:
            cards = _after(event, cards)
        self._last = events, cards
        return cards


_collecting_of = lru_cache(maxsize=1 << 6)(_Collecting)


def _after(event: PublicEvent, cards: Collected) -> Collected:
    """Give what is collected after one more event."""
    if isinstance(event, Discarded):
        held = cards.get(event.seat, ())
        if event.card in held:
            return {**cards, event.seat: without_card(held, event.card)}
    elif isinstance(event, CardDrawn):
        if event.source is FROM_UPCARD and event.card is not None:
            return {**cards, event.seat: (*cards.get(event.seat, ()), event.card)}
    elif isinstance(event, OfferSettled) and event.result is BOUGHT and event.seat is not None:
        return {**cards, event.seat: (*cards.get(event.seat, ()), event.card)}
    return cards


def wanted(public: PublicView, seat: int) -> list[int]:
    """Give for each other seat that visibly collects a bit for every card that fits, under this contract."""
    contract, seats = public.contract, public.seats
    return [
        _fitting(cards, bool(contract.sets), bool(contract.runs))
        for other, cards in collected(public).items()
        if cards and other != seat and not seats[other].down
    ]


@lru_cache(maxsize=1 << 10)
def _fitting(cards: tuple[Card, ...], sets: bool, runs: bool) -> int:  # noqa: FBT001 a part of the key
    """Give a bit for every card that fits one of these in a set, or in a run, where there are such."""
    fitting = 0
    for card in cards:
        if sets:
            fitting |= _SAME_RANK[card]
        if runs:
            fitting |= _CLOSE_IN_SUIT[card]
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
