"""The windows of a run: the stretches of places that it may cover (R8.2), and those of them that a hand can use."""

from __future__ import annotations

from functools import lru_cache

from shanghai_engine.contract import LONGEST_RUN
from shanghai_engine.solver.holding import taking
from shanghai_engine.solver.terms import PLACES, Terms


@lru_cache(maxsize=32)
def windows(size: int, lowest: int = 1) -> tuple[int, ...]:
    """Give the masks of all stretches of so many places, from the lowest up; none wraps (R1.3)."""
    return tuple((1 << size) - 1 << low for low in range(lowest, PLACES - size + 1))


def ends(held: int, window: int) -> bool:
    """Say whether a window begins and ends with a natural card."""
    return bool(held & (window & -window)) and bool(held >> (window.bit_length() - 1))


@lru_cache(maxsize=4096)
def fullest(mask: int, size: int, lowest: int) -> tuple[int, ...]:
    """Give the places of a mask that fall into one window of a size, where no other window holds all of them.

    A run that must be filled up anyway does as well in the window that holds more; so these are all that matter
    to the question how many cards are missing.
    """
    kept: list[int] = []
    for window in windows(size, lowest):
        held = mask & window
        if kept and held & kept[-1] == held:
            continue
        if kept and held & kept[-1] == kept[-1]:
            kept.pop()
        kept.append(held)
    return tuple(kept)


@lru_cache(maxsize=4096)
def stretched(mask: int, size: int, jokers: int, lowest: int) -> tuple[tuple[int, int], ...]:
    """Give places held and length of the longer windows that can do what none of the asked size can (R8.5).

    Under R8.3 a longer run helps only where it holds as many jokers as naturals, and begins and ends with a natural of
    the hand: of any other a card can be left out, or a joker be spared.
    """
    found = []
    for length in range(size + 1 + (size + 1) % 2, min(2 * jokers, LONGEST_RUN) + 1, 2):
        for window in windows(length, lowest):
            held = mask & window
            if ends(held, window):
                found.append((held, length))
    return tuple(found)


def nearest(mask: int, size: int, jokers: int, terms: Terms) -> tuple[tuple[int, int, int, int, int], ...]:
    """Give the runs to be in one suit as (missing, lacking, places held, places taken, length), the fullest first.

    `missing` counts the places that no natural card fills (a wild two counts as any wild card), `lacking` the naturals
    that R8.3 asks for beyond those held.
    """
    return _nearest(mask, size, jokers if terms.longer_runs_help and 2 * jokers > size else 0, terms)


@lru_cache(maxsize=4096)
def _nearest(mask: int, size: int, jokers: int, terms: Terms) -> tuple[tuple[int, int, int, int, int], ...]:
    """Give the same; `jokers` only where longer runs help by them."""
    found = [(held, size) for held in fullest(mask, size, terms.lowest)]
    if jokers:
        found += stretched(mask, size, jokers, terms.lowest)
    return tuple(
        sorted(
            (
                length - (held & ~terms.wild_twos).bit_count(),
                max(0, terms.run_naturals[length] - held.bit_count()),
                held,
                taking(held),
                length,
            )
            for held, length in found
        )
    )


@lru_cache(maxsize=4096)
def playable(mask: int, size: int, jokers: int, terms: Terms) -> tuple[tuple[int, int, int], ...]:
    """Give all windows of a size or longer that a mask of places and some wild cards fill: (gaps, window, places held).

    A gap is a place that a wild card fills, a two at its own place among them; `places held` are without those.
    Only those windows count that are of the asked size or begin and end with a natural: a joker beyond that is a joker
    added to a shorter run. Of the windows of the asked size those are left out that hold nothing that another
    does not hold.
    """
    best_of_size = set(fullest(mask, size, terms.lowest))
    found = []
    for length in range(size, min(LONGEST_RUN, mask.bit_count() + jokers) + 1):
        for window in windows(length, terms.lowest):
            held = mask & window
            gaps = length - (held & ~terms.wild_twos).bit_count()
            if gaps > jokers or held.bit_count() < terms.run_naturals[length]:
                continue
            if length > size:
                if not ends(held, window):
                    continue
            elif held in best_of_size:
                best_of_size.discard(held)
            else:
                continue
            found.append((gaps, window, held & ~terms.wild_twos))
    return tuple(found)
