"""People at a table, from the client's side: promises and receipts for every game, pauses, seats that change hands."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import replace
from pathlib import Path

import pytest
from client_program import Terminal, host, run_program
from server_table import AT_ONCE, playground
from two_desks import connected, receipt

from shanghai.v1 import table_pb2
from shanghai_client import seat as seat_module
from shanghai_client.failure import Ended, Refused
from shanghai_client.kit import play_seat
from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.lobby.draft import Draft
from shanghai_client.lobby.effect import Leave, Make
from shanghai_client.own_seats import take_seat
from shanghai_client.receipt import ReceiptBook
from shanghai_client.retrying import Patience, calling
from shanghai_client.scene import Scene
from shanghai_client.screen import earlier
from shanghai_client.screen.earlier import earlier_games
from shanghai_client.screen.model import Look
from shanghai_client.seat import Seat
from shanghai_client.watching import StreamEnded, watch
from shanghai_engine import verify as verifying
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_engine.rules import PRESETS
from shanghai_server.house.settings import Settings

DECIDE = LEVELS[DEFAULT_LEVEL].decide


async def test_every_game_has_a_promise_and_a_receipt_of_its_own(tmp_path: Path) -> None:
    """Two seats play two games: both nonces are in both, and every record is held against the receipt that was kept."""
    book = ReceiptBook(tmp_path)
    async with playground() as ground, connected(ground) as connection:
        table = await ground.create(2)
        seats = [await Seat.join(connection, receipt(table, name), keep=book.keep) for name in ("Ann", "Ben")]
        await seats[0].start()
        first = await asyncio.gather(*(play_seat(seat, DECIDE, salt="1") for seat in seats))
        await seats[0].rematch()

        async def second_game(seat: Seat) -> table_pb2.TableView:
            scene = await play_seat(seat, DECIDE, salt="2")
            return scene.table

        playing = [asyncio.create_task(second_game(seat)) for seat in seats]
        async for sight in watch(connection, table):
            if isinstance(sight, table_pb2.Update) and all(seat.nonce_promised for seat in sight.public.table.seats):
                break
        await seats[0].start()
        second = await asyncio.gather(*playing)
        records = [await seats[1].record(number) for number in (1, 2)]
        assert await seats[1].record() == records[1]
        assert (first[0].table.game_number, second[0].game_number) == (1, 2)
        kept = book.find(server="test", table=table, name="Ben")
        # Whoever comes later has the sheets of both games before the third.
        scene = Scene(table=second[0], seat=1)
        scene.table.game_number = 3
        ends = await earlier_games(seats[1], scene)
        assert [(end.table.game_number, end.seat) for end in ends] == [(1, 1), (2, 1)]
        assert [end.game.results for end in ends[:1] if end.game] == [first[1].game.results if first[1].game else None]
        assert await earlier_games(seats[1], replace(scene, table=table_pb2.TableView(game_number=9))) == ()
    assert kept is not None
    assert kept == seats[1].receipt
    assert [promise.game for promise in kept.promises] == [2, 1]
    assert len({promise.nonce for promise in kept.promises}) == 2
    for promise, record in zip(reversed(kept.promises), records, strict=True):
        held = verifying.Receipt(commitment=promise.commitment, nonce=promise.nonce, seat=1)
        assert verifying.verify(record.encode().splitlines(), receipt=held).lawful
        assert promise.counts


class _Telling(Seat):
    """A seat whose table gives any record, and counts which were asked for."""

    def __init__(self, record: str) -> None:
        self._record = record
        self.asked: list[int] = []

    async def record(self, game: int | None = None) -> str:
        """Give the record."""
        self.asked.append(game or 0)
        return self._record


@pytest.mark.parametrize("record", ["[" * 200_000, "{", "", "[]"])
async def test_a_record_that_cannot_be_read_costs_its_sheet_alone(record: str) -> None:
    """Of any number of games the last ones are asked for, and whatever comes ends nothing."""
    seat = _Telling(record)
    scene = Scene(table=table_pb2.TableView(game_number=2**31 - 1), seat=1)
    assert await earlier_games(seat, scene) == ()
    assert len(seat.asked) == earlier.MOST
    assert seat.asked[-1] == 2**31 - 2


async def test_a_bot_of_the_kit_waits_for_the_end_of_a_pause() -> None:
    """An answer that came too late for the pause is given again when the game goes on, and the game ends."""
    async with playground() as ground, connected(ground) as connection:
        table = await ground.create(2)
        ann = await Seat.join(connection, receipt(table, "Ann"))
        ben = await Seat.join(connection, receipt(table, "Ben"))
        await ann.start()
        pauses = 0

        async def pause_now() -> None:
            nonlocal pauses
            try:
                await ann.pause()
            except Refused as refusal:
                assert refusal.reason in {"ALREADY_PAUSED", "GAME_OVER", "GAME_NOT_STARTED"}  # noqa: PT017
                return
            pauses += 1
            await ann.resume()

        async def restless(over: asyncio.Event) -> None:
            while not over.is_set():
                await pause_now()

        over = asyncio.Event()
        pausing = asyncio.create_task(restless(over))
        scenes = await asyncio.gather(*(play_seat(seat, DECIDE, salt="p") for seat in (ann, ben)))
        over.set()
        await pausing
    assert pauses > 5
    assert scenes[0].table.status == table_pb2.TABLE_STATUS_OVER


async def test_a_seat_changes_hands_by_its_code() -> None:
    """The newcomer plays on with no nonce of his own; the old stream ends for good and says that the seat is lost."""
    async with playground() as ground, connected(ground) as connection:
        table = await ground.create(2)
        ann = await Seat.join(connection, receipt(table, "Ann"))
        await ann.start()
        sights = ann.watch()
        await anext(sights)
        code, seconds = await ann.hand_over()
        assert (len(code), seconds) == (14, 600)
        await ann.keep_seat()
        with pytest.raises(Refused, match="opens no seat"):
            await Seat.join(connection, receipt(table, "Ben"), code=code)
        code, _ = await ann.hand_over()
        ben = await Seat.join(connection, receipt(table, "Ben"), code=code.lower())
        assert (ben.index, ben.receipt.counts) == (0, False)
        *_, last = [sight async for sight in sights]
        assert isinstance(last, StreamEnded)
        assert last.ended.lost_seat
        scene = await play_seat(ben, DECIDE, salt="b")
        assert scene.game is not None
        assert scene.table.commitment in {promise.commitment for promise in ben.receipt.promises}
        with pytest.raises(Ended, match="handed over") as ended:
            raise last.ended
        assert ended.value.lost_seat


async def test_who_gave_a_seat_away_sits_down_anew(tmp_path: Path) -> None:
    """The receipt of a lost seat is forgotten; a passcode need not be given again by who still has the seat."""
    async with playground() as ground, connected(ground) as connection:
        made = await connection.create_table(seats=3, passcode="sesame", options=table_pb2.TableOptions())
        book = ReceiptBook(tmp_path)
        zoe = await take_seat(connection, book, table=made.table, name="Zoe", passcode="sesame")
        again = await take_seat(connection, book, table=made.table, name="Zoe")
        assert (again.index, again.name, again.receipt.token) == (0, "Zoe", zoe.receipt.token)
        code, _ = await zoe.hand_over()
        await Seat.join(connection, receipt(made.table, "Max"), code=code)
        # A repeat of the first call gets its first answer; the stream then says that the seat is lost.
        repeated = await take_seat(connection, book, table=made.table, name="Zoe", passcode="sesame")
        with pytest.raises(Ended, match="is not yours any more") as ended:
            await anext(repeated.watch())
        assert ended.value.lost_seat
        with pytest.raises(Refused, match="is private"):
            await take_seat(connection, book, table=made.table, name="Zoe")
        assert not list(book.all())
        anew = await take_seat(connection, book, table=made.table, name="Zoe", passcode="sesame")
        assert (anew.index, anew.name) == (1, "Zoe")


async def test_a_table_with_a_passcode_from_the_client() -> None:
    """Joining, watching and the record ask for it; the refusal is one sentence."""
    async with playground() as ground, connected(ground) as connection:
        made = await connection.create_table(seats=2, passcode="fish and chips", options=table_pb2.TableOptions())
        with pytest.raises(Refused, match="is private, and this is not its passcode"):
            await Seat.join(connection, receipt(made.table, "Ann"))
        with pytest.raises(Refused, match="is private"):
            await anext(watch(connection, made.table))
        assert isinstance(await anext(watch(connection, made.table, passcode="fish and chips")), table_pb2.Update)
        ann = await Seat.join(connection, receipt(made.table, "Ann"), passcode="fish and chips")
        (listed,) = await connection.tables(table_pb2.TABLE_STATUS_LOBBY)
        assert listed.private
        assert await connection.tables(table_pb2.TABLE_STATUS_OVER) == ()
        assert not ann.receipt.earlier


async def test_who_talks_too_fast_learns_when_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time to wait arrives with the refusal, which is told where nobody waits that long."""
    async with playground(settings=Settings(options=AT_ONCE)) as ground, connected(ground) as connection:
        ann = await Seat.join(connection, receipt(await ground.create(2), "Ann"))
        for _ in range(10):
            await ann.say("hello")
        monkeypatch.setattr(seat_module, "calling", functools.partial(calling, patience=Patience(whole=0.9)))
        with pytest.raises(Refused, match="say the next in 1 s") as refused:
            await ann.say("hello")
        assert refused.value.retry_after == 1.0


