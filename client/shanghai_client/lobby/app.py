"""The terminal of the lobby: one window with the picture, and a line to type in when something is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output

from shanghai_client.lobby.desk import LobbyDesk, Outcome
from shanghai_client.lobby.picture import board, last_line
from shanghai_client.screen.app import colour_depth
from shanghai_client.screen.mouse import press_at
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.style import style_for

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_NAMES = {Keys.Enter.value: "enter"}
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
    screen = _Screen(desk, input, output)
    working = asyncio.create_task(desk.work())
    tasks: list[asyncio.Task[None]] = [
        asyncio.create_task(work)
        for work in (desk.follow_tables(), desk.follow_hosts(), desk.tick(), screen.show(), screen.failed())
    ]
    # Who looks around is done where that cannot be: the lobby goes on.
    ending = [task for number, task in enumerate(tasks) if number != 1]
    try:
        await asyncio.wait([working, *ending], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await screen.close()
        for task in (working, *tasks):
            if not task.done():
                task.cancel()
        await asyncio.gather(working, *tasks, return_exceptions=True)
        desk.redraw = _nothing
    # What ended it, where that was no key: an error, which is raised here.
    for task in tasks:
        if not task.cancelled():
            task.result()
    return working.result()


def _nothing() -> None:
    """Draw nothing: the terminal shows something else."""


class _Picture(FormattedTextControl):
    """The picture; what a mouse does is told by where it does it."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], mouse: Callable[[MouseEvent], None]) -> None:
        super().__init__(text, focusable=True, show_cursor=False)
        self._mouse = mouse

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Pass a mouse event on."""
        self._mouse(mouse_event)
        return None


class _Screen:
    """The application, and the picture that it shows."""

    def __init__(self, desk: LobbyDesk, input: Input | None, output: Output | None) -> None:  # noqa: A002
        self._desk = desk
        self._lines: list[Line] = []
        self._error: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closed = asyncio.Event()
        self._line = Buffer(multiline=False, accept_handler=self._accept)
        self._picture = Window(_Picture(self._draw, self._mouse), always_hide_cursor=True)
        look = desk.lobby.look
        self._app: Application[None] = Application(
            layout=Layout(self._containers(), focused_element=self._picture),
            key_bindings=self._keys(),
            style=style_for(look.theme, look.background),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=look.mouse,
            color_depth=colour_depth(look.colours),
            min_redraw_interval=0.1,
            after_render=lambda _app: desk.drawn.set(),
            input=input,
            output=output,
        )
        self._app.ttimeoutlen = 0.05
        self._app.timeoutlen = 0.1
        desk.redraw, desk.open_line = self._app.invalidate, self._open_line

    def _containers(self) -> HSplit:
        typing = has_focus(self._line)
        prompt = BufferControl(self._line, input_processors=[BeforeInput(self._label, style="class:key")])
        last = Window(FormattedTextControl(self._draw_last), height=1)
        return HSplit(
            [
                self._picture,
                ConditionalContainer(Window(prompt, height=1), filter=typing),
                ConditionalContainer(last, filter=~typing),
            ]
        )

    def _label(self) -> str:
        question = self._desk.lobby.question
        return "" if question is None else f" {question.label}: "

    # Showing

    async def show(self) -> None:
        """Show the picture until the screen is closed."""
        try:
            await self._app.run_async(set_exception_handler=False, handle_sigint=False)
        finally:
            self._closed.set()
        # Nobody but `close` ends it.
        await asyncio.Event().wait()

    async def failed(self) -> None:
        """Raise what a key or the picture has ended with: a terminal cannot show it."""
        await self._error

    async def close(self) -> None:
        """Leave the terminal as it was before."""
        if self._app.is_running:
            self._app.exit()
            await self._closed.wait()

    def _fails(self, error: Exception) -> None:
        """Take the first error for `failed`: what fails once may fail with every picture."""
        if not self._error.done():
            self._error.set_exception(error)

    def _draw(self) -> StyleAndTextTuples:
        try:
            return self._drawn()
        except Exception as error:  # noqa: BLE001 (raised again by `failed`, once the terminal is whole)
            self._fails(error)
            return []

    def _drawn(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        self._desk.resized(size.columns, size.rows)
        self._lines = board(self._desk.lobby)
        fragments: StyleAndTextTuples = []
        for number, each in enumerate(self._lines):
            fragments += [("", "\n")] if number else []
            fragments += [(piece.style, piece.text) for piece in each]
        return fragments

    def _draw_last(self) -> StyleAndTextTuples:
        return [(piece.style, piece.text) for piece in last_line(self._desk.lobby)]

    # Keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        typing = has_focus(self._line)

        @keys.add(Keys.Any, filter=~typing)
        def _press(event: KeyPressEvent) -> None:
            pressed = event.key_sequence[0].key
            name = pressed.value if isinstance(pressed, Keys) else pressed
            try:
                self._desk.press(_NAMES.get(name, name))
            except Exception as error:  # noqa: BLE001 (raised again by `failed`, once the terminal is whole)
                self._fails(error)

        @keys.add(Keys.ControlC)
        def _interrupt(_event: KeyPressEvent) -> None:
            if typing():
                self._take_back()
                return
            try:
                self._desk.interrupted()
            except Exception as error:  # noqa: BLE001 (raised again by `failed`, once the terminal is whole)
                self._fails(error)

        @keys.add(Keys.Escape, filter=typing, eager=True)
        def _leave(_event: KeyPressEvent) -> None:
            self._take_back()

        @keys.add(Keys.ControlL)
        def _clear(_event: KeyPressEvent) -> None:
            self._app.renderer.clear()

        @keys.add(Keys.BracketedPaste, filter=~typing, eager=True)
        def _ignore(_event: KeyPressEvent) -> None:
            """Do nothing by what is pasted."""

        return keys

    def _open_line(self, text: str) -> None:
        self._line.set_document(Document(text), bypass_readonly=True)
        self._app.layout.focus(self._line)

    def _take_back(self) -> None:
        self._line.reset()
        self._app.layout.focus(self._picture)
        self._desk.take_back()

    def _accept(self, buffer: Buffer) -> bool:
        self._app.layout.focus(self._picture)
        self._desk.typed(buffer.text)
        return False

    def _mouse(self, event: MouseEvent) -> None:
        wheel = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}
        if event.event_type in wheel:
            self._desk.press(wheel[event.event_type])
        elif event.event_type is MouseEventType.MOUSE_UP:
            what = press_at(self._lines, event.position.x, event.position.y)
            if what.startswith(_ROW):
                self._desk.choose(int(what.removeprefix(_ROW)))
