"""Bots and stand-ins think beside the event loop: nobody waits for them, and what comes too late is not played."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from server_table import AT_ONCE, PATIENCE, Player, playground, seated

from shanghai.v1 import view_pb2
from shanghai_engine import bots
from shanghai_engine.action import Action, Claim
from shanghai_engine.bots import Bot
from shanghai_engine.decision import Decision
from shanghai_engine.view import View
from shanghai_server.house.settings import Options
from shanghai_server.table import steward
from shanghai_server.verbs.playing import play_choice


class SlowBot:
    """A bot that chooses nothing until it may; `asked` is set when it is asked."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked = asyncio.Event()
        self._may_choose = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._basic = bots.LEVELS["basic"]

    def decide(self, view: View, decision: Decision, rng: random.Random) -> Action:
        """Wait, and choose as the usual one does."""
        self._loop.call_soon_threadsafe(self.asked.set)
        self._may_choose.wait(PATIENCE)
        return self._basic.decide(view, decision, rng)

    def let_choose(self) -> None:
        """Let it choose from now on."""
        self._may_choose.set()


@pytest.fixture
async def slow(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SlowBot]:
    """Let the bots of the usual level be slow ones; at the end they choose, whatever has become of the test."""
    bot = SlowBot()
    monkeypatch.setitem(bots.LEVELS, "basic", Bot("basic", "slow", bot.decide))
    yield bot
    bot.let_choose()


async def heard(player: Player) -> None:
    """Let somebody say something, and wait until he hears it: whatever happened before is seen then."""
    number = (await player.say("Well?")).number
    await player.until(lambda: [line.number for line in player.last.public.table.chat][-1:] == [number])


async def test_a_bot_that_thinks_for_long_holds_up_nobody(slow: SlowBot) -> None:
    """Its own table, others and whoever comes are served until it has chosen."""
    async with playground() as ground:
        (ann,) = await seated(ground, ("Ann",), seats=2, options=AT_ONCE)
        await slow.asked.wait()
        await heard(ann)
        ben, _ = await seated(ground, ("Ben", "Cleo"))
        assert ben.last.public.HasField("game")
        assert len(ann.last.public.game.events) == 1
        slow.let_choose()
        if ann.decision is not None:
            await ann.answer(Claim.PASS)
        await ann.until(lambda: len(ann.last.public.game.events) > 1)


async def test_what_a_stand_in_chooses_is_not_played_once_the_player_is_back(
    slow: SlowBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """He takes back over at any moment, also while it thinks; what it chose then is nobody's."""
    has_come = asyncio.Event()

    def noted(*chosen: Any) -> None:  # noqa: ANN401 (whatever a choice comes with)
        play_choice(*chosen)
        has_come.set()

    monkeypatch.setattr(steward, "play_choice", noted)
    async with playground() as ground:
        options = Options(offer_ms=0, turn_ms=0, grace_ms=1000, bot_pace_ms=0)
        ann, ben = await seated(ground, ("Ann", "Ben"), options=options)
        await ann.unwatch()
        await ben.until(lambda: not ben.last.public.table.seats[0].connected)
        ground.clock.advance(1)
        await slow.asked.wait()
        await ann.watch()
        assert ann.decision is not None
        asked = ann.decision.id
        slow.let_choose()
        await has_come.wait()
        for player in (ben, ann):
            await heard(player)
        assert ann.owes(asked)
        assert not ann.last.private.own.answer
        await ann.answer(Claim.PASS)
        await heard(ann)
        assert ann.last.private.own.answer == view_pb2.CLAIM_PASS
