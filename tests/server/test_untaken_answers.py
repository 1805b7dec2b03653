"""A client that asks and takes nothing: what waits for it has an end, whatever it asks through."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any

import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from server_table import AT_ONCE, TALKATIVE, playground, refusal

from shanghai.v1 import service_pb2
from shanghai_server.house import peers
from shanghai_server.house.rate import Rate
from shanghai_server.house.settings import Settings
from shanghai_wire.refused import Refused

DATA, HEADERS, RESET, SETTINGS, PING = 0, 1, 3, 4, 6
ACKNOWLEDGED = 1


def field(name: str, value: str) -> bytes:
    """Give a header field that no table compresses; name and value are short."""
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Give a frame of HTTP/2."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


class WindowlessClient:
    """A client of HTTP/2 that allows no answer a single byte, and is alive all the same."""

    def __init__(self) -> None:
        """Begin with nothing asked; `resets` are the streams that were refused."""
        self.resets: list[int] = []
        self.answered = asyncio.Event()
        self._next = 1

    async def connect(self, port: int) -> None:
        """Connect to a port of this machine."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        window_of_nothing = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0))
        self._writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + window_of_nothing)
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            head = await self._reader.readexactly(9)
            kind, flags = head[3], head[4]
            payload = await self._reader.readexactly(int.from_bytes(head[:3], "big"))
            if kind in {SETTINGS, PING} and not flags & ACKNOWLEDGED:
                self._writer.write(frame(kind, ACKNOWLEDGED, 0, payload if kind == PING else b""))
            elif kind == RESET:
                self.resets.append(int.from_bytes(head[5:], "big"))
                self.answered.set()
            elif kind == HEADERS:
                self.answered.set()

    def ask(self, path: str, *, with_request: bool = True) -> None:
        """Call a method with an empty request, or begin the call only."""
        fields = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": "x",
            "content-type": "application/grpc",
            "te": "trailers",
        }
        headers = b"".join(field(name, value) for name, value in fields.items())
        self._writer.write(frame(HEADERS, 4, self._next, headers))
        if with_request:
            self._writer.write(frame(DATA, 1, self._next, bytes(5)))
        self._next += 2

    async def close(self) -> None:
        """Break the connection."""
        self._listening.cancel()
        self._writer.close()
        await asyncio.gather(self._listening, return_exceptions=True)


async def test_lists_on_streams_that_nobody_reads_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens many of them gets no more than waits for an address; the others there wait, and get theirs then."""
    sent: list[int] = []
    sends = peers.Peers.sends

    def noted(self: peers.Peers, peer: str, size: int) -> Callable[[], None]:
        sent.append(size)
        return sends(self, peer, size)

    monkeypatch.setattr(peers.Peers, "sends", noted)
    settings = Settings(options=AT_ONCE, calls_per_peer=TALKATIVE, untaken_bytes_per_peer=20_000)
    async with playground(settings=settings) as ground:
        for number in range(60):
            await ground.create(8, name=f"a table with a name {number}")
        size = (await ground.stub.ListTables(service_pb2.ListTablesRequest())).ByteSize()
        sent.clear()
        client = WindowlessClient()
        await client.connect(ground.port)
        for _ in range(20):
            client.ask("/shanghai.v1.TableService/WatchTables")
        while sum(sent) < 20_000:
            await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        stream = ground.stub.WatchTables(service_pb2.WatchTablesRequest())
        waiting = asyncio.ensure_future(stream.read())
        for _ in range(20):
            await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        assert not waiting.done()
        assert sum(sent) < 20_000 + size
        await client.close()
        listed = await asyncio.wait_for(waiting, 60)
        assert isinstance(listed, service_pb2.WatchTablesResponse)
        assert len(listed.tables) == 60
        stream.cancel()


async def test_answers_that_nobody_takes_have_an_end_and_a_broken_connection_frees_them() -> None:
    """While so many bytes wait for an address it gets no more large ones; all else goes on."""
    settings = Settings(options=AT_ONCE, calls_per_peer=TALKATIVE, untaken_bytes_per_peer=20_000)
    async with playground(settings=settings) as ground:
        for number in range(60):
            await ground.create(8, name=f"a table with a name {number}")
        await ground.stub.ListTables(service_pb2.ListTablesRequest())
        client = WindowlessClient()
        await client.connect(ground.port)
        refused = None
        for _ in range(20):
            client.ask("/shanghai.v1.TableService/ListTables")
            await asyncio.wait_for(client.answered.wait(), 60)
            client.answered.clear()
            try:
                await ground.stub.ListTables(service_pb2.ListTablesRequest())
            except Exception:  # noqa: BLE001 (looked at below)
                refused = await refusal(ground.stub.ListTables(service_pb2.ListTablesRequest()))
                break
        assert refused is not None
        assert refused.reason == "PEER_TAKES_NOTHING"
        assert refused.values == {"limit": "20000", "seconds": "2"}
        assert refused.retry_after_ms == 2000
        # What is small goes on: whoever plays from the same address is not held up.
        await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
        await ground.create(2)
        await client.close()
        while True:
            try:
                await ground.stub.ListTables(service_pb2.ListTablesRequest())
            except Exception:  # noqa: BLE001, S112 (the server has not seen yet that it is gone)
                continue
            break


async def test_one_connection_begins_so_many_calls_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of which the request never comes, which no method sees: the library refuses them."""
    monkeypatch.setattr(peers, "CALLS_AT_ONCE", 5)
    async with playground(settings=Settings(options=AT_ONCE, streams_per_peer=5)) as ground:
        client = WindowlessClient()
        await client.connect(ground.port)
        for _ in range(12):
            client.ask("/shanghai.v1.TableService/Watch", with_request=False)
        while len(client.resets) < 2:
            await asyncio.wait_for(client.answered.wait(), 60)
            client.answered.clear()
        assert client.resets == [21, 23]
        await client.close()


