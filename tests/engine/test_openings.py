"""What is remembered of a table is never anything else than what its melds take now."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from positions import meld
from strategies import lawful_melds, rule_sets

from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import CARDS, Card
from shanghai_engine.meld import LOW, Meld, laid_off, lay_offs_of, refuse_lay_off, refuse_swap, swapped, swaps_of
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


@given(st.data(), rule_sets())
def test_what_a_meld_takes_is_what_the_checks_let_join_it(data: st.DataObject, rules: RuleSet) -> None:
    """Of all cards, at every end and at every joker."""
    meld = data.draw(lawful_melds(rules, meld_id=0))
    joining = [(card, end) for end in meld.ends for card in CARDS if refuse_lay_off(meld, card, end, rules) is None]
    assert list(lay_offs_of(meld, rules)) == joining
    for index in meld.joker_places():
        taken = [card for card in CARDS if refuse_swap(meld, index, card, rules) is None]
        assert list(swaps_of(meld, index, rules)) == taken
