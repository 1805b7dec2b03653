"""An independent reading of melds under every rule set: slow and plain, by trying what every card could be.

Nothing here calls the engine's reading or its solver. A joker is whatever stands for another card, a wild two included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import MeldKind
from shanghai_engine.rules import RuleSet

SUITS = range(4)
TWOS = tuple(CARDS[13 * suit] for suit in SUITS)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a meld means: its rank, or that of its low end (1 for a low ace), its suit, and which places are jokers."""

    rank: int
    suit: int
    jokers: tuple[int, ...]


def is_wild(card: Card, rules: RuleSet) -> bool:
    """Say whether a card can stand for another."""
    return card == JOKER or (card in TWOS and rules.wild == "jokers_and_twos")


def may_hold(jokers: int, size: int, rules: RuleSet) -> bool:
    """R8.3 and `jokers_per_meld`: whether a meld of a size may hold so many jokers."""
    naturals = size - jokers
    limit = rules.jokers_per_meld
    if limit == "at_most_naturals":
        return jokers <= naturals
    return naturals >= 1 and (limit == "any" or jokers <= limit)


def of_rank(rank: int) -> tuple[Card, ...]:
    """Give the four cards of a rank."""
    return tuple(CARDS[13 * suit + rank - 2] for suit in SUITS)


def ladder(suit: int, rules: RuleSet) -> tuple[Card, ...]:
    """Give the cards of a suit in the order of a run: from the low ace, where it may lie low, or from the two."""
    cards = CARDS[13 * suit : 13 * suit + 13]
    return (cards[-1], *cards) if rules.aces == "high_or_low" else cards


def stretches(suit: int, rules: RuleSet) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Give what a run of a suit can mean, with the rank of its low end; none holds an ace twice."""
    steps = ladder(suit, rules)
    lowest = 15 - len(steps)
    for start in range(len(steps)):
        for end in range(start + 4, min(start + 13, len(steps)) + 1):
            yield lowest + start, steps[start:end]


def readings(kind: MeldKind, cards: Sequence[Card], rules: RuleSet) -> list[Reading]:
    """Give every way in which cards in order are a meld of a kind."""
    found = set_readings(cards, rules) if kind is MeldKind.SET else run_readings(cards, rules)
    return [reading for reading in found if may_hold(len(reading.jokers), len(cards), rules)]


def set_readings(cards: Sequence[Card], rules: RuleSet) -> Iterator[Reading]:
    """R8.1: three or more of one rank, which a wild two never is."""
    if len(cards) < 3:
        return
    for rank in range(2, 15):
        same = [card in of_rank(rank) and not is_wild(card, rules) for card in cards]
        if any(same) and all(fits or is_wild(card, rules) for fits, card in zip(same, cards, strict=True)):
            yield Reading(rank, -1, tuple(place for place, fits in enumerate(same) if not fits))


def run_readings(cards: Sequence[Card], rules: RuleSet) -> Iterator[Reading]:
    """R8.2, R1.3 and `aces`: each card in its place of a stretch of one suit, or a joker there."""
    for suit in SUITS:
        for low, meant in stretches(suit, rules):
            if len(meant) != len(cards):
                continue
            same = [card == place for card, place in zip(cards, meant, strict=True)]
            if any(same) and all(fits or is_wild(card, rules) for fits, card in zip(same, cards, strict=True)):
                yield Reading(low, suit, tuple(place for place, fits in enumerate(same) if not fits))


def meaning(low: int, suit: int, size: int, rules: RuleSet) -> tuple[Card, ...] | None:
    """Give the cards that a run of a suit means from the rank of its low end on; none where there is no such run."""
    return next((m for start, m in stretches(suit, rules) if start == low and len(m) == size), None)


def could_lay_down(hand: Sequence[Card], contract: Contract, rules: RuleSet) -> bool:
    """Say whether a hand can lay a contract down, by taking every possible meld away in turn."""

    @cache
    def fill(held: tuple[Card, ...], sets: tuple[int, ...], runs: tuple[int, ...], used: frozenset[int]) -> bool:
        if len(held) < sum(sets) + sum(runs):
            return False
        if runs:
            return any(
                fill(rest, sets, runs[1:], used | {suit} if rules.distinct_run_suits else used)
                for suit, rest in _after_runs(held, runs[0], rules)
                if suit not in used
            )
        if sets:
            # Suits are told apart from ranks by being below 4; no set is of a rank so low without being one of twos.
            return any(
                fill(rest, sets[1:], (), used | {100 + rank} if rules.distinct_set_ranks else used)
                for rank, rest in _after_sets(held, sets[0], rules)
                if 100 + rank not in used
            )
        return True

    return fill(tuple(sorted(hand)), contract.sets, contract.runs, frozenset())


def _without(held: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    rest = list(held)
    for card in cards:
        rest.remove(card)
    return tuple(rest)


def _after_runs(held: tuple[Card, ...], least: int, rules: RuleSet) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Give what is left after each run of a size or longer, with its suit."""
    seen: set[tuple[int, tuple[Card, ...]]] = set()
    counts = Counter(held)
    wild = sum(is_wild(card, rules) for card in held)
    for suit in SUITS:
        for _, meant in stretches(suit, rules):
            size = len(meant)
            here = [card for card in meant if counts[card]]
            if size < least or size - len(here) > wild:
                continue
            # A joker may also stand for a card that is held, to spare that card for another meld.
            for jokers in range(size - len(here), min(wild, size - 1) + 1):
                if not may_hold(jokers, size, rules):
                    break
                for naturals in combinations(here, size - jokers):
                    rest = _without(held, naturals)
                    for chosen in set(combinations([card for card in rest if is_wild(card, rules)], jokers)):
                        left = (suit, _without(rest, chosen))
                        if left not in seen:
                            seen.add(left)
                            yield left


def _after_sets(held: tuple[Card, ...], least: int, rules: RuleSet) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Give what is left after each set of just a size: a longer one only leaves less to the other melds."""
    wild = [card for card in held if is_wild(card, rules)]
    for rank in range(2, 15):
        here = [card for card in held if card in of_rank(rank) and not is_wild(card, rules)]
        for jokers in range(min(len(wild), least - 1) + 1):
            if len(here) >= least - jokers and may_hold(jokers, least, rules):
                # No run is left to be made, so which of the rank and which jokers go makes no difference.
                yield rank, _without(held, [*here[: least - jokers], *wild[:jokers]])
