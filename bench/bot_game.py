"""Whole games of ten hands among four bots, through the engine alone, against the shuffles of such a game."""

from itertools import count

from bench.ratio import Ratio, measure_ratio
from shanghai_engine.action import Deal
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.game import Game
from shanghai_engine.shuffle import SeededChance
from shanghai_engine.state import Phase

PLAYERS = 4
SEED = bytes(range(32))


def measure() -> Ratio:
    """Play one game after another, each dealt anew since bots remember hands that they have met.

    Games per second are one over the seconds of the work.
    """
    numbers = count()
    game = played(next(numbers))
    assert len(game.state.results) == game.state.rules.hands
    chance = SeededChance(SEED, game.state.nonces)
    return measure_ratio(
        work=f"a game among {PLAYERS} bots of level {DEFAULT_LEVEL!r}",
        run=lambda: played(next(numbers)),
        bare="its ten shuffles",
        run_bare=lambda: [chance.deal(hand, game.state.packs) for hand in range(1, game.state.rules.hands + 1)],
    )


def played(number: int) -> Game:
    """Play the game with this number to its end, whoever owes something answering by seat."""
    bot = LEVELS[DEFAULT_LEVEL]
    game = Game.new(seed=number.to_bytes(32, "big"), players=PLAYERS)
    while game.state.phase is not Phase.GAME_OVER:
        owed = game.decisions()
        if not owed:
            game.apply(Deal())
            continue
        seat, decision = next(iter(owed.items()))
        game.apply(bot.decide(game.view(seat), decision, rng_for("bench", seat, decision.id)))
    return game
