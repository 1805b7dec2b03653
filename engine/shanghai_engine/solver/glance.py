"""What a glance at a hand says about laying down, in microseconds: a search is made only where a glance cannot tell.

Two facts carry it. Melds cannot be made of fewer cards than they miss if each may have every card of the hand that
serves it. And runs in suits of their own, with sets of ranks of their own of what the runs leave, are a lay-down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from shanghai_engine.card import ACE, CARDS, JOKER, LOWEST_RANK, RANK, SUIT, Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet

_FIELD = 7
"""Bits of one count in a packed number: 13 ranks from the two up, then the four suits.

Six packs have 24 cards of a rank and 78 of a suit; of what no game can hold no more is counted than there is room for.
"""
_HALF = 1 << _FIELD - 1
_RANKS = ACE - LOWEST_RANK + 1
_ONES = sum(1 << _FIELD * place for place in range(_RANKS))
_TOPS = _HALF * _ONES
_AT_LEAST = tuple((_HALF - number) * _ONES for number in range(_HALF + 1))
"""By number, what brings up the top bit of each rank of which there are so many cards or more."""
_JOKERS = _FIELD * (_RANKS + 4)
"""Where the count of the jokers begins: behind all others."""
_UNITS = (
    0,
    *((1 << _FIELD * (RANK[card] - LOWEST_RANK)) + (1 << _FIELD * (_RANKS + SUIT[card])) for card in CARDS[:-1]),
    1 << _JOKERS,
)
"""What a card adds to the packed counts, by card number."""
_PLACES = 16
_BITS = (0, *(1 << RANK[card] + _PLACES * SUIT[card] for card in CARDS[:-1]), 0)
"""A bit for each card: 16 for a suit, of which the one at the rank's place is used."""
_PLACE = (0, *(1 << RANK[card] for card in CARDS[:-1]), 0)
"""The same within its suit."""
_SUIT = (1 << _PLACES) - 1
_TWOS = (1 << _FIELD) - 1
"""The count of the twos, which come first."""
_TWO = 1 << LOWEST_RANK
"""The bit of a two in its suit."""


class Glance:
    """A hand in a few numbers: counts by rank and suit, by suit the ranks held as a mask, and how many may be wild."""

    __slots__ = ("counts", "rules", "suits", "wild")

    def __init__(self, hand: Sequence[Card], rules: RuleSet) -> None:
        """Count the cards of a hand."""
        held = sum(map(_BITS.__getitem__, set(hand)))
        suits = [held & _SUIT, held >> _PLACES & _SUIT, held >> 2 * _PLACES & _SUIT, held >> 3 * _PLACES]
        self._take(sum(map(_UNITS.__getitem__, hand)) if len(hand) <= _HALF else _counts(hand), suits, rules)

    def _take(self, counts: int, suits: list[int], rules: RuleSet) -> None:
        self.rules = rules
        self.counts = counts
        self.suits = suits
        self.wild = counts >> _JOKERS
        if rules.wild != "jokers":
            self.wild += counts & _TWOS

    def after(self, hand: Sequence[Card], gone: Iterable[Card], come: Iterable[Card]) -> Glance:
        """Give a glance at what this hand has become since some cards went and others came."""
        counts, suits = self.counts, self.suits.copy()
        for card in come:
            counts += _UNITS[card]
            suits[SUIT[card]] |= _PLACE[card]
        for card in gone:
            counts -= _UNITS[card]
            if card not in hand:
                suits[SUIT[card]] &= ~_PLACE[card]
        twin = Glance.__new__(Glance)
        twin._take(counts, suits, self.rules)  # noqa: SLF001 the twin's own
        return twin

    def missing(self, contract: Contract) -> int:
        """Give a number of further cards that is not above `distance`; below 1 it says nothing."""
        return self.missing_of_runs(contract.runs) + _missing_of_sets(self.counts, contract.sets) - self.wild

    def missing_beside_run(self, contract: Contract) -> int:
        """Give a number as `missing` does for sets and one run, nearer to `distance`: none has a card of another."""
        (size,) = contract.runs
        lowest, most = self.rules.lowest_rank, self.wild
        fullest = _fullest(size, lowest)
        least = most + 1
        for mask in self.suits:
            if fullest[mask][0] > most:
                continue
            places = _with_low_ace(mask, lowest)
            for held in {places & window for window in _windows(size, lowest)}:
                missing = size - held.bit_count()
                if missing < least:
                    least = min(least, missing + _missing_of_sets(self.counts - _units(held), contract.sets))
        return least - most

    def missing_of_runs(self, sizes: tuple[int, ...]) -> int:
        """Give how many cards runs miss at least, if runs of two sizes do not take each other's cards."""
        lowest = self.rules.lowest_rank
        missing = 0
        for size, number in _numbers(sizes):
            fullest = _fullest(size, lowest)
            steps = [fullest[mask][0] for mask in self.suits]
            if number == 1:
                missing += min(steps)
                continue
            # A further run in a suit misses as much as the first, and more where the suit has not the cards.
            for suit, cost in enumerate(steps[:]):
                cards = self.counts >> _FIELD * (_RANKS + suit) & 2 * _HALF - 1
                before = cost
                for runs in range(2, number + 1):
                    after = max(runs * cost, runs * size - cards)
                    steps.append(after - before)
                    before = after
            steps.sort()
            missing += sum(steps[:number])
        return missing

    def plainly_fulfils(self, contract: Contract) -> bool:
        """Say whether the fullest windows of as many suits, and ranks that are left whole, make a lay-down."""
        rules = self.rules
        counts, jokers, suits = self.counts, self.wild, self.suits.copy()
        if rules.wild != "jokers":
            # A two is as good as a joker anywhere, and may be more: here it is never natural.
            counts &= ~_TWOS
            suits = [mask & ~_TWO for mask in suits]
        lowest = rules.lowest_rank
        if len(contract.runs) > len(suits):
            return False
        for size, number in _numbers(contract.runs):
            most_jokers = _most_jokers(size, rules)
            by_suit = [*map(_fullest(size, lowest).__getitem__, suits)]
            for _ in range(number):
                missing, held = best = min(by_suit)
                if missing > most_jokers:
                    return False
                jokers -= missing
                counts -= _units(held)
                place = by_suit.index(best)
                del by_suit[place], suits[place]
        sizes = contract.sets
        if not sizes or jokers < 0:
            return jokers >= 0
        whole = _ranks_with(counts, sizes[0])
        if whole >= len(sizes):
            return True
        with_joker = _ranks_with(counts, sizes[0] - 1) if _most_jokers(sizes[-1], rules) else 0
        return with_joker >= len(sizes) <= whole + jokers

    def serves(self, card: Card, contract: Contract) -> bool:
        """Say whether a card of the hand may have a part in a lay-down; if not, it surely has none."""
        if self.rules.wild_cards[card]:
            return True
        rank = RANK[card]
        if contract.sets:
            size = contract.sets[-1]
            alike = self.counts >> _FIELD * (rank - LOWEST_RANK) & 2 * _HALF - 1
            if alike + min(self.wild, _most_jokers(size, self.rules)) >= size:
                return True
        lowest = self.rules.lowest_rank
        mask = _with_low_ace(self.suits[SUIT[card]], lowest)
        for size, _ in _numbers(contract.runs):
            for window in _windows_through(rank, size, lowest):
                if (mask & window).bit_count() + self.wild >= size:
                    return True
        return False


