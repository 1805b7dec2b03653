"""Melds that a player builds himself before he lays them down: cards are staged, unstaged, and staged otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from shanghai_client.failure import Refused
from shanghai_engine.card import ACE, RANK, SUIT, Card
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld, refuse_alike
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import fulfils
from shanghai_engine.violation import RuleViolation, violation

_MOST_FILLINGS = 120
"""So many ways to share wild cards among the gaps of a run are gone through: all there are for five of them."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one meld of the contract: what it asks for, and the cards that lie there.

    The cards stand in the order in which they came, or in the one that was chosen for a run.
    """

    kind: MeldKind
    size: int
    cards: tuple[Card, ...] = ()

    def draft(self, rules: RuleSet) -> MeldDraft:
        """Give the meld that its cards make: a run as it stands where it is one, else in ascending order (R8.4).

        Jokers go where the gaps are then, and one that no gap needs to the high end where there is room.
        """
        if self.kind is MeldKind.SET or _is_run(self.cards, rules):
            return MeldDraft(self.kind, self.cards)
        naturals, wild = _parted(self.cards, rules)
        for low in reversed(_lows(self.cards, rules)):
            order = _run_from(low, naturals, wild, rules, own_first=True)
            if order is not None:
                return MeldDraft(self.kind, order)
        return MeldDraft(self.kind, tuple(sorted(self.cards, key=RANK.__getitem__)))

    def ways(self, rules: RuleSet) -> list[tuple[Card, ...]]:
        """Give the orders in which its cards are a run, the lowest first; none of what is no run, or a set.

        They are the same whatever the order of the cards is, so that one can go from each to the next.
        """
        if self.kind is MeldKind.SET:
            return []
        naturals, wild = _parted(self.cards, rules)
        found: dict[tuple[Card, ...], None] = {}
        for filling in islice(_orders(sorted(wild, reverse=True)), _MOST_FILLINGS):
            for low in _lows(self.cards, rules):
                order = _run_from(low, naturals, filling, rules)
                if order is not None:
                    found[order] = None
        return list(found)


def _is_run(cards: Sequence[Card], rules: RuleSet) -> bool:
    return isinstance(read_meld(MeldDraft(MeldKind.RUN, tuple(cards)), meld_id=0, owner=0, rules=rules), Meld)


def _parted(cards: Sequence[Card], rules: RuleSet) -> tuple[list[Card], list[Card]]:
    """Give the natural cards, and the wild ones."""
    return [card for card in cards if not rules.wild_cards[card]], [card for card in cards if rules.wild_cards[card]]


def _lows(cards: Sequence[Card], rules: RuleSet) -> range:
    """Give the ranks that a run of so many cards may begin with."""
    return range(rules.lowest_rank, ACE - len(cards) + 2)


def _run_from(
    low: int, naturals: Sequence[Card], wild: Sequence[Card], rules: RuleSet, *, own_first: bool = False
) -> tuple[Card, ...] | None:
    """Give the run from a rank on, with the wild cards in its gaps in their order; none where it would be none.

    `own_first` puts a two that is wild into its own place, if the run has it.
    """
    ranks = range(low, low + len(naturals) + len(wild))
    by_rank = {_rank_in(card, ranks): card for card in naturals}
    if len(by_rank) < len(naturals) or None in by_rank:
        return None
    left = list(wild)
    for rank in ranks:
        if rank not in by_rank:
            own = [card for card in left if own_first and naturals and _is_at_home(card, rank, naturals[0])]
            by_rank[rank] = own[0] if own else left[0]
            left.remove(by_rank[rank])
    order = tuple(by_rank[rank] for rank in ranks)
    return order if _is_run(order, rules) else None


def _is_at_home(card: Card, rank: int, natural: Card) -> bool:
    """Say whether a wild card is what stands at a rank of the run that a natural card is of."""
    return RANK[card] == rank and SUIT[card] == SUIT[natural]


def _rank_in(card: Card, ranks: range) -> int | None:
    """Give the rank that a card has in a run of these; an ace may lie low (R16)."""
    if RANK[card] in ranks:
        return RANK[card]
    return 1 if RANK[card] == ACE and 1 in ranks else None


def _orders(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Give every order of some cards once, however many of them are equal; the one that they stand in first."""
    if not cards:
        yield ()
    for card in dict.fromkeys(cards):
        place = cards.index(card)
        for rest in _orders([*cards[:place], *cards[place + 1 :]]):
            yield (card, *rest)


