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
from functools import lru_cache
from math import log

from shanghai_engine.bots.layers import by_suit, layers_of_hand
from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, RANK, SUIT, Card
from shanghai_engine.contract import Contract
from shanghai_engine.solver.terms import PLACES, RANKS
from shanghai_engine.solver.window import windows
from shanghai_engine.state import Hand

WEIGHT = 0.15
"""What one missing card leaves of a plan's weight."""
GONE = 0.15
"""What is left besides where every copy of that card has been seen, so that only a joker can stand there."""
JOKER_WORTH = 1.25
"""What a joker adds, in cards: it fills any one place, and of all places the one that is hardest to fill."""
SUITS = 4
MOST_RUNS_OF_SUIT = 2
"""Three runs in one suit are too rare to be looked for."""
MOST_SETS_OF_RANK = 2
_UNIT = -log(WEIGHT)
_WEIGHTS = tuple(WEIGHT**missing for missing in range(PLACES + 1))
_WEIGHT_OF = tuple(_WEIGHTS[missing.bit_count()] for missing in range(1 << PLACES))
"""The weight of a plan by the mask of the ranks that it misses."""
_GONE_WEIGHT_OF = tuple(GONE ** missing.bit_count() for missing in range(1 << PLACES))
"""What is left of it by the mask of those that are gone."""

Polynomial = tuple[float, ...]
BySuit = tuple[int, int, int, int]
_NONE: BySuit = (0, 0, 0, 0)
Numbers = tuple[tuple[int, int], ...]
"""How many melds are asked, as pairs of size and number."""


class Outlook:
    """The outlook of one hand on one contract: what one card more or less changes of it, in cards."""

    __slots__ = ("_jokers", "_runs", "_sets")

    def __init__(self, hand: Hand, contract: Contract, gone: int = 0) -> None:
        """Look at all plans; `gone` is the mask of the cards of which no copy can be drawn any more (`layers`)."""
        runs, sets = _numbers(contract)
        self._jokers = hand.count(JOKER)
        self._sets = _Sets(hand, sets)
        self._runs = [_Runs(size, most, hand, by_suit(gone)) for size, most in runs]

    @property
    def value(self) -> float:
        """The outlook itself, in cards."""
        runs = sum(log(runs.weight) for runs in self._runs) / _UNIT
        return runs + self._sets.value + JOKER_WORTH * self._jokers

    def gain(self, card: Card) -> float:
        """Say by how many cards the outlook rises with this card."""
        if card is JOKER:
            return JOKER_WORTH
        change = self._sets.change(RANK[card], 1)
        for runs in self._runs:
            change += log(runs.with_card(SUIT[card], 1 << RANK[card] - 1)) / _UNIT
        return change

    def loss(self, card: Card) -> float:
        """Say by how many cards the outlook falls without this card of the hand."""
        if card is JOKER:
            return JOKER_WORTH
        change = self._sets.change(RANK[card], -1)
        for runs in self._runs:
            change += log(runs.without_card(SUIT[card], 1 << RANK[card] - 1)) / _UNIT
        return -change


class _Sets:
    """The plans of a hand for its sets."""

    __slots__ = ("_counts", "_numbers", "_ranks")

    def __init__(self, hand: Hand, numbers: Numbers) -> None:
        """Count the cards of each rank, where any set is asked."""
        self._numbers = numbers
        if numbers:
            self._ranks = [0] * (ACE + 1)
            for card in hand:
                self._ranks[RANK[card]] += 1
            self._counts = bytes(sorted(self._ranks[LOWEST_RANK:]))

    @property
    def value(self) -> float:
        """The outlook on the sets."""
        return _value_of_sets(self._counts, self._numbers) if self._numbers else 0.0

    def change(self, rank: int, step: int) -> float:
        """Give what one card of a rank more or less changes."""
        if not self._numbers:
            return 0.0
        return _change_of_sets(self._counts, self._numbers, self._ranks[rank], step)


