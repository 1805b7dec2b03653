"""Cards, drafts and melds as messages, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from shanghai.v1 import card_pb2
from shanghai_engine.card import ACE, CARDS, JOKER, RANK, SUIT, TWO, Card, cards_text
from shanghai_engine.contract import LONGEST_RUN, SHORTEST_RUN, SHORTEST_SET
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, placed_meld
from shanghai_wire.bad_message import BadMessage, given, missing, within
from shanghai_wire.numbering import MELD_KINDS

_A_CARD = f"a card is a number from 1 to {len(CARDS)}, the joker"


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
    if meld.kind is MeldKind.SET:
        return ()
    places = (meld.stands_for(index) for index in range(len(meld.cards)))
    return card_numbers([meant for meant in places if meant is not None])


def read_table_meld(message: card_pb2.Meld, field: str) -> Meld:
    """Give a meld on the table, whatever the table's rules; raises `BadMessage` where its cards do not fit together."""
    given(message, "id", field, "the meld's place on the table, from 0")
    given(message, "owner", field, "the seat that laid the meld down, from 0")
    kind = MELD_KINDS.read(message.kind, within(field, "kind"))
    cards = read_cards(message.cards, within(field, "cards"))
    places = read_cards(message.stands_for, within(field, "stands_for"))
    rank, suit = _rank_of_set(cards), -1
    if kind is MeldKind.RUN:
        first = places[0] if places else Card.C2
        # An ace that comes before the two lies low (R16 `aces`).
        rank, suit = (1 if RANK[first] == ACE else RANK[first]), SUIT[first]
    meld = placed_meld(kind, cards, rank=rank, suit=suit, meld_id=message.id, owner=message.owner)
    check = _check_set if kind is MeldKind.SET else _check_run
    check(meld, places, field)
    return meld


def _rank_of_set(cards: Sequence[Card]) -> int:
    """Give the rank of a set: twos rank it only where it has no other natural card."""
    return next((RANK[card] for card in cards if card != JOKER and RANK[card] != TWO), TWO)


def _check_set(meld: Meld, places: Sequence[Card], field: str) -> None:
    """Raise `BadMessage` where cards are no set."""
    one_rank = all(RANK[card] in {meld.rank, 0, TWO} for card in meld.cards)
    if not one_rank or len(meld.cards) < SHORTEST_SET or meld.jokers == len(meld.cards):
        raise BadMessage(within(field, "cards"), cards_text(meld.cards), "a set is 3 or more of one rank, or jokers")
    if places:
        raise BadMessage(within(field, "stands_for"), cards_text(places), "it is empty for a set")


def _check_run(meld: Meld, places: Sequence[Card], field: str) -> None:
    """Raise `BadMessage` where places are not a run's, or a natural card is not what its place means."""
    cards = meld.cards
    if not SHORTEST_RUN <= len(cards) <= LONGEST_RUN:
        raise BadMessage(within(field, "cards"), cards_text(cards), "a run has 4 to 13 cards")
    if meld.high > ACE or places != tuple(meld.stands_for(index) for index in range(len(cards))):
        right = "a run's places stand for consecutive cards of one suit, one for each card"
        raise BadMessage(within(field, "stands_for"), cards_text(places), right)
    if meld.jokers == len(cards) or any(cards[i] != places[i] and not meld.joker_at(i) for i in range(len(cards))):
        raise BadMessage(within(field, "cards"), cards_text(cards), "each is what its place stands for, or a joker")


def read_table_melds(messages: Iterable[card_pb2.Meld], field: str) -> tuple[Meld, ...]:
    """Give melds on the table in their order; raises `BadMessage`."""
    return tuple(read_table_meld(message, f"{field}[{place}]") for place, message in enumerate(messages))
