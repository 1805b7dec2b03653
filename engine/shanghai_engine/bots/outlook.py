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
from math import log
from operator import mul

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
RunWeights = tuple[float, float]
"""The weights of all choices of one run, and of two, in one suit: with the 1 of no run at all a polynomial."""
Suit = tuple[int, int, int, int]
"""The cards of one suit as masks: those held once, twice and three times, and those of which none can be drawn."""
Numbers = tuple[tuple[int, int], ...]
"""How many melds are asked, as pairs of size and number."""


class Outlook:
    """The outlook of one hand on one contract: what one card more or less changes of it, in cards."""

    __slots__ = ("_jokers", "_runs", "_sets")

    def __init__(self, hand: Hand, contract: Contract, gone: int = 0) -> None:
        """Look at all plans; `gone` is the mask of the cards of which no copy can be drawn any more (`layers`)."""
        runs, sets = _numbers(contract)
        self._jokers = hand.count(JOKER)
        self._sets = _Sets(hand, sets) if sets else None
        suits = _suits(hand, gone) if runs else ()
        self._runs = [_Runs(size, most, suits) for size, most in runs]

    @property
    def value(self) -> float:
        """The outlook itself, in cards."""
        runs = sum(log(runs.weight) for runs in self._runs) / _UNIT
        return runs + (self._sets.value if self._sets else 0.0) + JOKER_WORTH * self._jokers

    def gain(self, card: Card) -> float:
        """Say by how many cards the outlook rises with this card."""
        if card is JOKER:
            return JOKER_WORTH
        change = self._sets.change(RANK[card], 1) if self._sets else 0.0
        for runs in self._runs:
            change += runs.change_with(SUIT[card], 1 << RANK[card] - 1)
        return change

    def losses(self, cards: Sequence[Card]) -> list[float]:
        """Say by how many cards the outlook falls without one card, for each of some cards of the hand."""
        sets, runs = self._sets, [runs.changes_without_each() for runs in self._runs]
        found: list[float] = []
        for card in cards:
            if card is JOKER:
                found.append(JOKER_WORTH)
                continue
            change = sets.change(RANK[card], -1) if sets else 0.0
            for changes in runs:
                change += changes[card]
            found.append(-change)
        return found


class _Sets:
    """The plans of a hand for its sets."""

    __slots__ = ("_changes", "_counts", "_numbers", "_ranks")

    def __init__(self, hand: Hand, numbers: Numbers) -> None:
        """Count the cards of each rank."""
        self._numbers = numbers
        ranks = [0] * (ACE + 1)
        for card in hand:
            ranks[RANK[card]] += 1
        self._ranks = ranks
        self._counts = bytes(sorted(ranks[LOWEST_RANK:]))
        self._changes: dict[int, float] = {}

    @property
    def value(self) -> float:
        """The outlook on the sets."""
        return _value_of_sets(self._counts, self._numbers)

    def change(self, rank: int, step: int) -> float:
        """Give what one card of a rank more or less changes: the same for ranks of which there are as many."""
        count = self._ranks[rank]
        # Up from a number or down to it: the two never meet, since what is held is never the number after a loss of it.
        key = count if step > 0 else -count
        change = self._changes.get(key)
        if change is None:
            change = self._changes[key] = _change_of_sets(self._counts, self._numbers, count, step)
        return change


class _Runs:
    """The plans of a hand for its runs of one size: `weight` is that of all together."""

    __slots__ = ("_all", "_most", "_own", "_size", "_suits", "weight")

    def __init__(self, size: int, most: int, suits: tuple[Suit, ...]) -> None:
        """Look at each suit by itself, and multiply them."""
        self._size, self._most, self._suits = size, most, suits
        self._own = [_runs_of_suit(first, second, gone & ~first, size, most) for first, second, _, gone in suits]
        self._all = _product(self._own, most)
        self.weight = self._all[most]

    def change_with(self, suit: int, place: int) -> float:
        """Give what a further card changes of the outlook on these runs."""
        first, second, _, gone = self._suits[suit]
        second |= first & place
        first |= place
        single, pairs = _runs_of_suit(first, second, gone & ~first, self._size, self._most)
        none_here, one_here, two_here = self._others(suit)
        return log((none_here + single * one_here + pairs * two_here) / self.weight) / _UNIT

    def changes_without_each(self) -> dict[int, float]:
        """Give by card of the hand what its loss changes of the outlook on these runs."""
        changes: dict[int, float] = {}
        for suit, cards in enumerate(self._suits):
            if not cards[0]:
                continue
            none_here, one_here, two_here = self._others(suit)
            for place, single, pairs in _without_each(cards, self._size, self._most):
                weight = none_here + single * one_here + pairs * two_here
                changes[RANKS * suit + place] = log(weight / self.weight) / _UNIT
        return changes

    def _others(self, suit: int) -> tuple[float, float, float]:
        """Give the weights of what the other suits give where this one gives no run, one, or two.

        They are the last coefficients of the product of the other suits, that is of all divided by this one.
        """
        single, pairs = self._own[suit]
        two, one, none = 0.0, 0.0, 1.0
        for weight in self._all[1:]:
            two, one, none = one, none, weight - single * none - pairs * one
        return none, one, two


