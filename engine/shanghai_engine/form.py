"""The form of an action: whether every value in it is of the kind that it should be, before any rule is asked (R15.1).

A plain number is equal to the card with that number, and a claim's word to no claim: such values would be taken in, and
fail only much later, where a record is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shanghai_engine.action import Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import Card
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import End, MeldDraft, MeldKind


def _answer(action: Answer) -> bool:
    return type(action.seat) is int and type(action.claim) is Claim


def _lay_down(action: LayDown) -> bool:
    return type(action.seat) is int and type(action.melds) is tuple and all(map(_draft, action.melds))


def _draft(draft: object) -> bool:
    return (
        type(draft) is MeldDraft
        and type(draft.kind) is MeldKind
        and type(draft.cards) is tuple
        and all(type(card) is Card for card in draft.cards)
    )


def _lay_off(action: LayOff) -> bool:
    return (
        type(action.card) is Card
        and type(action.seat) is int
        and type(action.meld) is int
        and (action.end is None or type(action.end) is End)
    )


def _swap(action: Swap) -> bool:
    return (
        type(action.card) is Card
        and type(action.seat) is int
        and type(action.meld) is int
        and type(action.index) is int
    )


def _discard(action: Discard) -> bool:
    return type(action.card) is Card and type(action.seat) is int


def _time_out(action: TimeOut) -> bool:
    return type(action.seat) is int


def _deal(_action: Deal) -> bool:
    return True


FORMS: dict[type[Any], Callable[[Any], bool]] = {
    Answer: _answer,
    LayDown: _lay_down,
    LayOff: _lay_off,
    Swap: _swap,
    Discard: _discard,
    TimeOut: _time_out,
    Deal: _deal,
}
"""By kind of action: whether one is well-formed."""
_RIGHT: dict[type[Any], str] = {
    Answer: "an answer is a seat, a whole number from 0, and a claim, as in Claim.TAKE",
    LayDown: "a lay-down is a seat, a whole number from 0, and a tuple of MeldDraft: a MeldKind and a tuple of Card",
    LayOff: "a lay-off is a seat and a meld, whole numbers from 0, a Card, and an End, or none at a set",
    Swap: "a swap is a seat, a meld and a place in it, whole numbers from 0, and a Card",
    Discard: "a discard is a seat, a whole number from 0, and a Card",
    TimeOut: "what runs out of time is a seat, a whole number from 0",
}


def ill_formed(action: object) -> Malformed:
    """Give what to raise for an action that is not well-formed, or for what is no action at all."""
    right = _RIGHT.get(type(action), f"an action is one of {', '.join(kind.__name__ for kind in FORMS)}")
    return Malformed(action, f"{right} (R15.1)")
