"""The best turn under house rules: each value of R16 that makes a difference to it."""

from __future__ import annotations

from dataclasses import replace

from best_turns import RUN, SET, kinds, turn_of

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import STANDARD


def test_r16_joker_swap_down_only_swaps_after_the_lay_down() -> None:
    """Who is not down yet lays down first; where that needs the joker he cannot."""
    rules = replace(STANDARD, joker_swap="down_only")
    turn = turn_of("5H 9S KC KD KH", ["4H JK 6H 7H", "4S 5S 6S 7S"], rules=rules, contract=SET)
    assert turn.cards == 0
    assert kinds(turn)[:2] == [LayDown, Swap]
    assert turn_of("5H 4S 5S 7S", ["4H JK 6H 7H"], rules=rules, contract=RUN).plays == ()


def test_r16_joker_swap_down_only_lengthens_the_new_run_with_the_joker() -> None:
    """The run is laid down short, and the joker of the later swap bridges the gap to its other half."""
    rules = replace(STANDARD, joker_swap="down_only")
    turn = turn_of("5H 4S 5S 6S 7S 9S TS", ["4H JK 6H 7H"], rules=rules, contract=RUN)
    assert turn.cards == 0
    assert kinds(turn) == [LayDown, Swap, LayOff, LayOff, LayOff]


def test_r16_joker_swap_down_only_lays_a_further_run_that_is_shorter_than_the_contracts() -> None:
    """Where a swap is to come, a further run of four low cards is laid down beside the run of seven that is asked."""
    rules = replace(STANDARD, joker_swap="down_only", extra_melds=True)
    turn = turn_of("5S 6S 7S 8S 9S TS JS 2H 3H 4H 5H KS 7H", ["KC KD JK"], rules=rules, contract=Contract(runs=(7,)))
    assert turn.cards == 0
    assert kinds(turn) == [LayDown, Swap, LayDown]


def test_r16_joker_swap_down_only_lays_down_a_set_that_it_could_lay_off() -> None:
    """The sixes could all join a set of the table, but only with them is the contract laid down before the swaps."""
    rules = replace(STANDARD, joker_swap="down_only", extra_melds=True, jokers_per_meld="any")
    turn = turn_of("6C 6S 6H 6D 7S QH", ["6H JK JK JK", "JH JK KH AH"], rules=rules, contract=SET)
    assert turn.cards == 0
    assert kinds(turn)[0] is LayDown
    assert sorted(map(str, kinds(turn))).count(str(Swap)) == 2


def test_r16_joker_swap_nobody_leaves_the_jokers() -> None:
    """No card goes in the place of a joker."""
    rules = replace(STANDARD, joker_swap="nobody")
    assert turn_of("5H 9S", ["4H JK 6H 7H", "4S 5S 6S 7S"], rules=rules).plays == ()


def test_r16_swap_in_sets_false_swaps_in_runs_only() -> None:
    """The joker of the set stays, so that the card goes there without bringing it."""
    rules = replace(STANDARD, swap_in_sets=False)
    melds = ["8C 8D JK", "4S 5S 6S 7S"]
    assert turn_of("8H 9S", melds).cards == 0
    assert turn_of("8H 9S", melds, rules=rules).cards == 1


def test_r16_swapped_joker_play_this_turn_makes_no_swap_that_cannot_be_used() -> None:
    """Even where jokers count nothing, one that could not be played is not swapped for."""
    free = replace(STANDARD, points=(*STANDARD.points[:-1], 0))
    full = "2H 3H 4H JK 6H 7H 8H 9H TH JH QH KH AH"
    assert kinds(turn_of("5H", [full], rules=free)) == [Swap]
    assert turn_of("5H", [full], rules=replace(free, swapped_joker="play_this_turn")).plays == ()


def test_r16_lay_off_when_laying_down_false_only_lays_down() -> None:
    """In the turn of the lay-down nothing else is played; from the next turn on it is."""
    rules = replace(STANDARD, lay_off_when_laying_down=False)
    turn = turn_of("3C 3D 3H 8H KS", ["KC KD KH", "4H 5H 6H 7H"], rules=rules, contract=SET)
    assert kinds(turn) == [LayDown]
    assert turn.points == 15
    assert turn_of("8H KS", ["KC KD KH", "4H 5H 6H 7H"], rules=rules).cards == 0


def test_r16_extra_melds_true_lays_further_melds() -> None:
    """Who is down lays a set and a run more; who lays down does so in the same turn."""
    rules = replace(STANDARD, extra_melds=True)
    hand = "3C 3D 3H 4S 5S 6S 7S"
    assert turn_of(hand, ["KC KD KH"], rules=rules).cards == 0
    assert turn_of(hand, ["KC KD KH"]).cards == 7
    assert kinds(turn_of(hand, [], rules=rules, contract=SET)) == [LayDown, LayDown]


def test_r16_aces_high_or_low_lays_off_below_the_two() -> None:
    """A run that begins with 2 takes the ace at its low end, where the table plays so."""
    rules = replace(STANDARD, aces="high_or_low")
    assert turn_of("AH", ["2H 3H 4H 5H"], rules=rules).cards == 0
    assert turn_of("AH", ["2H 3H 4H 5H"]).cards == 1


def test_r16_wild_jokers_and_twos_leaves_the_cheaper_wild_card() -> None:
    """Of a joker and a two one finds room: the joker is laid off, and the two, 20 points, stays."""
    rules = replace(STANDARD, wild="jokers_and_twos", jokers_per_meld=1)
    turn = turn_of("JK 2C", ["KC KD KH"], rules=rules)
    assert (turn.points, turn.plays) == (20, (LayOff(0, 0, JOKER, None),))
    cheap = replace(rules, points=(30, *STANDARD.points[1:]))
    assert turn_of("JK 2C", ["KC KD KH"], rules=cheap).plays == (LayOff(0, 0, Card.C2, None),)


def test_r16_wild_jokers_and_twos_lays_a_two_at_its_own_place() -> None:
    """At the low end of 3H 4H 5H 6H the 2H is no joker, and needs no room."""
    rules = replace(STANDARD, wild="jokers_and_twos", jokers_per_meld=0)
    assert turn_of("2H", ["3H 4H 5H 6H"], rules=rules).cards == 0
    assert turn_of("2C", ["3H 4H 5H 6H"], rules=rules).cards == 1


def test_r16_jokers_per_meld_any_puts_all_jokers_away() -> None:
    """Where a meld may have any number of them, every joker goes to the set."""
    rules = replace(STANDARD, jokers_per_meld="any")
    assert turn_of("JK JK JK JK", ["KC KD KH"], rules=rules).cards == 0
    assert turn_of("JK JK JK JK", ["KC KD KH"]).cards == 1
