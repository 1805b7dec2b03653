"""A refusal as the player who got it reads it: `you` and names where the table speaks of seats by number."""

from __future__ import annotations

import re

from shanghai_client.failure import Refused
from shanghai_client.present.cells import and_list
from shanghai_client.present.people import People
from shanghai_client.scene import Scene

SENTENCES = {
    "NOT_YOUR_TURN": "you are not on turn: it is {whose} turn",
    "OFFER_IS_OPEN": "you cannot play yet: the offer of {card} is open, and comes before the draw",
    "NO_OFFER_IS_OPEN": "there is no offer to answer: the card is drawn, and it is {whose} turn until the discard",
    "NOT_IN_THE_OFFER": "you have no part in the offer of {card}: it was asked of {order}",
    "ALREADY_ANSWERED": "you have already answered the offer of {card}, and an answer is final",
    "TAKE_IS_FOR_THE_TURN": "only the player on turn, {turn}, can take {card} as the draw; you can buy it or pass",
    "TURN_CANNOT_BUY_NOW": (
        "you cannot buy {card} now, being down, without a buy left or with too small a stock: take it or pass"
    ),
    "TIMEOUT_IS_THE_TABLES": "a time-out is the table's to give: you take, buy or pass",
    "ALREADY_DOWN": "you are down already: one lays down once per hand",
    "CARDS_NOT_IN_HAND": "{melds} cannot be laid down: your hand lacks {missing}",
    "CARD_NOT_IN_HAND": "{card} is not in your hand: one plays and discards the cards in one's hand",
    "NOT_DOWN": "you are not down: one lays off only after laying down",
    "NOT_IN_THE_SAME_TURN": (
        "you have laid down in this turn: at this table one lays off and swaps from the next turn on"
    ),
    "SWAP_WHEN_DOWN": "you are not down: at this table only who is down swaps jokers",
    "COULD_NOT_LAY_DOWN": ("the swap is refused: you are not down, and could not lay down {contract} with this joker"),
    "MUST_PLAY_JOKER": "you must play {jokers} before discarding: a swapped joker is not kept here",
    "MUST_LAY_DOWN": "you swapped a joker before laying down, and must lay down before discarding",
    "ALREADY_GONE_ON": "you have gone on already, and the others are waited for",
}
"""By the reason of a refusal that names a seat: its sentence to the player on that seat, with names for the others."""
OWN = "seat"
"""The value that is the seat of whoever was refused."""
_SEATS = {"turn", "order"}


def refusal_text(refusal: Refused, scene: Scene) -> str:
    """Give the sentence and the rule of a refusal; one that is not known here stands as the server said it."""
    template = SENTENCES.get(refusal.reason)
    people = People.of(scene)
    values = {name: _named(name, value, people) for name, value in refusal.values.items()}
    turn = refusal.values.get("turn", "")
    if turn.isascii() and turn.isdigit() and int(turn) < len(people.names):
        values["whose"] = people.whose(int(turn))
    if template is None or not _knows(template, values) or refusal.values.get(OWN, str(scene.seat)) != str(scene.seat):
        return str(refusal)
    sentence = template.format_map(values)
    return f"{sentence} ({refusal.rule})" if refusal.rule else sentence


def _knows(template: str, values: dict[str, str]) -> bool:
    return set(re.findall(r"{(\w+)}", template)) <= set(values)


def _named(name: str, value: str, people: People) -> str:
    """Give a value with names instead of the numbers of seats."""
    words = value.split(", ")
    if name not in _SEATS or not all(word.isascii() and word.isdigit() for word in words):
        return value
    seats = [int(word) for word in words]
    return and_list([people.who(seat) for seat in seats]) if max(seats) < len(people.names) else value
