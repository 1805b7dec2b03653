"""The ratio of one piece of work to a bare one, both timed by turns in the same run on the same machine."""

import timeit
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 15
SECONDS_PER_ROUND = 0.05


@dataclass(frozen=True, slots=True)
class Ratio:
    """What was measured: seconds per call of the work and of the bare thing it is held against, best of all rounds."""

    work: str
    bare: str
    work_seconds: float
    bare_seconds: float

    def __str__(self) -> str:
        """Give the ratio first: the seconds belong to this machine, the ratio to the code."""
        return (
            f"{self.work_seconds / self.bare_seconds:.1f} times {self.bare}: {self.work}, "
            f"{self.work_seconds * 1e6:.2f} µs against {self.bare_seconds * 1e6:.2f} µs"
        )


def measure_ratio(*, work: str, run: Callable[[], object], bare: str, run_bare: Callable[[], object]) -> Ratio:
    """Time `run` against `run_bare`, by turns so that both meet the same neighbours, and take the best round of each.

    `work` and `bare` name the two in words. Each round lasts about 50 ms.
    """
    timers = timeit.Timer(run), timeit.Timer(run_bare)
    calls = [max(1, round(SECONDS_PER_ROUND * count / seconds)) for count, seconds in (t.autorange() for t in timers)]
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for side, timer in enumerate(timers):
            best[side] = min(best[side], timer.timeit(calls[side]) / calls[side])
    return Ratio(work=work, bare=bare, work_seconds=best[0], bare_seconds=best[1])
