"""All seats answer an offer at once, on connections of their own, in any order: the claim order decides (R7.12)."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import grpc.aio
import pytest
from server_table import AT_ONCE, Player, Playground, playground

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2, view_pb2
from shanghai_engine.action import Answer, Claim
from shanghai_engine.contract import Contract
from shanghai_engine.rules import UNLIMITED, RuleSet
from shanghai_wire.actions import GoOn, action_message
from shanghai_wire.refused import Refused

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
BUYING = RuleSet(contracts=(Contract(sets=(3, 3), runs=()),) * 10, buys=(UNLIMITED,) * 10, cards_dealt=(8,) * 10)
"""Rules under which everybody may buy, always."""


@dataclass
class Racer:
    """A seat with a connection of its own for what it does."""

    player: Player
    stub: service_pb2_grpc.TableServiceAsyncStub
    answers: int = 0

    async def act(self, action: view_pb2.Action, decision: str) -> str:
        """Answer a decision; gives the reason of a refusal, or nothing."""
        self.answers += 1
        try:
            await self.stub.Act(
                service_pb2.ActRequest(
                    table=self.player.table,
                    request_id=f"race {self.answers}",
                    seat_token=self.player.token,
                    decision_id=decision,
                    action=action,
                )
            )
        except grpc.aio.AioRpcError as error:
            return Refused.by_call(error).reason
        return ""


@asynccontextmanager
async def racers(ground: Playground) -> AsyncIterator[list[Racer]]:
    """Seat eight players, each with a connection, and start a game."""
    async with AsyncExitStack() as stack:
        table = await ground.create(8, rules=BUYING, options=AT_ONCE)
        seated = []
        for name in NAMES:
            channel = grpc.aio.insecure_channel(
                f"127.0.0.1:{ground.port}",
                options=[("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)],
            )
            await stack.enter_async_context(channel)
            seated.append(Racer(await Player.join(ground, table, name), service_pb2_grpc.TableServiceStub(channel)))
        await seated[0].player.start()
        for racer in seated:
            await racer.player.until(lambda racer=racer: racer.player.last.public.HasField("game"))  # type: ignore[misc]
        yield seated


async def race(seated: list[Racer], rng: random.Random) -> Counter[str]:
    """Let everybody who is asked answer at once; gives the reasons of refusals, after checking who got the card."""
    watcher = seated[0].player
    public = watcher.last.public.game
    order, events = list(public.claim_order), len(public.events)
    decision = f"{watcher.last.public.table.game_number}.{public.hand}.{public.turn_number}.0"
    wishes = [rng.random() < rng.choice([0.1, 0.5]) for _ in order]
    claims = [
        Claim.PASS if not wish else Claim.TAKE if seat == public.turn else Claim.BUY
        for seat, wish in zip(order, wishes, strict=True)
    ]
    winner = next((seat for seat, wish in zip(order, wishes, strict=True) if wish), None)

    async def answer(seat: int, claim: Claim) -> str:
        # A few turns of the event loop more or less: whose bytes leave first is never the same.
        for _ in range(rng.randrange(4)):
            await asyncio.sleep(0)
        return await seated[seat].act(action_message(Answer(seat, claim)), decision)

    pairs = rng.sample([*zip(order, claims, strict=True)], len(order))
    reasons = await asyncio.gather(*(answer(seat, claim) for seat, claim in pairs))
    refused = {seat: reason for (seat, _), reason in zip(pairs, reasons, strict=True) if reason}
    # Whom the decision needed was heard; only those behind the winner may be late.
    needed = order if winner is None else order[: order.index(winner) + 1]
    assert not refused.keys() & set(needed)
    assert set(refused.values()) <= {"STALE_DECISION"}
    await watcher.until(lambda: len(watcher.last.public.game.events) > events)
    settled = watcher.last.public.game.events[events].offer_settled
    assert (settled.seat if settled.HasField("seat") else None) == winner
    return Counter(reasons)


async def take_turn(seated: list[Racer]) -> None:
    """Discard what was drawn, and deal again where the hand is over."""
    watcher = seated[0].player
    await watcher.until(lambda: watcher.last.public.game.phase != view_pb2.PHASE_OFFER)
    if watcher.last.public.game.phase == view_pb2.PHASE_PLAY:
        racer = seated[watcher.last.public.game.turn]
        await racer.player.until(lambda: racer.player.decision is not None and racer.player.decision.HasField("play"))
        assert racer.player.decision is not None
        card = racer.player.last.private.own.drawn
        action = view_pb2.Action(discard=view_pb2.Discard(card=card))
        turn = watcher.last.public.game.turn_number
        assert not await racer.act(action, racer.player.decision.id)
        await watcher.until(
            lambda: (
                watcher.last.public.game.phase == view_pb2.PHASE_HAND_OVER
                or watcher.last.public.game.turn_number == turn + 1
            )
        )
    if watcher.last.public.game.phase == view_pb2.PHASE_HAND_OVER:
        hand = watcher.last.public.game.hand
        for racer in seated:
            player = racer.player
            await player.until(lambda player=player: player.decision is not None)  # type: ignore[misc]
            assert player.decision is not None
            await racer.act(action_message(GoOn(player.seat)), player.decision.id)
        await watcher.until(lambda: watcher.last.public.game.hand == hand + 1)


@pytest.mark.long
@pytest.mark.parametrize("races", [200, pytest.param(2000, marks=pytest.mark.soak)])
async def test_r7_12_whoever_answers_first_the_claim_order_decides(races: int) -> None:
    """Eight seats, each on a connection of its own, answer each offer at once; the winner is always the same."""
    rng = random.Random(races)
    run, late = 0, 0
    while run < races:
        async with playground(seed=f"race {run}") as ground, racers(ground) as seated:
            watcher = seated[0].player
            while run < races and watcher.last.public.table.status != table_pb2.TABLE_STATUS_OVER:
                late += (await race(seated, rng))["STALE_DECISION"]
                run += 1
                if watcher.last.public.game.hand == 10 and watcher.last.public.game.stock < 20:
                    break
                await take_turn(seated)
    # It was a race: some came too late.
    assert late > races // 4
