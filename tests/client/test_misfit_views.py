"""A view that does not fit together is refused in one sentence, before anything is shown or worked out of it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path

import pytest
from client_program import run_program
from message_spoiling import spoil_field
from scenes import SCENES, scene
from scripted_service import Context, receipt, serving

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.commands.looking import hint_lines
from shanghai_client.present.cards import hand_lines
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.news import log_lines
from shanghai_client.scene import Scene
from shanghai_client.screen.hints import hint_lines as hint_lines_on_screen
from shanghai_client.screen.model import Model
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.seeing import seen
from shanghai_client.seat import Seat
from shanghai_wire.bad_message import BadMessage
from shanghai_wire.decisions import decision_message
from shanghai_wire.rules import rules_message
from shanghai_wire.views import own_message, public_message

PRESENTS = (hint_lines, hint_lines_on_screen, hand_lines, choice_lines, log_lines)


def update_of(shown: Scene) -> table_pb2.Update:
    """Give a scene as a server says it."""
    update = table_pb2.Update(sequence=1)
    update.public.table.CopyFrom(shown.table)
    if shown.view is not None:
        update.public.table.rules.CopyFrom(rules_message(shown.view.public.rules))
        update.public.game.CopyFrom(public_message(shown.view.public))
        if shown.view.own is not None:
            update.private.own.CopyFrom(own_message(shown.view.own))
    if shown.decision is not None:
        update.private.decision.CopyFrom(decision_message(shown.decision, game=1))
    return update


def _cards_of_others(update: table_pb2.Update) -> None:
    del update.private.own.hand[:]


def _no_claims(update: table_pb2.Update) -> None:
    del update.private.decision.offer.claims[:]


def _no_choice(update: table_pb2.Update) -> None:
    update.private.decision.play.Clear()
    update.private.decision.play.SetInParent()


def _no_game(update: table_pb2.Update) -> None:
    update.public.ClearField("game")


def _other_place(update: table_pb2.Update) -> None:
    update.private.decision.offer.place = 8


def _no_melds(update: table_pb2.Update) -> None:
    del update.public.game.melds[:]


def _other_hand(update: table_pb2.Update) -> None:
    update.public.game.hand = 11


def _other_dealer(update: table_pb2.Update) -> None:
    next(event for event in update.public.game.events if event.HasField("hand_dealt")).hand_dealt.dealer = 9


def _other_rules(update: table_pb2.Update) -> None:
    update.public.table.rules.buys[:] = [-7]


Change = Callable[[table_pb2.Update], None]
MISFITS: dict[str, tuple[str, Change, str]] = {
    "cards of others": ("turn_with_melds", _cards_of_others, "it is in the hand"),
    "no claims": ("offer_to_a_buyer", _no_claims, "an offer has a choice"),
    "no choice": ("turn_with_melds", _no_choice, "a play has a choice"),
    "no game": ("turn_with_melds", _no_game, "it is asked of a seat in a game"),
    "another place": ("offer_to_a_buyer", _other_place, "decision.offer.place = 8"),
    "no melds": ("turn_with_melds", _no_melds, "it is one of 0 melds, from 0"),
    "another hand": ("turn_with_melds", _other_hand, "game.hand = 11 cannot be read: it is one of 10 hands, from 1"),
    "another dealer": ("offer_to_a_buyer", _other_dealer, ".dealer = 9 cannot be read: it is one of"),
    "other rules": ("turn_with_melds", _other_rules, "table.rules."),
}


@pytest.mark.parametrize("what", MISFITS)
def test_what_does_not_fit_together_is_refused(what: str) -> None:
    """The sentence names the field, and what would be right; as it was it is read."""
    name, change, said = MISFITS[what]
    update = update_of(scene(name))
    Scene.of(update)
    change(update)
    with pytest.raises(BadMessage) as bad:
        Scene.of(update)
    assert said in str(bad.value)


def test_whatever_is_read_can_be_shown() -> None:
    """Of some hundred spoiled updates each is refused, or hints, hand, choices, log and screen are made of it."""
    rng = random.Random(7)
    names, read = list(SCENES), 0
    for _ in range(400):
        update = update_of(scene(rng.choice(names)))
        for part in rng.choices(
            (update.public.game, update.public.table, update.private, update.private.decision), k=2
        ):
            spoil_field(part, rng)
        try:
            shown = Scene.of(update)
        except BadMessage:
            continue
        read += 1
        for present in PRESENTS:
            assert present(shown)
        assert board(seen(Model(), shown, now=1.0))
    assert read > 50


def _outside(status: table_pb2.TableStatus.ValueType, seat: int | None) -> table_pb2.Update:
    update = table_pb2.Update(sequence=1)
    update.public.table.status, update.public.table.game_number = status, 1
    for index in range(2):
        update.public.table.seats.add(index=index)
    if seat is not None:
        update.private.own.seat = seat
    return update


@pytest.mark.parametrize("seat", [None, 7, -1])
async def test_a_seat_of_ones_own_that_the_table_has_not_is_refused(seat: int | None) -> None:
    """Also where the answer to joining named it, and however it is come back to."""

    async def streams(_request: service_pb2.WatchRequest, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        yield service_pb2.WatchResponse(update=_outside(table_pb2.TABLE_STATUS_STARTING, seat))

    said = rf"own\.seat = {7 if seat is None else seat} cannot be read: it is one of 2 seats, from 0"
    async with serving(Watch=streams) as connection:
        kept = receipt("ABCDE").promised(made=False)
        async with aclosing(Seat(connection, kept, index=7, name="Ann").watch()) as sights:
            with pytest.raises(BadMessage, match=said):
                await anext(sights)
        if seat is not None:
            with pytest.raises(BadMessage, match=said):
                await Seat.again(connection, kept)


async def test_a_hostile_server_ends_the_program_with_one_sentence(tmp_path: Path) -> None:
    """It says that the server said it, and the exit code is 1."""
    table = table_pb2.TableSummary(table="ABCDE", status=table_pb2.TABLE_STATUS_LOBBY, seats=[table_pb2.Seat()])

    async def tables(_request: object, _: Context) -> service_pb2.ListTablesResponse:
        return service_pb2.ListTablesResponse(tables=[table])

    async def join(_request: object, _: Context) -> service_pb2.JoinTableResponse:
        return service_pb2.JoinTableResponse(seat=7, name="Ann", commitment=b"x" * 32)

    async def streams(_request: object, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        yield service_pb2.WatchResponse(update=_outside(table_pb2.TABLE_STATUS_STARTING, 7))

    async with serving(ListTables=tables, JoinTable=join, Watch=streams) as connection:
        for how in ((), ("--start",)):
            ran = await run_program(
                *("join", connection.address, "--table", "ABCDE", "--name", "Ann", "--plain", *how), home=tmp_path
            )
            assert ran.code == 1, ran.err
            last = ran.err.splitlines()[-1]
            assert last.startswith("shanghai-rum: the server said what this client cannot read: own.seat = 7 cannot be")
