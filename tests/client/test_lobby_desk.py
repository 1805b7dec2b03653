"""The lobby at a real server: lists that change by themselves, sitting down, and what is said when something fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from closed_port import closed_port
from scripted_service import Context, serving
from server_table import Playground, playground

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.connection import Connection, Listing
from shanghai_client.failure import ClientFailure
from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.lobby.draft import Draft
from shanghai_client.lobby.effect import Connect, Disconnect, Effect, Leave, LookOn, Make, PlayHere, Sit
from shanghai_client.lobby.outcome import Alone, Outcome, Seated, Spectating
from shanghai_client.lobby.page import Ask, Lobby, Page, Question, Search, Server
from shanghai_client.lobby.picture import board
from shanghai_client.nearby import announced
from shanghai_client.own_seats import take_seat
from shanghai_client.receipt import ReceiptBook
from shanghai_client.retrying import Patience, calling
from shanghai_client.screen.model import Look
from shanghai_client.table_desk import Interrupt
from shanghai_client.watching import StreamEnded
from shanghai_engine.rules import PRESETS, RuleSet
from shanghai_server.doors.certificate import own_certificate
from shanghai_server.doors.server import GameServer
from shanghai_server.journal.memory_journal import MemoryJournal


def _read(text: str) -> RuleSet:
    if text not in PRESETS:
        raise ClientFailure(f"{text!r} is no preset")
    return PRESETS[text]


class Visitor:
    """Somebody in the lobby, without a terminal: what the lobby shows can be waited for."""

    def __init__(self, desk: LobbyDesk) -> None:
        self.desk = desk
        self._drawn = asyncio.Event()
        desk.redraw = self._drawn.set

    @property
    def lobby(self) -> Lobby:
        """What is shown now."""
        return self.desk.lobby

    async def until(self, true: Callable[[Lobby], bool]) -> None:
        """Wait until something is shown."""
        async with asyncio.timeout(60):
            while not true(self.lobby):
                self._drawn.clear()
                await self._drawn.wait()

    async def do(self, effect: Effect) -> Outcome:
        """Do something that leaves the lobby, and give where to."""
        self.desk._begun.put_nowait(effect)  # noqa: SLF001 (as a key does it)
        return await asyncio.wait_for(self.desk.work(), 60)

    async def begin(self, effect: Effect) -> None:
        """Do something after which one is still in the lobby."""
        for each in (effect, Leave()):
            self.desk._begun.put_nowait(each)  # noqa: SLF001 (as a key does it)
        assert await asyncio.wait_for(self.desk.work(), 60) is None


@asynccontextmanager
async def visiting(folder: Path, name: str, *, interfaces: tuple[str, ...] | None = None) -> AsyncIterator[Visitor]:
    """Give somebody in the lobby, who knows one server and hears of changes."""
    book = ReceiptBook(folder / name)
    known = [Server("127.0.0.1:1", "known")]
    async with LobbyDesk(
        name=name, look=Look(), book=book, read_rules=_read, known=known, interfaces=interfaces
    ) as desk:
        following = [asyncio.create_task(work) for work in (desk.follow_tables(), desk.follow_hosts(), desk.tick())]
        try:
            yield Visitor(desk)
        finally:
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)


def _address(ground: Playground) -> str:
    return f"127.0.0.1:{ground.port}"


async def test_a_table_is_made_and_seen_by_others_at_once(tmp_path: Path) -> None:
    """Who makes a table sits at it with its bots, and everybody else's list has it without being asked for again."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        for each in (ann, ben):
            await each.begin(Connect(_address(ground)))
            await each.until(lambda lobby: lobby.tables == ())
        made = await ann.do(Make(Draft(name="Friday", bots=1, rules="quick")))
        assert isinstance(made, Seated)
        await ben.until(lambda lobby: "Bot 1" in [seat.name for table in lobby.tables or () for seat in table.seats])
        (table,) = ben.lobby.tables or ()
        assert (table.name, [seat.name for seat in table.seats]) == ("Friday", ["Ann", "Bot 1", "", ""])
        assert ben.lobby.held == frozenset()
        sat = await ben.do(Sit(table.table))
        assert isinstance(sat, Seated)
        assert sat.seat.index == 2
        await ann.until(lambda lobby: "Ben" in [seat.name for table in lobby.tables or () for seat in table.seats])
        await ann.until(lambda lobby: lobby.held == {table.table})


