"""Melds that a player builds himself before he lays them down: cards are staged, unstaged, and staged otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shanghai_client.failure import Refused
from shanghai_engine.card import ACE, RANK, SUIT, Card
from shanghai_engine.contract import SHORTEST_RUN, SHORTEST_SET, Contract
from shanghai_engine.meld import End, Meld, MeldDraft, MeldKind, read_meld, refuse_alike
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import fulfils
from shanghai_engine.violation import RuleViolation, violation


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one meld of the contract: what it asks for, and the cards that lie there, in the order they came.

    `lean` is the end of a run that a joker goes to which no gap needs.
    """

    kind: MeldKind
    size: int
    cards: tuple[Card, ...] = ()
    lean: End = End.HIGH

    def draft(self, rules: RuleSet) -> MeldDraft:
        """Give the meld that its cards make: a run in ascending order, its jokers where the gaps are (R8.4)."""
        if self.kind is MeldKind.SET:
            return MeldDraft(self.kind, self.cards)
        ways = list(_ways(self.cards, rules))
        if not ways:
            return MeldDraft(self.kind, tuple(sorted(self.cards, key=RANK.__getitem__)))
        return MeldDraft(self.kind, ways[0] if self.lean is End.LOW else ways[-1])


def _ways(cards: Sequence[Card], rules: RuleSet) -> Iterator[tuple[Card, ...]]:
    """Give the orders in which the cards are a run, from the lowest rank that it may begin with to the highest."""
    naturals = [card for card in cards if not rules.wild_cards[card]]
    wild = [card for card in cards if rules.wild_cards[card]]
    for low in range(rules.lowest_rank, ACE - len(cards) + 2):
        ranks = range(low, low + len(cards))
        by_rank = {_rank_in(card, ranks): card for card in naturals}
        if len(by_rank) < len(naturals) or None in by_rank:
            continue
        fillers = _fillers(wild, [rank for rank in ranks if rank not in by_rank], naturals)
        order = tuple(by_rank[rank] if rank in by_rank else fillers[rank] for rank in ranks)
        if isinstance(read_meld(MeldDraft(MeldKind.RUN, order), meld_id=0, owner=0, rules=rules), Meld):
            yield order


def _rank_in(card: Card, ranks: range) -> int | None:
    """Give the rank that a card has in a run of these; an ace may lie low (R16)."""
    if RANK[card] in ranks:
        return RANK[card]
    return 1 if RANK[card] == ACE and 1 in ranks else None


def _fillers(wild: Sequence[Card], gaps: Sequence[int], naturals: Sequence[Card]) -> dict[int, Card]:
    """Give a wild card to every gap; a two of the run's suit to the two's own place, if there is one."""
    left = list(wild)
    filled: dict[int, Card] = {}
    for rank in gaps:
        own = [card for card in left if RANK[card] == rank and naturals and SUIT[card] == SUIT[naturals[0]]]
        filled[rank] = own[0] if own else left[0]
        left.remove(filled[rank])
    return filled


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

    def lean(self, end: End) -> Staging:
        """Let the jokers of the present run that no gap needs go to an end."""
        return _changed(self, replace(self.slots[self.current], lean=end))

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
        slots: list[Slot] = []
        for slot in self.slots:
            fitting = [draft for draft in left if draft.kind is slot.kind and len(draft.cards) >= slot.size]
            cards = fitting[0].cards if fitting else ()
            if fitting:
                left.remove(fitting[0])
            slots.append(replace(slot, cards=cards))
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


def fault_of(staging: Staging, *, hand: int, contract: Contract, rules: RuleSet) -> Refused | None:
    """Say what keeps the staged melds from fulfilling the contract, as the table would; none where they do (R8.5)."""
    drafts = staging.drafts(rules)
    if not drafts:
        return _as_refused(RuleViolation(Refusal.NO_MELDS))
    melds: list[Meld] = []
    for number, draft in enumerate(drafts):
        read = read_meld(draft, meld_id=number, owner=0, rules=rules)
        if isinstance(read, Refusal):
            return _as_refused(violation(read, rules, meld=draft))
        melds.append(read)
    said = " / ".join(str(draft) for draft in drafts)
    if not fulfils(drafts, contract):
        return _as_refused(RuleViolation(Refusal.NOT_THE_CONTRACT, melds=said, hand=hand, contract=contract))
    alike = refuse_alike(melds, rules)
    return None if alike is None else _as_refused(RuleViolation(alike, melds=said))


def _as_refused(broken: RuleViolation) -> Refused:
    return Refused(reason=broken.code, rule=broken.rule, sentence=broken.message, values=broken.values)
