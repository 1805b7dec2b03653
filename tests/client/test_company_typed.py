"""People at a table by what they type: the host's commands, pauses, a rematch, a seat that is given away."""

from __future__ import annotations

import pytest
from server_table import playground
from two_desks import receipt, two_desks

from shanghai_client.connection import Connection
from shanghai_client.failure import Ended
from shanghai_client.language import speaking
from shanghai_client.seat import Seat
from shanghai_engine.bots import LEVELS
from shanghai_server.house.settings import Options


async def test_the_host_seats_bots_and_sends_people_away_by_typed_commands() -> None:
    """Seats are named by number or by name, a level by its word; others are told that only the host may."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ben.type("kick Ann")
        await ben.hears("Only the host of the table sends somebody away")
        ann.type("bot 2")
        await ann.hears("Bot 1 sits down on seat 2.")
        ann.type(f"bot Bot 1 {list(LEVELS)[-1]}")
        await ann.hears(f"Bot 1 plays at the level {list(LEVELS)[-1]}.")
        ann.type("remove ben")
        await ann.hears("No bot sits on seat 1")
        ann.type("remove 2")
        await ann.hears("Bot 1 has left seat 2.")
        ann.type("bot 2")
        await ann.hears("Bot 1 sits down on seat 2.")
        with speaking("ja"):
            for called in ("Bot 1", "ボット1"):
                ann.type(f"kick {called}")
                await ann.hears("席2に人はいないので、退席させられません")
        ann.type("remove Bot 1")
        await ann.hears("Bot 1 has left seat 2.")
        ann.type("kick nobody")
        await ann.hears("Nobody here is called 'nobody', and the seats are 0 to 2")
        ann.type("kick ben")
        await ann.hears("Kick sends Ben away for good, and the seat is free for others: write kick Ben yes if")
        ann.type("kick ben yes")
        await ann.hears("Ben has left seat 1.")
        with pytest.raises(Ended, match="the host has sent you away, and your seat is free") as ended:
            await ben.running
        assert ended.value.lost_seat


async def test_pauses_and_a_rematch_by_typed_commands() -> None:
    """Everybody is told who would like what, why nothing happens, and that it goes on."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ann.type("start")
        await ben.hears("Hand 1 of 2")
        ben.type("pause")
        await ann.hears("Ben would like to pause the game")
        await ben.hears("You would like to pause the game")
        ann.type("pause")
        await ben.hears("The game is paused by the host: it goes on with resume.")
        ben.type("legal")
        await ben.hears("The game is paused by the host")
        ben.type("pass")
        await ben.hears("Nothing is asked of you now. The game is paused")
        ann.type("resume")
        await ben.hears("The game goes on.")
        ann.type("rematch")
        await ann.hears("A rematch comes after a game that is over")


async def test_giving_a_seat_prints_the_line_that_takes_it() -> None:
    """The code stands in the line for the other person, and works."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ben.type("give away")
        await ben.hears("Give stands alone, or with stop behind it")
        ben.type("give")
        assert "10 minutes" in await ben.hears("has your seat")
        line = await ben.hears("--code")
        address, table, code = line.split()[2], line.split()[4], line.split()[6]
        async with await Connection.to(address) as connection:
            cleo = await Seat.join(connection, receipt(table, "Cleo"), code=code)
            assert (cleo.index, cleo.receipt.counts) == (1, True)
            await ann.hears("Cleo sits down on seat 1.")
            with pytest.raises(Ended, match="handed over"):
                await ben.running


async def test_a_courtesy_table_gives_no_hints() -> None:
    """The command says why it is silent."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0, no_hints=True)
    async with playground() as ground, two_desks(ground, options=options) as (ann, _):
        ann.type("start")
        await ann.hears("Hand 1 of 2")
        ann.type("hint")
        await ann.hears("This table asks its players to do without hints.")