@pytest.mark.parametrize("method", ["/shanghai.v1.TableService/GetServerInfo", "/grpc.health.v1.Health/Check"])
async def test_small_answers_that_are_not_taken_are_counted(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address has so many calls open over all its connections, however little each answer is."""
    monkeypatch.setattr(peers, "CALLS_AT_ONCE", 5)
    settings = Settings(options=AT_ONCE, streams_per_peer=5, calls_per_peer=TALKATIVE)
    async with playground(settings=settings) as ground:
        clients = [WindowlessClient() for _ in range(2)]
        for client in clients:
            await client.connect(ground.port)
            for _ in range(10):
                client.ask(method)
        reason = None
        while reason is None:
            try:
                await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
            except grpc.aio.AioRpcError as error:
                reason = Refused.by_call(error)
        assert (reason.reason, reason.values["limit"]) == ("PEER_STREAMS", "20")
        for client in clients:
            await client.close()
        while reason is not None:
            try:
                await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())
            except grpc.aio.AioRpcError:
                # The server has not seen yet that they are gone.
                continue
            reason = None


async def test_streams_of_health_and_of_the_contract_count_like_all_others() -> None:
    """An address has so many streams, whatever they show."""
    settings = Settings(options=AT_ONCE, streams_per_peer=3, calls_per_peer=Rate(100, 100.0))
    async with playground(settings=settings) as ground:
        watch: Any = ground.channel.unary_stream(
            "/grpc.health.v1.Health/Watch", health_pb2.HealthCheckRequest.SerializeToString
        )
        look: Any = ground.channel.stream_stream("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")
        open_ones = [watch(health_pb2.HealthCheckRequest()) for _ in range(2)]
        for stream in open_ones:
            await stream.read()
        lists = ground.stub.WatchTables(service_pb2.WatchTablesRequest())
        await lists.read()
        for one_more in (watch(health_pb2.HealthCheckRequest()), look(iter([b":\0"]))):
            refused = await refusal(one_more.read())
            assert (refused.reason, refused.values["limit"]) == ("PEER_STREAMS", "3")
        lists.cancel()
        for stream in open_ones:
            stream.cancel()


async def test_whoever_watches_the_health_is_told_the_end_though_another_one_went() -> None:
    """One who goes takes nobody else along."""
    async with playground() as ground:
        watch: Any = ground.channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            health_pb2.HealthCheckRequest.SerializeToString,
            health_pb2.HealthCheckResponse.FromString,
        )
        short, long, unknown = (watch(health_pb2.HealthCheckRequest(service=name)) for name in ("", "", "x"))
        for stream in (short, long):
            assert (await stream.read()).status == health_pb2.HealthCheckResponse.SERVING
        assert (await unknown.read()).status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        short.cancel()
        stopping = asyncio.create_task(ground.server.stop(60))
        assert (await long.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await stopping
