"""A refusal as the player who got it reads it: `you` and names where the table speaks of seats by number."""

from __future__ import annotations

from collections.abc import Mapping

from shanghai_client.failure import Refused
from shanghai_client.language import _, later
from shanghai_client.present.cells import and_list
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.people import People
from shanghai_client.reasons import fields_of, sentence_by_reason
from shanghai_client.scene import Scene

SENTENCES = {
    "NOT_YOUR_TURN": later("you are not on turn: it is {whose} turn"),
    "OFFER_IS_OPEN": later("you cannot play yet: the offer of {card} is open, so take it, or pass and draw, first"),
    "NO_OFFER_IS_OPEN": later(
        "there is no offer to answer: the card is drawn, and it is {whose} turn until the discard"
    ),
    "NOT_IN_THE_OFFER": later("you have no part in the offer of {card}: it was asked of {order}"),
    "ALREADY_ANSWERED": later("you have already answered the offer of {card}, and an answer is final"),
    "TAKE_IS_FOR_THE_TURN": later(
        "only the player on turn, {turn}, can take {card} as the draw; you can buy it or pass"
    ),
    "TURN_CANNOT_BUY": later("you do not buy on your own turn: take {card}, or pass and draw from the stock"),
    "TURN_CANNOT_BUY_NOW": later(
        "you cannot buy {card} now, being down, without a buy left or with too small a stock: take it or pass"
    ),
    "TIMEOUT_IS_THE_TABLES": later("a time-out is the table's to give: you take, buy or pass"),
    "ALREADY_DOWN": later("you are down already: one lays down once per hand, and then only lays cards off on melds"),
    "CARDS_NOT_IN_HAND": later("{melds} cannot be laid down: your hand lacks {missing}"),
    "CARD_NOT_IN_HAND": later("{card} is not in your hand: one plays and discards the cards in one's hand"),
    "NOT_DOWN": later("you are not down: one lays off only after laying down"),
    "NOT_IN_THE_SAME_TURN": later(
        "you have laid down in this turn: at this table one lays off and swaps from the next turn on"
    ),
    "SWAP_WHEN_DOWN": later("you are not down: at this table only who is down swaps jokers"),
    "COULD_NOT_LAY_DOWN": later(
        "the swap is refused: you are not down, and could not lay down {contract} with this joker"
    ),
    "MUST_PLAY_JOKER": later("you must play {jokers} before discarding: a swapped joker is not kept here"),
    "MUST_LAY_DOWN": later("you swapped a joker before laying down, and must lay down before discarding"),
    "ALREADY_GONE_ON": later("you have gone on already, and the others are waited for"),
}
"""By the reason of a refusal that names a seat: its sentence to the player on that seat, with names for the others."""
OWN = "seat"
"""The value that is the seat of whoever was refused."""
_SEATS = {"turn", "order"}
_ENDS = {"low": later("low"), "high": later("high")}


def already_down_text() -> str:
    """Say, before the table has to, why who is down lays down nothing more, and what he does instead."""
    return _("{sentence} ({rule})").format(sentence=_(SENTENCES["ALREADY_DOWN"]), rule="R8.5")


def refusal_text(refusal: Refused, scene: Scene) -> str:
    """Give the sentence and the rule of a refusal; one that is not known here stands as the server said it."""
    values = _values(refusal.values, scene)
    sentence = ""
    own = refusal.values.get(OWN, str(scene.seat)) == str(scene.seat)
    if refusal.reason in SENTENCES and own:
        template = _(SENTENCES[refusal.reason])
        sentence = template.format_map(values) if fields_of(template) <= set(values) else ""
    sentence = sentence or sentence_by_reason(refusal.reason, values)
    if not sentence:
        return str(refusal)
    return f"{sentence} ({refusal.rule})" if refusal.rule else sentence


def _values(values: Mapping[str, str], scene: Scene) -> dict[str, str]:
    """Give the values of a refusal as the player reads them: names for seats, the contract and ends in words."""
    people = People.of(scene)
    named = {name: _named(name, value, people) for name, value in values.items()}
    turn = values.get("turn", "")
    if turn.isascii() and turn.isdigit() and int(turn) < len(people.names):
        named["whose"] = people.whose(int(turn))
    if scene.game is not None and values.get("contract") == str(scene.game.contract):
        named["contract"] = contract_words(scene.game.contract)
    if values.get("end") in _ENDS:
        named["end"] = _(_ENDS[values["end"]])
    return named


def _named(name: str, value: str, people: People) -> str:
    """Give a value with names instead of the numbers of seats."""
    words = value.split(", ")
    if name not in _SEATS or not all(word.isascii() and word.isdigit() for word in words):
        return value
    seats = [int(word) for word in words]
    return and_list([people.who(seat) for seat in seats]) if max(seats) < len(people.names) else value
