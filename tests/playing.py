"""Whole games through the engine's door, for tests: seeded players at all seats, each with chance of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from shanghai_engine.action import Action, Deal, LayDown, LayOff, Swap
from shanghai_engine.bots import Bot, rng_for
from shanghai_engine.decision import Decision
from shanghai_engine.game import Game
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.view import View

Player = Callable[[View, Decision, random.Random], Action]
"""The same as a bot's `decide`."""


def random_player(_view: View, decision: Decision, rng: random.Random) -> Action:
    """Choose any lawful action, each as likely as the others."""
    return rng.choice(list(decision.actions()))


def eager_player(_view: View, decision: Decision, rng: random.Random) -> Action:
    """Lay down, lay off and swap whenever that is possible, claim every other upcard, and discard anything."""
    actions = list(decision.actions())
    for kind in (LayDown, LayOff, Swap):
        plays = [action for action in actions if isinstance(action, kind)]
        if plays and (kind is not Swap or rng.random() < 0.5):
            return rng.choice(plays)
    return rng.choice([action for action in actions if not isinstance(action, Swap)] or actions)


def game_seed(number: int) -> bytes:
    """Give the 32 bytes of the game with this number."""
    return number.to_bytes(32, "big")


def play(
    game: Game, players: Sequence[Player], *, salt: str, watch: Callable[[Game, Action], None] | None = None
) -> Game:
    """Play a game to its end; in every other turn the last seat of an offer answers first.

    `watch` is shown the game before each action.
    """
    while game.state.phase is not Phase.GAME_OVER:
        owed = game.decisions()
        if not owed:
            if watch is not None:
                watch(game, Deal())
            game.apply(Deal())
            continue
        seat = max(owed) if game.state.turn_number % 2 else min(owed)
        decision = owed[seat]
        action = players[seat](game.view(seat), decision, rng_for(salt, seat, decision.id))
        if watch is not None:
            watch(game, action)
        game.apply(action)
    return game


def bot_game(bot: Bot, *, players: int, number: int, rules: RuleSet = STANDARD) -> Game:
    """Play the game with this number to its end, one bot at every seat."""
    game = Game.new(seed=game_seed(number), players=players, rules=rules)
    return play(game, [bot.decide] * players, salt=f"game {number}")
