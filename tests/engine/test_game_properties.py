"""Random games for every number of players: what must hold after every event, and what must be refused."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from laws import (
    a_lay_down_is_judged_as_by_the_referee,
    cards_of,
    choices_are_those_of_the_referee,
    pack_counts,
    some_lay_down,
)
from playing import step

from shanghai_engine.action import Action, Answer, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.game import Game
from shanghai_engine.meld import End, MeldKind
from shanghai_engine.rules import PRESETS
from shanghai_engine.solver import can_lay_down
from shanghai_engine.state import Phase

PLAYERS = range(2, 9)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("eager", [False, True])
def test_cards_are_conserved_and_somebody_always_owes_a_decision(players: int, *, eager: bool) -> None:
    """After each event every card of the packs lies somewhere, and unless a hand is over somebody owes something."""
    rng = random.Random(f"{players}{eager}")
    game = Game.new(seed=rng.randbytes(32), players=players)
    twin = Game.new(seed=game.state.game_seed, players=players)
    packs = pack_counts(game.state.packs)
    while game.state.phase is not Phase.GAME_OVER:
        _, events = step(game, rng, eager=eager)
        for event in events:
            twin.evolve(event)
            assert cards_of(twin.state) == packs
        assert twin.state == game.state
        assert bool(game.decisions()) == (game.state.phase in {Phase.OFFER, Phase.PLAY})
    assert Game.replay(game.events).state == game.state
    assert len(game.state.results) == game.state.rules.hands


@pytest.mark.parametrize("players", PLAYERS)
def test_every_listed_choice_is_accepted(players: int) -> None:
    """Whatever a decision lists can be done, by its seat, on a copy of the game."""
    rng = random.Random(players)
    game = Game.new(seed=rng.randbytes(32), players=players)
    listed: Counter[type[Action]] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if rng.random() < 0.1:
            for decision in game.decisions().values():
                for action in decision.actions():
                    assert game.can(action)
                    game.copy().apply(action)
                    listed[type(action)] += 1
        step(game, rng, eager=True)
    assert set(listed) == {Answer, LayDown, LayOff, Swap, Discard}


@pytest.mark.parametrize("players", PLAYERS)
def test_every_other_choice_is_refused_with_a_rule_and_changes_nothing(players: int) -> None:
    """Of all answers, lay-offs, swaps and discards that can be named, the lawful are listed; the rest are refused."""
    rng = random.Random(players + 100)
    game = Game.new(seed=rng.randbytes(32), players=players)
    looked_at: Counter[Phase] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if rng.random() < 0.01 or game.state.must_lay_down:
            looked_at[game.state.phase] += 1
            choices_are_those_of_the_referee(game)
        step(game, rng, eager=True)
    assert looked_at[Phase.PLAY]
    assert looked_at[Phase.OFFER]
    choices_are_those_of_the_referee(game)


@pytest.mark.parametrize("players", PLAYERS)
def test_lay_downs_that_an_independent_check_refuses_are_refused(players: int) -> None:
    """A lay-down made up from the hand is accepted exactly where the referee accepts it."""
    rng = random.Random(players + 200)
    game = Game.new(seed=rng.randbytes(32), players=players)
    answers: Counter[bool | None] = Counter()
    while game.state.phase is not Phase.GAME_OVER:
        if game.state.phase is Phase.PLAY:
            turn = game.state.turn
            for seat in (turn, turn, turn, (turn + 1) % players):
                action = some_lay_down(game, seat, rng)
                answers[a_lay_down_is_judged_as_by_the_referee(game, action)] += 1
        step(game, rng, eager=True)
    assert answers[True]
    assert answers[False] > 1000


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_kind_of_action_occurs_in_every_hand(preset: str) -> None:
    """The random games get people down in every one of the ten hands, so the properties speak of all of them."""
    seen: set[tuple[int, type[Action]]] = set()
    for number in range(6):
        rng = random.Random(f"{preset}{number}")
        game = Game.new(seed=rng.randbytes(32), players=3 + number % 4, rules=PRESETS[preset])
        while game.state.phase is not Phase.GAME_OVER:
            hand = game.state.hand
            action, _ = step(game, rng, eager=True)
            seen.add((hand, type(action)))
    kinds = {Answer, LayDown, LayOff, Swap, Discard, TimeOut}
    assert {(hand, kind) for hand in range(1, PRESETS[preset].hands + 1) for kind in kinds} <= seen


def test_r10_2_only_a_hand_that_can_lay_down_is_ever_bound_to() -> None:
    """After a swap a seat that is not down cannot discard, and can always lay down."""
    bound = 0
    for players in PLAYERS:
        rng = random.Random(players + 300)
        game = Game.new(seed=rng.randbytes(32), players=players)
        while game.state.phase is not Phase.GAME_OVER:
            if game.state.must_lay_down:
                bound += 1
                assert can_lay_down(game.state.hands[game.state.turn], game.state.contract, game.state.rules)
                assert not game.can(Discard(game.state.turn, game.state.hands[game.state.turn][0]))
            step(game, rng, eager=True)
    assert bound > 3


def test_ends_are_named_by_value() -> None:
    """The text forms of ends and kinds are those of the game record."""
    assert [end.value for end in End] == ["low", "high"]
    assert [kind.value for kind in MeldKind] == ["set", "run"]
