"""What the host of a server does while it runs: only he can, and nothing that he sees is a secret of the game."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
import pytest
from hand_clock import HandClock
from server_table import AT_ONCE, TALKATIVE, Player, Playground, refusal, seated

from shanghai.v1 import admin_pb2, admin_pb2_grpc, service_pb2, table_pb2
from shanghai_client.administering import Administration
from shanghai_client.failure import CannotConnect, Refused
from shanghai_server.doors.admin_door import LONGEST_SOCKET, DoorFile, NoDoor
from shanghai_server.doors.beside import Beside
from shanghai_server.doors.server import GameServer
from shanghai_server.house.secret import SeededSecrets
from shanghai_server.house.settings import Settings
from shanghai_server.journal.journal import JournalUnavailable
from shanghai_server.journal.memory_journal import MemoryJournal


@asynccontextmanager
async def administered(
    folder: Path, journal: MemoryJournal | None = None, clock: HandClock | None = None
) -> AsyncIterator[Playground]:
    """Serve with a door in a folder."""
    settings = Settings(options=AT_ONCE, chat=TALKATIVE)
    async with journal or MemoryJournal() as kept:
        clock = clock or HandClock()
        server = GameServer(
            kept, settings=settings, secrets=SeededSecrets("admin"), clock=clock, beside=Beside(admin=folder)
        )
        port = await server.start()
        await server.restored()
        options = [("grpc.enable_http_proxy", 0), ("grpc.use_local_subchannel_pool", 1)]
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            try:
                yield Playground(kept, clock, settings, server, port, channel)
            finally:
                await server.stop(1)


def opened(folder: Path) -> Administration:
    """Give the connection of the host."""
    door = DoorFile(folder).read()
    return Administration(door.address, door.token)


async def test_the_host_sees_how_the_server_is_doing(tmp_path: Path) -> None:
    """Tables, people, streams and peers are told, private tables with their names hidden as in every list."""
    async with administered(tmp_path) as ground, opened(tmp_path) as host:
        players = await seated(ground, ("Ann", "Ben"))
        spectator = await Player.spectate(ground, players[0].table)
        private = await ground.create(3, passcode="open sesame")
        status = await host.status()
        assert (status.tables, status.tables_in_use, status.people, status.streams) == (2, 2, 2, 3)
        tables = await host.tables()
        assert [table.summary.table for table in tables] == [players[0].table, private]
        assert [table.streams for table in tables] == [3, 0]
        assert tables[0].sequence == players[0].last.sequence
        (peer,) = await host.peers()
        assert peer.address == "127.0.0.1"
        seats = sorted((stream.seat if stream.HasField("seat") else -1) for stream in peer.streams)
        assert seats == [-1, 0, 1]
        assert sorted(peer.tables_made) == sorted([players[0].table, private])
        await spectator.unwatch()


async def test_a_table_that_the_host_closes_is_gone_and_its_people_are_told_why(tmp_path: Path) -> None:
    """Its streams end with the reason, it is closed after a restart too, and the other tables play on."""
    journal = MemoryJournal()
    async with administered(tmp_path, journal) as ground, opened(tmp_path) as host:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        await ben.unwatch()
        cleo = await Player.join(ground, await ground.create(2), "Cleo")
        await ann.until(lambda: not ann.last.public.table.seats[1].connected)
        assert await host.close_table(ann.table.lower(), "Good night") == 1
        closed = await ann.until_closed()
        assert (closed.reason, closed.text) == (table_pb2.CLOSE_REASON_TABLE_CLOSED, "Good night")
        # Who was away then hears it when he comes back, whatever he calls.
        calls = (ann.say("Hello"), ben.watch(), ben.record(), Player.join(ground, ben.table, "Ben", watch=False))
        for closing in [await refusal(call) for call in calls]:
            assert closing.message == f"the table {ann.table} was closed: Good night"
        assert (await cleo.say("Hello")).number == 1
        with pytest.raises(Refused) as refused:
            await host.close_table(ann.table, "")
        assert refused.value.reason == "TABLE_CLOSED"
        with pytest.raises(Refused) as refused:
            await host.close_table("QQQQQ", "")
        assert refused.value.reason == "NO_SUCH_TABLE"
        assert refused.value.wrong_input
    async with administered(tmp_path, journal) as ground:
        listed = await ground.stub.ListTables(service_pb2.ListTablesRequest())
        assert [table.table for table in listed.tables] == [cleo.table]
        closing = await refusal(ground.stub.Watch(service_pb2.WatchRequest(table=ann.table)).read())
        assert closing.message == f"the table {ann.table} was closed: Good night"


async def test_a_table_that_cannot_be_closed_stays(tmp_path: Path) -> None:
    """Where the journal takes nothing, the host is told so, and the table is as it was."""

    class Full(MemoryJournal):
        """A journal that is full when a test says so."""

        full = False

        async def append(self, *arguments: object, **more: object) -> int:
            """Write, or say that there is no room."""
            if self.full:
                raise JournalUnavailable("no room")
            return await super().append(*arguments, **more)  # type: ignore[arg-type]

    journal = Full()
    async with administered(tmp_path, journal) as ground, opened(tmp_path) as host:
        ann, _ = await seated(ground, ("Ann", "Ben"))
        journal.full = True
        with pytest.raises(Refused, match="nothing can be written"):
            await host.close_table(ann.table, "Good night")
        journal.full = False
        ground.clock.advance(2)
        assert (await ann.say("Still here")).number == 1


async def test_a_notice_reaches_every_table_and_whoever_comes(tmp_path: Path) -> None:
    """Everybody sees it at once, latecomers with their first view; another replaces it, and empty text removes it."""
    async with administered(tmp_path) as ground, opened(tmp_path) as host:
        ann, ben = await seated(ground, ("Ann", "Ben"))
        cleo = await Player.join(ground, await ground.create(2), "Cleo")
        shown = await host.announce("Restart\u202e at\nten")
        assert (shown.tables, shown.streams) == (2, 3)
        for player in (ann, ben, cleo):
            await player.until(lambda player=player: player.last.public.table.HasField("notice"))  # type: ignore[misc]
            assert player.last.public.table.notice.text == "Restart at ten"
        first = ann.last.public.table.notice.number
        assert {each.last.public.table.notice.number for each in (ben, cleo)} == {first}
        spectator = await Player.spectate(ground, ann.table)
        assert spectator.updates[0].public.table.notice.text == "Restart at ten"
        await host.announce("In a minute")
        await ann.until(lambda: ann.last.public.table.notice.number == first + 1)
        assert (await host.status()).notice.text == "In a minute"
        await host.announce("")
        await ann.until(lambda: not ann.last.public.table.HasField("notice"))
        assert not (await host.status()).HasField("notice")
        with pytest.raises(Refused) as refused:
            await host.announce("x" * 201)
        assert refused.value.reason == "LONG_CHAT"


async def test_no_number_of_a_notice_comes_again_after_a_restart(tmp_path: Path) -> None:
    """Who shows each number once shows those that are put up after a restart, too, also of one moment."""
    journal, clock, numbers = MemoryJournal(), HandClock(), list[int]()
    for _ in range(2):
        async with administered(tmp_path, journal, clock), opened(tmp_path) as host:
            for _ in range(3):
                await host.announce("Restart at ten")
                numbers.append((await host.status()).notice.number)
        clock.advance(1)
    assert numbers == sorted(set(numbers))


async def test_a_notice_reaches_who_looks_at_the_list_of_tables(tmp_path: Path) -> None:
    """The list has it, whole or of some statuses, and so has its stream, at once; then it is taken away again."""
    async with administered(tmp_path) as ground, opened(tmp_path) as host:
        lobby = table_pb2.TABLE_STATUS_LOBBY
        following = ground.stub.WatchTables(service_pb2.WatchTablesRequest(statuses=[lobby]))
        assert await following.read() == service_pb2.WatchTablesResponse()
        await host.announce("Restart at ten")
        notice = (await host.status()).notice
        assert notice.text == "Restart at ten"
        assert await following.read() == service_pb2.WatchTablesResponse(notice=notice)
        table = await ground.create(2)
        with_table = await following.read()
        assert isinstance(with_table, service_pb2.WatchTablesResponse)
        assert [each.table for each in with_table.tables] == [table]
        assert with_table.notice == notice
        for statuses in ([], [lobby], [table_pb2.TABLE_STATUS_OVER]):
            listed = await ground.stub.ListTables(service_pb2.ListTablesRequest(statuses=statuses))
            assert listed.notice == notice
        await host.announce("")
        assert await following.read() == service_pb2.WatchTablesResponse(tables=with_table.tables)
        following.cancel()


async def test_nobody_else_opens_the_door(tmp_path: Path) -> None:
    """The file is its owner's, the token is wanted for every call, and the tables' address knows no such service."""
    async with administered(tmp_path) as ground:
        file = DoorFile(tmp_path)
        assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
        assert file.socket is not None
        assert stat.S_IMODE(file.socket.stat().st_mode) == 0o600
        door = file.read()
        for token in ("", "guess", door.token[:-1], f"{door.token}x"):
            async with Administration(door.address, token) as stranger:
                with pytest.raises(Refused) as refused:
                    await stranger.close_table("ABCDE", "")
                assert refused.value.reason == "BAD_ADMIN_TOKEN"
        async with grpc.aio.insecure_channel(door.address) as channel:
            stub: admin_pb2_grpc.AdminServiceAsyncStub = admin_pb2_grpc.AdminServiceStub(channel)
            assert (await refusal(stub.ListPeers(admin_pb2.ListPeersRequest()))).reason == "BAD_ADMIN_TOKEN"
        async with Administration(f"127.0.0.1:{ground.port}", door.token) as beside:
            with pytest.raises(Refused) as unknown:
                await beside.status()
            assert unknown.value.reason == "UNIMPLEMENTED"
    assert not file.path.exists()
    assert not file.socket.exists()


async def test_each_start_has_a_token_of_its_own_also_after_a_kill(tmp_path: Path) -> None:
    """What a killed server left behind is in nobody's way, and opens nothing."""
    async with administered(tmp_path):
        old = DoorFile(tmp_path).read()
        left = DoorFile(tmp_path).path.read_bytes()
    DoorFile(tmp_path).path.write_bytes(left)
    (tmp_path / "admin.sock").touch()
    async with Administration(old.address, old.token) as nobody:
        with pytest.raises(CannotConnect):
            await nobody.status()
    async with administered(tmp_path):
        assert DoorFile(tmp_path).read().token != old.token
        async with opened(tmp_path) as host:
            assert (await host.status()).tables == 0


