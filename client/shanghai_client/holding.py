"""One's hand sorted by use: which cards already serve the contract, which nearly do, and which are only points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shanghai_engine.card import ACE, LOWEST_RANK, RANK, SUIT, Card, card_of
from shanghai_engine.contract import SHORTEST_SET, Contract
from shanghai_engine.meld import Meld, MeldKind, refuse_lay_off
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import best_lay_down, distance

NEAR = 2
"""Cards of one suit whose ranks differ by at most this could meet in a run."""
_MOST_STEPS = 20_000
"""How many part plans are looked at for the nearest one: a person waits for this."""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of the hand that belong together, under a name such as `set`, `run`, `pairs` or `rest`."""

    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """A hand sorted by use: `missing` is how many cards it lacks to lay down; 0 if it can, none once it has."""

    groups: tuple[Group, ...]
    missing: int | None


def sort_by_use(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> Holding:
    """Sort the hand of who is not down: melds or most of them, jokers, spare sets, pairs, neighbours, the rest."""
    best = best_lay_down(hand, contract, rules)
    if best is not None:
        groups = [Group(draft.kind.value, draft.cards) for draft in best]
        missing = 0
    else:
        missing = distance(hand, contract, rules)
        groups = _Plan(hand, contract, rules, missing).groups()
    left = _without(hand, [card for group in groups for card in group.cards])
    return Holding((*groups, *_left_over(left, contract, rules)), missing)


def sort_when_down(hand: Sequence[Card], melds: Sequence[Meld], rules: RuleSet) -> Holding:
    """Sort the hand of who is down: what fits a meld on the table, and what does not."""
    fits = [card for card in _by_points(hand) if any(_takes(meld, card, rules) for meld in melds)]
    rest = _without(_by_points(hand), fits)
    groups = (Group("fits", tuple(fits)), Group("rest", tuple(rest)))
    return Holding(tuple(group for group in groups if group.cards), None)


def _takes(meld: Meld, card: Card, rules: RuleSet) -> bool:
    return any(refuse_lay_off(meld, card, end, rules) is None for end in meld.ends)


def _without(hand: Iterable[Card], used: Iterable[Card]) -> list[Card]:
    left = list(hand)
    for card in used:
        left.remove(card)
    return left


def _by_points(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: (RANK[card], card), reverse=True)


def _left_over(cards: list[Card], contract: Contract, rules: RuleSet) -> Iterator[Group]:
    jokers = tuple(card for card in cards if rules.wild_cards[card])
    naturals = [card for card in cards if not rules.wild_cards[card]]
    spare: list[Card] = []
    pairs: list[Card] = []
    if contract.sets:
        ranks = Counter(RANK[card] for card in naturals)
        alike = sorted((card for card in naturals if ranks[RANK[card]] > 1), key=lambda card: (RANK[card], card))
        spare = [card for card in alike if ranks[RANK[card]] >= SHORTEST_SET]
        pairs = _without(alike, spare)
        naturals = _without(naturals, alike)
    near: list[Card] = []
    if contract.runs:
        near = [card for card in sorted(naturals) if any(_neighbours(card, other) for other in naturals)]
        naturals = _without(naturals, near)
    named = (("jokers", jokers), ("spare", spare), ("pairs", pairs), ("near", near), ("rest", _by_points(naturals)))
    return (Group(name, tuple(group)) for name, group in named if group)


def _neighbours(card: Card, other: Card) -> bool:
    return SUIT[card] == SUIT[other] and 0 < abs(RANK[card] - RANK[other]) <= NEAR


@dataclass(frozen=True, slots=True)
class _Slot:
    kind: MeldKind
    size: int


class _Plan:
    """A search for natural cards that serve all melds of a contract at once, the most that there are.

    The solver says how many cards are missing; this finds cards to show for it. Where the search would take too
    long it gives the best that it has found: it is for looking at, and decides nothing.
    """

    def __init__(self, hand: Sequence[Card], contract: Contract, rules: RuleSet, missing: int) -> None:
        self.left = Counter(card for card in hand if not rules.wild_cards[card])
        self.slots = [_Slot(MeldKind.RUN, size) for size in contract.runs]
        self.slots += [_Slot(MeldKind.SET, size) for size in contract.sets]
        jokers = len(hand) - self.left.total()
        # Two at least: a hand with more jokers than it can use still has something to show.
        self.enough = max(contract.size - missing - jokers, 2)
        self.best: tuple[tuple[Card, ...], ...] = ((),) * len(self.slots)
        self.best_count = 0
        self.steps = 0

    def groups(self) -> list[Group]:
        """Give the cards of each meld of the plan that has at least two, the fullest first."""
        self._go(0, (), 0)
        found = zip(self.slots, self.best, strict=True)
        groups = [Group(slot.kind.value, cards) for slot, cards in found if len(cards) > 1]
        return sorted(groups, key=lambda group: (group.name, -len(group.cards)))

    def _go(self, number: int, chosen: tuple[tuple[Card, ...], ...], count: int) -> None:
        self.steps += 1
        if number == len(self.slots):
            if count > self.best_count:
                self.best, self.best_count = chosen, count
            return
        could = count + sum(slot.size for slot in self.slots[number:])
        if could <= self.best_count or self.best_count >= self.enough or self.steps > _MOST_STEPS:
            return
        for cards in self._choices(self.slots[number]):
            self.left.subtract(cards)
            self._go(number + 1, (*chosen, cards), count + len(cards))
            self.left.update(cards)

    def _choices(self, slot: _Slot) -> list[tuple[Card, ...]]:
        """Give what the cards left can do for a meld, the fullest first; nothing at all is the last choice."""
        choices = set(self._runs(slot.size) if slot.kind is MeldKind.RUN else self._sets(slot.size))
        return [*sorted(choices, key=lambda cards: (-len(cards), cards)), ()]

    def _sets(self, size: int) -> Iterator[tuple[Card, ...]]:
        for rank in range(LOWEST_RANK, ACE + 1):
            cards = [card for suit in range(4) for card in [card_of(rank, suit)] * self.left[card_of(rank, suit)]]
            if cards:
                yield tuple(cards[:size])

    def _runs(self, size: int) -> Iterator[tuple[Card, ...]]:
        for suit in range(4):
            for low in range(LOWEST_RANK, ACE - size + 2):
                cards = tuple(
                    card for card in (card_of(rank, suit) for rank in range(low, low + size)) if self.left[card] > 0
                )
                if cards:
                    yield cards