async def test_the_notice_of_the_servers_host_is_in_the_lobby(tmp_path: Path) -> None:
    """It comes with the tables, goes when it is taken away, and belongs to the server that is open."""
    goes_on = asyncio.Event()

    async def lists(
        _request: service_pb2.WatchTablesRequest, _: Context
    ) -> AsyncIterator[service_pb2.WatchTablesResponse]:
        for text in ("Restart\u202e at ten", "", "In a minute"):
            notice = table_pb2.Notice(number=1, text=text) if text else None
            yield service_pb2.WatchTablesResponse(notice=notice)
            await goes_on.wait()
            goes_on.clear()

    async with serving(WatchTables=lists) as connection, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(connection.address))
        await ann.until(lambda lobby: lobby.notice is not None and lobby.notice.text == "Restart at ten")
        goes_on.set()
        await ann.until(lambda lobby: lobby.notice is None)
        goes_on.set()
        await ann.until(lambda lobby: lobby.notice is not None)
        await ann.begin(Disconnect())
        assert ann.lobby.notice is None


async def test_one_comes_back_to_ones_own_seat(tmp_path: Path) -> None:
    """Sitting down again at a table gives the same seat; the list knows it is one's own, and the row is chosen."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(_address(ground)))
        first = [await ann.do(Make(Draft(name=str(number)))) for number in range(3)][1]
        assert isinstance(first, Seated)
        again = await ann.do(Sit(first.seat.table))
        assert isinstance(again, Seated)
        assert again.seat.index == first.seat.index
        await ann.until(lambda lobby: lobby.table is not None and lobby.table.table == again.seat.table)
        await ann.until(lambda lobby: len(lobby.held) == 3)


async def test_a_lost_seat_is_ones_own_whatever_one_was_called_there(tmp_path: Path) -> None:
    """Without a name of this time a seat that nobody plays is come back to; under a said name another one is taken."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft()))
        assert isinstance(made, Seated)
        code = made.seat.table
        ann.desk.lobby = replace(ann.lobby, name="Eve")
        again = await ann.do(Sit(code))
        assert isinstance(again, Seated)
        assert (again.seat.index, again.seat.name) == (0, "Ann")
        await ann.until(lambda lobby: lobby.held == {code})
        ann.desk.lobby = replace(ann.lobby, question=Question(Ask.NAME, "Your name"))
        ann.desk.typed("Fay")
        assert (ann.lobby.name, ann.lobby.held) == ("Fay", frozenset())
        other = await ann.do(Sit(code))
        assert isinstance(other, Seated)
        assert (other.seat.index, other.seat.name) == (1, "Fay")


async def test_a_seat_that_is_played_elsewhere_is_not_taken_under_another_name(tmp_path: Path) -> None:
    """Two people of one machine do not take each other's seats while they play."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft()))
        assert isinstance(made, Seated)
        async with aclosing(made.seat.watch()) as sights:
            await anext(sights)
            await ann.until(lambda lobby: lobby.table is not None and lobby.table.seats[0].connected)
            ann.desk.lobby = replace(ann.lobby, name="Eve")
            other = await ann.do(Sit(made.seat.table))
            assert isinstance(other, Seated)
            assert (other.seat.index, other.seat.name) == (1, "Eve")


async def test_a_private_table_lets_in_who_knows_its_passcode(tmp_path: Path) -> None:
    """A wrong passcode is said in a sentence, and leaves no receipt; the right one seats."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft(passcode="sesame")))
        assert isinstance(made, Seated)
        await ben.begin(Connect(_address(ground)))
        await ben.begin(Sit(made.seat.table, passcode="simsim"))
        assert "passcode" in ben.lobby.note
        assert list(ReceiptBook(tmp_path / "Ben").all()) == []
        assert isinstance(await ben.do(Sit(made.seat.table, passcode="sesame")), Seated)


async def test_a_seat_is_taken_over_by_a_code(tmp_path: Path) -> None:
    """The code of a seat that is handed over gives it, with its number."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft()))
        assert isinstance(made, Seated)
        code, _seconds = await made.seat.hand_over()
        await ben.begin(Connect(_address(ground)))
        taken = await ben.do(Sit(made.seat.table, code=code))
        assert isinstance(taken, Seated)
        assert taken.seat.index == 0


async def test_what_cannot_be_made_is_said(tmp_path: Path) -> None:
    """Rules that are none, and too many players for them, are a sentence and no table."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(_address(ground)))
        await ann.begin(Make(Draft(rules="poker")))
        assert ann.lobby.note == "'poker' is no preset"
        await ann.begin(Make(Draft(players=9)))
        assert "players" in ann.lobby.note
        async with await Connection.to(_address(ground)) as connection:
            assert await connection.tables() == ()


