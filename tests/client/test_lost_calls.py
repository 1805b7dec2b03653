"""A call that does not get through ends nobody's game: the stream goes on trying, says so, and what is owed is done."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator
from contextlib import aclosing, nullcontext

import grpc
import pytest
from desk_terminal import Stream
from scenes import scene
from scripted_service import Context, receipt, serving
from server_table import playground
from sleeping_proxy import SleepingProxy

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client import seat as seat_module
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect
from shanghai_client.kit import play_seat
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import Entered
from shanghai_client.plain.voice import Voice
from shanghai_client.receipt import Receipt
from shanghai_client.retrying import Patience, calling
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.model import Look
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS
from shanghai_wire.actions import SeatAction

LOST = "the connection is lost: nothing can be played until it is back"
STARTING, LOBBY = table_pb2.TABLE_STATUS_STARTING, table_pb2.TABLE_STATUS_LOBBY


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a call of a seat be given up after a moment."""
    brief = Patience(attempt=0.2, whole=0.2, refused=0.2, first_pause=0.05)
    monkeypatch.setattr(seat_module, "calling", functools.partial(calling, patience=brief))


def seen_as(sequence: int, status: table_pb2.TableStatus.ValueType, *, promised: bool) -> service_pb2.WatchResponse:
    """Give an update of a table in a status."""
    seats = [table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, name="Ann", nonce_promised=promised)]
    table = table_pb2.TableView(table="ABCDE", status=status, seats=seats, game_number=1)
    return service_pb2.WatchResponse(
        update=table_pb2.Update(sequence=sequence, public=table_pb2.PublicUpdate(table=table))
    )


class Table:
    """A table whose calls for nonces do not get through at first, and whose updates come when a test says so."""

    def __init__(self, *updates: service_pb2.WatchResponse, lost: int) -> None:
        self.updates = updates
        self.lost = lost
        self.calls: list[str] = []
        self.goes_on = asyncio.Event()
        self.called = asyncio.Event()

    async def watch(self, _request: object, _: Context) -> AsyncIterator[service_pb2.WatchResponse]:
        """Give one update after the other."""
        for each in self.updates:
            yield each
            await self.goes_on.wait()
            self.goes_on.clear()
        await asyncio.Event().wait()

    async def _call(self, name: str, context: Context) -> None:
        self.calls.append(name)
        self.called.set()
        if len(self.calls) <= self.lost:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "not now")

    async def reveal(self, _request: object, context: Context) -> service_pb2.RevealNonceResponse:
        """Take a nonce, or not."""
        await self._call("reveal", context)
        return service_pb2.RevealNonceResponse()

    async def commit(self, _request: object, context: Context) -> service_pb2.CommitNonceResponse:
        """Take a promise, or not."""
        await self._call("commit", context)
        return service_pb2.CommitNonceResponse()


def counts(seat: Seat) -> bool:
    """Say whether a seat's receipt says now that its nonce was promised."""
    return seat.receipt.counts


async def until_called(table: Table, number: int) -> None:
    """Wait until a table has been called so often, and its answer has been given."""
    async with asyncio.timeout(60):
        while len(table.calls) < number:
            table.called.clear()
            await table.called.wait()


