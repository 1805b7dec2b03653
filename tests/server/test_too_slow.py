"""A client that does not read is let go of after a while: nothing waits for it, and it learns why in the end."""

from __future__ import annotations

import asyncio

import grpc.aio
import pytest
from server_table import AT_ONCE, TALKATIVE, Player, Playground, playground

from shanghai.v1 import service_pb2, service_pb2_grpc, table_pb2
from shanghai_server.house.settings import Settings
from shanghai_server.table.watcher import Shown, Watcher

OPTIONS = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
LONG_LINE = "\U0001f0cf" * 200
"""The longest line of chat there is: with fifty of them an update has 40 kB."""
ENOUGH = 260
"""So many such updates do not fit between a server and a client that reads none of them."""


async def sleeper(ground: Playground, table: str, token: bytes) -> tuple[grpc.aio.Channel, grpc.aio.UnaryStreamCall]:  # type: ignore[type-arg]
    """Open a stream, and read its first message only."""
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{ground.port}", options=OPTIONS)
    stub: service_pb2_grpc.TableServiceAsyncStub = service_pb2_grpc.TableServiceStub(channel)
    stream = stub.Watch(service_pb2.WatchRequest(table=table, seat_token=token))
    await stream.read()
    return channel, stream


async def talked(ann: Player) -> None:
    """Say so much that a stream which nobody reads is full."""
    for _ in range(ENOUGH):
        await ann.say(LONG_LINE)


async def beats(ground: Playground, number: int) -> None:
    """Let so many heartbeats pass; after each the server has had the time to answer somebody."""
    for _ in range(number):
        ground.clock.advance(ground.settings.heartbeat_ms / 1000)
        await ground.stub.GetServerInfo(service_pb2.GetServerInfoRequest())


@pytest.mark.parametrize("as_spectator", [True, False])
async def test_a_client_that_does_not_read_is_let_go_of_and_told_why(as_spectator: bool) -> None:  # noqa: FBT001 (a parameter of the test)
    """After a minute its table goes on as without it; when it reads again, the last thing it gets is the reason."""
    async with playground(settings=Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE)) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        ben = await Player.join(ground, table, "Ben", watch=False)
        channel, stream = await sleeper(ground, table, b"" if as_spectator else ben.token)

        def there() -> bool:
            view = ann.last.public.table
            return bool(view.spectators) if as_spectator else view.seats[1].connected

        await ann.until(there)
        await talked(ann)
        await beats(ground, 5)
        assert there()
        await beats(ground, 1)
        await ann.until(lambda: not there())
        messages: list[service_pb2.WatchResponse] = []
        while isinstance(message := await stream.read(), service_pb2.WatchResponse):
            messages.append(message)
        assert messages[-1].closed == table_pb2.StreamClosed(reason=table_pb2.CLOSE_REASON_TOO_SLOW)
        assert sum(message.HasField("closed") for message in messages) == 1
        # What had waited was dropped: only what was on its way came.
        assert len(messages) < ENOUGH
        await channel.close()
        # Whoever reads again is let in again.
        await ben.watch()
        assert ben.last.public.table.chat[-1].number == ENOUGH


async def test_a_client_that_reads_late_stays() -> None:
    """It has a minute for each message that does not get through, and where nothing waits it is not looked for."""
    async with playground(settings=Settings(options=AT_ONCE, chat=TALKATIVE, calls=TALKATIVE)) as ground:
        table = await ground.create(2)
        ann = await Player.join(ground, table, "Ann")
        channel, stream = await sleeper(ground, table, b"")
        await beats(ground, 10)
        await talked(ann)
        await beats(ground, 5)
        while True:
            message = await stream.read()
            assert isinstance(message, service_pb2.WatchResponse)
            if message.update.public.table.chat[-1:] and message.update.public.table.chat[-1].number == ENOUGH:
                break
        await beats(ground, 10)
        assert ann.last.public.table.spectators == 1
        stream.cancel()
        await channel.close()


async def test_what_has_not_got_through_is_counted_in_heartbeats() -> None:
    """Only while something waits behind it, and a message that got through begins anew."""

    def shown(sequence: int) -> Shown:
        return Shown(sequence, hand_from=0, told=0, public=b"", private=None)

    watcher = Watcher(token="", after_sequence=0, most=3)
    watcher.show(shown(1))
    watcher.beat()
    assert watcher.stuck == 0
    await anext(watcher)
    watcher.beat()
    assert watcher.stuck == 0
    watcher.show(shown(2))
    for beat in (1, 2, 3):
        watcher.beat()
        assert watcher.stuck == beat
    await anext(watcher)
    assert watcher.stuck == 0
    watcher.show(shown(3))
    watcher.give_up()
    watcher.show(shown(4))
    last = service_pb2.WatchResponse.FromString(await asyncio.wait_for(anext(watcher), 60))
    assert last.closed.reason == table_pb2.CLOSE_REASON_TOO_SLOW
