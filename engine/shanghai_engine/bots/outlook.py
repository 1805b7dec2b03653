"""The outlook of a hand: a soft measure of how near it is to its contract, by which single cards can be compared.

The solver's distance is exact but blunt: most cards leave it as it is. Here every way to fulfil the contract (a
window for each run, a rank for each set) counts, with a weight that falls by `WEIGHT` for every card it misses; the
outlook is the logarithm of the sum, in units of one card. A hand with one plan that misses two cards is at -2, one
with many such plans somewhat higher, and a card that serves several plans is worth more than one that serves one.

Suits do not share runs, nor ranks sets, so the sums are products of small polynomials, whose coefficient of degree
`k` belongs to `k` melds, and these are remembered. Sets and runs are counted as if they never wanted the same card:
where that matters the bot asks the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log, log1p
from operator import add, mul, neg

from shanghai_engine.bots.one_run import OneRun
from shanghai_engine.bots.suit_runs import UNIT, WEIGHT, WITH_ONE, SuitRuns, changes_without_each, runs_of_suit
from shanghai_engine.bots.tally import FIRSTS, RANKS, SUITS, in_bytes, tally_of_hand
from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, RANK, Card
from shanghai_engine.contract import Contract
from shanghai_engine.state import Hand

JOKER_WORTH = 1.25
"""What a joker adds, in cards: it fills any one place, and of all places the one that is hardest to fill."""
MOST_RUNS_OF_SUIT = 2
"""Three runs in one suit are too rare to be looked for."""
MOST_SETS_OF_RANK = 2

Polynomial = tuple[float, ...]
Numbers = tuple[tuple[int, int], ...]
"""How many melds are asked, as pairs of size and number."""


class Outlook:
    """The outlook of one hand on one contract: what one card more or less changes of it, in cards."""

    __slots__ = ("_jokers", "_runs", "_sets")

    def __init__(self, hand: Hand, contract: Contract, gone: int = 0) -> None:
        """Look at all plans; `gone` marks the cards of which no copy can be drawn any more (`tally`)."""
        runs, sets = _numbers(contract)
        self._jokers = hand.count(JOKER)
        self._sets = _Sets(hand, sets) if sets else None
        self._runs: list[OneRun | _SeveralRuns] = []
        if runs:
            cards = in_bytes(tally_of_hand(hand) + gone)
            self._runs += [_SeveralRuns(size, most, cards) if most > 1 else OneRun(size, cards) for size, most in runs]

    @property
    def value(self) -> float:
        """The outlook itself, in cards."""
        runs = sum(log(runs.weight) for runs in self._runs) / UNIT
        return runs + (self._sets.value if self._sets else 0.0) + JOKER_WORTH * self._jokers

    def gain(self, card: Card) -> float:
        """Say by how many cards the outlook rises with this card."""
        if card is JOKER:
            return JOKER_WORTH
        change = self._sets.change_with(card) if self._sets else 0.0
        for runs in self._runs:
            change += runs.change_with(card)
        return change

    def losses(self, cards: Sequence[Card]) -> list[float]:
        """Say by how many cards the outlook falls without one card, for each of some cards of the hand."""
        naturals = [card for card in cards if card is not JOKER]
        changes: Iterable[float] = self._sets.changes_without(naturals) if self._sets else [0.0] * len(naturals)
        for runs in self._runs:
            changes = map(add, changes, runs.changes_without(naturals))
        losses = dict(zip(naturals, map(neg, changes), strict=True))
        return [losses.get(card, JOKER_WORTH) for card in cards]


class _Sets:
    """The plans of a hand for its sets."""

    __slots__ = ("_counts", "_numbers", "_ranks")

    def __init__(self, hand: Hand, numbers: Numbers) -> None:
        """Count the cards of each rank."""
        self._numbers = numbers
        ranks = [0] * (ACE + 1)
        for card in hand:
            ranks[RANK[card]] += 1
        self._ranks = ranks
        self._counts = bytes(sorted(ranks[LOWEST_RANK:]))

    @property
    def value(self) -> float:
        """The outlook on the sets."""
        return _value_of_sets(self._counts, self._numbers)

    def change_with(self, card: Card) -> float:
        """Give what a further card changes of the outlook on the sets."""
        return _change_of_sets(self._counts, self._numbers, self._ranks[RANK[card]], 1)

    def changes_without(self, cards: Sequence[Card]) -> list[float]:
        """Give what the loss of one card changes of the outlook on the sets, for each of some cards of the hand."""
        alike = [self._ranks[RANK[card]] for card in cards]
        changes = {count: _change_of_sets(self._counts, self._numbers, count, -1) for count in set(alike)}
        return [changes[count] for count in alike]


class _SeveralRuns:
    """The plans of a hand for its runs of one size, two or more: `weight` is that of all together."""

    __slots__ = ("_all", "_cards", "_size", "_suits", "weight")

    def __init__(self, size: int, most: int, cards: bytes) -> None:
        """Look at each suit by itself, and multiply them; `cards` are the bytes of the hand's tally."""
        self._size, self._cards = size, cards
        self._suits = [runs_of_suit(cards[first : first + RANKS], size) for first in FIRSTS]
        self._all = _product(self._suits, most)
        self.weight = self._all[most]

    def change_with(self, card: Card) -> float:
        """Give what a further card changes of the outlook on these runs."""
        suit, place = divmod(card - 1, RANKS)
        one_here, two_here = self._others(suit)
        single, pairs = self._suits[suit].change(place, WITH_ONE[self._cards[card - 1]])
        return log1p((single * one_here + pairs * two_here) / self.weight) / UNIT

    def changes_without(self, cards: Sequence[Card]) -> list[float]:
        """Give what the loss of one card changes of the outlook on these runs, for each of some cards of the hand."""
        changes: dict[int, float] = {}
        for suit, first in enumerate(FIRSTS):
            one_here, two_here = self._others(suit)
            for place, single, pairs in changes_without_each(self._cards[first : first + RANKS], self._size):
                change = single * one_here + pairs * two_here
                changes[first + place + 1] = log1p(change / self.weight) / UNIT
        return [changes[card] for card in cards]

    def _others(self, suit: int) -> tuple[float, float]:
        """Give the weights of what the other suits give where this one gives one run, and where it gives two.

        They are coefficients of the product of the other suits, that is of all divided by this one.
        """
        single, pairs = self._suits[suit].single, self._suits[suit].pairs
        two, one = 0.0, 1.0
        for weight in self._all[1:-1]:
            two, one = one, weight - single * one - pairs * two
        return one, two


