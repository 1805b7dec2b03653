"""What happened, as everybody saw it, and what single seats learned beside it; and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shanghai.v1 import event_pb2
from shanghai_engine.event import Discarded, GameEnded, LaidDown, LaidOff, Swapped
from shanghai_engine.history import CardDrawn, HandDealt, Learned, OfferSettled, PublicEvent, StockReshuffled
from shanghai_engine.state import HandResult
from shanghai_wire.bad_message import given, within
from shanghai_wire.cards import (
    card_number,
    card_numbers,
    meld_message,
    read_card,
    read_cards,
    read_optional_card,
    read_table_meld,
    read_table_melds,
)
from shanghai_wire.numbering import DRAW_SOURCES, END_REASONS, ENDS, OFFER_RESULTS
from shanghai_wire.rules import contract_message, read_contract

_SEAT = "a seat, from 0"


def result_message(result: HandResult) -> event_pb2.HandResult:
    """Give the result of a hand as a message."""
    return event_pb2.HandResult(
        hand=result.hand,
        contract=contract_message(result.contract),
        dealer=result.dealer,
        reason=END_REASONS.number[result.reason],
        winner=result.winner,
        hands=[event_pb2.Cards(cards=card_numbers(hand)) for hand in result.hands],
        scores=result.scores,
        totals=result.totals,
        seed=result.seed,
        commitment=result.commitment,
    )


def read_result(message: event_pb2.HandResult, field: str) -> HandResult:
    """Give the result of a hand; raises `BadMessage`."""
    given(message, "contract", field, "the contract of the hand")
    given(message, "dealer", field, _SEAT)
    return HandResult(
        hand=message.hand,
        contract=read_contract(message.contract, within(field, "contract")),
        dealer=message.dealer,
        reason=END_REASONS.read(message.reason, within(field, "reason")),
        winner=message.winner if message.HasField("winner") else None,
        hands=tuple(
            read_cards(hand.cards, within(field, f"hands[{seat}].cards")) for seat, hand in enumerate(message.hands)
        ),
        scores=tuple(message.scores),
        totals=tuple(message.totals),
        seed=message.seed,
        commitment=message.commitment,
    )


def learned_message(learned: Learned) -> event_pb2.Learned:
    """Give what one seat learned with a public event as a message."""
    return event_pb2.Learned(event_index=learned.index, cards=card_numbers(learned.cards))


def read_learned(message: event_pb2.Learned, field: str) -> Learned:
    """Give what one seat learned; raises `BadMessage`."""
    given(message, "event_index", field, "the place of a public event of this hand, from 0")
    return Learned(message.event_index, read_cards(message.cards, within(field, "cards")))


def event_message(event: PublicEvent) -> event_pb2.PublicEvent:
    """Give what happened as a message."""
    return _MESSAGES[type(event)](event)


def read_event(message: event_pb2.PublicEvent, field: str = "event") -> PublicEvent | None:
    """Give what happened; none for a kind of event that this version does not know. Raises `BadMessage`."""
    kind = message.WhichOneof("event")
    return None if kind is None else _READERS[kind](getattr(message, kind), within(field, kind))


def _hand_dealt_message(event: HandDealt) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(
        hand_dealt=event_pb2.HandDealt(
            hand=event.hand,
            contract=contract_message(event.contract),
            dealer=event.dealer,
            upcard=card_number(event.upcard),
            stock=event.stock,
            commitment=event.commitment,
        )
    )


def _read_hand_dealt(message: event_pb2.HandDealt, field: str) -> HandDealt:
    given(message, "contract", field, "the contract of the hand")
    given(message, "dealer", field, _SEAT)
    return HandDealt(
        hand=message.hand,
        contract=read_contract(message.contract, within(field, "contract")),
        dealer=message.dealer,
        upcard=read_card(message.upcard, within(field, "upcard")),
        stock=message.stock,
        commitment=message.commitment,
    )


def _offer_settled_message(event: OfferSettled) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(
        offer_settled=event_pb2.OfferSettled(
            card=card_number(event.card),
            turn=event.turn,
            result=OFFER_RESULTS.number[event.result],
            seat=event.seat,
            extra_cards=event.extra_cards,
        )
    )


def _read_offer_settled(message: event_pb2.OfferSettled, field: str) -> OfferSettled:
    given(message, "turn", field, _SEAT)
    return OfferSettled(
        card=read_card(message.card, within(field, "card")),
        turn=message.turn,
        result=OFFER_RESULTS.read(message.result, within(field, "result")),
        seat=message.seat if message.HasField("seat") else None,
        extra_cards=message.extra_cards,
    )


def _card_drawn_message(event: CardDrawn) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(
        card_drawn=event_pb2.CardDrawn(
            seat=event.seat, source=DRAW_SOURCES.number[event.source], card=card_number(event.card)
        )
    )


def _read_card_drawn(message: event_pb2.CardDrawn, field: str) -> CardDrawn:
    given(message, "seat", field, _SEAT)
    source = DRAW_SOURCES.read(message.source, within(field, "source"))
    return CardDrawn(message.seat, source, read_optional_card(message.card, within(field, "card")))


def _stock_reshuffled_message(event: StockReshuffled) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(stock_reshuffled=event_pb2.StockReshuffled(stock=event.stock))


def _read_stock_reshuffled(message: event_pb2.StockReshuffled, _field: str) -> StockReshuffled:
    return StockReshuffled(message.stock)


def _laid_down_message(event: LaidDown) -> event_pb2.PublicEvent:
    melds = [meld_message(meld) for meld in event.melds]
    return event_pb2.PublicEvent(laid_down=event_pb2.LaidDown(seat=event.seat, melds=melds))


def _read_laid_down(message: event_pb2.LaidDown, field: str) -> LaidDown:
    given(message, "seat", field, _SEAT)
    return LaidDown(message.seat, read_table_melds(message.melds, within(field, "melds")))


def _laid_off_message(event: LaidOff) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(
        laid_off=event_pb2.LaidOff(
            seat=event.seat,
            card=card_number(event.card),
            end=ENDS.optional_number(event.end),
            after=meld_message(event.after),
        )
    )


def _read_laid_off(message: event_pb2.LaidOff, field: str) -> LaidOff:
    given(message, "seat", field, _SEAT)
    given(message, "after", field, "the meld with the card in it")
    return LaidOff(
        seat=message.seat,
        card=read_card(message.card, within(field, "card")),
        end=ENDS.read_optional(message.end, within(field, "end")),
        after=read_table_meld(message.after, within(field, "after")),
    )


def _swapped_message(event: Swapped) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(
        swapped=event_pb2.Swapped(
            seat=event.seat, index=event.index, card=card_number(event.card), after=meld_message(event.after)
        )
    )


def _read_swapped(message: event_pb2.Swapped, field: str) -> Swapped:
    given(message, "seat", field, _SEAT)
    given(message, "index", field, "the joker's place within the meld, from 0")
    given(message, "after", field, "the meld with the card in it")
    return Swapped(
        seat=message.seat,
        index=message.index,
        card=read_card(message.card, within(field, "card")),
        after=read_table_meld(message.after, within(field, "after")),
    )


def _discarded_message(event: Discarded) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(discarded=event_pb2.Discarded(seat=event.seat, card=card_number(event.card)))


def _read_discarded(message: event_pb2.Discarded, field: str) -> Discarded:
    given(message, "seat", field, _SEAT)
    return Discarded(message.seat, read_card(message.card, within(field, "card")))


def _hand_ended_message(event: HandResult) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(hand_ended=result_message(event))


def _game_ended_message(event: GameEnded) -> event_pb2.PublicEvent:
    return event_pb2.PublicEvent(game_ended=event_pb2.GameEnded(totals=event.totals, places=event.places))


def _read_game_ended(message: event_pb2.GameEnded, _field: str) -> GameEnded:
    return GameEnded(tuple(message.totals), tuple(message.places))


_MESSAGES: Mapping[type[Any], Callable[[Any], event_pb2.PublicEvent]] = {
    HandDealt: _hand_dealt_message,
    OfferSettled: _offer_settled_message,
    CardDrawn: _card_drawn_message,
    StockReshuffled: _stock_reshuffled_message,
    LaidDown: _laid_down_message,
    LaidOff: _laid_off_message,
    Swapped: _swapped_message,
    Discarded: _discarded_message,
    HandResult: _hand_ended_message,
    GameEnded: _game_ended_message,
}
_READERS: Mapping[str, Callable[[Any, str], PublicEvent]] = {
    "hand_dealt": _read_hand_dealt,
    "offer_settled": _read_offer_settled,
    "card_drawn": _read_card_drawn,
    "stock_reshuffled": _read_stock_reshuffled,
    "laid_down": _read_laid_down,
    "laid_off": _read_laid_off,
    "swapped": _read_swapped,
    "discarded": _read_discarded,
    "hand_ended": read_result,
    "game_ended": _read_game_ended,
}
