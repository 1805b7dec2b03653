"""Whatever is sent to a server, it answers in its own words, harms no table, and grows by nothing."""

from __future__ import annotations

import asyncio
import random
import socket
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import grpc
import grpc.aio
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from message_spoiling import spoiled
from server_process import ServerProcess, server_process
from server_table import AT_ONCE, SHORT, Player, Playground, fresh_id, token_of

from shanghai.v1 import service_pb2, table_pb2
from shanghai_engine.verify import verify
from shanghai_server.standing.option import options_message
from shanghai_wire.refused import Refused
from shanghai_wire.rules import rules_message

SERVICE = service_pb2.DESCRIPTOR.services_by_name["TableService"]
LIBRARY = {
    "/grpc.health.v1.Health/Check": False,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": True,
    "/shanghai.v1.TableService/Cheat": False,
}
"""Methods that are not of the contract, and whether they stream."""
TEN_MEBIBYTES = 10 * 2**20
GROWTH = 24 * 2**20
"""How much memory a server may have taken more at the end than after the first third of the calls."""


@dataclass
class Attack:
    """Somebody who holds one seat and tries everything with everybody's tables."""

    server: ServerProcess
    ground: Playground
    mallory: Player
    victims: list[Player]
    rng: random.Random
    codes: Counter[str] = field(default_factory=Counter)
    sockets: list[socket.socket] = field(default_factory=list)
    waits: list[int] = field(default_factory=list)
    """How long each refusal for too much asked to wait, in milliseconds."""

    async def call(self) -> None:
        """Make one wrong call, and check how it is refused if it is."""
        method = self.rng.choice([*SERVICE.methods])
        request = spoiled(self._request(GetMessageClass(method.input_type)), self.rng)
        path, streams = f"/{SERVICE.full_name}/{method.name}", method.server_streaming
        if self.rng.random() < 0.02:
            path, streams = self.rng.choice([*LIBRARY.items()])
        elif self.rng.random() < 0.002:
            request = bytes(TEN_MEBIBYTES)
        await self.send(path, request, streams=streams)
        if self.rng.random() < 0.01:
            await self.half_open()

    def _request(self, kind: type[Message]) -> Message:
        """Give a request that would make sense to somebody, with Mallory's token or nobody's."""
        rng = self.rng
        request = kind()
        names = kind.DESCRIPTOR.fields_by_name
        table = rng.choice([self.mallory.table, rng.choice(self.victims).table, "ZZZZZ"])
        for key, value in {
            "table": table,
            "request_id": rng.choice([fresh_id(), "1", "act 1", "join"]),
            "seat_token": rng.choice([self.mallory.token, self.mallory.token, rng.randbytes(16), b""]),
            "decision_id": rng.choice(["1.1.1.0", "1.1.1.1", "1.1.2.0", f"1.{rng.randrange(3)}.{rng.randrange(40)}.1"]),
            "name": "Mallory",
            "text": "hello",
            "seats": 9,
        }.items():
            if key in names:
                setattr(request, key, value)
        if isinstance(request, service_pb2.LeaveTableRequest | service_pb2.StartGameRequest):
            # Mallory stays at his table, and its game is started by its host.
            request.seat_token = rng.randbytes(16)
        return request

    async def send(self, path: str, request: bytes, *, streams: bool) -> None:
        """Send bytes to a method."""
        channel = self.server.channel
        try:
            if streams and "reflection" in path:
                both = channel.stream_stream(path, request_serializer=bytes, response_deserializer=bytes)
                async for _ in both(iter([request])):
                    pass
            elif streams:
                stream = channel.unary_stream(path, request_serializer=bytes, response_deserializer=bytes)(request)
                await stream.read()
                stream.cancel()
            else:
                await channel.unary_unary(path, request_serializer=bytes, response_deserializer=bytes)(
                    request, timeout=60
                )
            self.codes["OK"] += 1
        except grpc.aio.AioRpcError as error:
            self.check(path, error)

    def check(self, path: str, error: grpc.aio.AioRpcError) -> None:
        """Check that a refusal is one of ours, with a reason, or the library's for what never reached us."""
        code = error.code()
        self.codes[code.name] += 1
        said = f"{error.details()} {error.trailing_metadata()}"
        assert "Traceback" not in said
        assert "Error(" not in said
        assert "object at 0x" not in said
        if path.startswith(f"/{SERVICE.full_name}/"):
            assert code not in {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DEADLINE_EXCEEDED}, (
                said
            )
            if code is grpc.StatusCode.UNIMPLEMENTED or "larger than max" in (error.details() or ""):
                return
            refused = Refused.by_call(error)
            assert refused.reason, (path, said)
            if code is grpc.StatusCode.RESOURCE_EXHAUSTED and refused.reason != "TOO_LARGE":
                assert refused.retry_after_ms is not None, said
                self.waits.append(refused.retry_after_ms)
            assert len(said) < 8192

    async def half_open(self) -> None:
        """Connect, say a part of what one would say, or something else, and leave it at that."""
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        opened = await asyncio.to_thread(socket.create_connection, ("127.0.0.1", self.server.port))
        opened.sendall(
            self.rng.choice(
                [b"", preface[:10], preface, preface + self.rng.randbytes(40), b"GET / HTTP/1.1\r\n\r\n", bytes(5000)]
            )
        )
        self.sockets.append(opened)
        if len(self.sockets) > 20:
            self.sockets.pop(0).close()