@pytest.mark.usefixtures("impatient")
async def test_a_nonce_that_does_not_get_through_holds_no_stream_up_and_is_shown_later() -> None:
    """The server is killed in the moment of a start: what comes is seen at once, and the nonce follows."""
    started = [seen_as(number, STARTING, promised=True) for number in range(1, 5)]
    table = Table(*started, lost=10**9)
    async with serving(Watch=table.watch, RevealNonce=table.reveal) as connection:
        seat = Seat(connection, receipt("ABCDE").taken(seat=0, commitment=b"x"), index=0, name="Ann")
        async with aclosing(seat.watch()) as sights:
            first = await anext(sights)
            assert isinstance(first, table_pb2.Update)
            await until_called(table, 1)
            # The call is still tried, and the stream goes on.
            table.goes_on.set()
            assert isinstance(await asyncio.wait_for(anext(sights), 60), table_pb2.Update)
            errand = seat._errand  # noqa: SLF001 (what is done beside the stream)
            assert errand is not None
            await asyncio.wait_for(errand, 60)
            table.lost, before = 0, len(table.calls)
            table.goes_on.set()
            assert isinstance(await anext(sights), table_pb2.Update)
            await until_called(table, before + 1)
            errand = seat._errand  # noqa: SLF001 (as above)
            assert errand is not None
            await asyncio.wait_for(errand, 60)
            # It got through: it is not shown once more.
            table.goes_on.set()
            assert isinstance(await anext(sights), table_pb2.Update)
            assert len(table.calls) == before + 1


@pytest.mark.usefixtures("impatient")
async def test_a_promise_that_does_not_get_through_is_made_again() -> None:
    """Before another game: the receipt says that it counts only while it was taken, or is on its way."""
    table = Table(*(seen_as(number, LOBBY, promised=False) for number in range(1, 3)), lost=10**9)
    async with serving(Watch=table.watch, CommitNonce=table.commit) as connection:
        fresh = receipt("ABCDE").taken(seat=0, commitment=b"x").promised(made=False)
        seat = Seat(connection, fresh, index=0, name="Ann")
        async with aclosing(seat.watch()) as sights:
            await anext(sights)
            assert counts(seat)
            errand = seat._errand  # noqa: SLF001 (what is done beside the stream)
            assert errand is not None
            await asyncio.wait_for(errand, 60)
            assert not counts(seat)
            table.lost = 0
            table.goes_on.set()
            await anext(sights)
            errand = seat._errand  # noqa: SLF001 (as above)
            assert errand is not None
            await asyncio.wait_for(errand, 60)
            assert counts(seat)
            assert seat.receipt.nonce == fresh.nonce


async def test_a_promise_whose_answer_was_lost_is_kept() -> None:
    """Where the table says that a nonce was promised, it was this one, and it is shown."""
    table = Table(seen_as(1, STARTING, promised=True), lost=0)
    async with serving(Watch=table.watch, RevealNonce=table.reveal) as connection:
        fresh = receipt("ABCDE").taken(seat=0, commitment=b"x").promised(made=False)
        seat = Seat(connection, fresh, index=0, name="Ann")
        async with aclosing(seat.watch()) as sights:
            await anext(sights)
            await until_called(table, 1)
            assert table.calls == ["reveal"]
            assert counts(seat)


async def test_a_bot_whose_act_does_not_get_through_plays_on() -> None:
    """The kit opens the stream anew, sees what is still to be answered, and answers it: the game goes to its end."""
    async with playground() as ground, SleepingProxy(ground.port) as proxy:
        table = await ground.create(2)
        async with await Connection.to(f"127.0.0.1:{proxy.port}") as connection:
            lost: list[str] = []

            class Losing(Seat):
                """A seat whose first acts, and first start, find nobody."""

                async def act(self, decision_id: str, action: SeatAction) -> None:
                    """Find nobody twice."""
                    if len(lost) < 3:
                        lost.append(decision_id)
                        proxy.wake(proxy.sleep())
                        raise CannotConnect(connection.address, "nobody")
                    await super().act(decision_id, action)

                async def start(
                    self, empty_seats: service_pb2.EmptySeats.ValueType = service_pb2.EMPTY_SEATS_BOTS
                ) -> None:
                    """Find nobody once."""
                    if not lost:
                        lost.append("start")
                        raise CannotConnect(connection.address, "nobody")
                    await super().start(empty_seats)

            # With this nonce Ann is on turn first, so nobody can take the card away before she answers.
            kept = Receipt.new(server="", table=table, name="Ann", nonce=bytes([4]) * 16)
            seat = await Losing.join(connection, kept)
            await seat.add_bot()
            over = await asyncio.wait_for(play_seat(seat, LEVELS[DEFAULT_LEVEL].decide, starts=True), 60)
    assert over.table.status == table_pb2.TABLE_STATUS_OVER
    assert lost[0] == "start"
    # The same decision was asked again, and answered.
    assert lost[1] == lost[2]


