"""The table on the whole screen of a terminal."""

from __future__ import annotations

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from shanghai_client.commands.completer import WordCompleter
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.keys import find
from shanghai_client.screen.model import Look
from shanghai_client.screen.panes.board import board, clamped, foot_height, last_line
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.terminal import Terminal


async def run_screen(desk: ScreenDesk, *, input: Input | None = None, output: Output | None = None) -> None:  # noqa: A002
    """Run a desk on the terminal until the player leaves, or the stream ends for good; then it is as it was before.

    Raises `Interrupt` after a second Ctrl-C, and `Ended`, `Refused` or `CannotConnect` where the stream ends.
    """
    await _TableScreen(desk, input, output).run(desk.watch(), desk.work(), desk.tick(), desk.look_back())


class _TableScreen(Terminal):
    """A terminal that shows a desk's model, and gives it keys, clicks and lines."""

    def __init__(self, desk: ScreenDesk, input: Input | None, output: Output | None) -> None:  # noqa: A002
        self._desk = desk
        super().__init__(completer=WordCompleter(desk.complete), input=input, output=output)
        desk.redraw, desk.ring = self.redraw, self.ring
        desk.open_line, desk.open_value = self.open_line, self.open_value

    @property
    def look(self) -> Look:
        """How the player likes his screen."""
        return self._desk.model.look

    @property
    def fits(self) -> bool:
        """Whether the terminal is large enough for the table."""
        return self._desk.model.fits

    def board(self, columns: int, rows: int) -> list[Line]:
        """Give the table."""
        self._desk.resized(columns, rows)
        self._desk.model = clamped(self._desk.model)
        return board(self._desk.model)

    def last_line(self) -> Line:
        """Give the keys that are of use."""
        return last_line(self._desk.model)

    def prompt(self) -> str:
        """Give what stands before the line that is typed."""
        return self._desk.prompt()

    def foot(self) -> int:
        """Give the lines of one's own hand and of the question."""
        return foot_height(self._desk.model)

    def drawn(self) -> None:
        """Tell that what is asked can be seen."""
        self._desk.drawn()

    def press(self, key: str) -> None:
        """Press a key at the desk."""
        self._desk.press(key)

    def means(self, key: str) -> bool:
        """Say whether a key plays a part at the table now: Ctrl-Z takes back what is staged."""
        return find(self._desk.model, key) is not None

    def click(self, what: str) -> None:
        """Click on something at the desk."""
        self._desk.click(what)

    def interrupted(self) -> None:
        """Tell of Ctrl-C."""
        self._desk.interrupted()

    def typed(self, text: str) -> None:
        """Give a line that was typed."""
        self._desk.line(text)

    def taken_back(self) -> None:
        """Tell that the line was left."""
        self._desk.taken_back()
