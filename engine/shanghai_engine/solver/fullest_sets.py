"""The sets that miss the fewest cards, by how many cards there are of each rank, whatever suits they are of."""

from __future__ import annotations

from collections.abc import Sequence


def missing_of_sets(ranks: Sequence[int], sizes: tuple[int, ...]) -> int:
    """Give the fewest cards that sets of these sizes, largest first, miss where there are so many of each rank."""
    if not sizes:
        return 0
    left = list(ranks)
    size = sizes[0]
    if size != sizes[-1]:
        return min(_missing_of_mixed_sets(left, sizes, most) for most in set(left))
    missing = 0
    for _ in sizes:
        most = max(left)
        if most < size:
            missing += size - most
            left[left.index(most)] = 0
        else:
            left[left.index(most)] -= size
    return missing


def _missing_of_mixed_sets(ranks: list[int], sizes: tuple[int, ...], most: int) -> int:
    """Give the same where the first set is of a rank of which there are `most`."""
    got = min(sizes[0], most)
    left = ranks.copy()
    left[left.index(most)] -= got
    return sizes[0] - got + missing_of_sets(left, sizes[1:])


def fullest_ranks(ranks: Sequence[int], sizes: tuple[int, ...], *, distinct: bool) -> list[int]:
    """Give the numbers of ranks of which sets of one size miss the fewest cards, whether they must differ or not."""
    left = list(ranks)
    chosen: list[int] = []
    for size in sizes:
        rank = left.index(max(left))
        left[rank] = 0 if distinct else max(0, left[rank] - size)
        chosen.append(rank)
    return chosen


def missing_of_distinct_sets(ranks: Sequence[int], sizes: tuple[int, ...]) -> int:
    """Give the same where all sets differ in rank (R16 `distinct_set_ranks`)."""
    most = sorted(ranks, reverse=True)
    return sum(max(0, size - number) for size, number in zip(sizes, most, strict=False))