async def test_private_tables_from_the_command_line(tmp_path: Path) -> None:
    """A new table is private with a passcode, which then opens it; without it the program ends with one sentence."""
    async with playground() as ground:
        address = f"127.0.0.1:{ground.port}"
        made = await run_program(
            *("join", address, "--new", "--players", "2", "--passcode", "tea at five", "--name", "Ann"),
            home=tmp_path,
            typed="quit\n",
        )
        assert made.code == 0, made.err
        async with connected(ground) as connection:
            (table,) = await connection.tables()
        assert table.private
        for command, said in (
            (("join", "--name", "Ben"), "is private: give its passcode with --passcode"),
            (("join", "--name", "Ben", "--passcode", "coffee"), "is private, and this is not its passcode"),
            (("watch",), "is private: give its passcode with --passcode"),
            (("watch", "--passcode", "coffee"), "is private, and this is not its passcode"),
        ):
            ran = await run_program(command[0], address, "--table", table.table, *command[1:], home=tmp_path)
            assert (ran.code, ran.out) == (1, "")
            assert said in ran.err
        listed = await run_program("tables", address, home=tmp_path)
        assert "waiting for players         1 person, 1 free seat, private" in listed.out
        assert "Ann" not in listed.out
        joined = await run_program(
            *("join", address, "--passcode", "tea at five", "--name", "Ben"), home=tmp_path, typed="quit\n"
        )
        assert joined.code == 0, joined.err
        ran = await run_program("join", address, "--code", "ABCDEFGH", home=tmp_path)
        assert (ran.code, ran.err.count("\n")) == (2, 1)


