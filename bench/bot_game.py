"""Whole games of ten hands among four bots, through the engine alone, against the shuffles of such a game."""

import time
from collections.abc import Iterator
from itertools import count

from bench.ratio import Ratio, measure_ratio
from bench.target import Target
from shanghai_engine.action import Deal
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.game import Game
from shanghai_engine.shuffle import SeededChance
from shanghai_engine.state import Phase

PLAYERS = 4
ROUNDS = 5
GAMES_PER_ROUND = 8
GAMES_A_SECOND = 15
SEED = bytes(range(32))


def measure() -> Iterator[Ratio | Target | str]:
    """Play one game after another, each dealt anew since bots remember hands that they have met."""
    numbers = count()
    game = played(next(numbers))
    assert len(game.state.results) == game.state.rules.hands
    chance = SeededChance(SEED, game.state.nonces)
    yield measure_ratio(
        work=f"a game among {PLAYERS} bots of level {DEFAULT_LEVEL!r}",
        run=lambda: played(next(numbers)),
        bare="its ten shuffles",
        run_bare=lambda: [chance.deal(hand, game.state.packs) for hand in range(1, game.state.rules.hands + 1)],
    )
    paces = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(GAMES_PER_ROUND):
            played(next(numbers))
        paces.append(GAMES_PER_ROUND / (time.process_time() - begun))
    yield f"{min(paces):.1f} to {max(paces):.1f} games a second of one core, in {ROUNDS} rounds"
    yield Target("games a second of one core in the best round", max(paces), GAMES_A_SECOND, floor=True)


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
