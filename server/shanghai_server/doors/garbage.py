"""How often the interpreter looks for garbage that keeps itself alive, in a program that is a server alone."""

from __future__ import annotations

import gc

YOUNG = 20_000
"""After so many new objects more than were let go of the young ones are looked at; usually it is after 700."""
MIDDLE, OLD = 20, 50


def collect_seldom() -> None:
    """Look for garbage seldom, and never at what is there now: the program's code and what it was made with.

    Tables, updates and streams are let go of as soon as nobody has them, without a search. A search costs the more the
    more tables there are, in the middle of somebody's turn. It holds for the whole process.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
