"""The contract's enums and the engine's: nothing in one without its pair in the other."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest
from google.protobuf.descriptor import EnumDescriptor

from shanghai.v1 import card_pb2, event_pb2, view_pb2
from shanghai_engine.card import CARDS
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.cards import read_card, read_optional_card
from shanghai_wire.numbering import (
    CLAIMS,
    DRAW_SOURCES,
    END_REASONS,
    ENDS,
    MELD_KINDS,
    OFFER_RESULTS,
    PHASES,
    Numbering,
)

NUMBERINGS: dict[str, Numbering[Any, Any]] = {
    "MeldKind": MELD_KINDS,
    "End": ENDS,
    "Claim": CLAIMS,
    "Phase": PHASES,
    "OfferResult": OFFER_RESULTS,
    "DrawSource": DRAW_SOURCES,
    "EndReason": END_REASONS,
}
CONTRACT: dict[str, EnumDescriptor] = {
    name: enum for file in (card_pb2, event_pb2, view_pb2) for name, enum in file.DESCRIPTOR.enum_types_by_name.items()
}


def test_every_enum_of_the_game_in_the_contract_is_paired_with_one_of_the_engine() -> None:
    """The enums of the contract that speak of the game are those that are numbered here, and the cards."""
    assert set(CONTRACT) == {*NUMBERINGS, "Card"}


@pytest.mark.parametrize("name", NUMBERINGS)
def test_every_member_has_its_number_and_every_number_its_member(name: str) -> None:
    """No member of the engine's enum and no number of the contract's, but unspecified, is without a pair."""
    numbering = NUMBERINGS[name]
    members: type[Enum] = type(next(iter(numbering.number)))
    assert set(numbering.number) == set(members)
    assert {value.number for value in CONTRACT[name].values} == {0, *numbering.number.values()}
    assert numbering.unspecified == 0
    for member, number in numbering.number.items():
        assert numbering.read(number, name) is member
        assert numbering.read_optional(number, name) is member
        assert numbering.optional_number(member) == number
    assert numbering.read_optional(0, name) is None
    assert numbering.optional_number(None) == 0


@pytest.mark.parametrize("name", NUMBERINGS)
def test_a_number_without_a_member_is_refused_by_the_fields_name(name: str) -> None:
    """Unspecified where a value is needed, and a number that nothing has, raise an error that lists what is right."""
    numbering = NUMBERINGS[name]
    for number in (0, 99, -1):
        with pytest.raises(BadMessage, match=rf"^some\.field = {number} cannot be read: it is one of 1 \(") as caught:
            numbering.read(number, "some.field")
        assert caught.value.field == "some.field"
    with pytest.raises(BadMessage):
        numbering.read_optional(99, "some.field")


def test_cards_have_the_same_numbers_and_texts_in_the_contract_and_in_the_engine() -> None:
    """The contract's CARD_8H is the engine's 8H, number for number, and neither has a card more."""
    named = {value.name: value.number for value in CONTRACT["Card"].values}
    assert named == {"CARD_UNSPECIFIED": 0, **{f"CARD_{card.text}": int(card) for card in CARDS}}
    assert [read_card(int(card), "card") for card in CARDS] == list(CARDS)


@pytest.mark.parametrize("number", [-1, 54, 1000])
def test_a_number_that_no_card_has_is_refused(number: int) -> None:
    """A card's number lies between 1 and 53, and only where a card may be absent it is 0."""
    for read in (read_card, read_optional_card):
        with pytest.raises(BadMessage, match=rf"^hand\[2\] = {number} cannot be read: a card is a number from 1 to 53"):
            read(number, "hand[2]")
    with pytest.raises(BadMessage):
        read_card(0, "hand[2]")
    assert read_optional_card(0, "hand[2]") is None
