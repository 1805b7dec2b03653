"""The solver over many hands of 12 to 23 cards with 0 to 6 jokers and all ten contracts, half dealt and half awkward.

Turns are asked about with up to twelve melds on the table, half of them for seats that are down.
`python -m bench.solver` prints how the times are distributed, under the standard rules and under house rules with twos
wild and aces high or low, and says where they are beyond their targets; the times are those of the process alone. The
runner takes the distance of one dealt hand.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bench.ratio import Ratio, measure_ratio
from shanghai_engine.card import CARDS, JOKER, Card, card_of, parse_cards
from shanghai_engine.contract import LONGEST_RUN, STANDARD_CONTRACTS, Contract
from shanghai_engine.meld import Meld, MeldDraft, MeldKind, read_meld
from shanghai_engine.rules import CLASSIC, STANDARD, RuleSet
from shanghai_engine.solver import best_lay_down, best_turn, can_lay_down, distance, outs

SIZES = range(12, 24)
JOKERS = range(7)
MOST_MELDS = 12
PACKS = 3
TIMES_EACH = 3


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
        melds = tuple(meld(rng, number) for number in range(rng.randint(0, MOST_MELDS)))
        found.append(Case(tuple(hand), contract, melds, down=rng.random() < 1 / 2))
    return found


def meld(rng: random.Random, meld_id: int) -> Meld:
    """Give a set or run on the table, of 3 to 9 cards, about a fifth of them jokers, without twos."""
    while True:
        if rng.random() < 1 / 2:
            kind, rank = MeldKind.SET, rng.randint(3, 14)
            cards = [card_of(rank, rng.randrange(4)) for _ in range(rng.randint(3, 5))]
        else:
            kind, size, suit = MeldKind.RUN, rng.choice((4, 4, 5, 5, 6, 7, 9)), rng.randrange(4)
            low = rng.randint(3, LONGEST_RUN + 2 - size)
            cards = [card_of(rank, suit) for rank in range(low, low + size)]
        cards = [JOKER if rng.random() < 1 / 5 else card for card in cards]
        read = read_meld(MeldDraft(kind, tuple(cards)), meld_id=meld_id, owner=1, rules=STANDARD)
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


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what its times should be below, in microseconds: the median, the 99th percentile, and all."""

    ask: Callable[[Case, RuleSet], object]
    median: float
    p99: float
    most: float


ANY = float("inf")
QUESTIONS: dict[str, Question] = {
    "can_lay_down": Question(lambda case, rules: can_lay_down(case.hand, case.contract, rules), 30, 300, 5_000),
    "distance": Question(lambda case, rules: distance(case.hand, case.contract, rules), ANY, ANY, 20_000),
    "best_lay_down": Question(lambda case, rules: best_lay_down(case.hand, case.contract, rules), 150, 2_000, 20_000),
    "best_turn": Question(
        lambda case, rules: best_turn(case.hand, None if case.down else case.contract, case.melds, rules),
        ANY,
        ANY,
        100_000,
    ),
    "outs": Question(lambda case, rules: outs(case.hand, case.contract, rules), ANY, ANY, 20_000),
}
RULES = {"standard": STANDARD, "classic": CLASSIC}


def best_seconds(ask: Callable[[Case, RuleSet], object], case: Case, rules: RuleSet) -> float:
    """Give the seconds of one question about one hand, the best of three."""
    seconds = []
    for _ in range(TIMES_EACH):
        start = time.process_time()
        ask(case, rules)
        seconds.append(time.process_time() - start)
    return min(seconds)


def row(name: str, seconds: Sequence[float], question: Question | None = None) -> str:
    """Give one line of the table, in microseconds, and what is beyond the targets."""
    ordered = sorted(seconds)
    figures = [1e6 * ordered[int(len(ordered) * share)] for share in (0.5, 0.9, 0.99, 0.999)] + [1e6 * ordered[-1]]
    line = f"{name:<34}" + "".join(f"{figure:>10.0f}" for figure in figures)
    if question is None:
        return line
    targets = (("median", 0, question.median), ("p99", 2, question.p99), ("max", 4, question.most))
    return line + "".join(f"  {name} over {most:.0f}" for name, place, most in targets if figures[place] > most)


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
    parser.add_argument("--rules", choices=[*RULES], action="append", help="under which rules (all)")
    parser.add_argument("--contracts", action="store_true", help="also print the times by contract")
    parser.add_argument("questions", nargs="*", help=f"some of {', '.join(QUESTIONS)}; all when none is given")
    arguments = parser.parse_args()
    given = cases(arguments.hands, arguments.seed)
    print(
        f"{'microseconds, best of three':<34}" + "".join(f"{c:>10}" for c in ("median", "p90", "p99", "p99.9", "max"))
    )
    for rules in arguments.rules or RULES:
        for name in arguments.questions or QUESTIONS:
            question = QUESTIONS[name]
            timed = [(best_seconds(question.ask, case, RULES[rules]), case) for case in given]
            print(row(f"{name}, {rules}", [seconds for seconds, _ in timed], question), flush=True)
            for contract in STANDARD_CONTRACTS if arguments.contracts else ():
                some = [seconds for seconds, case in timed if case.contract == contract]
                if some:
                    print(row(f"  {contract}", some))
            timed.sort(key=lambda entry: -entry[0])
            for seconds, case in timed[: arguments.worst]:
                print(f"    {seconds * 1e6:.0f}: {case_text(case)}")


def case_text(case: Case) -> str:
    """Give a case in one line: the hand, what is asked, and the table."""
    hand = " ".join(map(str, sorted(case.hand)))
    return f"{hand}  {'down' if case.down else case.contract}  {' / '.join(map(str, case.melds))}"


if __name__ == "__main__":
    main()