async def seated_at(ground: Playground, names: tuple[str, ...]) -> list[Player]:
    """Make a table with persons and a bot and start its game."""
    made = await ground.stub.CreateTable(
        service_pb2.CreateTableRequest(
            request_id=fresh_id(),
            seats=len(names) + 1,
            rules=rules_message(SHORT),
            # Without clocks nobody would play on for a stranger who takes a bot's seat and never comes.
            options=options_message(replace(AT_ONCE, latecomers=False)),
        )
    )
    players = [await Player.join(ground, made.table, name) for name in names]
    await players[0].start()
    for player in players:
        await player.until(lambda player=player: player.last.public.HasField("game"))  # type: ignore[misc]
    return players


@pytest.mark.long
async def test_a_seat_plays_on_whatever_its_own_address_sends(tmp_path: Path) -> None:
    """With limits a flood is refused with the time to wait, and the seats of that address play on as ever."""
    async with server_process(tmp_path / "data", "limited", "0") as server:
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        victims = await seated_at(ground, ("Ann", "Ben"))
        (cleo, mallory) = await seated_at(ground, ("Cleo", "Mallory"))
        attack = Attack(server, ground, mallory, victims, random.Random(1))

        async def flood() -> None:
            for _ in range(60):
                await asyncio.gather(*(attack.call() for _ in range(50)))

        await asyncio.gather(flood(), *(player.play() for player in victims))
        for half_open in attack.sockets:
            half_open.close()
        await mallory.watch()
        await asyncio.gather(cleo.play(), mallory.play())
        for player in (victims[0], cleo):
            assert player.last.public.table.status == table_pb2.TABLE_STATUS_OVER
            verdict = verify((await player.record()).splitlines())
            assert verdict.lawful, verdict.finding
        for viewer in (*victims, cleo, mallory):
            await viewer.unwatch()
        assert "Traceback" not in server.log()
        assert server.errors.read_text(encoding="utf-8") == ""
    assert attack.codes["RESOURCE_EXHAUSTED"] > 100
    assert attack.waits
    assert all(wait > 0 for wait in attack.waits)


@pytest.mark.long
@pytest.mark.parametrize("calls", [5000, pytest.param(100_000, marks=pytest.mark.soak)])
async def test_no_call_harms_a_server(tmp_path: Path, calls: int) -> None:
    """Wrong, mutated, stolen, huge, unfinished calls: no traceback, no crash, every game plays on to a lawful end."""
    async with server_process(tmp_path / "data") as server:
        ground = Playground(None, None, None, None, server.port, server.channel)  # type: ignore[arg-type]
        victims = await seated_at(ground, ("Ann", "Ben"))
        (cleo, mallory) = await seated_at(ground, ("Cleo", "Mallory"))
        attack = Attack(server, ground, mallory, victims, random.Random(calls))
        memory = 0
        for number in range(0, calls, 50):
            await asyncio.gather(*(attack.call() for _ in range(50)))
            if number <= calls // 3 < number + 50:
                memory = server.memory()
        grown = server.memory() - memory
        for half_open in attack.sockets:
            half_open.close()
        # One of his calls was a stream of his own seat, which took the place of this one.
        await mallory.watch()
        # The games go on, Mallory's too, and his stranger's tokens have opened nothing.
        await asyncio.gather(*(player.play() for player in (*victims, cleo, mallory)))
        for player in (victims[0], cleo):
            assert player.last.public.table.status == table_pb2.TABLE_STATUS_OVER
            answer = await ground.stub.GetRecord(service_pb2.GetRecordRequest(table=player.table))
            verdict = verify(answer.record.splitlines())
            assert verdict.lawful, verdict.finding
        for viewer in (*victims, cleo, mallory):
            await viewer.unwatch()
        assert "Traceback" not in server.log()
        assert "exception" not in server.log()
        assert server.errors.read_text(encoding="utf-8") == ""
    assert sum(attack.codes.values()) >= calls
    assert {"OK", "INVALID_ARGUMENT", "UNAUTHENTICATED", "NOT_FOUND", "UNIMPLEMENTED"} <= attack.codes.keys()
    assert grown < GROWTH
    assert token_of("Ann", victims[0].table) == victims[0].token
