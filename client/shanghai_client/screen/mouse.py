"""The mouse: what lies under it, and what a click there does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.utils import get_cwidth

from shanghai_client.screen import building, choosing
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import pressed
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line
from shanghai_client.screen.stepping import Step, at

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

WHEEL = {MouseEventType.SCROLL_UP: "up", MouseEventType.SCROLL_DOWN: "down"}
"""The keys that the wheel presses."""
_CARD = "card "
"""What begins the `press` of a piece that is a card of one's own hand; its place follows."""


def press_at(lines: Sequence[Line], column: int, row: int) -> str:
    """Give what a click on a cell of the picture presses; empty where it presses nothing."""
    if not 0 <= row < len(lines):
        return ""
    end = 0
    for piece in lines[row]:
        end += get_cwidth(piece.text)
        if column < end:
            return piece.press
    return ""


class Clicks:
    """What makes a click: the left button alone goes down and comes up on the same piece of the picture."""

    def __init__(self) -> None:
        """Begin with no button down."""
        self._held = ""

    def take(self, event: MouseEvent, lines: Sequence[Line]) -> str:
        """Take what the mouse does in a picture; give what a click that it ends presses, empty where it ends none."""
        what = press_at(lines, event.position.x, event.position.y)
        if event.event_type is MouseEventType.MOUSE_DOWN:
            # Some terminals tell only of that button, and do not say which it is.
            is_left = event.button in {MouseButton.LEFT, MouseButton.UNKNOWN} and not event.modifiers
            self._held = what if is_left else ""
        elif event.event_type is MouseEventType.MOUSE_UP:
            held, self._held = self._held, ""
            return what if what == held else ""
        return ""


def clicked(model: Model, what: str) -> Step:
    """Do what a click does: choose a card where one is being chosen, else go to it; press the key that stands there."""
    place = place_of(model)
    if not what.startswith(_CARD):
        return pressed(model, what) if what else Step(model)
    there = replace(model, cursor=at(model.hand, int(what.removeprefix(_CARD))))
    if place is Place.CHOOSE:
        return choosing.choose(there)
    if place is Place.BUILD:
        return building.stage(there)
    return Step(there) if place is Place.TABLE else Step(model)


_AS_USUAL = next(
    binding.handler for binding in load_mouse_bindings().bindings if binding.keys == (Keys.Vt100MouseEvent,)
)
"""What the library does with what a terminal sends of its mouse."""


def reported(event: KeyPressEvent) -> NotImplementedOrNone:
    """Do what the mouse does; what is no place of it is passed over, and with it none of the keys behind it."""
    try:
        return _AS_USUAL(event)
    except (ValueError, LookupError, TypeError):
        return NotImplemented


class MousePicture(FormattedTextControl):
    """Lines of a picture; what a mouse does is told by where it does it."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], mouse: Callable[[MouseEvent], bool]) -> None:
        """Take what gives the lines, and what takes an event and says whether it did something."""
        super().__init__(text, focusable=True, show_cursor=False)
        self._mouse = mouse

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Pass a mouse event on; where it does nothing, nothing is drawn again."""
        return None if self._mouse(mouse_event) else NotImplemented
