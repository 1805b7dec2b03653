"""The hands and tables that the benches of the solver ask about: half dealt and half awkward, a third of them crowded.

Hands have 12 to 23 cards with 0 to 6 jokers and ask for all ten contracts; there are up to twelve melds on the table.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shanghai_engine.card import CARDS, JOKER, Card, card_of
from shanghai_engine.contract import LONGEST_RUN, STANDARD_CONTRACTS, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import STANDARD

SIZES = range(12, 24)
JOKERS = range(7)
MOST_MELDS = 12
PACKS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A hand, the contract to fulfil, melds on the table that are lawful under both rules, and whether it is down."""

    hand: tuple[Card, ...]
    contract: Contract
    melds: tuple[Meld, ...]
    down: bool


def cases(number: int, seed: int) -> list[Case]:
    """Give so many hands, the same for the same seed; jokers, sizes and contracts are spread evenly."""
    rng = random.Random(seed)
    found = []
    for index in range(number):
        size, jokers = rng.choice(SIZES), rng.choice(JOKERS)
        pool = list(dealt() if index % 2 else rng.choice(AWKWARD)(rng))
        naturals = rng.sample(pool, min(size - jokers, len(pool)))
        hand = [*naturals, *[JOKER] * jokers]
        rng.shuffle(hand)
        contract = rng.choice(STANDARD_CONTRACTS)
        melds = crowd(rng) if index % 3 == 0 else [meld(rng, number) for number in range(rng.randint(0, MOST_MELDS))]
        found.append(Case(tuple(hand), contract, tuple(melds), down=rng.random() < 1 / 2))
    return found


def crowd(rng: random.Random) -> list[Meld]:
    """Give a table of four to eight short runs of one suit, and a few more melds: the runs all want the same cards."""
    suit = rng.randrange(4)
    melds = [run(rng, number, suit=suit, sizes=(4, 4, 5, 5, 6)) for number in range(rng.randint(4, 8))]
    return melds + [meld(rng, number) for number in range(len(melds), len(melds) + rng.randint(0, 4))]


def meld(rng: random.Random, meld_id: int) -> Meld:
    """Give a set or run on the table, of 3 to 9 cards, about a fifth of them jokers, without twos."""
    if rng.random() < 1 / 2:
        return run(rng, meld_id, suit=rng.randrange(4), sizes=(4, 4, 5, 5, 6, 7, 9))
    rank = rng.randint(3, 14)
    return with_jokers(rng, meld_id, MeldKind.SET, [card_of(rank, rng.randrange(4)) for _ in range(rng.randint(3, 5))])


def run(rng: random.Random, meld_id: int, *, suit: int, sizes: Sequence[int]) -> Meld:
    """Give a run of a suit on the table, of one of some sizes."""
    size = rng.choice(sizes)
    low = rng.randint(3, LONGEST_RUN + 2 - size)
    return with_jokers(rng, meld_id, MeldKind.RUN, [card_of(rank, suit) for rank in range(low, low + size)])


def with_jokers(rng: random.Random, meld_id: int, kind: MeldKind, naturals: Sequence[Card]) -> Meld:
    """Give a meld of these cards, each of them a joker instead one time in five, as far as R8.3 allows."""
    while True:
        cards = tuple(JOKER if rng.random() < 1 / 5 else card for card in naturals)
        read = read_meld(MeldDraft(kind, cards), meld_id=meld_id, owner=1, rules=STANDARD)
        if isinstance(read, Meld):
            return read


def dealt() -> Iterable[Card]:
    """Give all naturals of three packs."""
    return CARDS[:-1] * PACKS


def neighbours(rng: random.Random) -> Iterable[Card]:
    """Give three packs of few ranks that lie together, so that all runs overlap, and the sets with them."""
    low = rng.randint(2, 9)
    return [card_of(rank, suit) for rank in range(low, low + 6) for suit in range(4)] * PACKS


def long_suit(rng: random.Random) -> Iterable[Card]:
    """Give two or three times one suit and a little of another."""
    suit = rng.randrange(4)
    return [card_of(rank, suit) for rank in range(2, 15)] * 2 + [card_of(rank, 3 - suit) for rank in range(2, 15, 2)]


def comb(rng: random.Random) -> Iterable[Card]:
    """Give every other rank of all suits, so that every run needs its jokers."""
    return [card_of(rank, suit) for rank in range(rng.choice((2, 3)), 15, 2) for suit in range(4)] * 2


def pairs(rng: random.Random) -> Iterable[Card]:
    """Give two suits of everything, so that every rank is a pair."""
    first, second = rng.sample(range(4), 2)
    return [card_of(rank, suit) for rank in range(2, 15) for suit in (first, second)]


AWKWARD: tuple[Callable[[random.Random], Iterable[Card]], ...] = (neighbours, long_suit, comb, pairs)


def case_text(case: Case) -> str:
    """Give a case in one line: the hand, what is asked, and the table."""
    hand = " ".join(map(str, sorted(case.hand)))
    return f"{hand}  {'down' if case.down else case.contract}  {' / '.join(map(str, case.melds))}"
