"""What everybody has seen of this hand: cards that cannot come any more, and what each seat visibly collects."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import chain

from shanghai_engine.bots.playing_off import fitting_cards
from shanghai_engine.bots.tally import tally
from shanghai_engine.card import CARDS, RANK, SUIT, Card
from shanghai_engine.event import BOUGHT, FROM_UPCARD, Discarded
from shanghai_engine.history import CardDrawn, OfferSettled, PublicEvent
from shanghai_engine.meld import Meld
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import without_card
from shanghai_engine.view import PublicView

Events = tuple[PublicEvent, ...]
Collected = dict[int, tuple[Card, ...]]
"""By seat, cards that it collects; never changed."""

CLOSE = 2
"""How many ranks apart two cards of a suit may lie to be collected for the same run."""


def open_cards(public: PublicView) -> int:
    """Tally the cards in melds, dead, or offered: no stock and no hand holds them."""
    return _seen_in(public.hand_commitment).open_cards(public)


def collected(public: PublicView) -> Collected:
    """Give by seat the upcards that it took or bought in this hand and has not discarded since."""
    return _seen_in(public.hand_commitment).collected(public.events)


def playable(public: PublicView) -> Collection[Card]:
    """Give every card that who is down can play now (`playing_off`)."""
    return _seen_in(public.hand_commitment).playable(public)


class _Seen:
    """What was seen in one hand when it was asked about last, to go on from there; it may be asked in any order."""

    __slots__ = ("_collected", "_dead", "_melded", "_open", "_playable")

    def __init__(self, _hand: bytes) -> None:
        """Begin before the first event."""
        self._collected: tuple[Events, Collected] = (), {}
        self._dead: tuple[tuple[Card, ...], int] = (), 0
        self._melded: tuple[tuple[Meld, ...], int] = (), 0
        self._open: tuple[PublicView | None, int] = None, 0
        self._playable: tuple[tuple[tuple[Meld, ...], RuleSet | None], Collection[Card]] = ((), None), ()

    def open_cards(self, public: PublicView) -> int:
        """Tally the cards that lie open in a view; those of one offer are asked for by every seat."""
        view, counted = self._open
        if view is not public:
            counted = self._count(public)
            self._open = public, counted
        return counted

    def _count(self, public: PublicView) -> int:
        dead, melds = public.dead, public.melds
        known, counted = self._dead
        if dead[: len(known)] != known:
            known, counted = (), 0
        counted += tally(dead[len(known) :])
        known_melds, melded = self._melded
        if melds != known_melds:
            melded = tally(chain.from_iterable([meld.cards for meld in melds]))
        self._dead, self._melded = (dead, counted), (melds, melded)
        return counted + melded + (0 if public.upcard is None else tally((public.upcard,)))

    def playable(self, public: PublicView) -> Collection[Card]:
        """Give every card that who is down can play; from turn to turn the melds mostly stay as they are."""
        asked = public.melds, public.rules
        known, cards = self._playable
        if asked != known:
            cards = fitting_cards(public.melds, public.rules)
            self._playable = asked, cards
        return cards

    def collected(self, events: Events) -> Collected:
        """Give what was collected after these events."""
        known, cards = self._collected
        if events[: len(known)] != known:
            known, cards = (), {}
        for event in events[len(known) :]:
            cards = _after(event, cards)
        self._collected = events, cards
        return cards


_seen_in = lru_cache(maxsize=1 << 6)(_Seen)


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
