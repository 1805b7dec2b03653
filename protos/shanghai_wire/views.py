"""What a seat or a spectator may know: the engine's view as messages, and back.

The rules, the names and the commitment of the game seed travel with the table (`TableView`), not with every view.
"""

from __future__ import annotations

from collections.abc import Iterable

from shanghai.v1 import event_pb2, table_pb2, view_pb2
from shanghai_engine.history import Learned, PublicEvent
from shanghai_engine.view import OwnView, PublicView, SeatView, View
from shanghai_wire.bad_message import BadMessage, given, within
from shanghai_wire.cards import (
    card_number,
    card_numbers,
    meld_message,
    read_cards,
    read_optional_card,
    read_table_melds,
)
from shanghai_wire.events import event_message, learned_message, read_event, read_learned, read_result, result_message
from shanghai_wire.numbering import CLAIMS, PHASES
from shanghai_wire.rules import contract_message, read_contract, read_rules


def public_message(view: PublicView) -> view_pb2.PublicView:
    """Give the public view as a message, whole."""
    message = fixed_message(view)
    message.MergeFrom(present_message(view))
    message.melds.extend(map(meld_message, view.melds))
    message.results.extend([result_message(result) for result in view.results])
    message.events.extend([event_message(event) for event in view.events])
    return message


def fixed_message(view: PublicView) -> view_pb2.PublicView:
    """Give what of the public view stays as it is from one deal to the next."""
    return view_pb2.PublicView(
        hand=view.hand,
        contract=contract_message(view.contract),
        dealer=view.dealer,
        hand_commitment=view.hand_commitment,
        packs=view.rules.packs_for(len(view.seats)),
        nonces=view.nonces,
    )


def present_message(view: PublicView) -> view_pb2.PublicView:
    """Give what of the public view may be another at every event.

    That is without what is fixed in a hand, the melds, which seldom change, and the results and events, which are only
    added to (see `updates.GameBytes`).
    """
    return view_pb2.PublicView(
        phase=PHASES.number[view.phase],
        turn=view.turn,
        turn_number=view.turn_number,
        step=view.step,
        stock=view.stock,
        upcard=card_number(view.upcard),
        dead=card_numbers(view.dead),
        seats=[_seat_message(seat) for seat in view.seats],
        claim_order=view.claim_order,
        reshuffles=view.reshuffles,
        game_seed=view.game_seed or b"",
        places=view.places,
    )


def _seat_message(seat: SeatView) -> view_pb2.SeatView:
    return view_pb2.SeatView(
        cards=seat.cards, buys_left=seat.buys_left, down=seat.down, floats=seat.floats, total=seat.total
    )


def own_message(own: OwnView) -> view_pb2.OwnView:
    """Give what a seat alone knows as a message, whole."""
    message = present_own_message(own)
    message.learned.extend([learned_message(learned) for learned in own.learned])
    return message


def present_own_message(own: OwnView) -> view_pb2.OwnView:
    """Give what a seat alone knows without what it learned, which is only added to (see `updates.OwnBytes`)."""
    return view_pb2.OwnView(
        seat=own.seat,
        hand=card_numbers(own.hand),
        drawn=card_number(own.drawn),
        answer=CLAIMS.optional_number(own.answer),
    )


def read_view(table: table_pb2.TableView, game: view_pb2.PublicView, own: view_pb2.OwnView | None = None) -> View:
    """Give the engine's view of what was received, without `own` that of a spectator.

    Events of a kind that this version does not know are left out. Raises `BadMessage`, and `BadRules` for rules that
    this version does not play.
    """
    public, places = _read_public(table, game)
    return View(public=public, own=None if own is None else _read_own(own, places))


def _read_public(table: table_pb2.TableView, game: view_pb2.PublicView) -> tuple[PublicView, list[int | None]]:
    given(game, "contract", "game", "the contract of the hand")
    given(game, "dealer", "game", "the seat that dealt, from 0")
    given(game, "turn", "game", "the seat on turn, from 0")
    events, places = _read_events(game.events)
    public = PublicView(
        rules=read_rules(table.rules),
        phase=PHASES.read(game.phase, "game.phase"),
        hand=game.hand,
        contract=read_contract(game.contract, "game.contract"),
        dealer=game.dealer,
        turn=game.turn,
        turn_number=game.turn_number,
        step=game.step,
        stock=game.stock,
        upcard=read_optional_card(game.upcard, "game.upcard"),
        dead=read_cards(game.dead, "game.dead"),
        melds=read_table_melds(game.melds, "game.melds"),
        seats=_read_seats(table, game),
        claim_order=tuple(game.claim_order),
        reshuffles=game.reshuffles,
        commitment=table.commitment,
        nonces=tuple(game.nonces),
        hand_commitment=game.hand_commitment,
        events=events,
        results=tuple(read_result(result, f"game.results[{place}]") for place, result in enumerate(game.results)),
        places=tuple(game.places),
        game_seed=game.game_seed or None,
    )
    return public, places


def _read_seats(table: table_pb2.TableView, game: view_pb2.PublicView) -> tuple[SeatView, ...]:
    if len(table.seats) != len(game.seats):
        raise BadMessage("game.seats", len(game.seats), f"there are as many as table.seats, {len(table.seats)}")
    for place, seat in enumerate(game.seats):
        given(seat, "buys_left", f"game.seats[{place}]", "the buys left, or -1 for no limit")
    return tuple(
        SeatView(
            name=sitting.name,
            cards=seat.cards,
            buys_left=seat.buys_left,
            down=seat.down,
            floats=seat.floats,
            total=seat.total,
        )
        for sitting, seat in zip(table.seats, game.seats, strict=True)
    )


def _read_events(messages: Iterable[event_pb2.PublicEvent]) -> tuple[tuple[PublicEvent, ...], list[int | None]]:
    """Give the events, and for each message the place of its event; none where it is of an unknown kind."""
    events: list[PublicEvent] = []
    places: list[int | None] = []
    for place, message in enumerate(messages):
        event = read_event(message, f"game.events[{place}]")
        places.append(None if event is None else len(events))
        if event is not None:
            events.append(event)
    return tuple(events), places


def _read_own(own: view_pb2.OwnView, places: list[int | None]) -> OwnView:
    given(own, "seat", "own", "a seat, from 0")
    learned = []
    for number, message in enumerate(own.learned):
        field = f"own.learned[{number}]"
        read = read_learned(message, field)
        if not 0 <= read.index < len(places):
            raise BadMessage(
                within(field, "event_index"), read.index, f"it is the place of one of {len(places)} events, from 0"
            )
        place = places[read.index]
        if place is not None:
            learned.append(Learned(place, read.cards))
    return OwnView(
        seat=own.seat,
        hand=read_cards(own.hand, "own.hand"),
        drawn=read_optional_card(own.drawn, "own.drawn"),
        answer=CLAIMS.read_optional(own.answer, "own.answer"),
        learned=tuple(learned),
    )
