"""The solver over many hands of 12 to 23 cards with 0 to 6 jokers and all ten contracts, half dealt and half awkward.

`python -m bench.solver` prints how the times are distributed; the runner takes the distance of one dealt hand.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.ratio import Ratio, measure_ratio
from shanghai_engine.card import CARDS, JOKER, Card, card_of, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import best_lay_down, can_lay_down, distance, outs

SIZES = range(12, 24)
JOKERS = range(7)
PACKS = 3
TIMES_EACH = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A hand and the contract that it is to fulfil."""

    hand: tuple[Card, ...]
    contract: Contract


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
        found.append(Case(tuple(hand), rng.choice(STANDARD_CONTRACTS)))
    return found


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

QUESTIONS: dict[str, Callable[[Case], object]] = {
    "can_lay_down": lambda case: can_lay_down(case.hand, case.contract, STANDARD),
    "distance": lambda case: distance(case.hand, case.contract, STANDARD),
    "best_lay_down": lambda case: best_lay_down(case.hand, case.contract, STANDARD),
    "outs": lambda case: outs(case.hand, case.contract, STANDARD),
}


def best_seconds(ask: Callable[[Case], object], case: Case) -> float:
    """Give the seconds of one question about one hand, the best of three."""
    seconds = []
    for _ in range(TIMES_EACH):
        start = time.perf_counter()
        ask(case)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def row(name: str, seconds: Sequence[float]) -> str:
    """Give one line of the table, in microseconds."""
    ordered = sorted(seconds)
    figures = [ordered[int(len(ordered) * share)] for share in (0.5, 0.9, 0.99, 0.999)] + [ordered[-1]]
    return f"{name:<34}" + "".join(f"{figure * 1e6:>10.0f}" for figure in figures)


def measure() -> Ratio:
    """Give the distance of a hand of twelve to the contract of hand 6, against counting its cards by dict."""
    hand = parse_cards("3C 3D 5H 7H 8H JH QS QD 2C KS AD JK")
    return measure_ratio(
        work="the distance of a hand of 12 to 2 sets of 3 and 1 run of 5",
        run=lambda: distance(hand, STANDARD_CONTRACTS[5], STANDARD),
        bare="sorting it",
        run_bare=lambda: sorted(hand),
    )


def main() -> None:
    """Print the distribution of every question's times."""
    parser = argparse.ArgumentParser(prog="python -m bench.solver", description="Measure the solver over many hands.")
    parser.add_argument("--hands", type=int, default=2000, help="how many hands (2000)")
    parser.add_argument("--seed", type=int, default=1, help="which hands (1)")
    parser.add_argument("--worst", type=int, default=0, help="also print so many of the slowest hands of each question")
    parser.add_argument("questions", nargs="*", help=f"some of {', '.join(QUESTIONS)}; all but outs when none is given")
    arguments = parser.parse_args()
    given = cases(arguments.hands, arguments.seed)
    print(
        f"{'microseconds, best of three':<34}" + "".join(f"{c:>10}" for c in ("median", "p90", "p99", "p99.9", "max"))
    )
    for name in arguments.questions or list(QUESTIONS)[:-1]:
        timed = [(best_seconds(QUESTIONS[name], case), case) for case in given]
        print(row(name, [seconds for seconds, _ in timed]))
        for contract in STANDARD_CONTRACTS:
            some = [seconds for seconds, case in timed if case.contract == contract]
            if some:
                print(row(f"  {contract}", some))
        timed.sort(key=lambda entry: -entry[0])
        for seconds, case in timed[: arguments.worst]:
            print(f"    {seconds * 1e6:.0f}: {' '.join(map(str, sorted(case.hand)))}  {case.contract}")


if __name__ == "__main__":
    main()
