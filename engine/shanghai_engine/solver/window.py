"""The windows of a run: the stretches of ranks that it may cover (R8.2), and the limit on jokers in a meld (R8.3).

What a run may be, and how many jokers a meld may hold, is asked of this module alone.
"""

from __future__ import annotations

from functools import lru_cache

from shanghai_engine.solver.holding import RANKS


def fewest_naturals(size: int) -> int:
    """Give how many natural cards a meld of a size has at least (R8.3)."""
    return (size + 1) // 2


def most_jokers_of_set(naturals: int) -> int:
    """Give how many jokers a set with so many natural cards can hold (R8.3); a set may grow without end."""
    return naturals


def most_jokers_of_run(naturals: int) -> int:
    """Give how many jokers a run with so many natural cards can hold (R8.3); it ends at 13 cards (R1.3)."""
    return min(naturals, RANKS - naturals)


@lru_cache(maxsize=16)
def windows(size: int) -> tuple[int, ...]:
    """Give the masks of all stretches of so many ranks, from the lowest up; none wraps (R1.3)."""
    return tuple((1 << size) - 1 << low for low in range(RANKS - size + 1))


@lru_cache(maxsize=4096)
def fullest(mask: int, size: int) -> tuple[int, ...]:
    """Give the ranks of a mask that fall into one window of a size, for those windows where no other holds all of them.

    A run that must be filled up anyway does as well in the window that holds more; so these are all that matter
    to the question how many cards are missing.
    """
    kept: list[int] = []
    for window in windows(size):
        held = mask & window
        if kept and held & kept[-1] == held:
            continue
        if kept and held & kept[-1] == kept[-1]:
            kept.pop()
        kept.append(held)
    return tuple(kept)


@lru_cache(maxsize=4096)
def stretched(mask: int, size: int, jokers: int) -> tuple[tuple[int, int], ...]:
    """Give ranks held and length of the longer windows that can do what none of the asked size can (R8.5).

    A longer run helps only where it holds as many jokers as naturals, and begins and ends with a natural of the
    hand: of any other a card can be left out, or a joker be spared.
    """
    found = []
    for length in range(size + 1 + (size + 1) % 2, min(2 * jokers, RANKS) + 1, 2):
        for window in windows(length):
            held = mask & window
            if held & (window & -window) and held >> (window.bit_length() - 1):
                found.append((held, length))
    return tuple(found)


@lru_cache(maxsize=4096)
def playable(mask: int, size: int, jokers: int) -> tuple[tuple[int, int, int], ...]:
    """Give all windows of a size or longer that a mask of ranks and some jokers fill, as (gaps, window, ranks held).

    Only those count that are of the asked size or begin and end with a natural: a joker beyond that is a joker
    added to a shorter run. Of the windows of the asked size those are left out that hold nothing that another
    does not hold.
    """
    best_of_size = set(fullest(mask, size))
    found = []
    for length in range(size, RANKS + 1):
        fewest = max(fewest_naturals(length), length - jokers)
        for window in windows(length):
            held = mask & window
            naturals = held.bit_count()
            if naturals < fewest:
                continue
            if length > size:
                if not (held & (window & -window) and held >> (window.bit_length() - 1)):
                    continue
            elif held in best_of_size:
                best_of_size.discard(held)
            else:
                continue
            found.append((length - naturals, window, held))
    return tuple(found)
