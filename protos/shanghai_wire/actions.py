"""What a seat does, as messages and back; the two actions of whoever runs the table are in no message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shanghai.v1 import view_pb2
from shanghai_engine.action import Answer, Discard, LayDown, LayOff, Swap
from shanghai_wire.bad_message import chosen, given, missing, within
from shanghai_wire.cards import card_number, draft_message, read_card, read_drafts
from shanghai_wire.numbering import CLAIMS, ENDS, SEAT_CLAIMS


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on to the next hand (R2.4). The engine's own action, `Deal`, follows when everybody has."""

    seat: int


SeatAction = Answer | LayDown | LayOff | Swap | Discard | GoOn
"""What a seat may ask for."""


def action_message(action: SeatAction) -> view_pb2.Action:
    """Give an action as a message; its seat is not in it, the seat's secret says it."""
    match action:
        case Answer():
            return view_pb2.Action(answer=view_pb2.AnswerOffer(claim=CLAIMS.number[action.claim]))
        case LayDown():
            melds = [draft_message(draft) for draft in action.melds]
            return view_pb2.Action(lay_down=view_pb2.LayDown(melds=melds))
        case LayOff():
            return view_pb2.Action(lay_off=lay_off_message(action))
        case Swap():
            return view_pb2.Action(swap=swap_message(action))
        case Discard():
            return view_pb2.Action(discard=view_pb2.Discard(card=card_number(action.card)))
        case GoOn():
            return view_pb2.Action(go_on=view_pb2.GoOn())


def read_action(message: view_pb2.Action, *, seat: int, field: str = "action") -> SeatAction:
    """Give the action of a seat, lawful or not; raises `BadMessage` where it is none."""
    kind = chosen(message, "action", field, tuple(_READERS))
    return _READERS[kind](getattr(message, kind), seat, within(field, kind))


def lay_off_message(action: LayOff) -> view_pb2.LayOff:
    """Give a lay-off as a message, without its seat."""
    return view_pb2.LayOff(meld=action.meld, card=card_number(action.card), end=ENDS.optional_number(action.end))


def read_lay_off(message: view_pb2.LayOff, seat: int, field: str) -> LayOff:
    """Give the lay-off of a seat; raises `BadMessage`."""
    given(message, "meld", field, "the meld's id, from 0")
    card = read_card(message.card, within(field, "card"))
    return LayOff(seat, message.meld, card, ENDS.read_optional(message.end, within(field, "end")))


def swap_message(action: Swap) -> view_pb2.Swap:
    """Give a swap as a message, without its seat."""
    return view_pb2.Swap(meld=action.meld, index=action.index, card=card_number(action.card))


def read_swap(message: view_pb2.Swap, seat: int, field: str) -> Swap:
    """Give the swap of a seat; raises `BadMessage`."""
    given(message, "meld", field, "the meld's id, from 0")
    given(message, "index", field, "the joker's place within the meld, from 0")
    return Swap(seat, message.meld, message.index, read_card(message.card, within(field, "card")))


def _read_answer(message: view_pb2.AnswerOffer, seat: int, field: str) -> Answer:
    return Answer(seat, SEAT_CLAIMS.read(message.claim, within(field, "claim")))


def _read_lay_down(message: view_pb2.LayDown, seat: int, field: str) -> LayDown:
    if not message.melds:
        raise missing(within(field, "melds"), "all melds of the contract")
    return LayDown(seat, read_drafts(message.melds, within(field, "melds")))


def _read_discard(message: view_pb2.Discard, seat: int, field: str) -> Discard:
    return Discard(seat, read_card(message.card, within(field, "card")))


def _read_go_on(_message: view_pb2.GoOn, seat: int, _field: str) -> GoOn:
    return GoOn(seat)


_READERS: Mapping[str, Callable[[Any, int, str], SeatAction]] = {
    "answer": _read_answer,
    "lay_down": _read_lay_down,
    "lay_off": read_lay_off,
    "swap": read_swap,
    "discard": _read_discard,
    "go_on": _read_go_on,
}
