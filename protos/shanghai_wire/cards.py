"""Cards, drafts and melds as messages, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from shanghai.v1 import card_pb2
from shanghai_engine.card import CARDS, Card
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.refusal import Refusal
from shanghai_wire.bad_message import BadMessage, given, missing, within
from shanghai_wire.numbering import MELD_KINDS

_A_CARD = f"a card is a number from 1 to {len(CARDS)}, the joker"
_RUN = MeldKind.RUN


def card_number(card: Card | None) -> card_pb2.Card.ValueType:
    """Give the number of a card, the same as in the engine, and unspecified for none."""
    return card_pb2.CARD_UNSPECIFIED if card is None else cast("card_pb2.Card.ValueType", card)


def card_numbers(cards: Sequence[Card]) -> Sequence[card_pb2.Card.ValueType]:
    """Give the numbers of cards: the cards themselves, which are numbers already."""
    return cast("Sequence[card_pb2.Card.ValueType]", cards)


def read_card(number: int, field: str) -> Card:
    """Give the card of a number; raises `BadMessage` for unspecified and for a number beyond the cards."""
    if not 1 <= number <= len(CARDS):
        raise BadMessage(field, number, _A_CARD)
    return CARDS[number - 1]


def read_optional_card(number: int, field: str) -> Card | None:
    """Give the card of a number, and none for unspecified; raises `BadMessage` for a number beyond the cards."""
    return None if number == card_pb2.CARD_UNSPECIFIED else read_card(number, field)


def read_cards(numbers: Iterable[int], field: str) -> tuple[Card, ...]:
    """Give the cards of numbers, in their order; raises `BadMessage`."""
    return tuple(read_card(number, f"{field}[{place}]") for place, number in enumerate(numbers))


def draft_message(draft: MeldDraft) -> card_pb2.MeldDraft:
    """Give a proposed meld as a message."""
    return card_pb2.MeldDraft(kind=MELD_KINDS.number[draft.kind], cards=card_numbers(draft.cards))


def read_draft(message: card_pb2.MeldDraft, field: str) -> MeldDraft:
    """Give a proposed meld, lawful or not; raises `BadMessage` where it has no kind or no cards."""
    kind = MELD_KINDS.read(message.kind, within(field, "kind"))
    if not message.cards:
        raise missing(within(field, "cards"), "the cards of the meld, in order")
    return MeldDraft(kind, read_cards(message.cards, within(field, "cards")))


def read_drafts(messages: Iterable[card_pb2.MeldDraft], field: str) -> tuple[MeldDraft, ...]:
    """Give proposed melds in their order; raises `BadMessage`."""
    return tuple(read_draft(message, f"{field}[{place}]") for place, message in enumerate(messages))


def meld_message(meld: Meld) -> card_pb2.Meld:
    """Give a meld on the table as a message; a run says what each place stands for."""
    return card_pb2.Meld(
        id=meld.id,
        owner=meld.owner,
        kind=MELD_KINDS.number[meld.kind],
        cards=card_numbers(meld.cards),
        stands_for=_stands_for(meld),
    )


def _stands_for(meld: Meld) -> Sequence[card_pb2.Card.ValueType]:
    # A run's cards follow one another in number, as they do in rank.
    first = meld.suit * 13 + meld.rank - 2
    return card_numbers(CARDS[first : first + len(meld.cards)] if meld.kind is _RUN else ())


def read_table_meld(message: card_pb2.Meld, field: str) -> Meld:
    """Give a meld on the table; raises `BadMessage` where it is no lawful meld, or a run's places contradict it."""
    given(message, "id", field, "the meld's place on the table, from 0")
    given(message, "owner", field, "the seat that laid the meld down, from 0")
    kind = MELD_KINDS.read(message.kind, within(field, "kind"))
    draft = MeldDraft(kind, read_cards(message.cards, within(field, "cards")))
    meld = read_meld(draft, meld_id=message.id, owner=message.owner)
    if isinstance(meld, Refusal):
        raise BadMessage(within(field, "cards"), str(draft), f"it is a lawful {kind.value} ({meld.rule})")
    stands_for = _stands_for(meld)
    if list(message.stands_for) != list(stands_for):
        right = f"a run of these cards stands for {list(stands_for)}" if stands_for else "it is empty for a set"
        raise BadMessage(within(field, "stands_for"), list(message.stands_for), right)
    return meld


def read_table_melds(messages: Iterable[card_pb2.Meld], field: str) -> tuple[Meld, ...]:
    """Give melds on the table in their order; raises `BadMessage`."""
    return tuple(read_table_meld(message, f"{field}[{place}]") for place, message in enumerate(messages))