async def test_a_server_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    """What is no address, and where nobody answers, leaves one where one was."""
    with closed_port() as port:
        for address, said in (("here", "is no address"), (f"127.0.0.1:{port}", "cannot connect to")):
            async with visiting(tmp_path, "Ann") as ann:
                await ann.begin(Connect(address))
                assert said in ann.lobby.note
                assert (ann.lobby.page, ann.lobby.address) == (Page.SERVERS, "")


async def test_a_lost_server_is_shown_as_lost(tmp_path: Path) -> None:
    """The list stays on the screen while the connection is lost, and it is said since when."""
    async with visiting(tmp_path, "Ann") as ann:
        async with playground() as ground:
            await ann.begin(Connect(_address(ground)))
            assert isinstance(await ann.do(Make(Draft(name="Friday"))), Seated)
            await ann.until(lambda lobby: bool(lobby.tables))
        await ann.until(lambda lobby: not lobby.link.whole)
        assert [table.name for table in ann.lobby.tables or ()] == ["Friday"]


async def test_closing_a_server_leads_back(tmp_path: Path) -> None:
    """After it nothing of the server is left on the screen, and nothing is heard of it any more."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        await ann.begin(Connect(_address(ground)))
        await ann.until(lambda lobby: lobby.tables is not None)
        await ann.begin(Disconnect())
        assert (ann.lobby.address, ann.lobby.tables, ann.lobby.link.whole) == ("", None, True)
        # What listens goes on listening, and hears the next server.
        await ann.begin(Connect(_address(ground)))
        await ann.until(lambda lobby: lobby.tables == ())


async def test_where_the_lobby_is_left_to(tmp_path: Path) -> None:
    """To a game alone, to a table to look at, or out of the program."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann:
        assert await ann.do(PlayHere()) == Alone()
        assert await ann.do(Leave()) is None
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft()))
        assert isinstance(made, Seated)
        looking = await ann.do(LookOn(made.seat.table, "sesame"))
        assert isinstance(looking, Spectating)
        assert (looking.table, looking.passcode) == (made.seat.table, "sesame")


async def test_hosts_of_the_local_network_are_listed(tmp_path: Path) -> None:
    """A host that announces itself stands among the servers, and the search says that it has found something."""
    here = ("127.0.0.1",)
    with closed_port() as port:
        address = f"127.0.0.1:{port}"
        async with visiting(tmp_path, "Ann", interfaces=here) as ann:
            await ann.until(lambda lobby: lobby.search is not Search.OFF)
            async with announced(port=port, addresses=here, interfaces=here) as name:
                await ann.until(lambda lobby: any(server.address == address for server in lobby.servers))
                found = next(server for server in ann.lobby.servers if server.address == address)
                assert found.known == f"{name}, in the local network"
                assert ann.lobby.servers[0] == Server("127.0.0.1:1", "known")
                assert ann.lobby.search is Search.FOUND


async def test_ctrl_c_twice_ends_the_program(tmp_path: Path) -> None:
    """The first says so, a key between them takes it back."""
    async with visiting(tmp_path, "Ann") as ann:
        ann.desk.interrupted()
        ann.desk.press("down")
        ann.desk.interrupted()
        with pytest.raises(Interrupt):
            ann.desk.interrupted()


async def test_a_seat_that_nobody_gives_leaves_no_receipt(tmp_path: Path) -> None:
    """A receipt is kept before a seat is asked for, and is gone again where there is none."""
    book = ReceiptBook(tmp_path)
    async with playground() as ground, await Connection.to(_address(ground)) as connection:
        with pytest.raises(ClientFailure):
            await take_seat(connection, book, table="NOBDY", name="Ann")
        assert list(book.all()) == []
        made = await connection.create_table(seats=2, options=table_pb2.TableOptions())
        seat = await take_seat(connection, book, table=made.table, name="Ann")
        assert [receipt.seat for receipt in book.all()] == [seat.index]


