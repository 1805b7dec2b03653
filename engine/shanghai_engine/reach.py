"""How far a contract is at a glance: a bound that takes microseconds, so that the solver is asked only where it may fail.

Two facts carry it. Melds cannot be made of fewer cards than they miss, if each may have every card of the hand that
serves it; and one more card brings a hand nearer by one card at most (`solver.distance`), while a card less never does.
So a hand that was three cards away cannot lay down before three more cards have come to it, whatever they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from shanghai_engine.card import ACE, CARDS, LOWEST_RANK, RANK, SUIT, Card
from shanghai_engine.contract import SHORTEST_SET, Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import can_lay_down

Hand = tuple[Card, ...]

_FIELD = 6
"""Bits of one count in a packed number: 13 ranks from the two up, then the four suits. No hand holds 32 cards."""
_HIGHEST = 1 << _FIELD - 1
_RANKS = ACE - LOWEST_RANK + 1
_ALL_RANKS = sum(1 << _FIELD * place for place in range(_RANKS))
_COUNTS = (
    0,
    *((1 << _FIELD * (RANK[card] - LOWEST_RANK)) + (1 << _FIELD * (_RANKS + SUIT[card])) for card in CARDS[:-1]),
    0,
)
"""What a card adds to the packed counts, by card number."""
_BITS = (0, *(1 << RANK[card] + 16 * SUIT[card] for card in CARDS[:-1]), 0)
"""A bit for each card: 16 for a suit, the two at bit 2 of them and the ace at bit 14, with bit 1 for one that lies low."""
_SUIT_BITS = (1 << 16) - 1
_AT_LEAST = {count: (_HIGHEST - count) * _ALL_RANKS for count in range(1, _HIGHEST)}


class Reach:
    """Remembers by seat how far its hand was from the contract, so that the next question about it is cheap."""

    __slots__ = ("_far",)

    def __init__(self) -> None:
        """Know nothing yet."""
        self._far: dict[int, tuple[Hand, Contract, RuleSet, int]] = {}

    def can_lay_down(self, seat: int, hand: Hand, contract: Contract, rules: RuleSet) -> bool:
        """Give what `solver.can_lay_down` gives."""
        before = self._far.get(seat)
        if before is not None and before[1] is contract and before[2] is rules:
            least = before[3] - _come(before[0], hand)
            if least > 0:
                return False
        least = least_missing(hand, contract, rules)
        if least == 0:
            if can_lay_down(hand, contract, rules):
                return True
            least = 1
        self._far[seat] = (hand, contract, rules, least)
        return False

    def copy(self) -> Reach:
        """Give an independent copy."""
        twin = Reach()
        twin._far = self._far.copy()
        return twin


def _come(before: Hand, now: Hand) -> int:
    """Give how many cards have come to a hand at most; cards go from anywhere and come last."""
    come = place = 0
    size = len(before)
    for card in now:
        while place < size and before[place] is not card:
            place += 1
        if place < size:
            place += 1
        else:
            come += 1
    return come


def least_missing(hand: Hand, contract: Contract, rules: RuleSet) -> int:
    """Give a number of further cards that is never above `solver.distance`."""
    short = contract.size - len(hand)
    if short > 0:
        return short
    counts = sum(map(_COUNTS.__getitem__, hand))
    wild = sum(map(rules.wild_cards.__getitem__, hand))
    missing = _missing_of_runs(hand, counts, contract.runs, rules) if contract.runs else 0
    if contract.sets:
        missing += _missing_of_sets(counts, contract.sets)
    return max(0, missing - wild)


def _missing_of_sets(counts: int, sizes: Sequence[int]) -> int:
    """Give how many cards sets miss at least; of sets of four and more nothing is said."""
    if sizes[0] > SHORTEST_SET:
        return 0
    whole = _ranks_of(counts, 3)
    if whole >= len(sizes):
        return 0
    if _ranks_of(counts, 5):
        # Two sets of a rank are possible: the solver counts them.
        return 0
    open_sets = len(sizes) - whole
    return 2 * open_sets - min(open_sets, _ranks_of(counts, 2) - whole)


def _ranks_of(counts: int, number: int) -> int:
    """Count the ranks of which there are so many cards or more."""
    return (counts + _AT_LEAST[number] & _HIGHEST * _ALL_RANKS).bit_count()


def _missing_of_runs(hand: Hand, counts: int, sizes: Sequence[int], rules: RuleSet) -> int:
    """Give how many cards runs miss at least, if all of one suit may use each of its cards once."""
    held = sum(map(_BITS.__getitem__, set(hand)))
    masks = (held & _SUIT_BITS, held >> 16 & _SUIT_BITS, held >> 32 & _SUIT_BITS, held >> 48)
    missing = 0
    for size in dict.fromkeys(sizes):
        number = sizes.count(size)
        costs = [_missing_of_run(mask, size, rules.lowest_rank) for mask in masks]
        if number == 1:
            missing += min(costs)
            continue
        steps: list[int] = []
        for suit, cost in enumerate(costs):
            cards = counts >> _FIELD * (_RANKS + suit) & 2 * _HIGHEST - 1
            before = 0
            for runs in range(1, number + 1):
                total = max(runs * cost, runs * size - cards)
                steps.append(total - before)
                before = total
        steps.sort()
        missing += sum(steps[:number])
    return missing


@lru_cache(maxsize=1 << 16)
def _missing_of_run(mask: int, size: int, lowest_rank: int) -> int:
    """Give how many cards the fullest window of a size misses in one suit."""
    if lowest_rank < LOWEST_RANK:
        mask |= mask >> ACE - 1 & 2
    windows = ((1 << size) - 1 << low for low in range(lowest_rank, ACE - size + 2))
    return size - max((mask & window).bit_count() for window in windows)
