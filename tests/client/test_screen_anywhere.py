"""The full screen anywhere in a game: whatever is seen, and whatever is pressed, there is a whole picture."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from drawn import SIZES, model_of
from prompt_toolkit.utils import get_cwidth
from scenes import NAMES, scene_of

from shanghai_client.scene import Scene
from shanghai_client.screen.choosing import letters_of, place_letters
from shanghai_client.screen.keys import KEYS, named_keys, pressed
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.panes.board import board, clamped, last_line
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.signs import LETTERS, SHAPES
from shanghai_client.screen.stepping import Act
from shanghai_engine.action import Deal, LayDown
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.game import Game
from shanghai_engine.rules import PRESETS

_NAMES = sorted({name for key in KEYS for name in key.names} | set("abcdefghijklmnopqrstuvwxyz123456789"))


def _scenes(rng: random.Random, *, players: int, preset: str, every: int) -> Iterator[Scene]:
    """Give what somebody sees now and then in a game of bots that buy whatever they may now and then."""
    game = Game.new(seed=rng.randbytes(32), players=list(NAMES[:players]), rules=PRESETS[preset])
    decide = LEVELS[DEFAULT_LEVEL].decide
    step = 0
    while not game.state.places:
        decisions = game.decisions()
        if not decisions:
            game.apply(Deal())
            continue
        seat, decision = next(iter(decisions.items()))
        step += 1
        if step % every == 0:
            seats = [*range(players), None]
            yield scene_of(game, rng.choice([seat, rng.choice(seats)]), left_ms=rng.choice([0, 3000, 90_000]))
        buys = [action for action in decision.choices if getattr(getattr(action, "claim", None), "wants", False)]
        bought = rng.choice(buys) if buys and rng.random() < 0.5 else None
        game.apply(bought or decide(game.view(seat), decision, rng_for("anywhere", seat, decision.id)))


def _check(model: Model) -> None:
    lines = [text_of(each) for each in (*board(clamped(model)), last_line(model))]
    assert len(lines) == model.rows
    assert {get_cwidth(line) for line in lines} == {model.columns}


@pytest.mark.parametrize(("players", "preset"), [(2, "standard"), (5, "literal"), (8, "standard"), (4, "classic")])
def test_any_keys_anywhere_give_a_whole_picture(players: int, preset: str) -> None:
    """Random keys in random positions of a game never fail, and every action that they choose is a lawful choice."""
    rng = random.Random(f"{players} {preset}")
    acted = 0
    before: Model | None = None
    for shown in _scenes(rng, players=players, preset=preset, every=53):
        look = Look(signs=rng.choice([SHAPES, LETTERS]))
        model = model_of(shown, look=look, size=rng.choice(SIZES[:3]))
        if before is not None:
            # What was begun in an earlier scene goes on in this one.
            model = seen(replace(before, columns=model.columns, rows=model.rows), shown, now=1.0)
        for _time in range(20):
            step = pressed(model, _key(rng, model))
            model = clamped(step.model)
            _check(model)
            if isinstance(step.effect, Act) and shown.play is not None:
                acted += 1
                assert isinstance(step.effect.action, LayDown) or step.effect.action in shown.play.choices
        before = model
    assert acted > 0


def _key(rng: random.Random, model: Model) -> str:
    """Give any key, or one that is of use here."""
    useful = [name for name, _word in named_keys(model)]
    useful += [*letters_of(model).values(), *place_letters(model).values()]
    return rng.choice(useful) if useful and rng.random() < 0.7 else rng.choice(_NAMES)