@dataclass(frozen=True, slots=True)
class Staging:
    """The melds in the making, which of them takes the next card, and how they were before, for undoing."""

    slots: tuple[Slot, ...] = ()
    current: int = 0
    past: tuple[tuple[Slot, ...], ...] = ()

    @classmethod
    def of(cls, contract: Contract, *, further: bool = False) -> Staging:
        """Give empty slots for a contract; `further` for one set or run beyond it (R16 `extra_melds`)."""
        if further:
            return cls((Slot(MeldKind.SET, SHORTEST_SET), Slot(MeldKind.RUN, SHORTEST_RUN)))
        sets = [Slot(MeldKind.SET, size) for size in contract.sets]
        return cls((*sets, *(Slot(MeldKind.RUN, size) for size in contract.runs)))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every staged card."""
        return tuple(card for slot in self.slots for card in slot.cards)

    def drafts(self, rules: RuleSet) -> tuple[MeldDraft, ...]:
        """Give the melds that have cards."""
        return tuple(slot.draft(rules) for slot in self.slots if slot.cards)

    def stage(self, card: Card) -> Staging:
        """Put a card into the present slot."""
        slot = self.slots[self.current]
        return _changed(self, replace(slot, cards=(*slot.cards, card)))

    def unstage(self) -> Staging:
        """Take the card that came last out of the present slot; out of the last that has any where it has none."""
        filled = [number for number, slot in enumerate(self.slots) if slot.cards]
        if not filled:
            return self
        number = self.current if self.slots[self.current].cards else filled[-1]
        chosen = replace(self, current=number)
        slot = self.slots[number]
        return _changed(chosen, replace(slot, cards=slot.cards[:-1]))

    def without(self, card: Card) -> Staging:
        """Take a card out of the present slot, or of the first that has it."""
        having = [number for number, slot in enumerate(self.slots) if card in slot.cards]
        if not having:
            return self
        chosen = replace(self, current=self.current if self.current in having else having[0])
        slot = self.slots[chosen.current]
        place = slot.cards.index(card)
        return _changed(chosen, replace(slot, cards=(*slot.cards[:place], *slot.cards[place + 1 :])))

    def turned(self, by: int, rules: RuleSet) -> Staging:
        """Let the present run stand in the next of its ways, or the one before; the same where it has no other."""
        slot = self.slots[self.current]
        ways, now = slot.ways(rules), slot.draft(rules).cards
        if len(ways) <= 1:
            return self
        place = ways.index(now) + by if now in ways else 0
        return _changed(self, replace(slot, cards=ways[place % len(ways)]))

    def choose(self, number: int) -> Staging:
        """Make another slot the present one."""
        return replace(self, current=number % len(self.slots)) if self.slots else self

    def undo(self) -> Staging:
        """Give the melds as they were before the last change."""
        return replace(self, slots=self.past[-1], past=self.past[:-1]) if self.past else self

    def cleared(self) -> Staging:
        """Take all cards out."""
        empty = tuple(replace(slot, cards=()) for slot in self.slots)
        return replace(self, slots=empty, past=(*self.past, self.slots), current=0) if self.cards else self

    def filled(self, drafts: Sequence[MeldDraft]) -> Staging:
        """Put melds that fulfil the contract into the slots, as a beginning."""
        left = list(drafts)
        slots = list(self.slots)
        # Who asks for most chooses first: what is left is enough for the others.
        for number in sorted(range(len(slots)), key=lambda number: -slots[number].size):
            slot = slots[number]
            fitting = [draft for draft in left if draft.kind is slot.kind and len(draft.cards) >= slot.size]
            slots[number] = replace(slot, cards=fitting[0].cards if fitting else ())
            if fitting:
                left.remove(fitting[0])
        return replace(self, slots=tuple(slots), past=(*self.past, self.slots))

    def kept(self, hand: Sequence[Card]) -> Staging:
        """Give what is left of the melds when some of their cards have gone from the hand."""
        there = Counter(hand)
        if not Counter(self.cards) - there:
            return self
        slots: list[Slot] = []
        for slot in self.slots:
            cards: list[Card] = []
            for card in slot.cards:
                if there[card] > 0:
                    there[card] -= 1
                    cards.append(card)
            slots.append(replace(slot, cards=tuple(cards)))
        return replace(self, slots=tuple(slots), past=())


def _changed(staging: Staging, slot: Slot) -> Staging:
    """Give the melds with the present one changed; how they were is kept for undoing."""
    slots = (*staging.slots[: staging.current], slot, *staging.slots[staging.current + 1 :])
    return replace(staging, slots=slots, past=(*staging.past, staging.slots))


def fault_of_slot(slot: Slot, rules: RuleSet) -> RuleViolation | None:
    """Say which rule keeps the cards of a slot from being a meld; none where they are one."""
    draft = slot.draft(rules)
    read = read_meld(draft, meld_id=0, owner=0, rules=rules)
    return violation(read, rules, meld=draft) if isinstance(read, Refusal) else None


def fault_of(
    staging: Staging, *, hand: int, contract: Contract, rules: RuleSet, further: bool = False
) -> Refused | None:
    """Say what keeps the staged melds from being laid down, as the table would; none where nothing does (R8.5).

    They have to fulfil the contract; `further` melds of who is down need not (R16 `extra_melds`).
    """
    drafts = staging.drafts(rules)
    if not drafts:
        return as_refused(RuleViolation(Refusal.NO_MELDS))
    melds: list[Meld] = []
    for number, draft in enumerate(drafts):
        read = read_meld(draft, meld_id=number, owner=0, rules=rules)
        if isinstance(read, Refusal):
            return as_refused(violation(read, rules, meld=draft))
        melds.append(read)
    if further:
        return None
    said = " / ".join(str(draft) for draft in drafts)
    if not fulfils(drafts, contract):
        return as_refused(RuleViolation(Refusal.NOT_THE_CONTRACT, melds=said, hand=hand, contract=contract))
    alike = refuse_alike(melds, rules)
    return None if alike is None else as_refused(RuleViolation(alike, melds=said))


def as_refused(broken: RuleViolation) -> Refused:
    """Give what breaks a rule as the table would refuse it."""
    return Refused(reason=broken.code, rule=broken.rule, sentence=broken.message, values=broken.values)
