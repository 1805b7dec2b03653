"""The contract of a hand: which melds must be laid down together (R6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shanghai_engine.malformed import Malformed

SHORTEST_SET = 3
"""R8.1."""
SHORTEST_RUN = 4
"""R8.2."""
LONGEST_RUN = 13
"""From 2 to A (R1.3)."""


@dataclass(frozen=True, slots=True)
class Contract:
    """The least sizes of the sets and of the runs that a lay-down must hold, each from the largest down."""

    sets: tuple[int, ...] = ()
    runs: tuple[int, ...] = ()
    size: int = field(init=False, repr=False, compare=False)
    """The least number of cards that fulfil the contract."""
    hashed: int = field(init=False, repr=False, compare=False)
    """The hash, which is asked for in every search."""

    def __post_init__(self) -> None:
        """Order the sizes; raises `Malformed` for one that is no number, too small or too large, and for none."""
        object.__setattr__(self, "sets", tuple(sorted(_sizes(self.sets), reverse=True)))
        object.__setattr__(self, "runs", tuple(sorted(_sizes(self.runs), reverse=True)))
        object.__setattr__(self, "size", sum(self.sets) + sum(self.runs))
        object.__setattr__(self, "hashed", hash((self.sets, self.runs)))
        if not self.sets and not self.runs:
            raise Malformed(self, "a contract asks for at least one set or run (R6)")
        if any(size < SHORTEST_SET for size in self.sets):
            raise Malformed(self, f"a set has {SHORTEST_SET} cards or more (R8.1)")
        if any(not SHORTEST_RUN <= size <= LONGEST_RUN for size in self.runs):
            raise Malformed(self, f"a run has {SHORTEST_RUN} to {LONGEST_RUN} cards (R8.2)")

    def __hash__(self) -> int:
        return self.hashed

    @classmethod
    def from_mapping(cls, value: object) -> Contract:
        """Read `{"sets": [3, …], "runs": [4, …]}` as it stands in records; raises `Malformed`."""
        if not isinstance(value, Mapping) or not set(value) <= {"sets", "runs"}:
            raise Malformed(value, 'a contract is a table of "sets" and "runs", each a list of sizes')
        return cls(sets=_sizes(value.get("sets", ())), runs=_sizes(value.get("runs", ())))

    def to_mapping(self) -> dict[str, list[int]]:
        """Give the form that stands in records."""
        return {"sets": list(self.sets), "runs": list(self.runs)}

    def __reduce__(self) -> tuple[type[Contract], tuple[tuple[int, ...], tuple[int, ...]]]:
        """Pickle no more than the sizes."""
        return Contract, (self.sets, self.runs)

    def __str__(self) -> str:
        """Give the contract in words, as in `2 sets of 3, 1 run of 4`."""
        parts = [_count(self.sets, size, "set") for size in dict.fromkeys(self.sets)]
        parts += [_count(self.runs, size, "run") for size in dict.fromkeys(self.runs)]
        return ", ".join(parts)


def _count(sizes: tuple[int, ...], size: int, noun: str) -> str:
    number = sizes.count(size)
    return f"{number} {noun}{'s' if number > 1 else ''} of {size}"


def _sizes(value: object) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Malformed(value, "the sizes of a contract's melds are a list of whole numbers")
    if any(type(size) is not int for size in value):
        raise Malformed(value, "the size of a meld is a whole number")
    return tuple(value)


ONE_MELD = (Contract(sets=(SHORTEST_SET,)), Contract(runs=(SHORTEST_RUN,)))
"""What one further meld fulfils (R16 `extra_melds`): any set, or any run."""

STANDARD_CONTRACTS: tuple[Contract, ...] = (
    Contract(sets=(3, 3)),
    Contract(sets=(3,), runs=(4,)),
    Contract(runs=(4, 4)),
    Contract(sets=(3, 3, 3)),
    Contract(sets=(3,), runs=(7,)),
    Contract(sets=(3, 3), runs=(5,)),
    Contract(runs=(4, 4, 4)),
    Contract(sets=(3,), runs=(10,)),
    Contract(sets=(3, 3, 3), runs=(5,)),
    Contract(runs=(5, 5, 5)),
)
"""The ten contracts of R6."""
