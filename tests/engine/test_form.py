"""The form of actions: what holds a value of another kind is refused at the door, and changes nothing."""

from __future__ import annotations

from typing import Any

import pytest
from playing import eager_player, game_seed, play
from positions import position

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import Card, parse_cards
from shanghai_engine.game import Game
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import End, MeldDraft, MeldKind
from shanghai_engine.state import Phase

anything: Any = lambda value: value  # noqa: E731
"""Gives a value as one of any type, since a checker of types would refuse these tests."""

YES: Any = True
NO: Any = False
EIGHTS = parse_cards("8C 8D 8H")
ILL_FORMED = [
    Answer(1, anything("take")),
    Answer(1, anything(None)),
    Answer(anything(1.0), Claim.TAKE),
    Answer(YES, Claim.TAKE),
    Answer(anything("1"), Claim.PASS),
    Discard(1, anything(8)),
    Discard(1, anything("9C")),
    Discard(anything(None), Card.C9),
    LayDown(1, anything(None)),
    LayDown(1, anything([MeldDraft(MeldKind.SET, EIGHTS)])),
    LayDown(1, anything(("8C",))),
    LayDown(1, (MeldDraft(anything("set"), EIGHTS),)),
    LayDown(1, (MeldDraft(MeldKind.SET, anything("8C8")),)),
    LayDown(1, (MeldDraft(MeldKind.SET, anything((7, 20, 33))),)),
    LayDown(anything(1.0), (MeldDraft(MeldKind.SET, EIGHTS),)),
    LayOff(1, 0, anything(8)),
    LayOff(1, anything(0.0), Card.C8),
    LayOff(1, NO, Card.C8),
    LayOff(1, 0, Card.C8, anything("low")),
    LayOff(anything(1.0), 0, Card.C8, End.LOW),
    Swap(1, 0, anything(1.0), Card.C8),
    Swap(1, anything(None), 1, Card.C8),
    Swap(1, 0, 1, anything(8)),
    Swap(YES, 0, 1, Card.C8),
    TimeOut(anything(1.0)),
    anything(None),
    anything("take"),
    anything(Deal),
    anything((1, Claim.TAKE)),
]


@pytest.mark.parametrize("action", ILL_FORMED, ids=repr)
@pytest.mark.parametrize("phase", Phase)
def test_r15_1_an_ill_formed_action_is_refused_and_changes_nothing(action: Action, phase: Phase) -> None:
    """In every phase, whether it is asked about or done, with what was given and what would be right."""
    game = position(players=3, turn=1, hands={1: "8C 9C"}, melds=[(0, "8C JK 8H")], down=(0, 1))
    game.state.phase = phase
    before = game.copy()
    for door in (game.can, game.apply):
        with pytest.raises(Malformed) as raised:
            door(action)
        assert str(raised.value).startswith(f"{action!r} cannot be read: ")
        assert "(R15.1)" in str(raised.value)
    assert game == before
    assert game.event_count == before.event_count


def test_r15_1_every_lawful_action_is_well_formed() -> None:
    """A whole game is played with what decisions offer, and each can be done."""
    asked = 0

    def watch(game: Game, _action: object) -> None:
        nonlocal asked
        for decision in game.decisions().values():
            assert all(game.can(action) for action in decision.choices)
            asked += 1

    play(Game.new(seed=game_seed(5), players=3), [eager_player] * 3, salt="form", watch=watch)
    assert asked > 100
