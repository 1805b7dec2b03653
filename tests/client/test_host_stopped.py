"""A host that is stopped in order: health first, then every stream with its reason, and nothing is lost."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from client_program import environment
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hosted import hosted

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_server.journal.sqlite_journal import SqliteJournal
from shanghai_server.standing.fact import Said, read_fact

STREAMS = 40


async def messages(stream: Any, order: list[str], name: str) -> list[Any]:  # noqa: ANN401 (a stream of either kind)
    """Give what a stream sends until the server ends it, and note in `order` when something came that is no update."""
    found = []
    try:
        while (message := await stream.read()) is not grpc.aio.EOF:
            found.append(message)
            is_update = isinstance(message, service_pb2.WatchResponse) and not message.HasField("closed")
            if not is_update:
                order.append(f"{name} {message}".strip())
    except grpc.aio.AioRpcError as error:
        # Health has no last word of its own: its stream ends with the connection.
        if name != "health":
            raise AssertionError(f"a stream ended without a word: {error}") from error
    return found


@pytest.mark.long
async def test_a_stopped_host_tells_everybody_and_loses_nothing(tmp_path: Path) -> None:
    """SIGTERM: NOT_SERVING before any stream ends, each ends with SHUTTING_DOWN and a time, the journal is one file."""
    data = tmp_path / "games"
    order: list[str] = []
    async with hosted(tmp_path, data, "--players", "2") as (port, table):
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.enable_http_proxy", 0)])
        stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
        health: Any = health_pb2_grpc.HealthStub(channel)
        join = service_pb2.JoinTableRequest(table=table, request_id="1", seat_token=bytes(16), name="Ann")
        await stub.JoinTable(join)
        watch = service_pb2.WatchRequest(table=table)
        streams = [stub.Watch(watch) for _ in range(STREAMS)]
        for stream in streams:
            await stream.read()
        healthy = health.Watch(health_pb2.HealthCheckRequest(service="shanghai.v1.TableService"))
        first = await healthy.read()
        assert first.status == health_pb2.HealthCheckResponse.SERVING
        told = [asyncio.create_task(messages(healthy, order, "health"))]
        told += [asyncio.create_task(messages(stream, order, "stream")) for stream in streams]
        say = service_pb2.SayRequest(table=table, request_id="2", seat_token=bytes(16), text="Good night")
        assert (await stub.Say(say)).number == 1
    ended = await asyncio.wait_for(asyncio.gather(*told), 60)
    await channel.close()
    assert order[0].startswith("health")
    assert "NOT_SERVING" in order[0]
    for found in ended[1:]:
        closed = found[-1].closed
        assert closed.reason == table_pb2.CLOSE_REASON_SHUTTING_DOWN
        assert closed.retry_after_ms > 0
        assert found[-2].update.public.table.chat[-1].text == "Good night"
    assert not (data / "journal.sqlite3-wal").exists()
    async with SqliteJournal(data) as journal:
        facts = [read_fact(entry.record) for entry in await journal.read(table, 0)]
    assert [fact.text for fact in facts if isinstance(fact, Said)] == ["Good night"]


STOPPED_EARLY = """
import asyncio, os, signal
from shanghai_client.cli.starting import main
from shanghai_server.doors.server import GameServer

async def restored(server):
    os.kill(os.getpid(), signal.{number})
    await asyncio.Event().wait()

GameServer.restored = restored
main()
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
async def test_a_host_that_is_stopped_while_it_begins_ends_in_order(tmp_path: Path, number: str) -> None:
    """Its port is open, and nothing has been printed yet: it ends as it does later."""
    data = tmp_path / "games"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", STOPPED_EARLY.format(number=number)),
        *("host", "--listen", "127.0.0.1:0", "--data", str(data), "--no-announce"),
        env=environment(tmp_path),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), 60)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert (process.returncode, out, err) == (0, b"", b"The server has stopped.\n")
    assert not list(data.glob("*-wal"))
