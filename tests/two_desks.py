"""Two persons at plain desks in this process, who type and read what is said to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from plain_room import Typed
from server_table import AT_ONCE, Playground

from shanghai_client.connection import Connection
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import Entered
from shanghai_client.plain.voice import Voice
from shanghai_client.receipt import Receipt
from shanghai_client.seat import Seat
from shanghai_server.house.settings import Options


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
