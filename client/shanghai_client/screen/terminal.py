"""A whole screen of a terminal: a window with a picture, below it a last line or a line to type in, keys, the mouse."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import structlog
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_focus, has_selection
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
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput, ConditionalProcessor, PasswordProcessor
from prompt_toolkit.mouse_events import MouseEvent
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle, DynamicStyle

from shanghai_client.background import Background
from shanghai_client.quoted import whole_signs
from shanghai_client.screen.colours import colour_depth
from shanghai_client.screen.mouse import WHEEL, Clicks, MousePicture, reported
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.signs import in_encoding
from shanghai_client.screen.style import Theme, style_for
from shanghai_client.table_desk import Interrupt

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

    from shanghai_client.screen.model import Look

_LOG = structlog.get_logger(__name__)
ESCAPE_WITHIN = 0.03
"""Seconds after which Esc is that key, and not the beginning of what another key sends."""
LEAST_BETWEEN = 0.1
"""Seconds between two pictures that no key asked for: one costs some 20 ms of a core."""
_NAMES = {Keys.Enter.value: "enter", Keys.Tab.value: "tab", Keys.Backspace.value: "backspace", " ": "space"}


class Terminal(ABC):
    """The application, and the little that it remembers: the picture that is shown, and when it was drawn.

    Whoever uses it says what the picture is and what keys, clicks and typed lines do. An error in any of that ends
    `run`, which raises it once the terminal is as it was before.
    """

    def __init__(
        self,
        *,
        completer: Completer | None = None,
        input: Input | None = None,  # noqa: A002 (the library's name)
        output: Output | None = None,
    ) -> None:
        """Take what completes the line to type in, if anything, and the terminal, where it is not the program's own."""
        self._lines: list[Line] = []
        self._last_drawn = 0.0
        self._waits = False
        self._closed = asyncio.Event()
        self._error: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line = Buffer(
            multiline=False,
            completer=completer,
            complete_while_typing=completer is not None,
            history=InMemoryHistory(),
            accept_handler=self._accept,
        )
        self._clicks, self._small = Clicks(), Condition(lambda: not self.fits)
        menu = ConditionalContainer(CompletionsMenu(max_height=8, scroll_offset=1), filter=~self._small)
        self._menu = Float(xcursor=True, bottom=1, content=menu)
        self._picture = Window(MousePicture(self._draw, self._mouse), always_hide_cursor=True)
        self._app: Application[None] = Application(
            layout=Layout(self._containers(), focused_element=self._picture),
            key_bindings=self._keys(),
            style=DynamicStyle(self._style),
            include_default_pygments_style=False,
            full_screen=True,
            mouse_support=Condition(lambda: self.look.mouse),
            color_depth=lambda: colour_depth(self.look.colours),
            after_render=self._rendered,
            input=input,
            output=output,
        )
        self._background = Background(self._app)
        self._app.ttimeoutlen = ESCAPE_WITHIN
        self._app.timeoutlen = 0.1

    # What it is used for

    @property
    @abstractmethod
    def look(self) -> Look:
        """How the screen looks now."""

    @property
    def fits(self) -> bool:
        """Whether the picture has room: where it has none nothing is typed."""
        return True

    @abstractmethod
    def board(self, columns: int, rows: int) -> list[Line]:
        """Give the picture for a terminal of that size, one line less than it has."""

    @abstractmethod
    def last_line(self) -> Line:
        """Give the last line, where nothing is typed."""

    @abstractmethod
    def prompt(self) -> str:
        """Give what stands before the line to type in."""

    @property
    def hides_line(self) -> bool:
        """Whether what is typed now is nobody else's to see, who looks over a shoulder: it is shown as stars."""
        return False

    def foot(self) -> int:
        """Give how many lines above the line to type in are needed for what is typed."""
        return 0

    @abstractmethod
    def drawn(self) -> None:
        """Take in that the picture is on the screen."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Do what a key does."""

    def means(self, key: str) -> bool:  # noqa: ARG002 (for who has such keys)
        """Say whether a key that usually is for the terminal itself, as `c-z`, means something else now."""
        return False

    @abstractmethod
    def click(self, what: str) -> None:
        """Do what a click on a piece of the picture does."""

    @abstractmethod
    def interrupted(self) -> None:
        """Do what Ctrl-C does, where nothing is typed."""

    @abstractmethod
    def typed(self, text: str) -> None:
        """Take in a line that was typed."""

    def taken_back(self) -> None:  # noqa: B027 (not everybody needs to know)
        """Take in that the line to type in was left without an answer."""

    # Showing

    async def run(self, *works: Awaitable[Any], beside: Sequence[Awaitable[Any]] = ()) -> None:
        """Show the picture until one of the works ends; then the terminal is as it was before.

        What is done `beside` may end before. Whatever any of them failed with is raised, and `Interrupt` where the
        terminal has gone.
        """
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(_logged)
        ending: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(work) for work in (*works, self._show(), self._failed())
        ]
        tasks = [*ending, *(asyncio.ensure_future(work) for work in beside)]
        ended: list[asyncio.Future[Any]] = []
        try:
            await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in tasks if task.done()]
        finally:
            await self._close()
            for task in tasks:
                if not task.done():
                    task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            loop.set_exception_handler(before)
        for task in ended:
            task.result()

    async def _show(self) -> None:
        try:
            with self._background.watched():
                await self._app.run_async(set_exception_handler=False, handle_sigint=False)
        except EOFError:
            # The terminal has gone.
            raise Interrupt("interrupted") from None
        finally:
            self._closed.set()
        # Nobody but `run` ends it: what the client ends with is not this.
        await asyncio.Event().wait()

    async def _failed(self) -> None:
        await self._error

    async def _close(self) -> None:
        if self._app.is_running:
            if not self._app.is_done:
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

    def ring(self) -> None:
        """Ring the terminal's bell."""
        self._app.output.bell()
        self._app.output.flush()

    def open_line(self, text: str) -> None:
        """Let a line be typed that begins so."""
        self._line.set_document(Document(text), bypass_readonly=True)
        self._app.layout.focus(self._line)

    def _style(self) -> BaseStyle:
        # What is told by colours alone would be gone where the terminal is sent none, by NO_COLOR say.
        bare = self._app.color_depth is ColorDepth.DEPTH_1_BIT
        return style_for(Theme.MONO if bare else self.look.theme, self.look.background)

    def open_value(self, text: str) -> None:
        """Let another text be typed for this one, which is marked: the first sign typed takes its whole place."""
        self.open_line(text)
        if text:
            self._line.cursor_position = 0
            self._line.start_selection()
            if (marked := self._line.selection_state) is not None:
                marked.enter_shift_mode()
            self._line.cursor_position = len(text)

    def _draw_waiting(self) -> None:
        self._waits = False
        self._app.invalidate()

    def _rendered(self, _app: Application[None]) -> None:
        self._last_drawn = asyncio.get_running_loop().time()
        self.drawn()

    def _containers(self) -> FloatContainer:
        typing = has_focus(self._line)
        hidden = ConditionalProcessor(PasswordProcessor(), Condition(lambda: self.hides_line))
        prompt = BufferControl(self._line, input_processors=[hidden, BeforeInput(self.prompt, style="class:key")])
        last = HSplit(
            [
                ConditionalContainer(Window(prompt, height=1), filter=typing),
                ConditionalContainer(Window(MousePicture(self._draw_last, self._mouse_last), height=1), filter=~typing),
            ]
        )
        return FloatContainer(HSplit([self._picture, last]), floats=[self._menu])

    def _draw(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        self._guarded(lambda: self._take_board(self.board(size.columns, size.rows)))
        # What completes a line lies over what may be hidden, and not over the question that it answers.
        self._menu.bottom = self.foot() + 1
        fragments: StyleAndTextTuples = []
        for number, each in enumerate(self._lines):
            fragments += [("", "\n")] if number else []
            fragments += self._sent(each)
        return fragments

    def _take_board(self, lines: list[Line]) -> None:
        self._lines = lines

    def _draw_last(self) -> StyleAndTextTuples:
        fragments: StyleAndTextTuples = []
        self._guarded(lambda: fragments.extend(self._sent(self.last_line())))
        return fragments

    def _sent(self, pieces: Line) -> StyleAndTextTuples:
        """Give a line in signs that the terminal can be sent: the rest would leave it shorter than it is."""
        encoding = self._app.output.encoding() or "utf-8"
        return [(piece.style, in_encoding(piece.text, encoding)) for piece in pieces]

    def _guarded(self, do: Callable[[], None]) -> None:
        """Do something; the first error ends `run`: what fails once may fail with every picture."""
        try:
            do()
        except Exception as error:  # noqa: BLE001 (raised again by `run`, once the terminal is whole)
            if not self._error.done():
                self._error.set_exception(error)

    # Keys

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        typing = has_focus(self._line)

        @keys.add(Keys.Any, filter=~typing)
        def _press(event: KeyPressEvent) -> None:
            pressed = event.key_sequence[0].key
            name = pressed.value if isinstance(pressed, Keys) else pressed
            self._guarded(lambda: self.press(_NAMES.get(name, name)))

        @keys.add(Keys.ControlC, eager=True)
        def _interrupt(_event: KeyPressEvent) -> None:
            if typing() and self.fits:
                self._close_line()
            else:
                self._guarded(self.interrupted)

        @keys.add(Keys.ControlZ, eager=True)
        def _suspend(_event: KeyPressEvent) -> None:
            if not typing() and self.means(Keys.ControlZ.value):
                self._guarded(lambda: self.press(Keys.ControlZ.value))
            else:
                self._background.go()

        @keys.add(Keys.ControlL, eager=True)
        def _clear(_event: KeyPressEvent) -> None:
            self._app.renderer.clear()

        @keys.add(Keys.BracketedPaste, filter=~typing, eager=True)
        def _ignore(_event: KeyPressEvent) -> None:
            """Do nothing by what is pasted."""

        @keys.add(Keys.Vt100MouseEvent)
        def _mouse(event: KeyPressEvent) -> NotImplementedOrNone:
            return reported(event)

        self._add_line_keys(keys)
        return keys

    def _add_line_keys(self, keys: KeyBindings) -> None:
        """Add the keys while a line is typed; what is pasted takes the place of a marked value, and Enter keeps it."""
        typing = has_focus(self._line)
        marked = typing & has_selection

        @keys.add(Keys.Any, filter=typing & self._small, eager=True)
        def _wait(_event: KeyPressEvent) -> None:
            """Do nothing: what was typed before waits for room."""

        @keys.add(Keys.Escape, filter=typing & ~self._small, eager=True)
        def _leave(_event: KeyPressEvent) -> None:
            self._close_line()

        @keys.add(Keys.BracketedPaste, filter=marked)
        def _replace(event: KeyPressEvent) -> None:
            self._line.cut_selection()
            self._line.insert_text(" ".join(event.data.split()))

        @keys.add(Keys.Enter, filter=marked)
        def _keep(_event: KeyPressEvent) -> None:
            self._line.validate_and_handle()

    def _close_line(self) -> None:
        self._line.reset()
        self._app.layout.focus(self._picture)
        self.taken_back()

    def _accept(self, buffer: Buffer) -> bool:
        text = whole_signs(buffer.text)
        if self.hides_line:
            # Else the next line could be made it again, with the arrow.
            buffer.text = ""
        self._app.layout.focus(self._picture)
        self._guarded(lambda: self.typed(text))
        return False

    # The mouse

    def _mouse(self, event: MouseEvent) -> bool:
        if event.event_type in WHEEL:
            self._guarded(lambda: self.press(WHEEL[event.event_type]))
            return True
        return self._clicked(event, self._lines)

    def _mouse_last(self, event: MouseEvent) -> bool:
        return self._clicked(event, [self.last_line()])

    def _clicked(self, event: MouseEvent, lines: list[Line]) -> bool:
        what = self._clicks.take(event, lines)
        if what:
            self._guarded(lambda: self.click(what))
        return bool(what)


def _logged(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    # What goes wrong behind the screen is no reason to end it; on the terminal it would be printed over the picture.
    _LOG.warning("in the event loop", what=context.get("message"), exc_info=context.get("exception"))
