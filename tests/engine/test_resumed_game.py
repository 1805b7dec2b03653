"""A game that is resumed from the results of its first hands is the game that saw them."""

import json

import pytest
from playing import eager_player, game_seed, play

from shanghai_engine.action import Deal
from shanghai_engine.event import Dealt, GameStarted
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRecord
from shanghai_engine.results import result_line, results_of


@pytest.fixture(scope="module", params=[2, 4])
def game(request: pytest.FixtureRequest) -> Game:
    """Give a whole game."""
    players: int = request.param
    whole = Game.new(seed=game_seed(300 + players), players=players)
    return play(whole, [eager_player] * players, salt="resumed")


def test_a_game_resumed_before_any_hand_is_the_same_from_its_deal_on(game: Game) -> None:
    """After every event of every later hand, state and views are those of the game that saw all of them."""
    started = game.events[0]
    assert isinstance(started, GameStarted)
    deals = [place for place, event in enumerate(game.events) if isinstance(event, Dealt)]
    assert len(deals) == 10
    for hands, place in enumerate(deals):
        whole = Game.replay(game.events[:place])
        lines = json.loads(json.dumps([result_line(result) for result in whole.state.results]))
        resumed = Game(started, results=results_of(lines, started))
        assert len(resumed.state.results) == hands
        for event in game.events[place:]:
            whole.evolve(event)
            resumed.evolve(event)
            assert resumed.state == whole.state
            assert resumed.history == whole.history
        assert resumed.events == [started, *game.events[place:]]


def test_a_resumed_game_is_dealt_as_the_whole_one(game: Game) -> None:
    """The next deal follows from seed and nonces, the next dealer from the last."""
    started = game.events[0]
    assert isinstance(started, GameStarted)
    for hands in range(10):
        resumed = Game(started, results=game.state.results[:hands])
        (dealt,) = resumed.copy().apply(Deal())
        assert dealt in game.events


def test_results_that_are_none_are_refused(game: Game) -> None:
    """A key that is missing, unknown or of another type, and a hand out of its order, are named."""
    started = game.events[0]
    assert isinstance(started, GameStarted)
    lines = [result_line(result) for result in game.state.results]
    assert results_of(lines, started) == game.state.results
    with pytest.raises(BadRecord, match="result 1 is that of hand 2"):
        results_of(lines[1:], started)
    for key, value in {"hand": 11, "dealer": 8, "reason": "bored", "seed": "00", "scores": [1]}.items():
        with pytest.raises(BadRecord, match=f"'{key}' of the result of a hand"):
            results_of([{**lines[0], key: value}], started)
    with pytest.raises(BadRecord, match="has a key 'loser'"):
        results_of([{**lines[0], "loser": 1}], started)
