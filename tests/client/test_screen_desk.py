"""The full screen at a real table: what a key may answer, what is told, and how the terminal is left."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import click
import pyte
import pytest
from drawn import model_of
from positions import position
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from scenes import scene, scene_of
from server_table import AT_ONCE, HandClock, Player, playground

from shanghai.v1 import table_pb2
from shanghai_client.cli.telling import tell, told
from shanghai_client.commands.command import Leaving
from shanghai_client.connection import Connection
from shanghai_client.failure import CannotConnect, Ended, Refused
from shanghai_client.receipt import Receipt
from shanghai_client.scene import Scene
from shanghai_client.screen import desk as screen_desk
from shanghai_client.screen.app import run_screen
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.terminal import colour_depth
from shanghai_client.seat import Seat
from shanghai_client.table_desk import Interrupt
from shanghai_client.watching import Back, Lost, Sight
from shanghai_engine.action import Answer, Claim, Discard
from shanghai_engine.decision import Decision
from shanghai_engine.view import PublicView
from shanghai_wire.actions import SeatAction

RESTORED = ("\x1b[?1049l", "\x1b[?25h")
"""The usual screen is back, and the cursor is shown."""


class Written(io.StringIO):
    """What is written to a terminal, which tells when there is more."""

    def __init__(self) -> None:
        super().__init__()
        self.more = asyncio.Event()

    def write(self, text: str) -> int:
        """Take text."""
        self.more.set()
        return super().write(text)


@dataclass
class Terminal:
    """A terminal of 80x24 with a desk on it."""

    desk: ScreenDesk
    keys: PipeInput
    written: Written
    size: list[int] = field(default_factory=lambda: [80, 24])
    running: asyncio.Task[None] = field(init=False)

    def begin(self) -> None:
        """Run the desk."""
        output = Vt100_Output(
            self.written,
            lambda: Size(columns=self.size[0], rows=self.size[1]),
            term="xterm-256color",
            default_color_depth=ColorDepth.DEPTH_8_BIT,
            enable_cpr=False,
        )
        self.running = asyncio.create_task(run_screen(self.desk, input=self.keys, output=output))

    def lines(self) -> list[str]:
        """Give what stands on the terminal."""
        screen = pyte.Screen(*self.size)
        pyte.Stream(screen).feed(self.written.getvalue())
        return [line.rstrip() for line in screen.display]

    def shows(self, text: str) -> bool:
        """Say whether a text stands there."""
        return any(text in line for line in self.lines())

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is so, looking again after all that is written."""
        try:
            async with asyncio.timeout(20):
                while not true():
                    self.written.more.clear()
                    more = asyncio.create_task(self.written.more.wait())
                    await asyncio.wait({more, self.running}, timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
                    more.cancel()
                    if self.running.done() and not true():
                        self.running.result()
                        raise AssertionError("the desk has ended")
        except TimeoutError:
            raise AssertionError("not shown:\n" + "\n".join(self.lines())) from None

    async def until_shown(self, text: str) -> None:
        """Wait until a text stands there."""
        await self.until(lambda: self.shows(text))

    async def ended(self) -> None:
        """Wait until the desk has ended, and raise what it ended with."""
        await asyncio.wait_for(self.running, 20)


@asynccontextmanager
async def terminal(desk: ScreenDesk) -> AsyncIterator[Terminal]:
    """Give a terminal on which a desk runs."""
    with create_pipe_input() as keys:
        made = Terminal(desk, keys, Written())
        made.begin()
        try:
            yield made
        finally:
            made.running.cancel()
            await asyncio.wait({made.running})


@dataclass
class Room:
    """A terminal at a table of two, with a scripted player on the other seat."""

    terminal: Terminal
    desk: ScreenDesk
    other: Player

    async def other_passes(self) -> None:
        """Let the other seat pass its part in the open offer."""
        await self.other.until(lambda: self.other.decision is not None)
        await self.other.act(Answer(self.other.seat, Claim.PASS))


@asynccontextmanager
async def room(*, settle: float = 0.0, look: Look | None = None) -> AsyncIterator[Room]:
    """Give a desk whose game has just been dealt."""
    clock = HandClock()
    async with playground(clock=clock) as ground, await Connection.to(f"127.0.0.1:{ground.port}") as connection:
        table = await ground.create(2, options=AT_ONCE)
        seat = await Seat.join(connection, Receipt.new(server="test", table=table, name="Ann"))
        other = await Player.join(ground, table, "Ben")
        desk = ScreenDesk(seat=seat, watch=seat.watch, look=look or Look())
        before, screen_desk.SETTLE = screen_desk.SETTLE, settle
        try:
            async with terminal(desk) as made:
                await made.until_shown("You are the host")
                made.keys.send_text("s")
                await made.until_shown("Hand 1/2")
                await made.until(lambda: bool(desk.shown))
                yield Room(made, desk, other)
        finally:
            screen_desk.SETTLE = before
            await other.unwatch()


def game_of(desk: ScreenDesk) -> PublicView:
    """Give the game that is shown."""
    game = desk.scene.game
    assert game is not None
    return game


def play_of(desk: ScreenDesk) -> Decision | None:
    """Give the play that Ann owes."""
    return desk.scene.play


def sight_of(player: Player) -> Scene:
    """Give what the other player sees."""
    return Scene.of(player.updates[-1])


def discard_of(seen: Scene) -> Discard:
    """Give the discard of a card that is no joker."""
    play = seen.play
    assert play is not None
    return Discard(play.seat, next(card for card in play.discards if card.rank))


def _answered(desk: ScreenDesk) -> Claim | None:
    view = desk.scene.view
    return None if view is None or view.own is None else view.own.answer


async def test_one_key_answers_an_offer() -> None:
    """The key of the answer gives it, and while others are waited for it is shown as given."""
    async with room() as made:
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("p")
        await made.other_passes()
        await made.terminal.until_shown("from the stock.")


async def test_a_key_typed_before_the_decision_could_be_seen_never_answers_it() -> None:
    """A key that comes sooner after the picture than anybody could see it is refused with a sentence."""
    async with room(settle=1000.0) as made:
        asked = made.desk.shown
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("p")
        await made.terminal.until_shown("That was typed before this decision was shown")
        assert made.desk.shown == asked
        assert _answered(made.desk) is None


async def test_a_key_typed_before_ones_own_draw_could_be_seen_plays_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one's own answer, too: the draw is sorted in, and the letters below the cards are others'."""
    now = 10.0
    seat = _Losing()
    desk = ScreenDesk(seat=seat, watch=_Stream().watch, look=Look(guard=False))
    monkeypatch.setattr(desk, "_now", lambda: now)
    shown = scene("turn_with_melds")
    hand, turn, step = shown.decision_id.rsplit(".", 2)
    # The offer of the same turn was answered just now.
    desk._answered = f"{hand}.{turn}.{int(step) - 1}"  # noqa: SLF001 (what an answer leaves)
    await desk._see(shown)  # noqa: SLF001 (what the stream does)
    working = asyncio.create_task(desk.work())
    for pause, acts, note in ((0.02, 0, "typed before this decision was shown"), (1.0, 1, "")):
        desk.drawn()
        now += pause
        for key in "da":
            desk.press(key)
        for _time in range(20):
            await asyncio.sleep(0)
        assert len(seat.acts) == acts
        assert note in desk.model.note
    working.cancel()
    await asyncio.wait({working})


class _Losing(Seat):
    """A seat whose first acts fail."""

    def __init__(self, *fails: Exception) -> None:
        self.fails = list(fails)
        self.acts: list[tuple[str, SeatAction]] = []

    async def act(self, decision_id: str, action: SeatAction) -> None:
        """Fail, or take note."""
        self.acts.append((decision_id, action))
        if self.fails:
            raise self.fails.pop(0)


def _floats_with_one_choice() -> Scene:
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    return scene_of(position(hand=1, turn=0, melds=melds, hands={0: "5C"}, drawn="5C"), 0)


async def test_r11_3_a_turn_that_plays_itself_and_cannot_be_sent_is_played_once_the_table_is_heard_again() -> None:
    """The client goes on, says why, and tries once more with the next that it hears; it is told once."""
    seat = _Losing(CannotConnect("127.0.0.1:1", "no answer"))
    desk = ScreenDesk(seat=seat, watch=_Stream().watch, look=Look())
    floating = _floats_with_one_choice()
    for _time in range(3):
        await desk._see(floating)  # noqa: SLF001 (what the stream does)
        while (task := desk._floating) is not None and not task.done():  # noqa: SLF001
            await task
    assert [each[0] for each in seat.acts] == [floating.decision_id] * 2
    assert [line.text for line in desk.model.told if "You float" in line.text] != []
    assert sum("it is discarded for you" in line.text for line in desk.model.told) == 1


async def test_r11_3_a_turn_that_plays_itself_and_is_refused_is_the_players() -> None:
    """He is called by the bell, as to any other decision."""
    rung: list[str] = []
    desk = ScreenDesk(
        seat=_Losing(Refused(reason="PAUSED", sentence="the game is paused")), watch=_Stream().watch, look=Look()
    )
    desk.ring = lambda: rung.append("bell")
    await desk._see(_floats_with_one_choice())  # noqa: SLF001 (as above)
    task = desk._floating  # noqa: SLF001
    assert task is not None
    await task
    assert rung == ["bell"]
    assert desk.model.note == "the game is paused"


async def test_a_pass_by_itself_that_cannot_be_sent_is_made_once_the_table_is_heard_again() -> None:
    """Nobody is asked again for what he has said already."""
    seat = _Losing(CannotConnect("127.0.0.1:1", "no answer"))
    desk = ScreenDesk(seat=seat, watch=_Stream().watch, look=Look(unless=Unless.JOKER))
    offer = scene("offer_to_a_buyer")
    working = asyncio.create_task(desk.work())
    for acts in (1, 2):
        await desk._see(offer)  # noqa: SLF001 (what the stream does)
        for _time in range(20):
            await asyncio.sleep(0)
        assert len(seat.acts) == acts
    working.cancel()
    await asyncio.wait({working})


async def test_a_key_for_a_decision_that_is_gone_is_refused() -> None:
    """What was begun for one decision is not given to the next one."""
    async with room() as made:
        desk = made.desk
        await desk.answer(Answer(desk.scene.seat or 0, Claim.PASS), "1.1.0.9")
        assert "typed before this decision was shown" in desk.model.note


async def test_offers_are_passed_by_themselves() -> None:
    """With the key for it, the next offers of the hand are passed without a question."""
    async with room() as made:
        desk = made.desk
        desk.model = replace(desk.model, unless=Unless.JOKER)
        made.terminal.keys.send_text("p")
        await made.other_passes()
        if game_of(desk).turn != made.other.seat:
            await made.terminal.until(lambda: play_of(desk) is not None)
            await desk.answer(discard_of(desk.scene), desk.shown)
            await made.other.until(lambda: sight_of(made.other).offer is not None)
            await made.other.act(Answer(made.other.seat, Claim.TAKE))
        await made.other.until(lambda: sight_of(made.other).play is not None)
        await made.other.act(discard_of(sight_of(made.other)))
        # What is offered now is passed without a key, and Ann draws: who has discarded a card is not asked about it.
        await made.terminal.until(lambda: play_of(desk) is not None)


async def test_the_bell_rings_once_on_ones_turn_unless_it_is_off() -> None:
    """One bell for a turn; none where the player has switched it off."""
    for bell in (True, False):
        async with room(look=Look(bell=bell)) as made:
            game = made.desk.scene.game
            assert game is not None
            mine = game.turn == made.desk.scene.seat
            assert made.terminal.written.getvalue().count("\a") == (1 if mine and bell else 0)


async def test_the_command_line_runs_every_command() -> None:
    """`:` opens it, Tab completes, what a command says is shown; a wrong one is answered with a sentence."""
    async with room() as made:
        made.terminal.keys.send_text(":disc\t\r")
        await made.terminal.until(lambda: made.terminal.shows("Upcard") or made.terminal.shows("discard"))
        made.terminal.keys.send_text("\x1b")
        made.terminal.keys.send_text(":say hello there\r")
        await made.terminal.until_shown("Ann says: hello there")
        made.terminal.keys.send_text(":nonsense\r")
        await made.terminal.until_shown("'nonsense' is no command")
        made.terminal.keys.send_text(":help\r")
        await made.terminal.until_shown("take the upcard as your draw")


async def test_what_is_pasted_plays_nothing() -> None:
    """A paste into the table is no key."""
    async with room() as made:
        asked = made.desk.shown
        made.terminal.keys.send_text("\x1b[200~ppp\x1b[201~:")
        await made.terminal.until(lambda: made.terminal.lines()[-1].startswith(":"))
        assert made.desk.shown == asked
        assert _answered(made.desk) is None


async def test_quitting_leaves_the_terminal_as_it_was() -> None:
    """Q and y end the client, which keeps the seat; the usual screen is back."""
    async with room() as made:
        made.terminal.keys.send_text("q")
        await made.terminal.until_shown("Your seat is kept")
        made.terminal.keys.send_text("y")
        await made.terminal.ended()
        assert made.desk.left is Leaving.QUIT
        assert all(sign in made.terminal.written.getvalue()[-200:] for sign in RESTORED)


async def test_control_c_twice_ends_the_client() -> None:
    """One Ctrl-C only says what another would do."""
    async with room() as made:
        made.terminal.keys.send_text("\x03")
        await made.terminal.until_shown("Ctrl-C again ends the program")
        made.terminal.keys.send_text("\x03")
        with pytest.raises(Interrupt):
            await made.terminal.ended()
        assert all(sign in made.terminal.written.getvalue()[-200:] for sign in RESTORED)


# Without a server


class _Stream:
    """A stream that a test gives its sights."""

    def __init__(self) -> None:
        self.sights: asyncio.Queue[Sight] = asyncio.Queue()

    async def watch(self) -> AsyncGenerator[Sight]:
        """Give the sights as they come."""
        while True:
            yield await self.sights.get()


def _lobby(*, name: str = "Ann") -> table_pb2.Update:
    seats = [table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, name=name, connected=True, host=True)]
    table = table_pb2.TableView(table="ABCDE", status=table_pb2.TABLE_STATUS_LOBBY, seats=seats)
    return table_pb2.Update(sequence=1, public=table_pb2.PublicUpdate(table=table))


async def test_a_lost_connection_is_shown_with_its_time_and_what_was_begun_stays() -> None:
    """The title counts the seconds, the question says why, and the staged cards are there when it is back."""
    stream = _Stream()
    desk = ScreenDesk(seat=None, watch=stream.watch, look=Look())
    async with terminal(desk) as made:
        stream.sights.put_nowait(_lobby())
        await made.until_shown("Table ABCDE")
        staged = model_of(scene("turn_that_can_lay_down"))
        desk.model = replace(staged, staging=staged.staging, cursor=3)
        stream.sights.put_nowait(Lost("the server is shutting down", 2.0))
        await made.until_shown("The server is shutting down, for 0:00 now")
        assert made.shows("lost 0:00")
        assert desk.model.cursor == 3
        made.keys.send_text("day")
        await made.until_shown("nothing can be played until it is back")
        stream.sights.put_nowait(Back())
        await made.until(lambda: desk.model.link.whole)
        await made.until_shown("Your turn: you drew K♦.")


async def test_why_a_stream_was_closed_is_raised() -> None:
    """A seat that another client has taken over ends this one, with the reason, and the terminal is whole."""

    async def ends() -> AsyncGenerator[Sight]:
        yield _lobby()
        raise Ended("another client has taken this seat over, so this one stops")

    with create_pipe_input() as keys:
        made = Terminal(ScreenDesk(seat=None, watch=ends, look=Look()), keys, Written())
        made.begin()
        with pytest.raises(Ended, match="another client has taken this seat over"):
            await made.ended()
        assert all(sign in made.written.getvalue()[-200:] for sign in RESTORED)


async def test_a_crash_leaves_the_terminal_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while a picture is made ends the client with it, once the terminal is whole."""
    desk = ScreenDesk(seat=None, watch=_Stream().watch, look=Look())

    def broken(_model: Model) -> Model:
        raise ZeroDivisionError("in a picture")

    async with terminal(desk) as made:
        await made.until_shown("Waiting for the table.")
        monkeypatch.setattr("shanghai_client.screen.app.clamped", broken)
        desk.redraw()
        with pytest.raises(ZeroDivisionError, match="in a picture"):
            await made.ended()
        assert all(sign in made.written.getvalue()[-200:] for sign in RESTORED)


@pytest.mark.parametrize("garbage", [b"\x1b[M\xff\xfe\xfd", b"\x1b[<99999;1;1M", b"\x1b[9;9;9M", b"\x1b[M\x00\x00\x00"])
async def test_what_no_mouse_says_takes_no_keys_with_it(garbage: bytes) -> None:
    """A place of the mouse that cannot be is passed over; the key in the same read is pressed."""
    desk = ScreenDesk(seat=None, watch=_Stream().watch, look=Look())
    async with terminal(desk) as made:
        desk.model = model_of(scene("turn_with_melds"))
        desk.redraw()
        await made.until_shown("4 melds")
        made.keys.send_bytes(garbage + b"?")
        await made.until_shown("Help")


async def test_a_byte_that_is_no_text_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that holds one is run with a sign that can be sent and shown."""
    desk = ScreenDesk(seat=None, watch=_Stream().watch, look=Look())
    lines: asyncio.Queue[str] = asyncio.Queue()
    monkeypatch.setattr(desk, "line", lines.put_nowait)
    async with terminal(desk) as made:
        desk.model = model_of(scene("turn_with_melds"))
        desk.redraw()
        await made.until_shown("4 melds")
        made.keys.send_text(":")
        made.keys.send_bytes(b"discard \xff\r")
        assert await asyncio.wait_for(lines.get(), 20) == "discard ?"


async def test_a_terminal_that_is_made_smaller_says_so_and_comes_back() -> None:
    """Below 80x24 it says what is needed; a storm of sizes ends with a whole picture of the last one."""
    desk = ScreenDesk(seat=None, watch=_Stream().watch, look=Look())
    async with terminal(desk) as made:
        desk.model = model_of(scene("turn_with_melds"))
        desk.redraw()
        await made.until_shown("4 melds")
        made.written.seek(0)
        made.written.truncate()
        made.size[:] = [40, 15]
        desk.redraw()
        await made.until_shown("The table needs 80 x 24.")
        for size in ([200, 60], [81, 24], [20, 3], [1, 1], [140, 45], [100, 30]):
            made.written.seek(0)
            made.written.truncate()
            made.size[:] = size
            desk.redraw()
            await made.until(lambda size=size: [desk.model.columns, desk.model.rows] == size)  # type: ignore[misc]
        await made.until_shown("What has happened")
        assert len(made.lines()) == 30


def test_the_colours_are_those_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """An old terminal has none, NO_COLOR wants none, COLORTERM says when all are there; the setting is stronger."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("PROMPT_TOOLKIT_COLOR_DEPTH", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert colour_depth() is None
    monkeypatch.setenv("TERM", "vt100")
    assert colour_depth() is ColorDepth.MONOCHROME
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert colour_depth() is ColorDepth.TRUE_COLOR
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour_depth() is ColorDepth.MONOCHROME
    assert colour_depth("16") is ColorDepth.DEPTH_4_BIT


async def test_what_is_told_before_the_screen_is_told_there_again(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence printed before the screen, as on a certificate that was met first, is among what has happened."""
    stream = _Stream()
    desk = ScreenDesk(seat=None, watch=stream.watch, look=Look())
    assert told() == ()
    with click.Context(click.Command("join")):
        tell("127.0.0.1:1 was met for the first time")
        desk.say(told())
    assert "met for the first time" in capsys.readouterr().err
    async with terminal(desk) as made:
        stream.sights.put_nowait(_lobby())
        await made.until_shown("127.0.0.1:1 was met for the first time")


async def test_a_click_goes_to_a_card_and_presses_a_key_of_the_key_line() -> None:
    """What a terminal sends for a click reaches the card, or the word, that stands there."""
    desk = ScreenDesk(seat=None, watch=_Stream().watch, look=Look())

    def click(made: Terminal, text: str) -> None:
        row = next(number for number, line in enumerate(made.lines()) if text in line)
        column = made.lines()[row].index(text)
        for end in "Mm":
            made.keys.send_text(f"\x1b[<0;{column + 1};{row + 1}{end}")

    async with terminal(desk) as made:
        desk.model = model_of(scene("turn_with_melds"))
        desk.redraw()
        await made.until_shown("4 melds")
        click(made, "3♠ JK  6♥")
        await made.until(lambda: desk.model.cursor == 3)
        click(made, "d discard")
        await made.until_shown("Discard which card?")


async def test_what_was_too_long_to_say_comes_back_to_be_changed() -> None:
    """A line of chat that the table refuses stands in the command line again, with the reason above it."""
    async with room() as made:
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("'" + "word " * 50 + "END\r")
        await made.terminal.until_shown("One says at most 200 characters at a time")
        await made.terminal.until_shown("END")
        made.terminal.keys.send_text("\x15say short\r")
        await made.terminal.until_shown("Ann says: short")
        assert not made.terminal.shows("END")
