"""The lobby on the whole screen of a terminal."""

from __future__ import annotations

import asyncio

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.lobby.outcome import Outcome
from shanghai_client.lobby.page import Ask
from shanghai_client.lobby.picture import board, last_line
from shanghai_client.screen.model import Look
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.terminal import Terminal

_ROW = "row "
"""What begins the `press` of a piece that is a row; its place follows."""


async def run_lobby(
    desk: LobbyDesk,
    *,
    input: Input | None = None,  # noqa: A002 (the library's name)
    output: Output | None = None,
) -> Outcome:
    """Show the lobby until it is left, and give where to; then the terminal is as it was before.

    Raises `Interrupt` after a second Ctrl-C.
    """
    working = asyncio.ensure_future(desk.work())
    try:
        # Who looks around is done where that cannot be: the lobby goes on.
        beside = [desk.follow_hosts()]
        await _LobbyScreen(desk, input, output).run(working, desk.follow_tables(), desk.tick(), beside=beside)
    finally:
        desk.redraw = _nothing
    return working.result()


def _nothing() -> None:
    """Draw nothing: the terminal shows something else."""


class _LobbyScreen(Terminal):
    """A terminal that shows the lobby, and gives its desk keys, clicks and answers."""

    def __init__(self, desk: LobbyDesk, input: Input | None, output: Output | None) -> None:  # noqa: A002
        self._desk = desk
        super().__init__(input=input, output=output)
        desk.redraw, desk.open_value = self.redraw, self.open_value

    @property
    def look(self) -> Look:
        """How the player likes his screen."""
        return self._desk.lobby.look

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the lobby."""
        return self._desk.lobby.has_room

    def board(self, columns: int, rows: int) -> list[Line]:
        """Give the page."""
        self._desk.resized(columns, rows)
        return board(self._desk.lobby)

    def last_line(self) -> Line:
        """Give the keys of the page."""
        return last_line(self._desk.lobby)

    def prompt(self) -> str:
        """Give what is asked."""
        question = self._desk.lobby.question
        return "" if question is None else f" {question.label}: "

    @property
    def hides_line(self) -> bool:
        """Whether a table's passcode is asked for."""
        question = self._desk.lobby.question
        return question is not None and question.ask is Ask.PASSCODE

    def drawn(self) -> None:
        """Tell that there is a picture."""
        self._desk.drawn.set()

    def press(self, key: str) -> None:
        """Press a key at the desk."""
        self._desk.press(key)

    def click(self, what: str) -> None:
        """Choose a row, or press the key that is named there."""
        if what.startswith(_ROW):
            self._desk.choose(int(what.removeprefix(_ROW)))
        else:
            self._desk.press(what)

    def interrupted(self) -> None:
        """Tell of Ctrl-C."""
        self._desk.interrupted()

    def typed(self, text: str) -> None:
        """Give the answer to what is asked."""
        self._desk.typed(text)

    def taken_back(self) -> None:
        """Tell that there is no answer."""
        self._desk.take_back()
