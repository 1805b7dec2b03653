"""The command line of the full screen, and what is for good: it is asked back by one key."""

from __future__ import annotations

from desk_terminal import (
    RESTORED,
    answer_of,
    room,
)

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import Leaving
from shanghai_client.screen.model import Confirming


async def test_the_command_line_runs_every_command() -> None:
    """`:` opens it, Tab completes, what a command says is shown; a wrong one is answered with a sentence."""
    async with room() as made:
        made.terminal.keys.send_text(":disc\t\r")
        await made.terminal.until_shown("No dead discards.")
        made.terminal.keys.send_text("\x1b")
        made.terminal.keys.send_text(":say hello there\r")
        await made.terminal.until_shown("Ann says: hello there")
        made.terminal.keys.send_text(":nonsense\r")
        await made.terminal.until_shown("'nonsense' is no command")
        made.terminal.keys.send_text(":help\r")
        await made.terminal.until_shown("take the upcard as your draw")


async def test_what_completes_a_line_lies_over_nothing_that_is_asked() -> None:
    """The list stands above one's own hand: the cards and the question are what one types about."""
    async with room() as made:
        await made.terminal.until_shown("p pass")
        below = made.terminal.lines()[-6:-1]
        made.terminal.keys.send_text(":dis")
        await made.terminal.until_shown(" discards ")
        assert made.terminal.lines()[-1] == ":dis"
        assert made.terminal.lines()[-6:-1] == below


async def test_what_is_pasted_plays_nothing() -> None:
    """A paste into the table is no key."""
    async with room() as made:
        asked = made.desk.shown
        made.terminal.keys.send_text("\x1b[200~ppp\x1b[201~:")
        await made.terminal.until(lambda: made.terminal.lines()[-1].startswith(":"))
        assert made.desk.shown == asked
        assert answer_of(made.desk) is None


async def test_quitting_leaves_the_terminal_as_it_was() -> None:
    """Q and y end the client, which keeps the seat; the usual screen is back."""
    async with room() as made:
        made.terminal.keys.send_text("q")
        await made.terminal.until_shown("Your seat is kept")
        made.terminal.keys.send_text("y")
        await made.terminal.ended()
        assert made.desk.left is Leaving.QUIT
        assert all(sign in made.terminal.written.getvalue()[-200:] for sign in RESTORED)


async def test_leaving_for_good_is_asked_back_by_one_key() -> None:
    """`leave` behind the colon asks as every key does: y gives the seat up, every other key does nothing."""
    async with room() as made:
        made.terminal.keys.send_text(":leave\r")
        await made.terminal.until_shown("Give up your seat for good? A bot plays it to the end (R2.3).")
        made.terminal.keys.send_text("n")
        await made.terminal.until_shown("Nothing was done.")
        assert made.desk.left is None
        made.terminal.keys.send_text(":leave\r")
        await made.terminal.until_shown("Give up your seat for good?")
        made.terminal.keys.send_text("y")
        await made.terminal.ended()
        assert made.desk.left is Leaving.LEAVE


async def test_r2_3_sending_somebody_away_is_asked_back_by_one_key() -> None:
    """`kick` says what it does; y does it, every other key does nothing; then the log tells who plays the seat."""
    async with room() as made:
        question = "Send Ben away for good? A bot plays the seat on (R2.3)."
        made.terminal.keys.send_text(":kick Ben\r")
        await made.terminal.until_shown(question)
        made.terminal.keys.send_text("n")
        await made.terminal.until_shown("Nothing was done.")
        assert made.desk.scene.table.seats[1].occupant == table_pb2.OCCUPANT_PERSON
        made.terminal.keys.send_text(":kick 1\r")
        await made.terminal.until_shown(question)
        made.terminal.keys.send_text("y")
        await made.terminal.until(lambda: made.desk.scene.table.seats[1].occupant == table_pb2.OCCUPANT_BOT)
        assert "Ben is played by a bot from now on." in made.desk.scene.told


async def test_what_sends_somebody_away_names_the_person() -> None:
    """The seat is not named: another may sit there before the line is sent; equal names are told apart by the seat."""
    async with room() as made:
        made.terminal.keys.send_text(":kick 1\r")
        await made.terminal.until_shown("Send Ben away for good?")
        assert isinstance(made.desk.model.mode, Confirming)
        assert made.desk.model.mode.what == "kick Ben yes"
        made.terminal.keys.send_text("n")
        await made.terminal.until_shown("Nothing was done.")
        made.desk.scene.table.seats[1].name = "0"
        made.desk.scene.table.seats[0].name = "0"
        made.terminal.keys.send_text(":kick 1\r")
        await made.terminal.until_shown("Send 0 away for good?")
        assert made.desk.model.mode.what == "kick 1 yes"
