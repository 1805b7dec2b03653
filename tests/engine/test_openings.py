"""What is remembered of a table is never anything else than what its melds take now."""

from __future__ import annotations

from positions import meld

from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import CARDS, Card
from shanghai_engine.meld import LOW, Meld, laid_off, swapped
from shanghai_engine.openings import Openings
from shanghai_engine.rules import STANDARD, RuleSet

HELD = frozenset(CARDS)
RUN = meld("run 4H JK 6H 7H")


def test_what_is_remembered_is_forgotten_with_a_change_of_the_table() -> None:
    """A run that has grown takes the next card; without its joker nothing is swapped; no meld takes none."""
    openings = Openings()
    table: list[Meld] = [RUN]
    assert LayOff(0, 0, Card.H3, LOW) in openings.lay_offs(0, HELD, table, STANDARD)
    assert openings.swaps(0, HELD, table, STANDARD) == [Swap(0, 0, 1, Card.H5)]
    twin = openings.copy()
    table[0] = swapped(laid_off(RUN, Card.H3, LOW), 2, Card.H5)
    assert LayOff(0, 0, Card.H2, LOW) in openings.lay_offs(0, HELD, table, STANDARD)
    assert LayOff(0, 0, Card.H3, LOW) not in openings.lay_offs(0, HELD, table, STANDARD)
    assert openings.swaps(0, HELD, table, STANDARD) == []
    assert twin.swaps(0, HELD, [RUN], STANDARD) == [Swap(0, 0, 1, Card.H5)]
    assert openings.lay_offs(0, HELD, [], STANDARD) == []


def test_what_is_remembered_is_forgotten_with_the_rules() -> None:
    """The same run takes a second joker at one table and not at another."""
    openings = Openings()
    joker = LayOff(0, 0, Card.JOKER, LOW)
    assert joker in openings.lay_offs(0, HELD, [RUN], STANDARD)
    assert joker not in openings.lay_offs(0, HELD, [RUN], RuleSet(jokers_per_meld=1))
    assert joker in openings.lay_offs(0, HELD, [RUN], STANDARD)
