"""A crowd of spectators: each sees the table at once, and that they are many costs nobody an update for each."""

from __future__ import annotations

import asyncio

from server_table import Player, playground, seated

from shanghai_engine.action import Claim
from shanghai_server.table.steward import CROWD, CROWD_PAUSE


async def test_a_crowd_is_counted_now_and_then() -> None:
    """Up to 32 spectators everybody sees at once how many there are; of more it is shown after a second."""
    async with playground() as ground:
        (ann, _) = await seated(ground, ("Ann", "Ben"))
        few = [await Player.spectate(ground, ann.table) for _ in range(CROWD - 1)]
        await ann.until(lambda: ann.last.public.table.spectators == CROWD - 1)
        before = len(ann.updates)
        many = list(await asyncio.gather(*(Player.spectate(ground, ann.table) for _ in range(20))))
        assert all(player.updates[0].public.HasField("game") for player in many)
        assert len(ann.updates) == before
        ground.clock.advance(CROWD_PAUSE)
        await ann.until(lambda: ann.last.public.table.spectators == CROWD + 19)
        assert len(ann.updates) == before + 1
        await many[0].until(lambda: many[0].last.public.table.spectators == CROWD + 19)
        for player in (*few, *many):
            await player.unwatch()


async def test_what_happens_shows_a_crowd_how_many_it_is() -> None:
    """An update that comes anyway carries the number, and none follows for it."""
    async with playground() as ground:
        players = await seated(ground, ("Ann", "Ben"))
        crowd = list(await asyncio.gather(*(Player.spectate(ground, players[0].table) for _ in range(CROWD + 5))))
        game = players[0].last.public.game
        for seat in game.claim_order:
            await players[seat].answer(Claim.PASS)
        await crowd[-1].until(lambda: len(crowd[-1].last.public.game.events) > len(game.events))
        assert crowd[-1].last.public.table.spectators == CROWD + 5
        sequence = crowd[-1].last.sequence
        ground.clock.advance(CROWD_PAUSE)
        await players[0].say("Good evening")
        await crowd[-1].until(lambda: bool(crowd[-1].last.public.table.chat))
        assert crowd[-1].last.sequence == sequence + 1
        for player in crowd:
            await player.unwatch()
