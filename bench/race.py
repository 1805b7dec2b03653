"""Actions per second of several players of random games, by turns in one run: so all meet the same neighbours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

ROUNDS = 5
SECONDS_PER_ROUND = 1.0


@dataclass(frozen=True, slots=True)
class Pace:
    """So many actions in so many seconds."""

    actions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Actions per second."""
        return self.actions / self.seconds


Runner = Callable[[float], Mapping[str, Pace]]
"""Play for so many seconds, and give the pace of each kind of action, the first being the one that counts."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Another engine: its name, the module that it is imported from, and how it plays."""

    name: str
    module: str
    run: Runner

    @property
    def installed(self) -> bool:
        """Whether it can be imported here."""
        return find_spec(self.module) is not None


def race(runners: Mapping[str, Runner]) -> dict[str, dict[str, Pace]]:
    """Let each play for about a second by turns, five rounds; give by name and kind the best pace of all rounds."""
    best: dict[str, dict[str, Pace]] = {name: {} for name in runners}
    for _ in range(ROUNDS):
        for name, run in runners.items():
            for kind, pace in run(SECONDS_PER_ROUND).items():
                before = best[name].get(kind)
                if before is None or pace.rate > before.rate:
                    best[name][kind] = pace
    return best
