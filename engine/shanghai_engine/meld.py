"""Sets and runs: how cards in order are read as a meld, and how one more card joins it (R8, R9, R10).

Every function here answers with a value or with the `Refusal` that names the rule: the checks, the legal
list and the solver all stand on these. "Joker" means whatever stands for another card: where twos are wild
(R16) a two is natural only at its own place in a run, and a joker everywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from shanghai_engine.card import ACE, CARDS, JOKER, RANK, RANK_LETTERS, SUIT, TWO, Card, card_of, cards_text
from shanghai_engine.choice import Choice
from shanghai_engine.contract import LONGEST_RUN, SHORTEST_RUN, SHORTEST_SET
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.value import made_quickly


class MeldKind(Choice):
    """What a meld is (R8.1, R8.2)."""

    SET = "set"
    RUN = "run"


# Names of their own: to look a member up on its class takes as long as a small function.
SET, RUN = MeldKind


class End(Choice):
    """The end of a run that a card is laid off at (R9.2)."""

    LOW = "low"
    HIGH = "high"


LOW, HIGH = End


@made_quickly
@dataclass(frozen=True, slots=True)
class MeldDraft:
    """A meld that somebody proposes: its kind, and its cards in order (R8.4)."""

    kind: MeldKind
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        """Give the cards in their text form."""
        return cards_text(self.cards)


@made_quickly
@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table.

    `id` is unique within the hand and counts from 0; `owner` is the seat that laid it down. `rank` is the
    rank of a set, or the rank at the low end of a run, what its joker stands for included; 1 is an ace that
    lies low (R16). `suit` is the suit of a run, 0 to 3, and -1 for a set. `jokers` counts the jokers in it.
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
        return self.rank if self.kind is SET else self.rank + len(self.cards) - 1

    @property
    def ends(self) -> tuple[End | None, ...]:
        """The ends that a card may be laid off at; a set has none to name (R9.2)."""
        return (None,) if self.kind is SET else (LOW, HIGH)

    def stands_for(self, index: int) -> Card | None:
        """Give the card that the place `index` of a run means (R8.4); none in a set, where any suit does."""
        return None if self.kind is SET else _meant(self.rank + index, self.suit)

    def joker_at(self, index: int) -> bool:
        """Say whether the place `index` holds a joker: one that may be swapped (R10.1)."""
        card = self.cards[index]
        if card == JOKER:
            return True
        if RANK[card] != TWO:
            return False
        return self.rank != TWO if self.kind is SET else card != self.stands_for(index)

    def joker_places(self) -> list[int]:
        """Give the places of its jokers, ascending from 0."""
        cards = self.cards
        if cards.count(JOKER) == self.jokers:
            return [index for index, card in enumerate(cards) if card is JOKER] if self.jokers else []
        return [index for index in range(len(cards)) if self.joker_at(index)]

    def __str__(self) -> str:
        """Give the cards in their text form."""
        return cards_text(self.cards)

    @property
    def meaning(self) -> str:
        """The cards, a joker of a run with the card that it stands for, as in `5H JK=6H 7H 8H` (R8.4)."""
        places = ((card, self.stands_for(n) if self.joker_at(n) else None) for n, card in enumerate(self.cards))
        return " ".join(card.text if means is None else f"{card.text}={means.text}" for card, means in places)


def placed_meld(kind: MeldKind, cards: tuple[Card, ...], *, rank: int, suit: int, meld_id: int, owner: int) -> Meld:
    """Give a meld whose rank (of a set, or of a run's low end) and suit are known, its jokers counted, unchecked."""
    bare = Meld(meld_id, owner, kind, cards, rank, suit, 0)
    return Meld(meld_id, owner, kind, cards, rank, suit, sum(bare.joker_at(index) for index in range(len(cards))))


def _meant(rank: int, suit: int) -> Card:
    """Give the card that a place of a run means; rank 1 is the ace that lies low."""
    return card_of(rank if rank > 1 else ACE, suit)


def read_meld(draft: MeldDraft, *, meld_id: int, owner: int, rules: RuleSet) -> Meld | Refusal:
    """Read cards in order as a meld, or say which rule they break (R8.1 to R8.4)."""
    read = _read_set if draft.kind is SET else _read_run
    return read(draft.cards, meld_id, owner, rules)


def _refuse_jokers(jokers: int, size: int, rules: RuleSet) -> Refusal | None:
    """Say whether a meld of this size may not hold so many jokers (R8.3, `jokers_per_meld`)."""
    limit = rules.jokers_per_meld
    if limit == "at_most_naturals":
        return Refusal.TOO_MANY_JOKERS if 2 * jokers > size else None
    if jokers >= size:
        return Refusal.NO_NATURAL_CARD
    return Refusal.OVER_THE_JOKER_LIMIT if limit != "any" and jokers > limit else None


def _read_set(cards: tuple[Card, ...], meld_id: int, owner: int, rules: RuleSet) -> Meld | Refusal:
    if len(cards) < SHORTEST_SET:
        return Refusal.SET_TOO_SHORT
    naturals = [card for card in cards if not rules.wild_cards[card]]
    jokers = len(cards) - len(naturals)
    refused = _refuse_jokers(jokers, len(cards), rules)
    if refused is not None:
        return refused
    rank = RANK[naturals[0]]
    if any(RANK[card] != rank for card in naturals):
        return Refusal.NOT_ONE_RANK
    return Meld(meld_id, owner, SET, cards, rank, -1, jokers)


def _read_run(cards: tuple[Card, ...], meld_id: int, owner: int, rules: RuleSet) -> Meld | Refusal:
    if len(cards) < SHORTEST_RUN:
        return Refusal.RUN_TOO_SHORT
    found: Meld | Refusal = Refusal.TOO_MANY_JOKERS
    if rules.jokers_per_meld != "at_most_naturals":
        found = Refusal.NO_NATURAL_CARD
    for low, suit in _possible_lows(cards, rules):
        read = _read_run_from(low, suit, cards, rules)
        if isinstance(read, Refusal):
            found = read if isinstance(found, Refusal) else found
        elif isinstance(found, Refusal) or read < found.jokers:
            found = Meld(meld_id, owner, RUN, cards, low, suit, read)
    return found


def _possible_lows(cards: tuple[Card, ...], rules: RuleSet) -> list[tuple[int, int]]:
    """Give the ranks that the low end may have, with the suit: one for a card that has only one place in a run.

    Aces that may lie low and twos that may be wild leave a choice, where a run has no other natural card.
    The likeliest reading comes last to be refused and first to be taken: that with fewest jokers, then the highest.
    """
    doubtful: list[tuple[int, int]] = []
    for index, card in enumerate(cards):
        if card == JOKER:
            continue
        rank, suit = RANK[card], SUIT[card]
        if not rules.wild_cards[card] and (rank != ACE or rules.lowest_rank > 1):
            return [(rank - index, suit)]
        doubtful.append((rank - index, suit))
        if rank == ACE:
            doubtful.append((1 - index, suit))
    return sorted(dict.fromkeys(doubtful), reverse=True)


def _read_run_from(low: int, suit: int, cards: tuple[Card, ...], rules: RuleSet) -> int | Refusal:
    """Give the number of jokers of a run that begins at a rank, or say which rule it breaks."""
    jokers = 0
    misplaced: Refusal | None = None
    for rank, card in enumerate(cards, start=low):
        if card == JOKER:
            jokers += 1
        elif SUIT[card] != suit and not rules.wild_cards[card]:
            return Refusal.NOT_ONE_SUIT
        elif SUIT[card] != suit or (RANK[card] != rank and not (rank == 1 and RANK[card] == ACE)):
            if rules.wild_cards[card]:
                jokers += 1
            elif (RANK[card] - rank) % len(RANK_LETTERS) or misplaced is Refusal.NOT_CONSECUTIVE:
                misplaced = Refusal.NOT_CONSECUTIVE
            else:
                # It would follow if after the ace came the two (R1.3).
                misplaced = Refusal.BEYOND_THE_RANKS
    refused = _refuse_jokers(jokers, len(cards), rules) or misplaced
    if refused is None and (low < rules.lowest_rank or low + len(cards) - 1 > ACE or len(cards) > LONGEST_RUN):
        return Refusal.BEYOND_THE_RANKS
    return jokers if refused is None else refused


def refuse_alike(melds: Sequence[Meld], rules: RuleSet) -> Refusal | None:
    """Say which rule keeps two melds of one lay-down from being of one rank or suit (R8.6)."""
    ranks = [meld.rank for meld in melds if meld.kind is SET]
    suits = [meld.suit for meld in melds if meld.kind is RUN]
    if rules.distinct_set_ranks and len(set(ranks)) < len(ranks):
        return Refusal.RANKS_NOT_DISTINCT
    if rules.distinct_run_suits and len(set(suits)) < len(suits):
        return Refusal.SUITS_NOT_DISTINCT
    return None


def refuse_lay_off(meld: Meld, card: Card, end: End | None, rules: RuleSet) -> Refusal | None:
    """Say which rule keeps a card from joining a meld, at an end of a run; none where it may (R9.2, R8.3)."""
    if meld.kind is SET:
        if end is not None:
            return Refusal.SET_HAS_NO_ENDS
        if RANK[card] == meld.rank:
            return None
        return _refuse_another_joker(meld, rules) if rules.wild_cards[card] else Refusal.NOT_THE_SETS_RANK
    if end is None:
        return Refusal.END_MISSING
    size = len(meld.cards)
    rank = meld.rank - 1 if end is LOW else meld.rank + size
    if not rules.lowest_rank <= rank <= ACE or size >= LONGEST_RUN:
        return Refusal.RUN_ENDS_HERE
    if SUIT[card] == meld.suit and (RANK[card] == rank or (rank == 1 and RANK[card] == ACE)):
        return None
    return _refuse_another_joker(meld, rules) if rules.wild_cards[card] else Refusal.NOT_THE_NEXT_CARD


def lay_offs_of(meld: Meld, rules: RuleSet) -> tuple[tuple[Card, End | None], ...]:
    """Give every card that may join a meld, with its end, in the order of the melds' ends (R9.2)."""
    return _lay_offs_of(meld.kind, meld.rank, meld.suit, len(meld.cards), meld.jokers, rules)


@lru_cache(maxsize=1 << 14)
def _lay_offs_of(
    kind: MeldKind, rank: int, suit: int, size: int, jokers: int, rules: RuleSet
) -> tuple[tuple[Card, End | None], ...]:
    """Ask `refuse_lay_off` about every card; nothing else of a meld matters to it."""
    meld = Meld(0, 0, kind, (JOKER,) * size, rank, suit, jokers)
    near = _near(meld, rules)
    return tuple((card, end) for end in meld.ends for card in near if refuse_lay_off(meld, card, end, rules) is None)


def _near(meld: Meld, rules: RuleSet) -> list[Card]:
    """Give the cards of the ranks that a meld has or ends with, and the wild ones, in number order."""
    ranks = {meld.rank} if meld.kind is SET else {meld.rank - 1 if meld.rank > TWO else ACE, meld.high + 1}
    return [card for card in CARDS if rules.wild_cards[card] or RANK[card] in ranks]


def _refuse_another_joker(meld: Meld, rules: RuleSet) -> Refusal | None:
    refused = _refuse_jokers(meld.jokers + 1, len(meld.cards) + 1, rules)
    return _WITH_ANOTHER[refused] if refused is not None else None


_WITH_ANOTHER = {
    Refusal.TOO_MANY_JOKERS: Refusal.TOO_MANY_JOKERS_WITH_IT,
    Refusal.OVER_THE_JOKER_LIMIT: Refusal.OVER_THE_JOKER_LIMIT_WITH_IT,
}


def laid_off(meld: Meld, card: Card, end: End | None) -> Meld:
    """Give the meld after a lawful lay-off; a set, and the high end, take the card last."""
    low = end is LOW
    rank = meld.rank - 1 if low else meld.rank
    if meld.kind is SET:
        natural = RANK[card] == meld.rank
    else:
        natural = card == _meant(rank if low else rank + len(meld.cards), meld.suit)
    cards = (card, *meld.cards) if low else (*meld.cards, card)
    return Meld(meld.id, meld.owner, meld.kind, cards, rank, meld.suit, meld.jokers + (not natural))


def refuse_swap(meld: Meld, index: int, card: Card, rules: RuleSet) -> Refusal | None:
    """Say which rule keeps a card from taking the place of the joker at `index`; none where it may (R10.1)."""
    if meld.kind is SET and not rules.swap_in_sets:
        return Refusal.NO_SWAPS_IN_SETS
    if not 0 <= index < len(meld.cards) or not meld.joker_at(index):
        return Refusal.NO_JOKER_THERE
    if card == JOKER:
        return Refusal.JOKER_FOR_JOKER
    fits = RANK[card] == meld.rank if meld.kind is SET else card == meld.stands_for(index)
    return None if fits else Refusal.NOT_WHAT_THE_JOKER_IS


def swaps_of(meld: Meld, index: int, rules: RuleSet) -> tuple[Card, ...]:
    """Give every card that may take the place of the joker at `index` (R10.1)."""
    return _swaps_of(meld.kind, meld.rank if meld.kind is SET else meld.rank + index, meld.suit, rules)


@lru_cache(maxsize=1 << 10)
def _swaps_of(kind: MeldKind, rank: int, suit: int, rules: RuleSet) -> tuple[Card, ...]:
    """Ask `refuse_swap` about every card; of a meld only the joker, and what it stands for, matters to it."""
    joker = Meld(0, 0, kind, (JOKER,), rank, suit, 1)
    return tuple(card for card in CARDS if refuse_swap(joker, 0, card, rules) is None)


def swapped(meld: Meld, index: int, card: Card) -> Meld:
    """Give the meld after a lawful swap."""
    cards = (*meld.cards[:index], card, *meld.cards[index + 1 :])
    return Meld(meld.id, meld.owner, meld.kind, cards, meld.rank, meld.suit, meld.jokers - 1)
