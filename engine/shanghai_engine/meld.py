"""Sets and runs: how cards in order are read as a meld, and how one more card joins it (R8, R9, R10).

Every function here answers with a value or with the `Refusal` that names the rule: the checks, the legal
list and the solver all stand on these.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, RANK, SUIT, Card, card_of, cards_text
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET
from shanghai_engine.refusal import Refusal


class MeldKind(Enum):
    """What a meld is (R8.1, R8.2)."""

    SET = "set"
    RUN = "run"


class End(Enum):
    """The end of a run that a card is laid off at (R9.2)."""

    LOW = "low"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class MeldDraft:
    """A meld that somebody proposes: its kind, and its cards in order (R8.4)."""

    kind: MeldKind
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        """Give the cards in their text form."""
        return cards_text(self.cards)


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table.

    `id` is unique within the hand and counts from 0; `owner` is the seat that laid it down. `rank` is the
    rank of a set, or the rank at the low end of a run, what its joker stands for included. `suit` is the
    suit of a run, 0 to 3, and -1 for a set. `jokers` counts the jokers in it.
    """

    id: int
    owner: int
    kind: MeldKind
    cards: tuple[Card, ...]
    rank: int
    suit: int
    jokers: int

    @property
    def high(self) -> int:
        """The rank at the high end of a run; a set's rank."""
        return self.rank if self.kind is MeldKind.SET else self.rank + len(self.cards) - 1

    def stands_for(self, index: int) -> Card | None:
        """Give the card that the place `index` of a run means (R8.4); none in a set, where any suit does."""
        return None if self.kind is MeldKind.SET else card_of(self.rank + index, self.suit)

    def __str__(self) -> str:
        """Give the cards in their text form."""
        return cards_text(self.cards)


def read_meld(draft: MeldDraft, *, meld_id: int, owner: int) -> Meld | Refusal:
    """Read cards in order as a meld, or say which rule they break (R8.1 to R8.4)."""
    return (
        _read_set(draft.cards, meld_id, owner) if draft.kind is MeldKind.SET else _read_run(draft.cards, meld_id, owner)
    )


def _read_set(cards: tuple[Card, ...], meld_id: int, owner: int) -> Meld | Refusal:
    if len(cards) < SHORTEST_SET:
        return Refusal.SET_TOO_SHORT
    naturals = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(naturals)
    if jokers > len(naturals):
        return Refusal.TOO_MANY_JOKERS
    rank = RANK[naturals[0]]
    if any(RANK[card] != rank for card in naturals):
        return Refusal.NOT_ONE_RANK
    return Meld(meld_id, owner, MeldKind.SET, cards, rank, -1, jokers)


def _read_run(cards: tuple[Card, ...], meld_id: int, owner: int) -> Meld | Refusal:
    if len(cards) < SHORTEST_RUN:
        return Refusal.RUN_TOO_SHORT
    places = [index for index, card in enumerate(cards) if card != JOKER]
    jokers = len(cards) - len(places)
    if jokers > len(places):
        return Refusal.TOO_MANY_JOKERS
    first = cards[places[0]]
    suit, low = SUIT[first], RANK[first] - places[0]
    if any(SUIT[cards[index]] != suit for index in places):
        return Refusal.NOT_ONE_SUIT
    if any(RANK[cards[index]] != low + index for index in places):
        return Refusal.NOT_CONSECUTIVE
    if low < LOWEST_RANK or low + len(cards) - 1 > ACE:
        return Refusal.BEYOND_THE_RANKS
    return Meld(meld_id, owner, MeldKind.RUN, cards, low, suit, jokers)


def refuse_lay_off(meld: Meld, card: Card, end: End | None) -> Refusal | None:
    """Say which rule keeps a card from joining a meld, at an end of a run; none where it may (R9.2, R8.3)."""
    if card == JOKER and 2 * (meld.jokers + 1) > len(meld.cards) + 1:
        return Refusal.TOO_MANY_JOKERS_WITH_IT
    if meld.kind is MeldKind.SET:
        if end is not None:
            return Refusal.SET_HAS_NO_ENDS
        return None if card == JOKER or RANK[card] == meld.rank else Refusal.NOT_THE_SETS_RANK
    if end is None:
        return Refusal.END_MISSING
    rank = meld.rank - 1 if end is End.LOW else meld.rank + len(meld.cards)
    if not LOWEST_RANK <= rank <= ACE:
        return Refusal.RUN_ENDS_HERE
    if card == JOKER or (RANK[card] == rank and SUIT[card] == meld.suit):
        return None
    return Refusal.NOT_THE_NEXT_CARD


def laid_off(meld: Meld, card: Card, end: End | None) -> Meld:
    """Give the meld after a lawful lay-off; a set, and the high end, take the card last."""
    low = end is End.LOW
    cards = (card, *meld.cards) if low else (*meld.cards, card)
    jokers = meld.jokers + (card == JOKER)
    return Meld(
        meld.id,
        meld.owner,
        meld.kind,
        cards,
        meld.rank - low if meld.kind is MeldKind.RUN else meld.rank,
        meld.suit,
        jokers,
    )


def refuse_swap(meld: Meld, index: int, card: Card) -> Refusal | None:
    """Say which rule keeps a card from taking the place of the joker at `index`; none where it may (R10.1)."""
    if not 0 <= index < len(meld.cards) or meld.cards[index] != JOKER:
        return Refusal.NO_JOKER_THERE
    if card == JOKER:
        return Refusal.JOKER_FOR_JOKER
    if meld.kind is MeldKind.SET:
        return None if RANK[card] == meld.rank else Refusal.NOT_WHAT_THE_JOKER_IS
    return None if card == meld.stands_for(index) else Refusal.NOT_WHAT_THE_JOKER_IS


def swapped(meld: Meld, index: int, card: Card) -> Meld:
    """Give the meld after a lawful swap."""
    cards = (*meld.cards[:index], card, *meld.cards[index + 1 :])
    return Meld(meld.id, meld.owner, meld.kind, cards, meld.rank, meld.suit, meld.jokers - 1)
