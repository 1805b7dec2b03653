"""The best turn where the search for it ends before its time: never worse than a lay-down and greedy lay-offs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from best_turns import best_of, played
from case_file import read_cases
from every_turn import cost_of
from hypothesis import HealthCheck, given, settings
from positions import position
from strategies import crowded_turns, turns

from shanghai_engine.action import LayDown, LayOff, Swap
from shanghai_engine.contract import Contract
from shanghai_engine.game import Game
from shanghai_engine.position import read_position
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import best_lay_down, effort
from shanghai_engine.state import Phase


@contextmanager
def steps(most: int) -> Iterator[None]:
    """Let every search of a hand of up to 23 cards end after so many steps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(effort, "MOST_STEPS_EXACT", most)
        yield


def natural_lay_off(game: Game) -> LayOff | None:
    """Give a lay-off of the natural card of most points that joins a meld as what it is; none where none does."""
    state = game.state
    seat, rules = state.turn, state.rules
    for card in sorted(set(state.hands[seat]), key=lambda card: (-rules.card_points[card], card)):
        for meld in state.melds:
            for end in meld.ends:
                lay_off = LayOff(seat, meld.id, card, end)
                if not rules.wild_cards[card] and game.can(lay_off):
                    return lay_off
    return None


def greedy(game: Game) -> Game:
    """Give the game after the best lay-down and one natural lay-off after the other."""
    after = game.copy()
    state = after.state
    seat = state.turn
    if not state.down[seat]:
        drafts = best_lay_down(state.hands[seat], state.contract, state.rules)
        if drafts is None:
            return after
        after.apply(LayDown(seat, drafts))
    while after.state.phase is Phase.PLAY:
        lay_off = natural_lay_off(after)
        if lay_off is None:
            break
        after.apply(lay_off)
    return after


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(turns(most_cards=14, most_melds=8))
def test_the_best_turn_is_never_worse_than_a_greedy_one(game: Game) -> None:
    """Under any rules and with any effort, also with none."""
    least = cost_of(greedy(game).state, game.state.turn)
    assert played(game, best_of(game)) <= least
    for most in (0, 300, 3_000):
        with steps(most):
            assert played(game, best_of(game)) <= least


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(crowded_turns())
def test_the_best_turn_before_a_crowded_table_is_never_worse_than_a_greedy_one(game: Game) -> None:
    """So it is where several runs want the same cards and jokers are swapped."""
    with steps(0):
        assert played(game, best_of(game)) <= cost_of(greedy(game).state, game.state.turn)


@pytest.mark.parametrize("case", read_cases("house_turns"), ids=["twos from swaps", "jokers first", "many swaps"])
def test_best_turns_under_house_rules(case: dict[str, Any]) -> None:
    """Each of these turns, among the hardest of tables that change many rules, is as good as it was ever seen to be."""
    # Some have more jokers than six packs, which `Game.from_position` refuses and the solver answers all the same.
    game = position()
    game.state = read_position("\n".join(case["position"]))
    turn = best_of(game)
    assert played(game, turn) <= (case["points_left"], case["cards_left"])
    assert turn.exact or not case["exact"]
    with steps(0):
        assert played(game, best_of(game)) < cost_of(game.state, game.state.turn)


def simple(hand: str, *melds: str, down: bool = True, rules: RuleSet = STANDARD) -> list[type]:
    """Give the kinds of the plays of seat 0 where the search has no steps at all; the turn is lawful, and a bound."""
    game = position(
        players=3,
        turn=0,
        hands={0: hand},
        melds=[(1, meld) for meld in melds],
        down=(0,) if down else (),
        rules=replace(rules, contracts=(Contract(sets=(3,)),), buys=(3,), cards_dealt=(11,)),
    )
    with steps(0):
        turn = best_of(game)
        played(game, turn)
    assert not turn.exact
    return [type(play) for play in turn.plays]


def test_r10_1_a_simple_turn_swaps_what_it_can_play() -> None:
    """A card takes a joker's place, and the joker joins a meld where a further card can follow it."""
    assert simple("9H JC", "8H JK TH JH", "6C 7C 8C 9C") == [Swap, LayOff, LayOff]


def test_r10_2_a_simple_turn_swaps_before_the_lay_down_where_it_must() -> None:
    """Without the joker of the swap there is no lay-down."""
    assert simple("8H 4C 4D KS", "7H JK 9H TH", down=False) == [Swap, LayDown]


def test_r16_extra_melds_true_is_used_by_a_simple_turn() -> None:
    """A further set goes down where nothing can be laid off."""
    assert simple("4C 4D 4S KS", rules=RuleSet(extra_melds=True)) == [LayDown]


def test_r16_swapped_joker_play_this_turn_holds_for_a_simple_turn() -> None:
    """A joker that fits nowhere afterwards is swapped only where it may be kept, and counts less."""
    rules = RuleSet(points=(5,) * 13 + (0,))
    melds = ("2H 3H 4H 5H 6H 7H 8H JK TH JH QH KH AH",)
    assert simple("9H 4C", *melds, rules=rules) == [Swap]
    assert simple("9H 4C", *melds, rules=replace(rules, swapped_joker="play_this_turn")) == []
