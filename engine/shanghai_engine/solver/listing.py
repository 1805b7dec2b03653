"""All lay-downs of a hand, one after another (R8.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, Card, card_of
from shanghai_engine.contract import LONGEST_RUN, Contract
from shanghai_engine.meld import MeldDraft, MeldKind
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.nearness import can_lay_down
from shanghai_engine.solver.window import fewest_naturals


def all_lay_downs(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> Iterator[tuple[MeldDraft, ...]]:
    """Give every lay-down that the hand allows, each once, as it is asked for.

    Two that differ only in the order of the melds, in the order within a set, or in which of two equal cards is used,
    are one. Sets come first, then runs, each from the longest down. A full hand with several jokers has millions.
    """
    slots = [(MeldKind.SET, size) for size in contract.sets] + [(MeldKind.RUN, size) for size in contract.runs]
    return _fill(Counter(hand), slots, (), rules)


def _fill(
    left: Counter[Card], slots: list[tuple[MeldKind, int]], melds: tuple[MeldDraft, ...], rules: RuleSet
) -> Iterator[tuple[MeldDraft, ...]]:
    """Give every way to go on from `melds` with the cards left; a kind's melds are in the order of `_place`."""
    if not slots:
        yield melds
        return
    rest = Contract(
        sets=tuple(size for kind, size in slots if kind is MeldKind.SET),
        runs=tuple(size for kind, size in slots if kind is MeldKind.RUN),
    )
    if not can_lay_down(tuple(left.elements()), rest, rules):
        return
    kind, size = slots[0]
    for draft in _sets(left, size) if kind is MeldKind.SET else _runs(left, size):
        if melds and melds[-1].kind is kind and _place(draft) < _place(melds[-1]):
            continue
        yield from _fill(left - Counter(draft.cards), slots[1:], (*melds, draft), rules)


def _place(draft: MeldDraft) -> tuple[int, tuple[Card, ...]]:
    return (-len(draft.cards), draft.cards)


def _sets(left: Counter[Card], size: int) -> Iterator[MeldDraft]:
    """Give every set of a size or longer."""
    for rank in range(LOWEST_RANK, ACE + 1):
        cards = [card_of(rank, suit) for suit in range(4)]
        for numbers in product(*(range(left[card] + 1) for card in cards)):
            naturals = tuple(card for card, number in zip(cards, numbers, strict=True) for _ in range(number))
            for jokers in range(max(0, size - len(naturals)), left[JOKER] + 1):
                if len(naturals) >= fewest_naturals(len(naturals) + jokers):
                    yield MeldDraft(MeldKind.SET, (*naturals, *[JOKER] * jokers))


def _runs(left: Counter[Card], size: int) -> Iterator[MeldDraft]:
    """Give every run of a size or longer."""
    for suit in range(4):
        for low in range(LOWEST_RANK, ACE - size + 2):
            for length in range(size, min(LONGEST_RUN, ACE - low + 1) + 1):
                choices = [
                    [card for card in (card_of(rank, suit), JOKER) if left[card]] for rank in range(low, low + length)
                ]
                for cards in product(*choices):
                    jokers = cards.count(JOKER)
                    if jokers <= left[JOKER] and length - jokers >= fewest_naturals(length):
                        yield MeldDraft(MeldKind.RUN, cards)
