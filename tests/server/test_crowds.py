"""A crowd of spectators: each sees the table at once, and that they are many costs nobody an update for each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from server_table import Player, playground, seated

from shanghai_engine.action import Claim
from shanghai_server.table import showing, watcher
from shanghai_server.table.steward import CROWD, CROWD_PAUSE
from shanghai_wire.updates import public_bytes, update_bytes


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


async def test_a_change_is_encoded_once_for_all_who_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The public part once, and what is sent once for each seat, and once for all others together."""
    public: list[bytes] = []
    sent: list[bytes] = []

    def noted_public(**parts: Any) -> bytes:  # noqa: ANN401 (whatever an update is made of)
        public.append(public_bytes(**parts))
        return public[-1]

    def noted_update(**parts: Any) -> bytes:  # noqa: ANN401
        sent.append(update_bytes(**parts))
        return sent[-1]

    monkeypatch.setattr(showing, "public_bytes", noted_public)
    monkeypatch.setattr(watcher, "update_bytes", noted_update)
    async with playground() as ground:
        seats = await seated(ground, ("Ann", "Ben", "Cleo"))
        others = [await Player.spectate(ground, seats[0].table) for _ in range(10)]
        for viewer in (*seats, *others):
            await viewer.until(lambda viewer=viewer: viewer.last.public.table.spectators == len(others))  # type: ignore[misc]
        public.clear()
        sent.clear()
        for number in range(1, 4):
            await seats[0].say(f"line {number}")
            for viewer in (*seats, *others):
                await viewer.until(lambda viewer=viewer, number=number: len(viewer.last.public.table.chat) == number)  # type: ignore[misc]
        assert len(public) == 3
        assert len(sent) == 3 * (len(seats) + 1)
        assert {message for viewer in others for message in viewer.raw[-3:]} == set(sent) - {
            message for viewer in seats for message in viewer.raw
        }


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
