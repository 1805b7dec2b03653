"""People at a table, from the client's side: promises and receipts for every game, pauses, seats that change hands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from client_program import run_program
from plain_room import Typed
from server_table import AT_ONCE, Playground, playground

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.failure import Ended, Refused
from shanghai_client.kit import play_seat
from shanghai_client.language import speaking
from shanghai_client.own_seats import take_seat
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import Entered
from shanghai_client.plain.voice import Voice
from shanghai_client.receipt import Receipt, ReceiptBook
from shanghai_client.scene import Scene
from shanghai_client.screen import earlier
from shanghai_client.screen.earlier import earlier_games
from shanghai_client.seat import Seat
from shanghai_client.watching import StreamEnded, watch
from shanghai_engine import verify as verifying
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_server.house.settings import Options, Settings

DECIDE = LEVELS[DEFAULT_LEVEL].decide


@asynccontextmanager
async def connected(ground: Playground) -> AsyncIterator[Connection]:
    """Give a connection to the playground."""
    async with await Connection.to(f"127.0.0.1:{ground.port}") as connection:
        yield connection


def receipt(table: str, name: str) -> Receipt:
    """Give the secrets of a new seat."""
    return Receipt.new(server="test", table=table, name=name)


@dataclass
class Heard(Voice):
    """A voice that keeps what it says."""

    lines: list[str] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def say(self, lines: Sequence[str]) -> None:
        """Keep lines of the game."""
        self.lines += lines
        self.news.set()

    def note(self, sentence: str) -> None:
        """Keep a message, as it is printed."""
        self.lines.append(f"{sentence[:1].upper()}{sentence[1:]}")
        self.news.set()

    async def hears(self, text: str) -> str:
        """Wait until a line with a text has come, and give it; what came before it is forgotten."""
        while True:
            for place, line in enumerate(self.lines):
                if text in line:
                    del self.lines[: place + 1]
                    return line
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), 60)
            except TimeoutError:
                raise AssertionError(f"{text!r} was not said: {self.lines}") from None


@dataclass
class Sitter:
    """A person at a plain desk in this process."""

    desk: PlainDesk
    heard: Heard
    typed: Typed
    running: asyncio.Task[None]

    @classmethod
    async def at(cls, seat: Seat) -> Sitter:
        """Sit down at a desk."""
        heard, typed = Heard(), Typed()
        desk = PlainDesk(seat=seat, watch=seat.watch, voice=heard)
        desk.attach(typed)
        sitter = cls(desk, heard, typed, asyncio.create_task(desk.run()))
        await heard.hears("Table")
        return sitter

    def type(self, line: str) -> None:
        """Type a line."""
        self.typed.queue.put_nowait(Entered(line, self.desk.shown))

    async def hears(self, text: str) -> str:
        """Wait until a line with a text is shown, and give it."""
        return await self.heard.hears(text)

    async def stop(self) -> None:
        """Get up and keep the seat."""
        self.type("quit")
        await self.running


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


async def test_who_talks_too_fast_learns_when_to_go_on() -> None:
    """The time to wait arrives with the refusal."""
    async with playground(settings=Settings(options=AT_ONCE)) as ground, connected(ground) as connection:
        ann = await Seat.join(connection, receipt(await ground.create(2), "Ann"))
        for _ in range(10):
            await ann.say("hello")
        with pytest.raises(Refused, match="say the next in 1 s") as refused:
            await ann.say("hello")
        assert refused.value.retry_after == 1.0


@asynccontextmanager
async def two_desks(ground: Playground, *, options: Options = AT_ONCE) -> AsyncIterator[tuple[Sitter, Sitter]]:
    """Give two persons at plain desks, at a table of three that has not begun."""
    async with connected(ground) as connection:
        table = await ground.create(3, options=options)
        ann = await Sitter.at(await Seat.join(connection, receipt(table, "Ann")))
        ben = await Sitter.at(await Seat.join(connection, receipt(table, "Ben")))
        yield ann, ben
        for sitter in (ann, ben):
            sitter.running.cancel()
        await asyncio.gather(ann.running, ben.running, return_exceptions=True)


async def test_the_host_seats_bots_and_sends_people_away_by_typed_commands() -> None:
    """Seats are named by number or by name, a level by its word; others are told that only the host may."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ben.type("kick Ann")
        await ben.hears("Only the host of the table sends somebody away")
        ann.type("bot 2")
        await ann.hears("Bot 1 sits down on seat 2.")
        ann.type(f"bot Bot 1 {list(LEVELS)[-1]}")
        await ann.hears(f"Bot 1 plays at the level {list(LEVELS)[-1]}.")
        ann.type("remove ben")
        await ann.hears("No bot sits on seat 1")
        ann.type("remove 2")
        await ann.hears("Bot 1 has left seat 2.")
        ann.type("bot 2")
        await ann.hears("Bot 1 sits down on seat 2.")
        with speaking("ja"):
            for called in ("Bot 1", "ボット1"):
                ann.type(f"kick {called}")
                await ann.hears("席2に人はいないので、退席させられません")
        ann.type("remove Bot 1")
        await ann.hears("Bot 1 has left seat 2.")
        ann.type("kick nobody")
        await ann.hears("Nobody here is called 'nobody', and the seats are 0 to 2")
        ann.type("kick ben")
        await ann.hears("Kick sends Ben away for good, and the seat is free for others: write kick Ben yes if")
        ann.type("kick ben yes")
        await ann.hears("Ben has left seat 1.")
        with pytest.raises(Ended, match="the host has sent you away") as ended:
            await ben.running
        assert ended.value.lost_seat


