"""Who takes a seat over during a hand, and which of its events everybody reads as of whom (R2.3)."""

from __future__ import annotations

import asyncio

import pytest
from server_table import Player, Playground, playground, seated

from shanghai.v1 import table_pb2
from shanghai_engine.action import Claim
from shanghai_server.journal.memory_journal import MemoryJournal
from shanghai_server.standing.standing import KEPT_TAKEOVERS

CODE = "river-stone-7"


def moved(player: Player, ground: Playground) -> Player:
    """Give the same player at a server that was started again."""
    return Player(ground, player.table, player.name, player.token, player.seat)


async def test_a_hand_tells_who_played_a_seat_before_it_was_taken_over() -> None:
    """By the name then, and how much had happened; so also after a restart, and until the next deal."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        ann, ben, lou = await seated(ground, ("Ann", "Ben", "Lou"))
        await ben.call("HandOverSeat", code=CODE)
        dora = await Player.join(ground, ann.table, "Dora", code=CODE)
        await lou.call("HandOverSeat", code=CODE)
        cleo = await Player.join(ground, ann.table, "Cleo", code=CODE)
        await ann.until(lambda: len(ann.last.public.table.takeovers) == 2)
        told = []
        for number in (1, 2):
            shown = next(each.public for each in ann.updates if len(each.public.table.takeovers) == number)
            told.append(
                table_pb2.Takeover(seat=number, before=("Ben", "Lou")[number - 1], events=len(shown.game.events))
            )
            assert list(shown.table.takeovers) == told
        assert not ann.updates[0].public.table.takeovers
    async with playground(journal=journal) as ground:
        ann, cleo, dora = (moved(player, ground) for player in (ann, cleo, dora))
        for player in (ann, cleo, dora):
            await player.watch()
            assert list(player.last.public.table.takeovers) == told
        await asyncio.gather(*(player.play(hand=2) for player in (ann, cleo, dora)))
        assert not ann.last.public.table.takeovers


@pytest.mark.parametrize("by_whom", ["before", "after"])
async def test_r7_14_what_wins_an_offer_is_told_as_of_who_answered_once_it_has_closed(by_whom: str) -> None:
    """Until then a takeover reads the same, whether who sat there before had answered or not; after a restart, too."""
    journal = MemoryJournal()
    async with playground(journal=journal) as ground:
        players = await seated(ground, ("Ann", "Ben", "Cleo"))
        first, buyer, _ = order = [players[seat] for seat in players[0].last.public.game.claim_order]
        if by_whom == "before":
            await buyer.answer(Claim.BUY)
        await buyer.call("HandOverSeat", code=CODE)
        dora = await Player.join(ground, buyer.table, "Dora", code=CODE)
        told = table_pb2.Takeover(seat=buyer.seat, before=buyer.name, events=1)
        await first.until(lambda: list(first.last.public.table.takeovers) == [told])
    async with playground(journal=journal) as ground:
        first, dora = (moved(player, ground) for player in (order[0], dora))
        for player in (first, dora):
            await player.watch()
        if by_whom == "after":
            await dora.answer(Claim.BUY)
        assert list(first.last.public.table.takeovers) == [told]
        await first.answer(Claim.PASS)
        await first.until(lambda: len(first.last.public.game.events) > 1)
        assert first.last.public.game.events[1].offer_settled.seat == buyer.seat
        told.events += by_whom == "before"
        assert list(first.last.public.table.takeovers) == [told]


async def test_of_many_takeovers_the_last_ones_are_told_and_a_rematch_forgets_them() -> None:
    """However often a seat goes from hand to hand, an update stays short."""
    async with playground() as ground:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        held = ben
        for number in range(KEPT_TAKEOVERS + 2):
            await held.call("HandOverSeat", code=CODE)
            held = await Player.join(ground, ann.table, f"Guest {number}", code=CODE, watch=False)
        names = [f"Guest {number}" for number in range(1, KEPT_TAKEOVERS + 1)]
        await ann.until(lambda: [each.before for each in ann.last.public.table.takeovers] == names)
        await held.watch()
        await asyncio.gather(ann.play(), held.play())
        late = await Player.join(ground, ann.table, "Late", code=await code_of(held))
        await ann.until(lambda: [each.before for each in ann.last.public.table.takeovers] == [held.name])
        await ann.call("Rematch")
        await late.until(lambda: late.last.public.table.game_number == 2)
        assert not late.last.public.table.takeovers


async def code_of(player: Player) -> str:
    """Let a player offer his seat; gives the code."""
    await player.call("HandOverSeat", code=CODE)
    return CODE
