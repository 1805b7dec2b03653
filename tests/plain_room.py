"""A plain desk at a real table: what is typed and what is heard there, and a scripted player on the other seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from hand_clock import HandClock
from server_table import AT_ONCE, Player, playground

from shanghai.v1 import view_pb2
from shanghai_client.connection import Connection
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import Entered, Interrupted
from shanghai_client.plain.voice import Voice
from shanghai_client.receipt import Receipt
from shanghai_client.seat import Seat
from shanghai_engine.action import Answer, Claim
from shanghai_server.house.settings import Options


class Heard(Voice):
    """A voice that keeps what it says."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.notes: list[str] = []
        self.changed = asyncio.Event()

    def say(self, lines: Sequence[str]) -> None:
        """Keep lines of the game."""
        self.lines += lines
        self.changed.set()

    def note(self, sentence: str) -> None:
        """Keep a message."""
        self.notes.append(sentence)
        self.changed.set()


class Typed:
    """Lines that a test types."""

    prompts = True

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Entered | Interrupted | None] = asyncio.Queue()

    async def next(self) -> Entered | None:
        """Give the next line."""
        line = await self.queue.get()
        if isinstance(line, Interrupted):
            raise line
        return line

    def showing(self) -> AbstractContextManager[None]:
        """Nothing disturbs these."""
        return nullcontext()


@dataclass
class Room:
    """A desk at a table of two, with a scripted player on the other seat."""

    desk: PlainDesk
    heard: Heard
    typed: Typed
    other: Player
    clock: HandClock
    running: asyncio.Task[None] = field(init=False)

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until something has been said or has happened."""
        while not what():
            self.heard.changed.clear()
            heard = asyncio.create_task(self.heard.changed.wait())
            done, _ = await asyncio.wait({heard, self.running}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
            heard.cancel()
            if self.running in done and not what():
                self.running.result()
                raise AssertionError("the desk has ended")
            assert done, f"nothing more was said after {self.heard.lines[-5:]} and {self.heard.notes[-3:]}"

    async def type(self, text: str, *, shown: str | None = None) -> None:
        """Type a line; `shown` is the decision that was on the screen when it was begun, the present one if none."""
        self.typed.queue.put_nowait(Entered(text, self.desk.shown if shown is None else shown))

    def said(self, text: str) -> bool:
        """Say whether the lines of the game, or the messages, hold a text, wherever they were broken."""
        return any(text in " ".join(lines) for lines in (self.heard.lines, self.heard.notes))

    async def other_passes(self) -> None:
        """Let the other seat pass its part in the open offer."""
        await self.other.until(lambda: self.other.decision is not None)
        await self.other.act(Answer(self.other.seat, Claim.PASS))

    async def other_discards(self) -> None:
        """Let the other seat, which is on turn, discard any card."""
        await self.other.until(lambda: self.other.decision is not None and self.other.decision.HasField("play"))
        assert self.other.decision is not None
        card = self.other.decision.play.discards[0]
        await self.other.act(view_pb2.Action(discard=view_pb2.Discard(card=card)))


@asynccontextmanager
async def room(options: Options = AT_ONCE) -> AsyncIterator[Room]:
    """Give a desk whose game has just been dealt."""
    clock = HandClock()
    async with playground(clock=clock) as ground, await Connection.to(f"127.0.0.1:{ground.port}") as connection:
        table = await ground.create(2, options=options)
        # A nonce of its own choice would deal other cards at each run.
        receipt = Receipt.new(server="test", table=table, name="Ann", nonce=bytes(16))
        seat = await Seat.join(connection, receipt)
        other = await Player.join(ground, table, "Ben")
        heard, typed = Heard(), Typed()
        desk = PlainDesk(seat=seat, watch=seat.watch, voice=heard)
        desk.attach(typed)
        made = Room(desk, heard, typed, other, clock)
        made.running = asyncio.create_task(desk.run())
        await seat.start()
        await made.until(lambda: made.said("Hand 1 of 2"))
        try:
            yield made
        finally:
            made.running.cancel()
            await asyncio.wait({made.running})
            await other.unwatch()