def _counts(hand: Sequence[Card]) -> int:
    """Give the packed counts of a hand of any size: no contract asks for more of a rank or suit than a field holds."""
    naturals = [card for card in hand if card != JOKER]
    ranks = Counter(RANK[card] - LOWEST_RANK for card in naturals)
    suits = Counter(SUIT[card] for card in naturals)
    counts = sum(min(number, _HALF) << _FIELD * rank for rank, number in ranks.items())
    counts += sum(min(number, 2 * _HALF - 1) << _FIELD * (_RANKS + suit) for suit, number in suits.items())
    return counts + (len(hand) - len(naturals) << _JOKERS)


@lru_cache(maxsize=1 << 10)
def _numbers(sizes: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Give each size with how often it is asked for."""
    return tuple((size, sizes.count(size)) for size in dict.fromkeys(sizes))


def _missing_of_sets(counts: int, sizes: tuple[int, ...]) -> int:
    """Give how many cards sets miss at least; 0 where sizes differ."""
    if not sizes or sizes[0] != sizes[-1]:
        return 0
    size, number = sizes[0], len(sizes)
    # The second set of a rank misses what the first has left too few, and so on.
    times = range(1, number + 1) if number > 1 and _ranks_with(counts, size + 1) else (1,)
    missing = held = 0
    for cost in range(size):
        found = 0
        for many in times:
            found += _ranks_with(counts, many * size - cost)
        if found >= number:
            return missing + cost * (number - held)
        missing += cost * (found - held)
        held = found
    return missing + size * (number - held)


def _ranks_with(counts: int, number: int) -> int:
    """Count the ranks of which there are so many cards or more."""
    return (counts + _AT_LEAST[min(number, _HALF)] & _TOPS).bit_count()


class _Fullest(dict[int, tuple[int, int]]):
    """By the ranks of one suit: how many cards a run of a size misses at least, and the ranks that its window holds.

    Each is worked out when it is looked up first.
    """

    def __init__(self, size: int, lowest_rank: int) -> None:
        super().__init__()
        self.size = size
        self.lowest_rank = lowest_rank

    def __missing__(self, mask: int) -> tuple[int, int]:
        places = _with_low_ace(mask, self.lowest_rank)
        held = max([places & window for window in _windows(self.size, self.lowest_rank)], key=int.bit_count)
        self[mask] = found = self.size - held.bit_count(), held
        return found


_fullest = cache(_Fullest)


def _with_low_ace(mask: int, lowest_rank: int) -> int:
    """Give the places of a suit with those of an ace that lies low, where it may (R16)."""
    return mask | mask >> ACE - 1 & 2 if lowest_rank < LOWEST_RANK else mask


@lru_cache(maxsize=1 << 8)
def _windows(size: int, lowest_rank: int) -> tuple[int, ...]:
    """Give the ranks of every run of a size, as masks, from the lowest up."""
    return tuple((1 << size) - 1 << low for low in range(lowest_rank, ACE - size + 2))


@lru_cache(maxsize=1 << 10)
def _windows_through(rank: int, size: int, lowest_rank: int) -> tuple[int, ...]:
    """Give those of them that hold a rank."""
    places = _with_low_ace(1 << rank, lowest_rank)
    return tuple(window for window in _windows(size, lowest_rank) if window & places)


@lru_cache(maxsize=1 << 16)
def _units(held: int) -> int:
    """Give what one card of each rank of a mask adds to the packed counts of the ranks."""
    ranks = (rank for rank in range(ACE + 1) if held >> rank & 1)
    return sum(1 << _FIELD * ((rank if rank >= LOWEST_RANK else ACE) - LOWEST_RANK) for rank in ranks)


def _most_jokers(size: int, rules: RuleSet) -> int:
    """Give how many jokers a meld of a size may hold (R8.3, `jokers_per_meld`)."""
    limit = rules.jokers_per_meld
    if limit == "at_most_naturals":
        return size // 2
    return size - 1 if limit == "any" else min(limit, size - 1)