class Losing(Seat):
    """A seat that nobody hears."""

    def __init__(self) -> None:
        self.index = 0

    async def act(self, decision_id: str, action: SeatAction) -> None:
        """Find nobody."""
        raise CannotConnect("127.0.0.1:1", f"no answer to {decision_id} {action}")


class Kept(Voice):
    """A voice that keeps what it notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, sentence: str) -> None:
        """Keep a message."""
        self.notes.append(sentence)

    def say(self, lines: object) -> None:
        """Say nothing."""


class Typed:
    """Lines that are typed, by a person or by a script, and then the end."""

    def __init__(self, *lines: Entered, prompts: bool) -> None:
        self.prompts = prompts
        self.lines = list(lines)

    async def next(self) -> Entered | None:
        """Give the next line."""
        return self.lines.pop(0) if self.lines else None

    def showing(self) -> nullcontext[None]:
        """Nothing disturbs these."""
        return nullcontext()


async def _plain(*, prompts: bool) -> tuple[PlainDesk, Kept]:
    voice = Kept()
    desk = PlainDesk(seat=Losing(), watch=Stream().watch, voice=voice)
    shown = scene("offer_on_turn")
    desk.attach(Typed(*(Entered("pass", shown.decision_id),) * 2, prompts=prompts))
    await desk._see(shown)  # noqa: SLF001 (what the stream does)
    return desk, voice


async def test_a_line_that_cannot_be_sent_ends_no_players_program() -> None:
    """He is told that nobody answers, and may type on; the stream goes on trying."""
    desk, voice = await _plain(prompts=True)
    await asyncio.wait_for(desk.run(), 60)
    assert len(voice.notes) == 2
    assert all("cannot connect" in note for note in voice.notes)


async def test_while_the_connection_is_lost_a_player_is_told_so_at_once() -> None:
    """Nothing that he types to play is tried for half a minute; once it is back it is."""
    desk, voice = await _plain(prompts=True)
    desk.tell_link(Lost("the connection is lost", 0.2))
    await asyncio.wait_for(desk.run(), 60)
    assert voice.notes[1:] == [LOST, LOST]
    desk, voice = await _plain(prompts=True)
    desk.tell_link(Lost("the connection is lost", 0.2))
    desk.tell_link(Back())
    await asyncio.wait_for(desk.run(), 60)
    assert "cannot connect" in voice.notes[-1]


async def test_what_helps_is_told_once_in_lines_however_late_it_is_known() -> None:
    """The first attempts may find nothing at all there; what is said of the later ones is told where it is new."""
    desk, voice = await _plain(prompts=True)
    right = "begin again with --tls"
    for attempt, why in enumerate(("", "", right, right), start=1):
        desk.tell_link(Lost("the connection is lost", 0.2, attempt, why))
    assert voice.notes[-2:] == [
        "the connection is lost: trying again, until the server answers",
        f"the connection is lost: {right}",
    ]


async def test_a_script_ends_where_a_line_cannot_be_sent() -> None:
    """It counts on each of its lines, and its exit code says that there was no connection."""
    desk, _voice = await _plain(prompts=False)
    with pytest.raises(CannotConnect):
        await asyncio.wait_for(desk.run(), 60)


async def test_the_screen_takes_the_sentence_away_once_the_connection_is_back() -> None:
    """What a key was refused for does not stand there any longer than it is true; another sentence stays."""
    desk = ScreenDesk(seat=None, watch=Stream().watch, look=Look())
    desk.resized(80, 24)
    for note, after in ((LOST, ""), ("something else", "something else")):
        desk.tell_link(Lost("the connection is lost", 0.2))
        desk.note(note)
        desk.tell_link(Back())
        assert desk.model.note == after
