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
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log

from shanghai_engine.card import JOKER, LOWEST_RANK, RANK, SUIT, Card
from shanghai_engine.contract import Contract
from shanghai_engine.solver.holding import Holding, Layers
from shanghai_engine.solver.terms import PLACES, RANKS
from shanghai_engine.solver.window import windows

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
_GONE_WEIGHTS = tuple(GONE**missing for missing in range(PLACES + 1))

Polynomial = tuple[float, ...]
Gone = tuple[int, ...]
"""By suit, a mask of ranks: the cards of which every copy has been seen."""
NONE_GONE: Gone = (0,) * SUITS


def gone_cards(seen: Mapping[Card, int], packs: int) -> Gone:
    """Give the cards of which all `packs` copies are among the seen ones."""
    gone = [0] * SUITS
    for card, count in seen.items():
        if count >= packs and card is not JOKER:
            gone[SUIT[card]] |= _place(card)
    return tuple(gone)


class Outlook:
    """The outlook of one hand on one contract: `value`, in cards, and what one card more or less changes of it."""

    __slots__ = (
        *("_gone", "_halves", "_other_suits", "_own", "_ranks", "_runs", "_set_changes", "_sets", "_suits", "_sums"),
        "value",
    )

    def __init__(self, hand: Sequence[Card], contract: Contract, gone: Gone = NONE_GONE) -> None:
        """Sum up all plans; `gone` are the cards of which no copy can be drawn any more."""
        holding = Holding(hand)
        self._suits = holding.suits
        self._ranks = holding.ranks
        self._gone = gone
        self._runs, self._sets = _numbers(contract)
        self._own = [
            [
                _runs_of_suit(layers, size, gone & ~layers[0], most)
                for layers, gone in zip(self._suits, self._gone, strict=True)
            ]
            for size, most in self._runs
        ]
        self._halves = [
            (_product(own[0], own[1], most), _product(own[2], own[3], most))
            for own, (_, most) in zip(self._own, self._runs, strict=True)
        ]
        self._other_suits: list[list[Polynomial] | None] = [None] * SUITS
        self._set_changes: dict[tuple[int, int], float] = {}
        self._sums = (self._run_sum(0, self._suits[0]), self._set_sum(self._ranks))
        self.value = sum(self._sums) + JOKER_WORTH * holding.jokers

    def gain(self, card: Card) -> float:
        """Say by how many cards the outlook rises with this card."""
        if card == JOKER:
            return JOKER_WORTH
        suit = SUIT[card]
        return self._changed(suit, _with(self._suits[suit], _place(card)), RANK[card] - LOWEST_RANK, 1)

    def loss(self, card: Card) -> float:
        """Say by how many cards the outlook falls without this card of the hand."""
        if card == JOKER:
            return JOKER_WORTH
        suit = SUIT[card]
        return -self._changed(suit, _without(self._suits[suit], _place(card)), RANK[card] - LOWEST_RANK, -1)

    def _changed(self, suit: int, layers: Layers, rank: int, step: int) -> float:
        change = 0.0
        if self._runs:
            change += self._run_sum(suit, layers) - self._sums[0]
        if self._sets:
            change += self._set_change(self._ranks[rank], step)
        return change

    def _set_change(self, count: int, step: int) -> float:
        """Give what one card more or less of a rank changes; ranks of which there are equally many are alike."""
        change = self._set_changes.get((count, step))
        if change is None:
            ranks = self._ranks.copy()
            ranks[ranks.index(count)] += step
            change = self._set_changes[count, step] = self._set_sum(ranks) - self._sums[1]
        return change

    def _others(self, suit: int) -> list[Polynomial]:
        """Give by size of run the product of the other three suits."""
        found = self._other_suits[suit]
        if found is None:
            # The suit that shares a half with this one, and the half of the two others.
            beside, far = suit ^ 1, suit < SUITS // 2
            found = self._other_suits[suit] = [
                _product(own[beside], halves[1], most) if far else _product(halves[0], own[beside], most)
                for own, halves, (_, most) in zip(self._own, self._halves, self._runs, strict=True)
            ]
        return found

    def _run_sum(self, suit: int, layers: Layers) -> float:
        total = 0.0
        for (size, most), rest in zip(self._runs, self._others(suit), strict=True):
            own = _runs_of_suit(layers, size, self._gone[suit] & ~layers[0], most)
            if most == 1:
                ways = own[0] * rest[1] + own[1] * rest[0]
            else:
                ways = 0.0
                for runs, weight in enumerate(own):
                    if most - runs < len(rest):
                        ways += weight * rest[most - runs]
            total += log(ways)
        return total / _UNIT

    def _set_sum(self, ranks: list[int]) -> float:
        ordered = tuple(sorted(ranks))
        return sum(log(_sets_of_ranks(ordered, size, most)[most]) for size, most in self._sets) / _UNIT


