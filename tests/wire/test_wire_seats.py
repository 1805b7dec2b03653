"""A view that names a seat that is not at the table is refused as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from wire_strategies import random_game

from shanghai_engine.event import Discarded
from shanghai_engine.state import HandResult
from shanghai_engine.view import OwnView, View
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.seats_named import check_seats

T = TypeVar("T")


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


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_there_is_named_in_what_has_happened(seat: int) -> None:
    """Who owns a meld, who does something, and who has dealt or won a hand is looked at, too."""
    game = next(
        view.public for view in endings() if view.public.melds and any(each.winner for each in view.public.results)
    )
    place, event = next((place, event) for place, event in enumerate(game.events) if isinstance(event, Discarded))
    won, result = next((number, result) for number, result in enumerate(game.results) if result.winner)
    for field, spoilt in (
        ("game.melds[0].owner", replace(game, melds=put(game.melds, 0, replace(game.melds[0], owner=seat)))),
        (f"game.events[{place}].seat", replace(game, events=put(game.events, place, replace(event, seat=seat)))),
        (f"game.results[{won}].dealer", replace(game, results=put(game.results, won, replace(result, dealer=seat)))),
        (f"game.results[{won}].winner", replace(game, results=put(game.results, won, replace(result, winner=seat)))),
    ):
        with pytest.raises(BadMessage, match=rf"^{re.escape(field)} = {seat} cannot be read: it is one of 3 seats"):
            check_seats(View(spoilt, None))


def test_a_list_by_seat_has_an_entry_for_each() -> None:
    """Hands, scores and totals of a result, also where it is an event, and places, for the seats that there are."""
    game = next(endings()).public
    end = next(place for place, event in enumerate(game.events) if isinstance(event, HandResult))
    for name in ("hands", "scores", "totals"):
        short: Any = replace(game.results[0], **{name: getattr(game.results[0], name)[:2]})
        for field, spoilt in (
            ("game.results", replace(game, results=put(game.results, 0, short))),
            ("game.events", replace(game, events=put(game.events, end, short))),
        ):
            with pytest.raises(BadMessage, match=rf"^{field} = 2 cannot be read: there are as many as seats, 3"):
                check_seats(View(spoilt, None))
    with pytest.raises(BadMessage, match=r"^game\.places = 4 cannot be read"):
        check_seats(View(replace(game, places=(*game.places, 1)), None))


def endings() -> Iterator[View]:
    """Give what everybody sees at the ends of games."""
    for seed in range(4, 100):
        *_, over = random_game(players=3, seed=seed)
        yield over.view()


def put(entries: tuple[T, ...], place: int, entry: T) -> tuple[T, ...]:
    """Give the entries with another one at a place."""
    return (*entries[:place], entry, *entries[place + 1 :])
