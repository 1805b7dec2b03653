"""A seat played to the end of its game: by a person at the plain desk, or by a bot that prints what happens."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from shanghai_client.cli.running import in_terminal, moves_cursor
from shanghai_client.cli.telling import told
from shanghai_client.commands.command import Leaving
from shanghai_client.kit import play_seat
from shanghai_client.plain.announcer import Announcer
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import DumbLines, Lines, PipeLines, PromptLines
from shanghai_client.plain.voice import Voice
from shanghai_client.present.score_sheet import final_lines
from shanghai_client.seat import Seat
from shanghai_client.table_desk import OnOver, TableDesk, Watch
from shanghai_client.watching import Back, LinkNews, Lost
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS

if TYPE_CHECKING:
    from shanghai_client.cli.screen_choice import Screen
    from shanghai_client.screen.desk import ScreenDesk

PATIENCE = 60.0
"""Seconds that a bot on one's seat waits for a server that has gone: nobody is there to give up."""


async def play_at(
    seat: Seat,
    *,
    auto: bool,
    level: str = DEFAULT_LEVEL,
    salt: str | None = None,
    on_record: Callable[[str], None] | None = None,
    screen: Screen | None = None,
) -> Leaving | None:
    """Play a seat, and give how the player left; none when the game is over. A finished game's record is handed out.

    With a screen it is played on that, else line by line.
    """

    async def finished() -> None:
        if on_record is not None:
            on_record(await seat.record())

    if auto:
        await _by_bot(seat, level, salt)
        await finished()
        return None
    desk: TableDesk
    if screen is not None:
        desk = await _on_screen(seat, seat.watch, screen, finished)
    else:
        desk = plain = PlainDesk(seat=seat, watch=seat.watch, voice=Voice(), on_over=finished)
        await run_desk(plain)
    if desk.over:
        return None
    if desk.left is Leaving.LEAVE:
        await seat.leave()
    return desk.left


async def _by_bot(seat: Seat, level: str, salt: str | None) -> None:
    voice = Voice()
    announcer = Announcer(voice.say)

    news = LinkNews()

    def link(change: Lost | Back) -> None:
        told = news.told(change)
        if told:
            voice.note(told)

    decide = LEVELS[level].decide
    token = seat.receipt.token if salt is None else salt
    # Nobody is there to type start: a bot on the host's seat begins when nobody is missing.
    await play_seat(seat, decide, salt=token, patience=PATIENCE, starts=True, on_scene=announcer.show, on_link=link)


async def run_desk(desk: PlainDesk) -> None:
    """Run a desk on this program's own input: a prompt on a terminal, lines from anything else."""
    lines: Lines
    if in_terminal() and not moves_cursor():
        lines = DumbLines(sys.stdin, lambda: desk.shown)
    elif in_terminal():
        lines = PromptLines(complete=desk.complete, shown=lambda: desk.shown, message=desk.prompt)
    else:
        lines = PipeLines(sys.stdin, lambda: desk.shown)
    desk.attach(lines)
    await desk.run()


async def _on_screen(seat: Seat | None, watch: Watch, screen: Screen, on_over: OnOver | None = None) -> ScreenDesk:
    """Run a desk on the whole screen, and give it; a game that is over is told in lines once the screen is gone."""
    # Loaded here: who plays line by line need not wait for it.
    from shanghai_client.screen.app import run_screen
    from shanghai_client.screen.desk import ScreenDesk

    desk = ScreenDesk(seat=seat, watch=watch, look=screen.look, chosen=screen.chosen, on_over=on_over)
    desk.say(told())
    await run_screen(desk)
    if desk.over:
        Voice().say(final_lines(desk.scene))
    return desk


async def watch_at(watch: Watch, *, screen: Screen | None = None) -> None:
    """Watch a table to the end of its game: with commands on a terminal, without anywhere else."""
    if screen is not None:
        await _on_screen(None, watch, screen)
        return
    desk = PlainDesk(seat=None, watch=watch, voice=Voice())
    if in_terminal():
        await run_desk(desk)
        return
    desk.attach(_Silence())
    await desk.run()


class _Silence(PipeLines):
    """No commands at all, and no end of input either."""

    def __init__(self) -> None:
        super().__init__(sys.stdin, lambda: "")

    async def next(self) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()