async def test_no_table_is_made_for_a_seat_that_cannot_be_kept(tmp_path: Path) -> None:
    """By `join --new`, which says why, nor by the lobby: it would stand empty."""
    folder = tmp_path / "data" / "shanghai-rum" / "receipts"
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder", encoding="utf-8")
    async with playground() as ground, connected(ground) as connection:
        ran = await run_program("join", connection.address, "--new", "--name", "Ann", home=tmp_path)
        assert (ran.code, ran.err.count("\n")) == (1, 1)
        assert "what holds your seat cannot be kept in" in ran.err
        async with LobbyDesk(name="Ann", look=Look(), book=ReceiptBook(folder), read_rules=PRESETS.__getitem__) as desk:
            await desk.begin_at(connection.address)
            desk._begun.put_nowait(Make(Draft()))  # noqa: SLF001 (as a key does it)
            desk._begun.put_nowait(Leave())  # noqa: SLF001
            assert await asyncio.wait_for(desk.work(), 60) is None
            assert "what holds your seat cannot be kept in" in desk.lobby.note
        assert await connection.tables() == ()
    book = ReceiptBook(tmp_path / "kept")
    book.check_room(server="here:1", name="Ann")
    assert list((tmp_path / "kept").iterdir()) == []


async def test_at_a_terminal_the_passcode_is_asked_for_and_not_shown(tmp_path: Path) -> None:
    """By `join` and `watch`, three times at most; so the line that a private host prints works as it is printed."""
    options = ("--listen", "127.0.0.1:0", "--data", str(tmp_path / "games"), "--passcode", "tea at five")
    async with host(tmp_path, *options) as (process, address, table):
        assert process.stdout is not None
        said = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        assert said == "  it is private: join asks for its passcode, or takes it from $SHANGHAI_RUM_PASSCODE\n"
        for command, seen in (
            (("join", address, "--table", table, "--name", "Ann"), f"Table {table}, seat 0: you are Ann."),
            (("watch", address, "--table", table), "seat 0"),
        ):
            terminal = Terminal(*command, home=tmp_path / command[0])
            try:
                shown = ""
                for typed in ("coffee", "tea at five"):
                    # With the blank behind it: from then on nothing is echoed.
                    shown += (await terminal.expect_one(f"Passcode of {table}: "))[1]
                    await terminal.type(typed)
                assert "is not its passcode: ask whoever sits there for it" in " ".join(shown.split())
                shown += await terminal.expect(seen)
                assert "coffee" not in shown
                assert "tea" not in shown
            finally:
                terminal.close()
        terminal = Terminal("join", address, "--table", table, "--name", "Ben", home=tmp_path / "ben")
        try:
            for _ in range(3):
                await terminal.expect_one(f"Passcode of {table}: ")
                await terminal.type("coffee")
            await terminal.expect("shanghai-rum: the table")
            assert await terminal.ended() == 1
        finally:
            terminal.close()


async def test_no_table_is_made_for_a_name_that_its_server_refuses(tmp_path: Path) -> None:
    """The server's own limit counts, which may be lower than usual: what is made for nobody would stand empty."""
    async with playground(settings=Settings(name_characters=4)) as ground:
        address = f"127.0.0.1:{ground.port}"
        ran = await run_program("join", address, "--new", "--name", "Antonia", home=tmp_path)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "it has 7 characters, and 4 are the most" in ran.err
        async with connected(ground) as connection:
            assert await connection.tables() == ()
