"""Whole games through the engine's door, for tests: seeded players at all seats, each with chance of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from shanghai_engine.action import Action, Answer, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.bots import Bot, rng_for
from shanghai_engine.decision import Decision
from shanghai_engine.event import Event
from shanghai_engine.game import Game
from shanghai_engine.meld import End, refuse_lay_off
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.solver import distance
from shanghai_engine.state import Phase, State, without_card
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


def choose(decision: Decision, rng: random.Random, *, eager: bool) -> Action:
    """Choose at random, or whatever gets cards onto the table whenever there is such a thing."""
    actions = list(decision.actions())
    if eager:
        played: list[Action] = [action for action in actions if isinstance(action, LayDown | LayOff | Swap)]
        actions = played or actions
    return rng.choice(actions)


def nearest_claim(state: State, decision: Decision, rng: random.Random) -> Action:
    """Claim an upcard that brings the hand nearer to its contract, or that could be laid off; pass on any other."""
    card, hand = state.discards[-1], state.hands[decision.seat]
    if state.down[decision.seat]:
        useful = any(
            refuse_lay_off(meld, card, end, state.rules) is None for meld in state.melds for end in (None, *End)
        )
    else:
        now = distance(hand, state.contract, state.rules)
        useful = distance((*hand, card), state.contract, state.rules) < now
    return Answer(decision.seat, rng.choice([claim for claim in decision.claims if claim.wants is useful]))


def nearest_discard(state: State) -> Action | None:
    """Give the discard that leaves the hand nearest to its contract; none where the seat is down."""
    if state.phase is not Phase.PLAY or state.down[state.turn] or state.must_lay_down:
        return None
    hand = state.hands[state.turn]
    missing = {card: distance(without_card(hand, card), state.contract, state.rules) for card in set(hand)}
    return Discard(state.turn, min(sorted(missing), key=missing.__getitem__))


def step(game: Game, rng: random.Random, *, eager: bool) -> tuple[Action, tuple[Event, ...]]:
    """Let somebody who owes a decision take it, in random order; deal when a hand is over."""
    owed = game.decisions()
    if not owed:
        return Deal(), game.apply(Deal())
    seat = rng.choice(sorted(owed))
    action = TimeOut(seat) if rng.random() < 0.02 else choose(owed[seat], rng, eager=eager)
    if eager and isinstance(action, Answer):
        action = nearest_claim(game.state, owed[seat], rng)
    elif eager and isinstance(action, Discard):
        action = nearest_discard(game.state) or action
    return action, game.apply(action)