async def test_a_server_that_comes_back_is_heard_again(tmp_path: Path, own_address: str) -> None:
    """On the same port and the same journal, the list is right again by itself."""
    async with visiting(tmp_path, "Ann") as ann, MemoryJournal() as journal:
        for life in range(2):
            server = GameServer(journal, listen=own_address)
            await server.start()
            try:
                if life == 0:
                    await ann.begin(Connect(own_address))
                    assert isinstance(await ann.do(Make(Draft(name="Friday"))), Seated)
                await ann.until(lambda lobby: lobby.link.whole and bool(lobby.tables))
            finally:
                await server.stop(1)
            await ann.until(lambda lobby: not lobby.link.whole)


async def test_a_server_that_speaks_tls_now_is_said_to(
    tmp_path: Path, own_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it does not answer any more because it speaks TLS, that is what is said, of the list and of a key."""
    # Twenty seconds would only be waited for.
    monkeypatch.setattr(calling, "__kwdefaults__", {"patience": Patience(whole=2.0)})
    async with visiting(tmp_path, "Ann") as ann, MemoryJournal() as journal:
        server = GameServer(journal, listen=own_address)
        await server.start()
        await ann.begin(Connect(own_address))
        await ann.until(lambda lobby: lobby.tables is not None)
        await server.stop(1)
        secured = GameServer(journal, listen=own_address, certificate=own_certificate(tmp_path))
        await secured.start()
        try:
            await ann.until(lambda lobby: lobby.link.right == "begin again with --tls")
            shown = "".join(piece.text for line in board(ann.lobby) for piece in line)
            assert "The connection is lost (TLS is spoken there). Begin again with --tls." in shown
            await ann.begin(Sit("NOBDY"))
            assert "TLS is spoken there" in ann.lobby.note
        finally:
            await secured.stop(1)


async def test_who_has_given_a_seat_away_sits_down_anew(tmp_path: Path) -> None:
    """The receipt of a seat that is somebody else's by now is no hindrance: a new one is made."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft(passcode="sesame")))
        assert isinstance(made, Seated)
        code, _seconds = await made.seat.hand_over()
        await ben.begin(Connect(_address(ground)))
        assert isinstance(await ben.do(Sit(made.seat.table, code=code)), Seated)
        # Made with that passcode, asked for without it: another request, for which there is no seat any more.
        await ann.begin(Sit(made.seat.table))
        assert "passcode" in ann.lobby.note
        again = await ann.do(Sit(made.seat.table, passcode="sesame"))
        assert isinstance(again, Seated)
        assert again.seat.index == 1


async def test_where_the_chosen_table_goes_no_other_is_chosen(tmp_path: Path) -> None:
    """What Enter would sit down at is not another table all of a sudden; it is said that the chosen one has gone."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        await ben.begin(Connect(_address(ground)))
        made = [await ben.do(Make(Draft())) for _table in range(2)]
        await ann.begin(Connect(_address(ground)))
        await ann.until(lambda lobby: len(lobby.tables or ()) == len(made))
        chosen = ann.lobby.table
        assert chosen is not None
        connection = ann.desk._connection  # noqa: SLF001 (a table is closed after hours)
        assert connection is not None
        left = [table for table in ann.lobby.tables or () if table != chosen]
        ann.desk._listed(connection, Listing(tuple(left), None))  # noqa: SLF001
        assert len(ann.lobby.tables or ()) == 1
        assert (ann.lobby.table, ann.lobby.note) == (None, f"the table {chosen.table} has gone")


async def test_who_is_sent_away_counts_as_that_in_the_lobby(tmp_path: Path) -> None:
    """The stream says so, and the lobby remembers it for that server's table, where no seat is held any more."""
    async with playground() as ground, visiting(tmp_path, "Ann") as ann, visiting(tmp_path, "Ben") as ben:
        await ann.begin(Connect(_address(ground)))
        made = await ann.do(Make(Draft()))
        assert isinstance(made, Seated)
        await ben.begin(Connect(_address(ground)))
        sat = await ben.do(Sit(made.seat.table))
        assert isinstance(sat, Seated)
        sights = sat.seat.watch()
        await anext(sights)
        await made.seat.kick(sat.seat.index)
        last = [sight async for sight in sights][-1]
        assert isinstance(last, StreamEnded)
        assert (last.ended.lost_seat, last.ended.sent_away) == (True, True)
        ben.desk.sent_away(sat.seat.table)
        assert ben.lobby.sent_away == {(_address(ground), sat.seat.table)}
        assert sat.seat.table not in ben.lobby.held
