"""The times of the solver over many hands, against their limits.

`python -m bench.solver` and the runner print how the times of 20,000 hands are distributed, the best of three for each,
under the standard rules, under house rules with twos wild and aces high or low, and with melds beyond the contract's,
and say which limits are not kept; the times are those of the process alone.
"""

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from bench.ratio import Ratio, measure_ratio
from bench.solver_cases import Case, case_text, cases
from shanghai_engine.card import CARDS, JOKER, parse_cards
from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.rules import CLASSIC, STANDARD, RuleSet
from shanghai_engine.solver import best_lay_down, best_turn, can_lay_down, distance, outs

HANDS = 20_000
SEED = 1
TIMES_EACH = 3


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
RULES = {"standard": STANDARD, "classic": CLASSIC, "extra melds": replace(STANDARD, extra_melds=True)}
TURNS_ONLY = {"extra melds"}
"""Rules that make no difference to any question but that of the turn."""


def asked_under(rules: str) -> list[str]:
    """Name the questions to ask under some rules."""
    return [name for name in QUESTIONS if rules not in TURNS_ONLY or name == "best_turn"]


def best_seconds(ask: Callable[[Case, RuleSet], object], case: Case, rules: RuleSet) -> float:
    """Give the seconds of one question about one hand, the best of three."""
    seconds = []
    for _ in range(TIMES_EACH):
        start = time.process_time()
        ask(case, rules)
        seconds.append(time.process_time() - start)
    return min(seconds)


def row(name: str, seconds: Sequence[float], question: Question | None = None) -> str:
    """Give one line of the table, in microseconds, and whether they are within the question's limits."""
    ordered = sorted(seconds)
    figures = [1e6 * ordered[int(len(ordered) * share)] for share in (0.5, 0.9, 0.99, 0.999)] + [1e6 * ordered[-1]]
    line = f"{name:<28}" + "".join(f"{figure:>9.0f}" for figure in figures)
    if question is None:
        return line
    limits = (("median", 0, question.median), ("p99", 2, question.p99), ("max", 4, question.most))
    limited = [(name, figures[place], most) for name, place, most in limits if most < ANY]
    text = ", ".join(f"{name} {most:.0f}" for name, _, most in limited)
    beyond = [name for name, figure, most in limited if figure > most]
    return f"{line}   {text}: {'NOT MET in ' + ', '.join(beyond) if beyond else 'met'}"


HEADER = f"{'microseconds, best of three':<28}" + "".join(
    f"{name:>9}" for name in ("median", "p90", "p99", "p99.9", "max")
)


def asked(given: Sequence[Case], rules: str, name: str) -> list[tuple[float, Case]]:
    """Give the seconds of one question about all cases, the slowest first."""
    question = QUESTIONS[name]
    timed = [(best_seconds(question.ask, case, RULES[rules]), case) for case in given]
    return sorted(timed, key=lambda entry: -entry[0])


def kept_cases(number: int, seed: int) -> list[Case]:
    """Give so many cases, which the collector of garbage no longer looks through in the middle of an answer."""
    given = cases(number, seed)
    gc.collect()
    gc.freeze()
    return given


def measure() -> Iterator[Ratio | str]:
    """Give the distance of one hand against sorting it, and a line for each question."""
    yield one_distance()
    given = kept_cases(HANDS, SEED)
    yield f"{HEADER}   limits, over {HANDS} hands"
    for rules in RULES:
        for name in asked_under(rules):
            yield row(f"{name}, {rules}", [seconds for seconds, _ in asked(given, rules, name)], QUESTIONS[name])
    yield largest_hand()


LARGEST = tuple(card for card in CARDS for _ in range(12 if card == JOKER else 6))
"""All cards of six packs: the largest hand that there can be."""
LARGEST_MOST = 100_000
"""Microseconds within which a server should know what to offer to such a hand: its event loop waits for it."""


def largest_hand() -> str:
    """Give the line of the best lay-down of the largest hand, under the rules and the contract that take longest."""
    rules = RuleSet(aces="high_or_low", wild="jokers_and_twos", jokers_per_meld="any")
    question = Question(
        lambda case, rules: best_lay_down(case.hand, case.contract, rules), LARGEST_MOST, LARGEST_MOST, LARGEST_MOST
    )
    case = Case(hand=LARGEST, contract=Contract(runs=(4, 4, 4, 4, 4)), melds=(), down=False)
    return row("best_lay_down of 324 cards", [best_seconds(question.ask, case, rules)], question)


def one_distance() -> Ratio:
    """Give the distance of a hand of twelve to the contract of hand 6, against sorting its cards."""
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
    parser.add_argument("--hands", type=int, default=HANDS, help=f"how many hands ({HANDS})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"which hands ({SEED})")
    parser.add_argument("--worst", type=int, default=0, help="also print so many of the slowest hands of each question")
    parser.add_argument("--rules", choices=[*RULES], action="append", help="under which rules (all)")
    parser.add_argument("--contracts", action="store_true", help="also print the times by contract")
    parser.add_argument("questions", nargs="*", help=f"some of {', '.join(QUESTIONS)}; all when none is given")
    arguments = parser.parse_args()
    given = kept_cases(arguments.hands, arguments.seed)
    print(HEADER)
    for rules in arguments.rules or RULES:
        for name in arguments.questions or asked_under(rules):
            timed = asked(given, rules, name)
            print(row(f"{name}, {rules}", [seconds for seconds, _ in timed], QUESTIONS[name]), flush=True)
            for contract in STANDARD_CONTRACTS if arguments.contracts else ():
                some = [seconds for seconds, case in timed if case.contract == contract]
                if some:
                    print(row(f"  {contract}", some))
            for seconds, case in timed[: arguments.worst]:
                print(f"    {seconds * 1e6:.0f}: {case_text(case)}")


if __name__ == "__main__":
    main()
