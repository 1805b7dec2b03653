"""The best turn of a position, judged as it is given: lawful, and leaving what it says."""

from __future__ import annotations

from dataclasses import replace

from every_turn import Cost, cost_of
from positions import position

from shanghai_engine.contract import Contract
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import Turn, best_turn
from shanghai_engine.state import Phase

SET = Contract(sets=(3,))
RUN = Contract(runs=(4,))


def best_of(game: Game) -> Turn:
    """Give the best turn of the seat that is on turn."""
    state = game.state
    return best_turn(
        state.hands[state.turn],
        None if state.down[state.turn] else state.contract,
        state.melds,
        state.rules,
        seat=state.turn,
        laid_down_now=state.laid_down_now,
        must_play=state.must_play,
    )


def played(game: Game, turn: Turn) -> Cost:
    """Play a turn through the door of the game and give what it leaves: just what it says."""
    after = game.copy()
    for play in turn.plays:
        after.apply(play)
    cost = cost_of(after.state, game.state.turn)
    assert cost == (turn.points, turn.cards)
    if after.state.phase is Phase.PLAY:
        assert not after.state.must_play
        assert not after.state.must_lay_down
    return cost


def turn_of(hand: str, melds: list[str], *, rules: RuleSet = STANDARD, contract: Contract | None = None) -> Turn:
    """Give the best turn of seat 0, which is down unless a contract is given, before these melds; it is lawful."""
    rules = replace(rules, contracts=(contract or SET,), buys=(3,), cards_dealt=(11,))
    game = position(
        players=3,
        turn=0,
        hands={0: hand},
        melds=[(1, meld) for meld in melds],
        down=() if contract else (0,),
        rules=rules,
    )
    turn = best_of(game)
    played(game, turn)
    assert turn.exact
    return turn


def kinds(turn: Turn) -> list[type]:
    """Give the kinds of the plays."""
    return [type(play) for play in turn.plays]
