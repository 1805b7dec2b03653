"""A call whose request does not come: it has an end, and holds nothing up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import grpc
import pytest
from grpc_health.v1 import health_pb2
from hand_clock import HandClock
from server_table import AT_ONCE, TALKATIVE, Playground, playground, refusal

from shanghai.v1 import service_pb2, service_pb2_grpc
from shanghai_server.doors import arrival
from shanghai_server.house import peers
from shanghai_server.house.refusal import CallRefused
from shanghai_server.house.settings import Settings
from shanghai_wire.refused import Refused

METHODS = [
    "/shanghai.v1.TableService/GetServerInfo",
    "/shanghai.v1.TableService/Say",
    "/shanghai.v1.TableService/Watch",
    "/shanghai.v1.TableService/WatchTables",
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
]


def begun(ground: Playground, method: str) -> tuple[Any, Awaitable[object]]:
    """Begin a call, whose request can be written later; gives it, and what is answered."""
    kind: Any = (
        ground.channel.stream_stream if method.endswith(("Watch", "WatchTables")) else ground.channel.stream_unary
    )
    call = kind(method)()
    return call, call.read() if hasattr(call, "read") else call


async def taken_up(ground: Playground) -> None:
    """Wait until the server has taken up what was called before."""
    await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())


@pytest.mark.parametrize("method", METHODS)
async def test_a_call_without_its_request_is_ended(method: str) -> None:
    """For ten seconds it is waited for, and not for as long as the connection lives."""
    async with playground() as ground:
        call, answer = begun(ground, method)
        answered = asyncio.ensure_future(answer)
        await taken_up(ground)
        ground.clock.advance(9)
        await taken_up(ground)
        assert not answered.done()
        ground.clock.advance(11)
        reason = await refusal(answered)
        assert (reason.reason, reason.status_code) == ("BAD_MESSAGE", grpc.StatusCode.INVALID_ARGUMENT)
        call.cancel()


@pytest.mark.parametrize("method", METHODS)
async def test_a_call_that_ends_before_its_request_is_refused(method: str) -> None:
    """Who says that nothing follows, and has said nothing, is answered at once."""
    async with playground() as ground:
        call, answer = begun(ground, method)
        await call.done_writing()
        reason = await refusal(answer)
        assert (reason.reason, reason.status_code) == ("BAD_MESSAGE", grpc.StatusCode.INVALID_ARGUMENT)


async def test_a_request_that_comes_late_is_answered() -> None:
    """Within its time a request may come when it will."""
    async with playground() as ground:
        call, answer = begun(ground, "/grpc.health.v1.Health/Check")
        await taken_up(ground)
        ground.clock.advance(9)
        await call.write(health_pb2.HealthCheckRequest().SerializeToString())
        await call.done_writing()
        raw = await answer
        assert isinstance(raw, bytes)
        assert health_pb2.HealthCheckResponse.FromString(raw).status == health_pb2.HealthCheckResponse.SERVING


@pytest.mark.parametrize("method", METHODS)
async def test_a_call_without_its_request_holds_no_stop_up(method: str) -> None:
    """The server lets it go with the others, however long those might take that it has begun to answer."""
    async with playground() as ground:
        call, answer = begun(ground, method)
        answered = asyncio.ensure_future(answer)
        await taken_up(ground)
        await asyncio.wait_for(ground.server.stop(grace=3600), 300)
        reason = await refusal(answered)
        assert (reason.reason, reason.status_code) == ("SHUTTING_DOWN", grpc.StatusCode.UNAVAILABLE)
        call.cancel()


async def test_whoever_calls_while_the_server_stops_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would cut off what is on its way without a word: it is not stopped before calls have ceased."""
    may = asyncio.Event()
    waits = asyncio.Event()

    async def held(_arrivals: arrival.Arrivals) -> None:
        waits.set()
        await may.wait()

    monkeypatch.setattr(arrival.Arrivals, "lull", held)
    async with playground() as ground:
        stopping = asyncio.create_task(ground.server.stop(3600))
        waiting = asyncio.create_task(waits.wait())
        await asyncio.wait([stopping, waiting], return_when=asyncio.FIRST_COMPLETED)
        assert waits.is_set()
        for call in (
            ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest()),
            ground.stub.Say(service_pb2.SayRequest(table="ABCDE", request_id="x", seat_token=b"x" * 16, text="here")),
        ):
            refused = await refusal(call)
            assert (refused.reason, refused.status_code) == ("SHUTTING_DOWN", grpc.StatusCode.UNAVAILABLE)
            assert refused.retry_after_ms
        may.set()
        await stopping


async def test_a_stop_waits_until_calls_have_ceased_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pause in which a call came is followed by another, until there were too many."""
    monkeypatch.setattr(arrival, "LULL", 0)
    monkeypatch.setattr(arrival, "LONGEST_LULL", 300)
    arrivals, context, made = arrival.Arrivals(HandClock()), Mock(spec=grpc.aio.ServicerContext), 0

    async def call_on(calls: int) -> None:
        nonlocal made
        for _ in range(calls):
            with pytest.raises(CallRefused):
                await arrivals.request(context, service_pb2.SayRequest)
            made += 1
            await asyncio.sleep(0)

    arrivals.end()
    calling = asyncio.create_task(call_on(50))
    await arrivals.lull()
    assert made == 50
    await calling
    monkeypatch.setattr(arrival, "LONGEST_LULL", 0)
    calling = asyncio.create_task(call_on(50))
    await arrivals.lull()
    assert made < 100
    await calling


async def test_of_one_address_so_many_requests_are_waited_for_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all its connections, whatever is called. They are given up in parts, and then there is room again."""
    monkeypatch.setattr(arrival, "TOGETHER", 10)
    monkeypatch.setattr(peers, "CALLS_AT_ONCE", 20)
    settings = Settings(options=AT_ONCE, streams_per_peer=3, calls_per_peer=TALKATIVE)
    limit = 2 * (settings.streams_per_peer + peers.CALLS_AT_ONCE)
    options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
    async with (
        playground(settings=settings) as ground,
        grpc.aio.insecure_channel(f"127.0.0.1:{ground.port}", options=options) as second,
        grpc.aio.insecure_channel(f"127.0.0.1:{ground.port}", options=options) as third,
    ):
        asked = service_pb2_grpc.TableServiceStub(third)
        methods = [method for method in METHODS if not method.endswith(("Watch", "WatchTables"))]
        begins = [
            begun(replace(ground, channel=second if number % 2 else ground.channel), methods[number % len(methods)])
            for number in range(limit)
        ]
        answers = [asyncio.ensure_future(answer) for _call, answer in begins]
        reason = await refused_at_last(asked)
        assert (reason.reason, reason.values["limit"]) == ("PEER_STREAMS", str(limit))
        assert reason.status_code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert reason.retry_after_ms == 10_000
        assert not any(answer.done() for answer in answers)
        ground.clock.advance(10)
        for _ in range(10):
            await asked.GetServerInfo(service_pb2.GetServerInfoRequest())
        assert sum(answer.done() for answer in answers) == 10
        ground.clock.advance(10)
        assert {(await refusal(answer)).reason for answer in answers} == {"BAD_MESSAGE"}
        await asked.GetServerInfo(service_pb2.GetServerInfoRequest())


async def refused_at_last(stub: service_pb2_grpc.TableServiceAsyncStub) -> Refused:
    """Ask until the server refuses to answer, and give why."""
    for _ in range(1000):
        try:
            await stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        except grpc.aio.AioRpcError as error:
            return Refused.by_call(error)
    raise AssertionError("every question was answered")
