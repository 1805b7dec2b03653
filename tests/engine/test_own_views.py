"""What a seat alone sees: it is remembered where nothing of it has changed, and is what it would be made anew."""

import random

from playing import eager_player, game_seed, play, step

from shanghai_engine.action import Action
from shanghai_engine.contract import Contract
from shanghai_engine.game import Game
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import Phase
from shanghai_engine.view import own_view


def test_a_seats_own_view_is_what_it_would_be_made_anew() -> None:
    """Before each action of a whole game every seat's own view is that of the moment."""
    looked = 0

    def look(game: Game, _action: Action) -> None:
        nonlocal looked
        for seat in range(4):
            assert game.view(seat).own == own_view(game.state, game.history, seat)
            looked += 1

    play(Game.new(seed=game_seed(11)), [eager_player] * 4, salt="own", watch=look)
    assert looked > 1000


def test_a_seats_own_view_is_the_same_while_nothing_of_it_changes() -> None:
    """Another's answer changes nothing of what a seat alone sees; its own answer does, and a copy remembers nothing."""
    game = Game.new(seed=game_seed(11))
    last = max(game.decisions())
    before = [game.view(seat).own for seat in range(4)]
    game.apply(next(iter(game.decisions()[last].actions())))
    after = [game.view(seat).own for seat in range(4)]
    assert [was is now for was, now in zip(before, after, strict=True)] == [seat != last for seat in range(4)]
    assert [game.copy().view(seat).own for seat in range(4)] == after


def test_what_a_seat_learned_in_one_hand_is_not_shown_in_the_next() -> None:
    """Who goes out in two hands has no cards at the end of both, and may have learned as often in either."""
    hands = 10
    rules = RuleSet(contracts=(Contract(sets=(3,)),) * hands, cards_dealt=(5,) * hands, buys=(0,) * hands)
    alike = 0
    for number in range(20):
        game, before = Game.new(seed=game_seed(number), players=2, rules=rules), (-1, 0)
        rng = random.Random(number)
        while game.state.phase is not Phase.GAME_OVER:
            step(game, rng, eager=True)
            winner = game.state.results[-1].winner if game.state.phase is Phase.HAND_OVER else None
            if winner is not None:
                assert game.view(winner).own == own_view(game.state, game.history, winner)
                alike += before == (before := (winner, len(game.history.learned[winner])))
    assert alike
