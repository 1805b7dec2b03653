"""Who has his seat from the next deal on is told so, and is shown and asked nothing of the hand before it (R2.3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from drawn import model_of
from hand_clock import HandClock
from plain_room import Heard, Room, Typed
from positions import position
from scenes import played, scene_of
from server_table import AT_ONCE, Player, playground

from shanghai.v1 import table_pb2
from shanghai_client.commands.looking import hint_lines
from shanghai_client.connection import Connection
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.present.cards import hand_line, hand_lines
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.company import Company
from shanghai_client.present.ready import ready_lines
from shanghai_client.present.table import table_lines
from shanghai_client.receipt import Receipt
from shanghai_client.scene import Scene
from shanghai_client.screen.building import begin
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.panes.cards import hand_heading
from shanghai_client.screen.pieces import text_of
from shanghai_client.seat import Seat
from shanghai_engine.state import Phase

WAITS = "You play from the next deal on; until then a bot plays your seat (R2.3)."


def waiting(shown: Scene, seat: int = 0) -> Scene:
    """Give a scene in which a seat waits for the next deal; where it is the viewer's, with what he is sent then."""
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    sitting = table.seats[seat]
    sitting.occupant, sitting.waits_for_deal, sitting.stand_in = table_pb2.OCCUPANT_PERSON, True, True
    if seat != shown.seat:
        return replace(shown, table=table)
    assert shown.view is not None
    return replace(shown, table=table, view=replace(shown.view, own=None)).owing_nothing()


def on_turn() -> Scene:
    """Give who waits while the bot of his seat, which is down, is on turn with its last card."""
    game = position(hand=1, turn=0, melds=[(0, "8C 8D 8H"), (0, "KC KD KH")], hands={0: "KS"}, drawn="KS")
    return waiting(scene_of(game, 0))


def test_r2_3_who_waits_for_the_deal_reads_so_wherever_his_hand_would_be() -> None:
    """He has no empty hand, is down in no hand, is not on turn, and no hint is given."""
    shown = on_turn()
    assert (shown.waits, shown.stood_in, shown.down, shown.hand) == (True, False, False, ())
    for lines in (hand_lines(shown), [hand_line(shown)], choice_lines(shown), hint_lines(shown)):
        assert lines == [WAITS]
    table = "\n".join(table_lines(shown))
    assert "Ann (you)" in table
    assert "from the next deal" in table
    assert "stand-in" not in table
    assert "yours" not in table


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_r2_3_the_screen_says_from_when_on_he_plays(size: tuple[int, int]) -> None:
    """In the place of the hand, in the question, and at the seat; no key takes the seat back or builds melds."""
    model = model_of(on_turn(), size=size)
    assert hand_heading(model) == "You play from the next deal on"
    lines = [text_of(each) for each in board(model)]
    shown = "\n".join(lines)
    assert "You play from the next deal on" in shown
    assert WAITS in shown
    assert "Your hand" not in shown
    assert "come back" not in shown
    assert begin(model).model.note == WAITS


def test_r2_3_others_are_told_from_when_on_somebody_plays() -> None:
    """He neither takes the hand over nor is he away, before the deal and after it."""
    company, bot = Company(), scene_of(position(hand=1, turn=1, phase=Phase.OFFER, discards="8S"))
    assert company.news(bot) == []
    root = waiting(bot, 1)
    root.table.seats[1].name, root.table.seats[1].connected = "Root", False
    assert company.news(root) == ["Root sits down on seat 1, and plays from the next deal on."]
    root.table.seats[1].connected = True
    assert company.news(root) == []
    dealt = replace(root, table=table_pb2.TableView())
    dealt.table.CopyFrom(root.table)
    dealt.table.seats[1].waits_for_deal = dealt.table.seats[1].stand_in = False
    assert company.news(dealt) == []


def test_r2_3_others_are_told_that_who_waited_has_gone_again() -> None:
    """And not that the one is played by a bot whom it has stood for all the time."""
    company, bot = Company(), scene_of(position(hand=1, turn=1, phase=Phase.OFFER, discards="8S"))
    bot.table.seats[1].occupant, bot.table.seats[1].name = table_pb2.OCCUPANT_BOT, "Root"
    company.news(bot)
    cy = waiting(bot, 1)
    cy.table.seats[1].name = "Cy"
    company.news(cy)
    assert company.news(bot) == ["Cy has gone again before the deal, and the bot plays on."]
    assert company.news(bot) == []


