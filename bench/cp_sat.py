"""The solver against a CP-SAT model of the same questions, over the pooled hands of `bench.solver`.

`python -m bench.cp_sat --hands N` asks about so many hands; the runner asks of 2000 whether they can be laid down, and
what is best laid down. Both sides are timed from the hand to the answer, the model with its making.
"""

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from bench.solver import TIMES_EACH
from bench.solver_cases import Case, cases
from bench.target import Target
from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, RANK, Card, card_of
from shanghai_engine.contract import LONGEST_RUN
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver import best_lay_down, can_lay_down

HANDS = 2000
TIMES_SOONER = 100
SEED = 2
CARD = 1
POINT = 1 << 10
"""The worth of a card and of a point on the table: fewest points left, and of those fewest cards."""


def model_worth(case: Case, *, best: bool) -> int | None:
    """Give the worth of a lay-down by CP-SAT, of the best one where that is asked; none where there is none."""
    from ortools.sat.python import cp_model  # noqa: PLC0415 it need not be installed

    model = cp_model.CpModel()
    held = Counter(case.hand)
    used: dict[Card, list[cp_model.IntVar]] = {card: [] for card in held}

    def use(card: Card, most: int) -> cp_model.IntVar:
        used[card].append(model.new_int_var(0, min(most, held[card]), ""))
        return used[card][-1]

    for size in case.contract.sets:
        jokers = use(JOKER, held[JOKER]) if held[JOKER] else 0
        chosen = {rank: model.new_bool_var("") for rank in range(LOWEST_RANK, ACE + 1)}
        model.add_exactly_one(chosen.values())
        naturals = {card: use(card, held[card]) for card in held if card != JOKER}
        for card, number in naturals.items():
            model.add(number <= held[card] * chosen[RANK[card]])
        model.add(sum(naturals.values()) >= jokers)
        model.add(sum(naturals.values()) + jokers >= size)
    for size in case.contract.runs:
        windows = [
            (suit, low, length)
            for suit in range(4)
            for length in range(size, LONGEST_RUN + 1)
            for low in range(LOWEST_RANK, ACE - length + 2)
        ]
        chosen_window = {window: model.new_bool_var("") for window in windows}
        model.add_exactly_one(chosen_window.values())
        jokers = use(JOKER, held[JOKER]) if held[JOKER] else 0
        naturals = {card: use(card, 1) for card in held if card != JOKER}
        for card, number in naturals.items():
            within = [
                chosen
                for (suit, low, length), chosen in chosen_window.items()
                if any(card == card_of(rank, suit) for rank in range(low, low + length))
            ]
            model.add(number <= sum(within))
        length_of = sum(length * chosen for (_, _, length), chosen in chosen_window.items())
        model.add(sum(naturals.values()) + jokers == length_of)
        model.add(sum(naturals.values()) >= jokers)
    for card, numbers in used.items():
        model.add(sum(numbers) <= held[card])
    worth = sum((STANDARD.card_points[card] * POINT + CARD) * sum(numbers) for card, numbers in used.items())
    if best:
        model.maximize(worth)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status in {cp_model.OPTIMAL, cp_model.FEASIBLE}
    return round(solver.objective_value) if best else 0


def our_worth(case: Case, *, best: bool) -> int | None:
    """Give the same by the solver of the engine."""
    if not best:
        return 0 if can_lay_down(case.hand, case.contract, STANDARD) else None
    drafts = best_lay_down(case.hand, case.contract, STANDARD)
    if drafts is None:
        return None
    return sum(STANDARD.card_points[card] * POINT + CARD for draft in drafts for card in draft.cards)


def timed(ask: Callable[[], int | None]) -> tuple[int | None, float]:
    """Give an answer and its seconds of the processor, the best of three: other programs run beside this one."""
    seconds = []
    answer = None
    for _ in range(TIMES_EACH):
        start = time.process_time()
        answer = ask()
        seconds.append(time.process_time() - start)
    return answer, min(seconds)


def comparison(hands: int, *, best: bool) -> Iterator[Target | str]:
    """Ask both about so many hands; give the median of the ratios, and the target.

    Raises `AssertionError` where they disagree.
    """
    ratios, ours, models = [], [], []
    able = 0
    for case in cases(hands, SEED):
        theirs, model_seconds = timed(lambda: model_worth(case, best=best))  # noqa: B023 called at once
        mine, our_seconds = timed(lambda: our_worth(case, best=best))  # noqa: B023 called at once
        assert mine == theirs, f"{case}: {mine} by the engine and {theirs} by the model"
        able += mine is not None
        models.append(model_seconds)
        ours.append(our_seconds)
        ratios.append(model_seconds / our_seconds)
    question = "best_lay_down" if best else "can_lay_down"
    mine_us, theirs_us = statistics.median(ours) * 1e6, statistics.median(models) * 1e6
    ratio = statistics.median(ratios)
    yield (
        f"{ratio:.0f} times sooner than a CP-SAT model in the median: {question} of {hands} hands,"
        f" {able} of which can; {mine_us:.0f} µs against {theirs_us:.0f} µs;"
        " every answer agrees"
    )
    yield Target(
        f"{question}, times sooner than CP-SAT in the median of {hands} hands,", ratio, TIMES_SOONER, floor=True
    )


def measure() -> Iterator[Target | str]:
    """Give a line for each question and its target, or one that says that ortools is not installed."""
    if find_spec("ortools") is None:
        yield "ortools: not installed, so there is nothing to compare with (`make bench` installs it)"
        return
    yield from comparison(HANDS, best=False)
    yield from comparison(HANDS, best=True)


def main() -> None:
    """Compare over as many hands as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.cp_sat", description="The solver against CP-SAT.")
    parser.add_argument("--hands", type=int, default=HANDS, help=f"how many hands ({HANDS})")
    parser.add_argument("--best", action="store_true", help="ask for the best lay-down")
    arguments = parser.parse_args()
    for line in comparison(arguments.hands, best=arguments.best):
        print(line)


if __name__ == "__main__":
    main()
