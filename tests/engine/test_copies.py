"""Copies and pickles: of a game and its state they are independent, and errors reach another process whole."""

from __future__ import annotations

import copy
import pickle

import pytest
from playing import game_seed

from shanghai_engine import Answer, BadRecord, BadRules, Claim, Game, Malformed, Refusal, RuleViolation
from shanghai_engine.malformed import ShanghaiError

ERRORS = [
    RuleViolation(Refusal.NO_SUCH_SEAT, seat=1, last=2),
    Malformed("1X", "a card is a rank and a suit"),
    BadRules("buys", -3, "each is a whole number from 0 (R7.2)"),
    BadRecord("the line is empty", "a line is an object", rule="R7.2", line=3),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_when_pickled_or_copied(error: ShanghaiError) -> None:
    """With its sentence and all that it says of what was wrong."""
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301 made here
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert repr(twin) == repr(error)
        assert vars(twin) == vars(error)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, Game.copy])
def test_a_copied_game_is_played_on_alone(copied: object) -> None:
    """The first keeps its state and its events."""
    assert callable(copied)
    game = Game.new(seed=game_seed(1), players=3)
    before = game.position_text()
    twin = copied(game)
    twin.apply(Answer(game.state.turn, Claim.TAKE))
    assert game.position_text() == before
    assert twin.event_count > game.event_count


def test_a_copied_state_is_independent() -> None:
    """What changes in one does not change in the other."""
    state = Game.new(seed=game_seed(1), players=3).state
    twin = copy.copy(state)
    assert twin == state
    twin.hands[0] = ()
    twin.stock.pop()
    assert state.hands[0]
    assert twin != state