async def test_pauses_and_a_rematch_by_typed_commands() -> None:
    """Everybody is told who would like what, why nothing happens, and that it goes on."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ann.type("start")
        await ben.hears("Hand 1 of 2")
        ben.type("pause")
        await ann.hears("Ben would like to pause the game")
        await ben.hears("You would like to pause the game")
        ann.type("pause")
        await ben.hears("The game is paused by the host: it goes on with resume.")
        ben.type("legal")
        await ben.hears("The game is paused by the host")
        ben.type("pass")
        await ben.hears("Nothing is asked of you now. The game is paused")
        ann.type("resume")
        await ben.hears("The game goes on.")
        ann.type("rematch")
        await ann.hears("A rematch comes after a game that is over")


async def test_giving_a_seat_prints_the_line_that_takes_it() -> None:
    """The code stands in the line for the other person, and works."""
    async with playground() as ground, two_desks(ground) as (ann, ben):
        ben.type("give away")
        await ben.hears("Give stands alone, or with stop behind it")
        ben.type("give")
        assert "10 minutes" in await ben.hears("has your seat")
        line = await ben.hears("--code")
        address, table, code = line.split()[2], line.split()[4], line.split()[6]
        async with await Connection.to(address) as connection:
            cleo = await Seat.join(connection, receipt(table, "Cleo"), code=code)
            assert (cleo.index, cleo.receipt.counts) == (1, True)
            await ann.hears("Cleo sits down on seat 1.")
            with pytest.raises(Ended, match="handed over"):
                await ben.running


async def test_a_courtesy_table_gives_no_hints() -> None:
    """The command says why it is silent."""
    options = Options(offer_ms=0, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0, no_hints=True)
    async with playground() as ground, two_desks(ground, options=options) as (ann, _):
        ann.type("start")
        await ann.hears("Hand 1 of 2")
        ann.type("hint")
        await ann.hears("This table asks its players to do without hints.")


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
            (("watch",), "is private, and this is not its passcode"),
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


async def test_no_table_is_made_for_a_name_that_its_server_refuses(tmp_path: Path) -> None:
    """The server's own limit counts, which may be lower than usual: what is made for nobody would stand empty."""
    async with playground(settings=Settings(name_characters=4)) as ground:
        address = f"127.0.0.1:{ground.port}"
        ran = await run_program("join", address, "--new", "--name", "Antonia", home=tmp_path)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "it has 7 characters, and 4 are the most" in ran.err
        async with connected(ground) as connection:
            assert await connection.tables() == ()