def test_who_missed_that_seats_were_taken_reads_who_took_them() -> None:
    """As one whose connection broke in the lobby and came back in the hand: nobody has taken a seat from nobody."""
    company, now = Company(), scene_of(position(hand=1, turn=1, phase=Phase.OFFER, discards="8S"))
    lobby = table_pb2.TableView()
    lobby.CopyFrom(now.table)
    for place in (1, 2):
        lobby.seats[place].CopyFrom(table_pb2.Seat(index=place, occupant=table_pb2.OCCUPANT_NOBODY))
    now.table.seats[2].occupant = table_pb2.OCCUPANT_BOT
    names = [now.table.seats[place].name for place in (1, 2)]
    company.news(replace(now, table=lobby))
    assert company.news(now) == [f"{name} sits down on seat {place}." for place, name in enumerate(names, start=1)]


def test_who_missed_that_empty_seats_were_closed_reads_nothing_of_it() -> None:
    """Whoever sat behind them has moved up, and has not come."""
    company, now = Company(), scene_of(position(hand=1, turn=1, phase=Phase.OFFER, discards="8S"))
    lobby = table_pb2.TableView()
    lobby.CopyFrom(now.table)
    lobby.seats.insert(1, table_pb2.Seat(index=1, occupant=table_pb2.OCCUPANT_NOBODY))
    for place, seat in enumerate(lobby.seats):
        seat.index = place
    company.news(replace(now, table=lobby))
    assert company.news(now) == []


def test_r2_4_who_waits_is_waited_for_between_two_hands() -> None:
    """He goes on like the others as long as he is there, and for himself he is `you`."""
    sheet = scene_of(played(2), 0)
    assert ready_lines(waiting(sheet)) == ready_lines(sheet)
    other = waiting(sheet, 3)
    assert ready_lines(other) == ready_lines(sheet)
    other.table.seats[3].connected = False
    assert ready_lines(other) == ["Ready for the next hand: nobody yet. Waited for: you and 日本太郎."]


@asynccontextmanager
async def late_room() -> AsyncIterator[Room]:
    """Give the desk of who has sat down on a bot's seat while the first hand is played."""
    clock = HandClock()
    async with playground(clock=clock) as ground, await Connection.to(f"127.0.0.1:{ground.port}") as connection:
        table = await ground.create(2, options=AT_ONCE)
        ben = await Player.join(ground, table, "Ben")
        await ben.start()
        await ben.until(lambda: ben.decision is not None)
        seat = await Seat.join(connection, Receipt.new(server="test", table=table, name="Ann", nonce=bytes(16)))
        heard, typed = Heard(), Typed()
        desk = PlainDesk(seat=seat, watch=seat.watch, voice=heard)
        desk.attach(typed)
        made = Room(desk, heard, typed, ben, clock)
        made.running = asyncio.create_task(desk.run())
        await made.until(lambda: made.said(WAITS))
        try:
            yield made
        finally:
            made.running.cancel()
            await asyncio.wait({made.running})
            await ben.unwatch()


async def test_r2_3_a_latecomer_looks_on_until_the_deal_and_plays_then() -> None:
    """The bot's doings are not told as his; he is asked nothing but to go on, and then has his hand."""
    async with late_room() as made:
        await made.type("pass", shown="")
        await made.until(lambda: made.said(f"nothing is asked of you now. {WAITS}"))
        while made.other.decision is None or not made.other.decision.HasField("go_on"):
            decision = made.other.decision
            if decision is None:
                await made.other.next()
            else:
                await made.other.act(made.other.choose())
                await made.other.past(decision.id)
        await made.until(lambda: made.said("Go on to the next hand"))
        told = "\n".join(made.heard.lines)
        assert "hand 1 is over" in told
        for sentence in ("You draw", "You discard", "You take", "You go out", "Your hand", "Your turn", "You may"):
            assert sentence not in told
        await made.type("go")
        await made.other.act(made.other.choose())
        await made.until(lambda: made.said("You play your seat from now on."))
        await made.until(lambda: bool(made.desk.scene.hand))
        assert not made.desk.scene.waits
