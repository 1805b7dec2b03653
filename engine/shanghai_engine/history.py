"""What the people at a table have seen happen in this hand: the public part, and what each seat alone learned.

The public part is assembled from what may be known, never made by taking away from what happened. A sealed
answer (`Answered`, R7.14) leaves no trace here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.event import (
    FROM_STOCK,
    FROM_UPCARD,
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    Event,
    GameEnded,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    OfferResult,
    Reshuffled,
    Swapped,
)
from shanghai_engine.state import HandResult, State
from shanghai_engine.value import made_quickly


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Everybody was dealt a hand; the upcard lies open, and `stock` cards face down."""

    hand: int
    contract: Contract
    dealer: int
    upcard: Card
    stock: int
    commitment: bytes


@made_quickly
@dataclass(frozen=True, slots=True)
class OfferSettled:
    """Who took or bought the upcard, if anybody, with how many extra cards; nobody learns who else answered what."""

    card: Card
    turn: int
    result: OfferResult
    seat: int | None
    extra_cards: int


@made_quickly
@dataclass(frozen=True, slots=True)
class CardDrawn:
    """The player on turn drew; `card` is none from the stock."""

    seat: int
    source: DrawSource
    card: Card | None


@dataclass(frozen=True, slots=True)
class StockReshuffled:
    """The dead cards became a stock of this many."""

    stock: int


PublicEvent = (
    HandDealt
    | OfferSettled
    | CardDrawn
    | StockReshuffled
    | LaidDown
    | LaidOff
    | Swapped
    | Discarded
    | HandResult
    | GameEnded
)
"""What everybody sees. Whatever is played to the table is public as it is; a hand's end shows its result (R12.2)."""


@made_quickly
@dataclass(frozen=True, slots=True)
class Learned:
    """Cards that one seat alone saw: dealt, drawn, or added to a buy, with the public event `index` of this hand."""

    index: int
    cards: tuple[Card, ...]


def public_part(event: Event, state: State) -> PublicEvent | None:
    """Give what everybody sees of an event; none for what nobody sees.

    `state` is the one that the event led to: a hand's end shows the whole result, which names its deal too.
    """
    show = _SHOWN.get(type(event))
    return None if show is None else show(event, state)


def _dealt(event: Dealt, _state: State) -> HandDealt:
    return HandDealt(event.hand, event.contract, event.dealer, event.upcard, len(event.stock), event.commitment)


def _offer_closed(event: OfferClosed, _state: State) -> OfferSettled:
    return _offer_settled(event.card, event.turn, event.result, event.seat, len(event.penalty))


def _drew(event: Drew, _state: State) -> CardDrawn:
    return _card_drawn(event.seat, event.source, event.card if event.source is FROM_UPCARD else None)


# Nearly the same few in every game.
_offer_settled = lru_cache(maxsize=1 << 10)(OfferSettled)
_card_drawn = lru_cache(maxsize=1 << 10)(CardDrawn)


def _reshuffled(event: Reshuffled, _state: State) -> StockReshuffled:
    return StockReshuffled(len(event.stock))


def _hand_ended(_event: HandEnded, state: State) -> HandResult:
    return state.results[-1]


def _whole(event: PublicEvent, _state: State) -> PublicEvent:
    return event


_SHOWN: dict[type[Any], Callable[[Any, State], PublicEvent]] = {
    Dealt: _dealt,
    OfferClosed: _offer_closed,
    Drew: _drew,
    Reshuffled: _reshuffled,
    HandEnded: _hand_ended,
    LaidDown: _whole,
    LaidOff: _whole,
    Swapped: _whole,
    Discarded: _whole,
    GameEnded: _whole,
}
"""By kind of event, what everybody sees of it; what is not named here nobody sees."""


def private_parts(event: Event) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Give what single seats alone see of an event: pairs of a seat and its cards."""
    learned = _LEARNED.get(type(event))
    return () if learned is None else learned(event)


def _learned_by_dealt(event: Dealt) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    return tuple((seat, tuple(sorted(cards))) for seat, cards in enumerate(event.hands))


def _learned_by_drawer(event: Drew) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    return ((event.seat, (event.card,)),) if event.source is FROM_STOCK else ()


def _learned_by_buyer(event: OfferClosed) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    return ((event.seat, event.penalty),) if event.penalty and event.seat is not None else ()


_LEARNED: dict[type[Any], Callable[[Any], tuple[tuple[int, tuple[Card, ...]], ...]]] = {
    Dealt: _learned_by_dealt,
    Drew: _learned_by_drawer,
    OfferClosed: _learned_by_buyer,
}
"""By kind of event, what single seats learn from it."""


@dataclass(slots=True)
class History:
    """This hand so far: public events in order, and by seat what it alone learned, in order."""

    public: list[PublicEvent]
    learned: tuple[list[Learned], ...]

    @classmethod
    def for_players(cls, players: int) -> History:
        """Give the empty history of a hand."""
        return cls(public=[], learned=tuple([] for _ in range(players)))

    def add(self, event: Event, state: State) -> None:
        """Take in what happened, and the state that it led to."""
        kind = type(event)
        show = _SHOWN.get(kind)
        if show is None:
            return
        if kind in _LEARNED:
            for seat, cards in private_parts(event):
                self.learned[seat].append(Learned(len(self.public), cards))
        self.public.append(show(event, state))

    def copy(self) -> History:
        """Give an independent copy."""
        return History(self.public.copy(), tuple(learned.copy() for learned in self.learned))