def _place(card: Card) -> int:
    """Give the place of a natural card in the layers of its suit, as a mask."""
    return 1 << RANK[card] - 1


@lru_cache(maxsize=64)
def _numbers(contract: Contract) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Give how many runs and sets a contract asks for, as pairs of size and number."""
    runs, sets = Counter(contract.runs), Counter(contract.sets)
    return (
        tuple((size, min(runs[size], SUITS * MOST_RUNS_OF_SUIT)) for size in runs),
        tuple((size, min(sets[size], RANKS)) for size in sets),
    )


def _with(layers: Layers, bit: int) -> Layers:
    for index, layer in enumerate(layers):
        if not layer & bit:
            return (*layers[:index], layer | bit, *layers[index + 1 :])
    return (*layers, bit)


def _without(layers: Layers, bit: int) -> Layers:
    index = max(index for index, layer in enumerate(layers) if layer & bit)
    left = (*layers[:index], layers[index] & ~bit, *layers[index + 1 :])
    return left[:-1] if len(left) > 1 and not left[-1] else left


def _product(one: Polynomial, other: Polynomial, most: int) -> Polynomial:
    """Multiply two polynomials up to a degree."""
    if most == 1 and len(one) > 1 and len(other) > 1:
        return (one[0] * other[0], one[0] * other[1] + one[1] * other[0])
    terms = [0.0] * min(len(one) + len(other) - 1, most + 1)
    for degree, weight in enumerate(one):
        for step, factor in enumerate(other[: len(terms) - degree]):
            terms[degree + step] += weight * factor
    return tuple(terms)


@lru_cache(maxsize=1 << 16)
def _runs_of_suit(layers: Layers, size: int, gone: int, most: int) -> Polynomial:
    """Give the weights of all choices of 0, 1 and 2 runs of a size in one suit, `most` runs at most."""
    first = layers[0]
    second = layers[1] if len(layers) > 1 else 0
    stretches = windows(size)
    single = pairs = 0.0
    for place, window in enumerate(stretches):
        missing = window & ~first
        weight = _WEIGHT_OF[missing] * _GONE_WEIGHTS[(missing & gone).bit_count()]
        single += weight
        if most > 1:
            absent = ~(first & ~window | second & window)
            if gone:
                for other in stretches[place:]:
                    missing = other & absent
                    pairs += weight * (_WEIGHT_OF[missing] * _GONE_WEIGHTS[(missing & gone).bit_count()])
            else:
                for other in stretches[place:]:
                    pairs += weight * _WEIGHT_OF[other & absent]
    return (1.0, single, pairs)[: most + 1]


@lru_cache(maxsize=1 << 14)
def _sets_of_ranks(ranks: tuple[int, ...], size: int, most: int) -> Polynomial:
    """Give the weights of all choices of up to `most` sets of a size, where there are so many cards of each rank."""
    product: Polynomial = (1.0,)
    for count in ranks:
        rank = tuple(WEIGHT ** max(0, sets * size - count) for sets in range(MOST_SETS_OF_RANK + 1))
        product = _product(product, rank, most)
    return product
