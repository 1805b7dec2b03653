"""A view that names a seat that is not at the table is refused as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wire_strategies import random_game

from shanghai_engine.view import OwnView
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.seats_named import check_seats


def test_the_views_of_a_whole_game_are_right() -> None:
    """Whatever has happened, each seat and each spectator is shown only seats that are there."""
    for game in random_game(players=3, seed=4):
        for viewer in (None, 0, 2):
            assert check_seats(game.view(viewer)) == game.view(viewer)


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_there_is_named(seat: int) -> None:
    """The dealer, the seat on turn, the claim order and the viewer's own seat are each looked at."""
    view = next(random_game(players=3, seed=4)).view(0)
    own = view.own or OwnView(0, (), None, None, ())
    game = view.public
    for field, spoilt in (
        ("game.dealer", replace(view, public=replace(game, dealer=seat))),
        ("game.turn", replace(view, public=replace(game, turn=seat))),
        ("game.claim_order", replace(view, public=replace(game, claim_order=(0, seat)))),
        ("own.seat", replace(view, own=replace(own, seat=seat))),
    ):
        with pytest.raises(BadMessage, match=rf"^{field} = {seat} cannot be read: it is one of 3 seats, from 0$"):
            check_seats(spoilt)
