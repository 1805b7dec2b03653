"""The terminal: one window with the picture, the command line below it, keys and the mouse."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import structlog
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle

from shanghai_client.commands.completer import WordCompleter
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.mouse import press_at
from shanghai_client.screen.panes.board import board, clamped, last_line
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.style import style_for
from shanghai_client.table_desk import Interrupt

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

_LOG = structlog.get_logger(__name__)
ESCAPE_WITHIN = 0.03
"""Seconds after which Esc is that key, and not the beginning of what another key sends."""
LEAST_BETWEEN = 0.1
"""Seconds between two pictures that no key asked for: one costs some 20 ms of a core."""
_NAMES = {Keys.Enter.value: "enter", Keys.Tab.value: "tab", Keys.Backspace.value: "backspace", " ": "space"}


async def run_screen(desk: ScreenDesk, *, input: Input | None = None, output: Output | None = None) -> None:  # noqa: A002
    """Run a desk on the terminal until the player leaves, or the stream ends for good; then it is as it was before.

    Raises `Interrupt` after a second Ctrl-C, and `Ended`, `Refused` or `CannotConnect` where the stream ends.
    """
    screen = _Screen(desk, input, output)
    async with _failing(screen) as failed:
        tasks = [
            asyncio.create_task(work) for work in (desk.watch(), desk.work(), desk.tick(), screen.show(), failed())
        ]
        try:
            done, _pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await screen.close()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()


@asynccontextmanager
async def _failing(screen: _Screen) -> AsyncIterator[Callable[[], Coroutine[Any, Any, None]]]:
    """Give what waits for an error in a key or in the picture, and raises it: the terminal is made whole first."""
    loop = asyncio.get_running_loop()
    error: asyncio.Future[BaseException] = loop.create_future()
    before = loop.get_exception_handler()

    def handle(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # What goes wrong behind the game is no reason to end it; on the terminal it would be printed over the table.
        _LOG.warning("in the event loop", what=context.get("message"), exc_info=context.get("exception"))

    def fails(cause: BaseException) -> None:
        if not error.done():
            error.set_result(cause)

    async def failed() -> None:
        raise await error

    loop.set_exception_handler(handle)
    screen.fails = fails
    try:
        yield failed
    finally:
        loop.set_exception_handler(before)


class _Picture(FormattedTextControl):
    """The picture; what a mouse does is told by where it does it."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], mouse: Callable[[MouseEvent], bool]) -> None:
        super().__init__(text, focusable=True, show_cursor=False)
        self._mouse = mouse

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Pass a mouse event on; where it does nothing, nothing is drawn again."""
        return None if self._mouse(mouse_event) else NotImplemented


class _Screen:
    """The application, and the little that it remembers: the picture that is shown, and when it was drawn."""

    def __init__(self, desk: ScreenDesk, input: Input | None, output: Output | None) -> None:  # noqa: A002
        self.fails: Callable[[BaseException], None] = _unheard
        self._desk = desk
        self._lines: list[Line] = []
        self._last_drawn = 0.0
        self._waits = False
        self._closed = asyncio.Event()
        self._line = Buffer(
            multiline=False,
            completer=WordCompleter(desk.complete),
            complete_while_typing=True,
            history=InMemoryHistory(),
            accept_handler=self._accept,
        )
        self._picture = Window(_Picture(self._draw, self._mouse), always_hide_cursor=True)
        self._app: Application[None] = Application(
            layout=Layout(self._containers(), focused_element=self._picture),
            key_bindings=self._keys(),
            style=DynamicStyle(lambda: style_for(desk.model.look.theme, desk.model.look.background)),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=Condition(lambda: desk.model.look.mouse),
            color_depth=lambda: colour_depth(desk.model.look.colours),
            after_render=self._rendered,
            input=input,
            output=output,
        )
        self._app.ttimeoutlen = ESCAPE_WITHIN
        self._app.timeoutlen = 0.1
        desk.redraw, desk.ring, desk.open_line = self.redraw, self._ring, self._open_line

    def _containers(self) -> FloatContainer:
        typing = has_focus(self._line)
        prompt = BufferControl(self._line, input_processors=[BeforeInput(":", style="class:key")])
        last = HSplit(
            [
                ConditionalContainer(Window(prompt, height=1), filter=typing),
                ConditionalContainer(Window(_Picture(self._draw_last, self._mouse_last), height=1), filter=~typing),
            ]
        )
        menu = Float(xcursor=True, ycursor=True, content=CompletionsMenu(max_height=8, scroll_offset=1))
        return FloatContainer(HSplit([self._picture, last]), floats=[menu])

    # Showing

    async def show(self) -> None:
        """Show the picture until the screen is closed."""
        try:
            await self._app.run_async(set_exception_handler=False, handle_sigint=False)
        except EOFError:
            # The terminal has gone.
            raise Interrupt("interrupted") from None
        finally:
            self._closed.set()
        # Nobody but `close` ends it: what the client ends with is not this.
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Leave the terminal as it was before."""
        if self._app.is_running:
            self._app.exit()
            await self._closed.wait()

    def redraw(self) -> None:
        """Draw again soon: what arrives in quick succession is drawn at once."""
        if self._waits or not self._app.is_running:
            return
        loop = asyncio.get_running_loop()
        wait = self._last_drawn + LEAST_BETWEEN - loop.time()
        if wait <= 0:
            self._app.invalidate()
            return
        self._waits = True
        loop.call_later(wait, self._draw_waiting)

    def _draw_waiting(self) -> None:
        self._waits = False
        self._app.invalidate()

    def _rendered(self, _app: Application[None]) -> None:
        self._last_drawn = asyncio.get_running_loop().time()
        self._desk.drawn()

    def _draw(self) -> StyleAndTextTuples:
        try:
            return self._drawn()
        except Exception as error:  # noqa: BLE001 (raised again where the screen is run, once the terminal is whole)
            self.fails(error)
            return []

    def _drawn(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        self._desk.resized(size.columns, size.rows)
        self._desk.model = clamped(self._desk.model)
        self._lines = board(self._desk.model)
        fragments: StyleAndTextTuples = []
        for number, each in enumerate(self._lines):
            fragments += [("", "\n")] if number else []
            fragments += [(piece.style, piece.text) for piece in each]
        return fragments

    def _draw_last(self) -> StyleAndTextTuples:
        return [(piece.style, piece.text) for piece in last_line(self._desk.model)]

    def _ring(self) -> None:
        self._app.output.bell()
        self._app.output.flush()

    # Keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        typing = has_focus(self._line)

        @keys.add(Keys.Any, filter=~typing)
        def _press(event: KeyPressEvent) -> None:
            pressed = event.key_sequence[0].key
            name = pressed.value if isinstance(pressed, Keys) else pressed
            self._guarded(lambda: self._desk.press(_NAMES.get(name, name)))

        @keys.add(Keys.ControlC)
        def _interrupt(_event: KeyPressEvent) -> None:
            if typing():
                self._close_line()
            else:
                self._guarded(self._desk.interrupted)

        @keys.add(Keys.ControlL)
        def _clear(_event: KeyPressEvent) -> None:
            self._app.renderer.clear()

        @keys.add(Keys.BracketedPaste, filter=~typing, eager=True)
        def _ignore(_event: KeyPressEvent) -> None:
            """Play nothing by what is pasted."""

        @keys.add(Keys.Escape, filter=typing, eager=True)
        def _leave(_event: KeyPressEvent) -> None:
            self._close_line()

        return keys

    def _guarded(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception as error:  # noqa: BLE001 (raised again where the screen is run, once the terminal is whole)
            self.fails(error)

    def _open_line(self, text: str) -> None:
        self._line.set_document(Document(text), bypass_readonly=True)
        self._app.layout.focus(self._line)

    def _close_line(self) -> None:
        self._line.reset()
        self._app.layout.focus(self._picture)

    def _accept(self, buffer: Buffer) -> bool:
        text = buffer.text
        self._app.layout.focus(self._picture)
        if text.strip():
            self._desk.line(text)
        return False

    # The mouse

    def _mouse(self, event: MouseEvent) -> bool:
        wheel = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}
        if event.event_type in wheel:
            self._guarded(lambda: self._desk.press(wheel[event.event_type]))
            return True
        return self._click(event, self._lines)

    def _mouse_last(self, event: MouseEvent) -> bool:
        return self._click(event, [last_line(self._desk.model)])

    def _click(self, event: MouseEvent, lines: list[Line]) -> bool:
        what = press_at(lines, event.position.x, event.position.y)
        if event.event_type is not MouseEventType.MOUSE_UP or not what:
            return False
        self._guarded(lambda: self._desk.click(what))
        return True


def _unheard(error: BaseException) -> None:
    raise error


def colour_depth(colours: str = "auto") -> ColorDepth | None:
    """Give how many colours the terminal is sent: as the setting says, else as the environment; none asks `TERM`."""
    if colours in _DEPTHS:
        return _DEPTHS[colours]
    asked = ColorDepth.from_env()
    if asked is not None:
        return asked
    if os.environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ColorDepth.TRUE_COLOR
    return None


_DEPTHS = {
    "none": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
    "true": ColorDepth.TRUE_COLOR,
}
