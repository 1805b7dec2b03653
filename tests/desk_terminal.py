"""A desk on a terminal of 80x24, at a real table or with a stream that a test gives its sights."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pyte
from drawn import model_of
from hand_clock import HandClock
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from scenes import scene
from server_table import AT_ONCE, Player, playground

from shanghai.v1 import table_pb2
from shanghai_client.connection import Connection
from shanghai_client.receipt import Receipt
from shanghai_client.scene import Scene
from shanghai_client.screen import desk as screen_desk
from shanghai_client.screen.app import run_screen
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.model import Look
from shanghai_client.seat import Seat
from shanghai_client.watching import Sight
from shanghai_engine.action import Answer, Claim, Discard
from shanghai_engine.decision import Decision
from shanghai_engine.view import PublicView

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
            async with asyncio.timeout(60):
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

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal so large, and forget what was drawn at the last size."""
        self.written.seek(0)
        self.written.truncate()
        self.size[:] = [columns, rows]
        self.desk.redraw()

    async def ended(self) -> None:
        """Wait until the desk has ended, and raise what it ended with."""
        await asyncio.wait_for(self.running, 60)


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


@asynccontextmanager
async def four_melds() -> AsyncIterator[Terminal]:
    """Give a terminal on which a turn before four melds is drawn, by a desk without a stream."""
    desk = ScreenDesk(seat=None, watch=Stream().watch, look=Look())
    async with terminal(desk) as made:
        desk.model = model_of(scene("turn_with_melds"))
        desk.redraw()
        await made.until_shown("4 melds")
        yield made


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
        # A nonce of its own choice would deal other cards at each run.
        receipt = Receipt.new(server="test", table=table, name="Ann", nonce=bytes(16))
        seat = await Seat.join(connection, receipt)
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


def answer_of(desk: ScreenDesk) -> Claim | None:
    """Give the answer to the offer that is shown as given."""
    view = desk.scene.view
    return None if view is None or view.own is None else view.own.answer


class Stream:
    """A stream that a test gives its sights."""

    def __init__(self) -> None:
        self.sights: asyncio.Queue[Sight] = asyncio.Queue()

    async def watch(self) -> AsyncGenerator[Sight]:
        """Give the sights as they come."""
        while True:
            yield await self.sights.get()


def lobby(*, name: str = "Ann") -> table_pb2.Update:
    """Give an update of a table before its game, with one player."""
    seats = [table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, name=name, connected=True, host=True)]
    table = table_pb2.TableView(table="ABCDE", status=table_pb2.TABLE_STATUS_LOBBY, seats=seats)
    return table_pb2.Update(sequence=1, public=table_pb2.PublicUpdate(table=table))
