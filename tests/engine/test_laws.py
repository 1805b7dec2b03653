"""State machines over random rule sets: whatever is played, in whatever order, the laws of `laws` hold."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from laws import (
    a_copy_is_independent,
    a_lay_down_is_judged_as_by_the_referee,
    a_turn_can_end,
    cards_are_conserved,
    choices_are_those_of_the_referee,
    some_lay_down,
    somebody_owes,
    the_game_is_what_happened,
    the_lay_down_is_listed_where_there_is_one,
    views_tell_no_secret,
)
from playing import game_seed, step
from records import record_of
from stacked import StackedChance
from strategies import tables

from shanghai_engine.action import Deal, TimeOut
from shanghai_engine.game import Game
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.verify import verify

numbers = st.integers(0, 2**32 - 1)


class Table(RuleBasedStateMachine):
    """A game of some players under any rules, played by chance, with somebody looking now and then."""

    def __init__(self, players: int) -> None:
        """Wait for the rules."""
        super().__init__()
        self.players = players
        self.rng = random.Random(0)
        self.stacked = False
        self.game: Game

    @initialize(data=st.data(), number=numbers, stacked=st.sampled_from([True, True, False]))
    def sit_down(self, data: st.DataObject, number: int, *, stacked: bool) -> None:
        """Agree on rules, and deal; where the deal is stacked, much is laid down and swapped."""
        rules: RuleSet = data.draw(tables(players=self.players))
        self.stacked = stacked
        self.rng = random.Random(number)
        chance = StackedChance(number) if stacked else None
        self.game = Game.new(seed=game_seed(number), players=self.players, rules=rules, chance=chance)

    @property
    def is_over(self) -> bool:
        """Whether nothing more can be played."""
        return self.game.state.phase is Phase.GAME_OVER

    @rule(steps=st.integers(1, 25), eager=st.booleans())
    def play(self, steps: int, *, eager: bool) -> None:
        """Let some seats choose, at random or whatever gets cards onto the table."""
        for _ in range(steps):
            if self.is_over:
                return
            step(self.game, self.rng, eager=eager)
            cards_are_conserved(self.game)
            somebody_owes(self.game)

    @rule()
    def play_until_a_swap_binds(self) -> None:
        """Go on to where a swap has left something owed, and ask the referee there; or to the end of the hand."""
        for _ in range(60):
            if not self.game.decisions():
                return
            if self.game.state.must_lay_down or self.game.state.must_play:
                choices_are_those_of_the_referee(self.game)
                a_turn_can_end(self.game)
                return
            step(self.game, self.rng, eager=True)

    @rule()
    def run_out_of_time(self) -> None:
        """Let the table end what everybody owes."""
        for seat in self.game.decisions():
            if seat in self.game.decisions():
                self.game.apply(TimeOut(seat))

    @precondition(lambda self: self.game.state.phase is Phase.HAND_OVER)
    @rule()
    def deal(self) -> None:
        """Deal the next hand."""
        self.game.apply(Deal())

    @rule()
    def ask_the_referee(self) -> None:
        """Every choice that can be named is lawful just where it is listed."""
        choices_are_those_of_the_referee(self.game)
        the_lay_down_is_listed_where_there_is_one(self.game)

    @precondition(lambda self: self.game.state.phase is Phase.PLAY)
    @rule()
    def propose_lay_downs(self) -> None:
        """Lay-downs made up from the hand are judged as the referee judges them."""
        for _ in range(10):
            a_lay_down_is_judged_as_by_the_referee(self.game, some_lay_down(self.game, self.game.state.turn, self.rng))

    @rule()
    def look(self) -> None:
        """No view tells a secret."""
        views_tell_no_secret(self.game, self.rng)

    @rule()
    def tell_it_again(self) -> None:
        """Replay, record, journal, pickle and copy give the same game."""
        the_game_is_what_happened(self.game)
        a_copy_is_independent(self.game, self.rng)

    @invariant()
    def every_turn_can_end(self) -> None:
        """Nothing is a dead end."""
        cards_are_conserved(self.game)
        somebody_owes(self.game)
        a_turn_can_end(self.game)

    def teardown(self) -> None:
        """Play on to the end, and let the record be verified; a stacked deal is not that of its seed."""
        if not hasattr(self, "game"):
            return
        while not self.is_over:
            step(self.game, self.rng, eager=True)
        the_game_is_what_happened(self.game)
        if not self.stacked:
            verdict = verify(record_of(self.game))
            assert verdict.finding is None
            assert verdict.game is not None
            assert verdict.game.state == self.game.state


def laws_hold(players: int, *, games: int, steps: int) -> None:
    """Let Hypothesis play so many games."""
    run_state_machine_as_test(
        lambda: Table(players),  # type: ignore[arg-type]
        settings=settings(
            max_examples=games, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 9))
def test_r16_every_law_holds_under_random_rules(players: int) -> None:
    """Cards are conserved, choices are those of the rules, nothing is a dead end, no view tells, all can be retold."""
    laws_hold(players, games=25, steps=15)


@pytest.mark.soak
@pytest.mark.parametrize("players", range(2, 9))
def test_r16_every_law_holds_under_very_many_random_rules(players: int) -> None:
    """The same over hundreds of rule sets and longer walks."""
    laws_hold(players, games=400, steps=30)