async def test_a_long_path_has_a_port_of_loopback_instead(tmp_path: Path) -> None:
    """Sockets have short names on every system; the token guards the port."""
    folder = tmp_path / ("x" * LONGEST_SOCKET)
    folder.mkdir()
    async with administered(folder), opened(folder) as host:
        assert DoorFile(folder).read().address.startswith("127.0.0.1:")
        assert (await host.status()).tables == 0


@pytest.mark.parametrize("text", ["", "{", '{"address": 1}', "[]"])
def test_a_file_that_is_no_door_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    """Whatever stands there, the host gets one sentence."""
    DoorFile(tmp_path).path.write_text(text, encoding="utf-8")
    with pytest.raises(NoDoor, match="was not written by a server"):
        DoorFile(tmp_path).read()


def test_a_folder_without_a_server_is_said_to_have_none(tmp_path: Path) -> None:
    """There is no file before the first start and after an orderly end."""
    with pytest.raises(NoDoor, match="no server runs"):
        DoorFile(tmp_path).read()


async def test_without_its_door_a_server_serves_its_tables(tmp_path: Path) -> None:
    """What stands in the door's way, or a full disk, is logged, and nobody who plays has to wait for it."""
    (tmp_path / "admin.json.new").mkdir()
    async with MemoryJournal() as journal:
        server = GameServer(journal, listen="127.0.0.1:0", beside=Beside(admin=tmp_path))
        assert await server.start() > 0
        await server.stop()
    assert not (tmp_path / "admin.json").exists()
