"""The seats that a view names: each is one of those at the table, so that whoever shows it need not ask again."""

from __future__ import annotations

from collections.abc import Iterator

from shanghai_engine.event import GameEnded
from shanghai_engine.state import HandResult
from shanghai_engine.view import View
from shanghai_wire.bad_message import BadMessage


def check_seats(view: View) -> View:
    """Give the view if every seat in it is there, and every list by seat has one entry for each; or `BadMessage`."""
    seats = len(view.public.seats)
    for field, seat in _named(view):
        if not 0 <= seat < seats:
            raise BadMessage(field, seat, f"it is one of {seats} seats, from 0")
    for field, length in _lists(view):
        if length != seats:
            raise BadMessage(field, length, f"there are as many as seats, {seats}")
    return view


def _named(view: View) -> Iterator[tuple[str, int]]:
    game = view.public
    yield "game.dealer", game.dealer
    yield "game.turn", game.turn
    yield from (("game.claim_order", seat) for seat in game.claim_order)
    yield from ((f"game.melds[{place}].owner", meld.owner) for place, meld in enumerate(game.melds))
    for place, event in enumerate(game.events):
        # What no seat did, and an offer that nobody wanted, name none.
        seat = getattr(event, "seat", None)
        if seat is not None:
            yield f"game.events[{place}].seat", seat
    for place, result in enumerate(game.results):
        yield f"game.results[{place}].dealer", result.dealer
        if result.winner is not None:
            yield f"game.results[{place}].winner", result.winner
    if view.own is not None:
        yield "own.seat", view.own.seat


def _lists(view: View) -> Iterator[tuple[str, int]]:
    game = view.public
    ended = [event for event in game.events if isinstance(event, HandResult)]
    for name, results in (("game.results", game.results), ("game.events", ended)):
        for result in results:
            yield from ((name, len(each)) for each in (result.hands, result.scores, result.totals))
    yield from (("game.events", len(event.places)) for event in game.events if isinstance(event, GameEnded))
    if game.places:
        yield "game.places", len(game.places)