@lru_cache(maxsize=64)
def _numbers(contract: Contract) -> tuple[Numbers, Numbers]:
    """Give how many runs and sets a contract asks for; no more than can be looked for."""
    runs, sets = Counter(contract.runs), Counter(contract.sets)
    return (
        tuple((size, min(runs[size], SUITS * MOST_RUNS_OF_SUIT)) for size in runs),
        tuple((size, min(sets[size], RANKS)) for size in sets),
    )


def _product(suits: Iterable[RunWeights], most: int) -> Polynomial:
    """Give the weights of all choices of 0, 1 and so on up to `most` runs in all suits together."""
    product = [1.0] + [0.0] * most
    for single, pairs in suits:
        for degree in range(most, 1, -1):
            product[degree] += single * product[degree - 1] + pairs * product[degree - 2]
        product[1] += single
    return tuple(product)


def _suits(hand: Hand, gone: int) -> tuple[Suit, ...]:
    """Give the cards of a hand by suit."""
    first, second, *more = layers_of_hand(hand)
    third = more[0] if more else 0
    return tuple(zip(by_suit(first), by_suit(second), by_suit(third), by_suit(gone), strict=True))


def _runs_of_suit(first: int, second: int, gone: int, size: int, most: int) -> RunWeights:
    """Give the weights of all choices of 1 and 2 runs of a size in one suit; of 2 none where one is asked."""
    return _one_run(first, gone, size) if most == 1 else _two_runs(first, second, gone, size)


@lru_cache(maxsize=1 << 12)
def _without_each(suit: Suit, size: int, most: int) -> tuple[tuple[int, float, float], ...]:
    """Give the same without one card, for every card of the suit, each with its place."""
    first, second, third, gone = suit
    found: list[tuple[int, float, float]] = []
    for place in range(1, PLACES):
        bit = 1 << place
        if first & bit:
            left = first & (second | ~bit)
            found.append((place, *_runs_of_suit(left, second & (third | ~bit), gone & ~left, size, most)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _one_run(first: int, gone: int, size: int) -> RunWeights:
    """Give the weights of all choices of 1 run of a size in a suit with these cards."""
    return sum(_weights([window & ~first for window in windows(size)], gone)), 0.0


@lru_cache(maxsize=1 << 16)
def _two_runs(first: int, second: int, gone: int, size: int) -> RunWeights:
    """Give the weights of all choices of 1 and 2 runs of a size, where there are cards of which there are two."""
    absent, absent_twice = ~first, ~second
    single = pairs = 0.0
    # From the highest window down: what lies more than a run's length above shares no card with it.
    singles = [0.0] * size
    weights = _weights([window & absent for window in windows(size)], gone)
    for weight, touching in zip(reversed(weights), _touching(size), strict=True):
        # What another run finds where this one has taken its cards.
        missing = [alone & absent | shared & absent_twice for alone, shared in touching]
        pairs += weight * sum(_weights(missing, gone), singles[-size])
        single += weight
        singles.append(single)
    return single, pairs


def _weights(missing: list[int], gone: int) -> list[float]:
    """Give the weights of plans by the masks of what they miss."""
    if gone:
        return [_WEIGHT_OF[mask] * _GONE_WEIGHT_OF[mask & gone] for mask in missing]
    return [_WEIGHT_OF[mask] for mask in missing]


@lru_cache(maxsize=16)
def _touching(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Give for each window, from the highest down, those from it up that it touches: what they have alone and share."""
    stretches = windows(size)
    return tuple(
        tuple((other & ~stretches[place], other & stretches[place]) for other in stretches[place : place + size])
        for place in range(len(stretches) - 1, -1, -1)
    )


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
    product = [1.0] + [0.0] * most
    for count in counts:
        rank = [WEIGHT ** max(0, sets * size - count) for sets in range(1, MOST_SETS_OF_RANK + 1)]
        for degree in range(most, 0, -1):
            product[degree] += sum(map(mul, rank, product[degree - 1 :: -1]))
    return tuple(product)