@lru_cache(maxsize=64)
def _numbers(contract: Contract) -> tuple[Numbers, Numbers]:
    """Give how many runs and sets a contract asks for; no more than can be looked for."""
    runs, sets = Counter(contract.runs), Counter(contract.sets)
    return (
        tuple((size, min(runs[size], SUITS * MOST_RUNS_OF_SUIT)) for size in runs),
        tuple((size, min(sets[size], RANKS)) for size in sets),
    )


def _product(suits: Iterable[SuitRuns], most: int) -> Polynomial:
    """Give the weights of all choices of 0, 1 and so on up to `most` runs in all suits together."""
    product = [1.0] + [0.0] * most
    for suit in suits:
        single, pairs = suit.single, suit.pairs
        for degree in range(most, 1, -1):
            product[degree] += single * product[degree - 1] + pairs * product[degree - 2]
        product[1] += single
    return tuple(product)


@lru_cache(maxsize=1 << 12)
def _value_of_sets(counts: bytes, sets: Numbers) -> float:
    """Give the outlook on sets where there are so many cards of each rank, in ascending order."""
    value = 0.0
    for size, most in sets:
        value += log(_sets_of_ranks(counts, size, most)[most])
    return value / UNIT


@lru_cache(maxsize=1 << 14)
def _change_of_sets(counts: bytes, sets: Numbers, count: int, step: int) -> float:
    """Give what one card more or less changes for a rank of which there are so many: such ranks are alike."""
    place = counts.index(count)
    changed = bytes(sorted((*counts[:place], count + step, *counts[place + 1 :])))
    return _value_of_sets(changed, sets) - _value_of_sets(counts, sets)


@lru_cache(maxsize=1 << 12)
def _sets_of_ranks(counts: bytes, size: int, most: int) -> Polynomial:
    """Give the weights of all choices of up to `most` sets of a size, where there are so many cards of each rank."""
    product = [1.0] + [0.0] * most
    for count in counts:
        rank = [WEIGHT ** max(0, sets * size - count) for sets in range(1, MOST_SETS_OF_RANK + 1)]
        for degree in range(most, 0, -1):
            product[degree] += sum(map(mul, rank, product[degree - 1 :: -1]))
    return tuple(product)
