"""`repr` rebuilds, `str` draws, and a decision's choices are a sequence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import eager_player, game_seed, play
from strategies import rule_sets
from wire_strategies import decisions, random_game, views, violations

import shanghai_engine
from shanghai_engine import Game, Phase, RuleViolation, View
from shanghai_engine.bots import LEVELS, rng_for
from shanghai_wire.decisions import GoOnDecision

NAMES: dict[str, Any] = {name: getattr(shanghai_engine, name) for name in shanghai_engine.__all__}


def rebuilt(value: object) -> object:
    """Give what the `repr` of a value makes, with nothing but what the engine exports."""
    return eval(repr(value), dict(NAMES))  # noqa: S307 made here


def test_every_event_action_and_decision_of_a_game_is_rebuilt_by_its_repr() -> None:
    """Cards, melds, contracts and rules among them."""
    seen: set[str] = set()

    def watch(game: Game, action: object) -> None:
        for value in (action, *(game.decisions().values() if game.state.step == 2 else ())):
            assert rebuilt(value) == value
            seen.add(type(value).__name__)

    game = play(Game.new(seed=game_seed(3), players=4), [eager_player] * 4, salt="repr", watch=watch)
    for event in game.events:
        assert rebuilt(event) == event
        seen.add(type(event).__name__)
    assert len(seen) > 15


@given(view=views())
def test_views_are_rebuilt_by_their_repr_and_drawn(view: View) -> None:
    """Whatever a view holds."""
    assert rebuilt(view) == view


@given(decision=decisions().filter(lambda decision: not isinstance(decision, GoOnDecision)))
def test_decisions_are_rebuilt_by_their_repr(decision: object) -> None:
    """Equal, and with the same hash."""
    twin = rebuilt(decision)
    assert twin == decision
    assert hash(twin) == hash(decision)


@given(violation=violations())
def test_violations_are_rebuilt_by_their_repr(violation: RuleViolation) -> None:
    """With the code and every value of the sentence."""
    twin = rebuilt(violation)
    assert isinstance(twin, RuleViolation)
    assert (twin.refusal, twin.values) == (violation.refusal, violation.values)


@given(rules=rule_sets())
def test_rules_are_rebuilt_by_their_repr(rules: object) -> None:
    """Equal, and with the same hash."""
    assert rebuilt(rules) == rules
    assert hash(rebuilt(rules)) == hash(rules)


def test_a_table_is_drawn_at_every_moment_and_shows_no_hand_but_ones_own() -> None:
    """A game shows all hands, a view one, a spectator's none."""
    phases = set()
    for game in random_game(players=3, seed=4):
        if game.state.step > 2 or game.state.phase not in {Phase.OFFER, Phase.PLAY}:
            phases.add(game.state.phase)
            lines = {seat: str(game.view(seat)).splitlines() for seat in (None, 0, 1, 2)}
            whole = str(game).splitlines()
            for seat in range(3):
                for other in (0, 1, 2):
                    line = len(whole) - 3 + other
                    assert lines[seat][line] == (whole if seat == other else lines[None])[line]
            assert max(map(len, whole)) < 120
    assert phases == {Phase.PLAY, Phase.HAND_OVER, Phase.GAME_OVER}


def test_the_choices_of_a_decision_are_a_sequence() -> None:
    """Their number, each of them by its place from either end, and slices agree with the list of them."""
    able = 0
    for game in random_game(players=3, seed=9):
        for decision in game.decisions().values():
            choices = decision.choices
            listed = list(choices)
            assert len(choices) == len(listed)
            assert [choices[place] for place in range(len(listed))] == listed
            assert [choices[place - len(listed)] for place in range(len(listed))] == listed
            assert list(choices[1:]) == listed[1:]
            for place in (len(listed), -len(listed) - 1):
                with pytest.raises(IndexError):
                    choices[place]
            able += decision.can_lay_down
            assert decision.can_lay_down == (decision.lay_down is not None)
        if able > 3:
            break
    assert able > 3


@given(seed=st.integers(0, 5))
def test_a_game_goes_on_from_its_position_as_it_would_have_gone(seed: int) -> None:
    """A bot plays the rest of a hand alike, though it has not seen how it began, for what it sees of the table."""
    game = Game.new(seed=game_seed(seed), players=3)
    twin = Game.from_position(game.position_text())
    for played in (game, twin):
        play_a_turn(played)
    assert game == twin


def play_a_turn(game: Game) -> None:
    """Let the basic bot play until the next turn begins."""
    turn = game.state.turn_number
    while game.state.turn_number == turn:
        seat, decision = next(iter(game.decisions().items()))
        rng = rng_for("turn", seat, decision.id)
        game.apply(LEVELS["basic"].decide(game.view(seat), decision, rng))
