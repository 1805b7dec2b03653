"""A connection cut at any byte leaves a clean state: an act was done or it was not, an update came or it did not."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

import grpc.aio
import pytest
from cutting_proxy import OPTIONS, CuttingProxy
from server_table import Player, Playground, playground, seated

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_engine.verify import verify
from shanghai_wire.actions import action_message
from shanghai_wire.refused import Refused

BROKEN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
"""How a stream ends whose connection breaks."""


@dataclass
class Attempt:
    """What a client had when its connection broke: the updates of its stream, and the answer to its call, if any."""

    updates: list[table_pb2.Update] = field(default_factory=list)
    answer: bytes | None = None


async def through(proxy: CuttingProxy, watch: service_pb2.WatchRequest, method: str, request: object) -> Attempt:
    """Watch, and make one call as soon as the first update is there, all over one connection until it breaks."""
    attempt = Attempt()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{proxy.port}", options=OPTIONS) as channel:
        stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
        stream = stub.Watch(watch)
        call = None
        try:
            async for response in stream:
                attempt.updates.append(response.update)
                if call is None:
                    call = asyncio.ensure_future(getattr(stub, method)(request, timeout=60))
                    call.add_done_callback(lambda _: asyncio.get_running_loop().call_soon(stream.cancel))
        except grpc.aio.AioRpcError as error:
            # The stream that is cancelled here, behind the call, ends with either error: it may not be read just then.
            is_ours = call is not None and call.done() and error.code() is grpc.StatusCode.CANCELLED
            assert is_ours or error.code() in BROKEN  # noqa: PT017
        except asyncio.CancelledError:
            assert call is not None
        try:
            if call is not None:
                attempt.answer = (await call).SerializeToString()
        except grpc.aio.AioRpcError as error:
            assert error.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.ABORTED}  # noqa: PT017
    return attempt


async def cut_while_talking(
    ground: Playground, ann: Player, whole: Player, cut: dict[str, int], number: int
) -> Attempt:
    """Say something over a connection that breaks, and again over one that does not; check what is left."""
    before = whole.last.public.table.chat[-1].number if whole.last.public.table.chat else 0
    request = service_pb2.SayRequest(
        table=ann.table, request_id=f"cut {number}", seat_token=ann.token, text=f"line {number}"
    )
    async with CuttingProxy(ground.port, **cut) as proxy:
        watch = service_pb2.WatchRequest(
            table=ann.table, seat_token=ann.token, after_sequence=ann.updates[-1].sequence if ann.updates else 0
        )
        attempt = await through(proxy, watch, "Say", request)
    answer = await ground.stub.Say(request)
    # Said once, whether the broken connection carried it or not; whoever was told a number was told this one.
    assert answer.number == before + 1
    assert attempt.answer in {None, answer.SerializeToString()}
    await whole.until(lambda: whole.last.public.table.chat[-1:] != [] and chat_end(whole) == f"line {number}")
    shown = {update.sequence: update.public for update in whole.updates}
    for update in attempt.updates:
        if update.sequence in shown:
            assert update.public == shown[update.sequence]
    sequences = [update.sequence for update in attempt.updates]
    assert sequences == sorted(set(sequences))
    last = attempt.updates[-1].sequence if attempt.updates else watch.after_sequence
    again = await ann.watch(after_sequence=last)
    assert again.sequence >= last
    assert not again.events_skipped or last == 0
    assert [line.text for line in again.public.table.chat].count(f"line {number}") == 1
    assert again.public.game == whole.last.public.game
    await ann.unwatch()
    return attempt


def chat_end(player: Player) -> str:
    """Give the last line of chat that a player has seen."""
    return player.last.public.table.chat[-1].text


@pytest.mark.long
@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.soak)])
async def test_a_stream_cut_at_any_byte_leaves_a_clean_state(step: int) -> None:
    """Only whole updates come, a repeated act is done once, and the next stream goes on without a gap."""
    async with playground() as ground:
        ann, _ = await seated(ground, ("Ann", "Ben"))
        await ann.unwatch()
        whole = await Player.spectate(ground, ann.table)
        # How many bytes pass when nothing breaks.
        async with CuttingProxy(ground.port) as proxy:
            watch = service_pb2.WatchRequest(table=ann.table, seat_token=ann.token)
            request = service_pb2.SayRequest(table=ann.table, request_id="whole", seat_token=ann.token, text="line 0")
            await through(proxy, watch, "Say", request)
            # The chat makes the updates longer as it goes on.
            sizes = {"from_client": proxy.client_bytes + 100, "from_server": proxy.server_bytes + 2500}
        assert min(sizes.values()) > 300
        number, answered, seen = 0, 0, 0
        for side, size in sizes.items():
            for place in range(1, size + step, step):
                number += 1
                attempt = await cut_while_talking(ground, ann, whole, {side: place}, number)
                answered += attempt.answer is not None
                seen += bool(attempt.updates)
        # Some connections broke before the first update, some behind it, some behind the answer.
        assert 0 < answered < seen < number


@pytest.mark.long
@pytest.mark.parametrize("games", [1, pytest.param(20, marks=pytest.mark.soak)])
async def test_a_game_is_played_over_connections_that_break(games: int) -> None:
    """Each act goes over a connection that breaks at a random byte, and again: done once, with a lawful record."""
    for number in range(games):
        rng = random.Random(number)
        async with playground(seed=f"cut {number}") as ground:
            (ann,) = await seated(ground, ("Ann",), seats=3)
            acts = done = 0
            while ann.last.public.table.status != table_pb2.TABLE_STATUS_OVER:
                if ann.decision is None:
                    await ann.next()
                    continue
                acts += 1
                request = service_pb2.ActRequest(
                    table=ann.table,
                    request_id=f"act {acts}",
                    seat_token=ann.token,
                    decision_id=ann.decision.id,
                    action=action_message(ann.choose()),
                )
                side = rng.choice(["from_client", "from_server"])
                async with CuttingProxy(ground.port, **{side: rng.randrange(1, 2000)}) as proxy:
                    spectating = service_pb2.WatchRequest(table=ann.table)
                    attempt = await through(proxy, spectating, "Act", request)
                try:
                    answer = (await ground.stub.Act(request)).SerializeToString()
                except grpc.aio.AioRpcError as error:
                    # A bot before this seat took the card, and the broken connection had not carried the answer.
                    assert Refused.by_call(error).reason == "STALE_DECISION"  # noqa: PT017
                    assert attempt.answer is None
                else:
                    done += 1
                    assert attempt.answer in {None, answer}
                await ann.past(request.decision_id)
            record = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=ann.table))
            verdict = verify(record.record.splitlines())
            assert verdict.lawful, verdict.finding
