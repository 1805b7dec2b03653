"""What a record line says beside what it should say: the first field that differs, and the rule behind that field."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from shanghai_engine.card import Card
from shanghai_engine.event import (
    Dealt,
    Discarded,
    DrawSource,
    Drew,
    EndReason,
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
from shanghai_engine.malformed import BadRecord
from shanghai_engine.meld import Meld
from shanghai_engine.record import NAMES

END_RULES: dict[EndReason, str] = {EndReason.OUT: "R11.1", EndReason.STOCK: "R13.1", EndReason.TURNS: "R14.1"}
"""The rule by which a hand ends for each reason."""
RESULT_RULES: dict[OfferResult, str] = {
    OfferResult.TAKEN: "R7.5",
    OfferResult.BOUGHT: "R7.4",
    OfferResult.NONE: "R7.11",
}
"""The rule that decides an offer with each result."""


def compare(given: Event, due: Event) -> None:
    """Raise `BadRecord` for the first field in which a line differs from what it should say.

    Both events are of one kind. The answers to an offer are not compared: its outcome is, and they may go on
    beyond the one that decided. The hands at a hand's end have no order (R12.1).
    """
    name = NAMES[type(due)]
    for key, read, rule in _FIELDS[type(due)]:
        stands, right = read(given), read(due)
        if stands != right:
            place, stands, right = _first_difference(stands, right)
            found = f"{key!r} of the {name} line{place} is {_said(stands)}"
            raise BadRecord(found, f"it should be {_said(right)}", rule=rule if isinstance(rule, str) else rule(due))


def _first_difference(given: Any, due: Any) -> tuple[str, object, object]:  # noqa: ANN401 - any field's value
    """Go down to the first place in which lists of one length differ; give where that is, and both values there."""
    place = ""
    while isinstance(given, tuple) and isinstance(due, tuple) and len(given) == len(due):
        index = next(index for index, (stands, right) in enumerate(zip(given, due, strict=True)) if stands != right)
        place += f"[{index}]"
        given, due = given[index], due[index]
    return (f" at {place}" if place else ""), given, due


def _said(value: object) -> str:
    """Give a field's value as a record would write it, and a list as the number of its entries where it is long."""
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Card):
        return value.text
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_said, value))}]" if len(value) <= _LONG else f"a list of {len(value)}"
    return str(value)


_LONG = 13
"""As many cards as the longest run has, which a sentence still shows one by one."""


def _melds(event: LaidDown) -> tuple[tuple[int, str, tuple[Card, ...]], ...]:
    return tuple(_meld(meld) for meld in event.melds)


def _meld(meld: Meld) -> tuple[int, str, tuple[Card, ...]]:
    return (meld.id, meld.kind.value, meld.cards)


_Field = tuple[str, Callable[[Any], Any], str | Callable[[Any], str]]

_FIELDS: dict[type[Any], tuple[_Field, ...]] = {
    Dealt: (
        ("hand", lambda event: event.hand, "R2.1"),
        ("contract", lambda event: event.contract, "R6"),
        ("dealer", lambda event: event.dealer, "R2.2"),
        ("seed", lambda event: event.seed, "R12.2"),
        ("commitment", lambda event: event.commitment, "R12.2"),
        ("hands", lambda event: event.hands, "R3.1"),
        ("upcard", lambda event: event.upcard, "R3.2"),
        ("stock", lambda event: event.stock, "R3.2"),
    ),
    OfferClosed: (
        ("card", lambda event: event.card, "R5.1"),
        ("turn", lambda event: event.turn, "R4.1"),
        ("eligible", lambda event: event.eligible, "R7.4"),
        ("result", lambda event: event.result, lambda due: RESULT_RULES[due.result]),
        ("seat", lambda event: event.seat, lambda due: RESULT_RULES[due.result]),
        ("penalty", lambda event: event.penalty, "R7.1"),
    ),
    Drew: (
        ("seat", lambda event: event.seat, "R4.1"),
        ("from", lambda event: event.source, lambda due: "R7.13" if due.source is DrawSource.STOCK else "R7.5"),
        ("card", lambda event: event.card, "R4.2"),
    ),
    LaidDown: (("melds", _melds, "R8.5"),),
    LaidOff: (("cards", lambda event: event.after.cards, "R9.2"),),
    Swapped: (("cards", lambda event: event.after.cards, "R10.1"),),
    Discarded: (),
    Reshuffled: (("stock", lambda event: event.stock, "R13.2"),),
    HandEnded: (
        ("reason", lambda event: event.reason, lambda due: END_RULES[due.reason]),
        ("winner", lambda event: event.winner, lambda due: END_RULES[due.reason]),
        ("hands", lambda event: tuple(tuple(sorted(hand)) for hand in event.hands), "R12.1"),
        ("scores", lambda event: event.scores, "R12.1"),
        ("totals", lambda event: event.totals, "R2.1"),
    ),
    GameEnded: (
        ("totals", lambda event: event.totals, "R2.1"),
        ("places", lambda event: event.places, "R2.1"),
    ),
}
"""By type of event: the fields that its line states, how each is read, and the rule behind it (or how that depends)."""