class _Runs:
    """The plans of a hand for its runs of one size: `weight` is that of all together."""

    __slots__ = ("_all", "_first", "_gone", "_more", "_most", "_own", "_rests", "_second", "_size", "weight")

    def __init__(self, size: int, most: int, hand: Hand, gone: BySuit) -> None:
        """Look at each suit by itself, and multiply them."""
        self._size, self._most, self._gone = size, most, gone
        first, second, *more = layers_of_hand(hand)
        self._first, self._second = by_suit(first), by_suit(second)
        self._more = by_suit(more[0]) if more else _NONE
        self._own = [_runs_of_suit(*suit, size, most) for suit in zip(self._first, self._second, gone, strict=True)]
        clubs, diamonds, hearts, spades = self._own
        self._all = _product(_product(clubs, diamonds, most), _product(hearts, spades, most), most)
        self._rests: list[Polynomial | None] = [None] * SUITS
        self.weight = self._all[most]

    def with_card(self, suit: int, place: int) -> float:
        """Give by what the weight is multiplied with a further card."""
        first, second = self._first[suit], self._second[suit]
        return self._change(suit, first | place, second | first & place)

    def without_card(self, suit: int, place: int) -> float:
        """Give by what the weight is multiplied without a card that is held."""
        first, second = self._first[suit], self._second[suit]
        return self._change(suit, first & (second | ~place), second & (self._more[suit] | ~place))

    def _change(self, suit: int, first: int, second: int) -> float:
        own = _runs_of_suit(first, second, self._gone[suit], self._size, self._most)
        rest = self._rests[suit] or self._rest(suit)
        weight = rest[0] + own[1] * rest[1]
        if self._most > 1:
            weight += own[2] * rest[2]
        return weight / self.weight

    def _rest(self, suit: int) -> Polynomial:
        """Give the product of the other three suits, that is of all divided by this one, the highest degree first."""
        own = self._own[suit]
        rest: list[float] = []
        for weight in self._all:
            left = weight
            for factor, other in zip(own[1:], reversed(rest), strict=False):
                left -= factor * other
            rest.append(left)
        found = self._rests[suit] = tuple(reversed(rest))
        return found


@lru_cache(maxsize=64)
def _numbers(contract: Contract) -> tuple[Numbers, Numbers]:
    """Give how many runs and sets a contract asks for; no more than can be looked for."""
    runs, sets = Counter(contract.runs), Counter(contract.sets)
    return (
        tuple((size, min(runs[size], SUITS * MOST_RUNS_OF_SUIT)) for size in runs),
        tuple((size, min(sets[size], RANKS)) for size in sets),
    )


def _product(one: Polynomial, other: Polynomial, most: int) -> Polynomial:
    """Multiply two polynomials up to a degree; no meld at all weighs 1."""
    if most == 1:
        return (1.0, one[1] + other[1])
    terms = [0.0] * min(len(one) + len(other) - 1, most + 1)
    for degree, weight in enumerate(one):
        for place, factor in enumerate(other[: len(terms) - degree], start=degree):
            terms[place] += weight * factor
    return tuple(terms)


def _runs_of_suit(first: int, second: int, gone: int, size: int, most: int) -> Polynomial:
    """Give the weights of all choices of 0, 1 and 2 runs of a size in one suit, `most` runs at most."""
    gone &= ~first
    return _one_run(first, gone, size) if most == 1 else _two_runs(first, second, gone, size)


@lru_cache(maxsize=1 << 14)
def _one_run(first: int, gone: int, size: int) -> Polynomial:
    """Give the weights of all choices of 0 and 1 runs of a size in a suit with these cards."""
    single = 0.0
    for window in windows(size):
        missing = window & ~first
        single += _WEIGHT_OF[missing] * _GONE_WEIGHT_OF[missing & gone]
    return (1.0, single)


@lru_cache(maxsize=1 << 16)
def _two_runs(first: int, second: int, gone: int, size: int) -> Polynomial:
    """Give the weights of all choices of 0, 1 and 2 runs of a size, where there are cards of which there are two."""
    single = pairs = 0.0
    # From the highest window down: what lies more than a run's length above shares no card with it.
    singles: list[float] = []
    stretches = windows(size)
    for place in range(len(stretches) - 1, -1, -1):
        window = stretches[place]
        missing = window & ~first
        weight = _WEIGHT_OF[missing] * _GONE_WEIGHT_OF[missing & gone]
        others = singles[-size] if len(singles) >= size else 0.0
        # What another run finds where this one has taken its cards.
        absent = ~(first & ~window | second & window)
        for other in stretches[place : place + size]:
            missing = other & absent
            others += _WEIGHT_OF[missing] * _GONE_WEIGHT_OF[missing & gone]
        single += weight
        singles.append(single)
        pairs += weight * others
    return (1.0, single, pairs)


@lru_cache(maxsize=1 << 12)
def _value_of_sets(counts: bytes, sets: Numbers) -> float:
    """Give the outlook on sets where there are so many cards of each rank, in ascending order."""
    value = 0.0
    for size, most in sets:
        value += log(_sets_of_ranks(counts, size, most)[most])
    return value / _UNIT


@lru_cache(maxsize=1 << 14)
def _change_of_sets(counts: bytes, sets: Numbers, count: int, step: int) -> float:
    """Give what one card more or less changes for a rank of which there are so many: such ranks are alike."""
    place = counts.index(count)
    changed = bytes(sorted((*counts[:place], count + step, *counts[place + 1 :])))
    return _value_of_sets(changed, sets) - _value_of_sets(counts, sets)


@lru_cache(maxsize=1 << 12)
def _sets_of_ranks(counts: bytes, size: int, most: int) -> Polynomial:
    """Give the weights of all choices of up to `most` sets of a size, where there are so many cards of each rank."""
    product: Polynomial = (1.0, 0.0)
    for count in counts:
        rank = tuple(WEIGHT ** max(0, sets * size - count) for sets in range(MOST_SETS_OF_RANK + 1))
        product = _product(product, rank, most)
    return product
