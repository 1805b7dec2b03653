"""The keys while something lies over the table: text to be read, or the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shanghai_client.language import later
from shanghai_client.screen import adjusting
from shanghai_client.screen.keyboard import use
from shanghai_client.screen.keyboard.key import Key, never
from shanghai_client.screen.keyboard.place import Place
from shanghai_client.screen.model import Model
from shanghai_client.screen.stepping import Step


def _scroll(by: int, *, pages: bool = False) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        overlay = model.overlay
        if overlay is None:
            return Step(model)
        lines = by * (overlay.page if pages else 1)
        return Step(replace(model, overlay=replace(overlay, scroll=max(0, overlay.scroll + lines))))

    return do


def _close(model: Model) -> Step:
    return Step(replace(model, overlay=None))


OVERLAY_KEYS: tuple[Key, ...] = (
    # Over the table
    Key(
        names=("escape", "q", "enter"),
        places=frozenset({Place.OVERLAY}),
        word=later("close"),
        help=later("close this"),
        do=_close,
    ),
    Key(
        names=("up",),
        places=frozenset({Place.OVERLAY}),
        word=later("up"),
        help=later("scroll up"),
        do=_scroll(-1),
        named=never,
    ),
    Key(
        names=("down",),
        places=frozenset({Place.OVERLAY}),
        word=later("scroll"),
        help=later("scroll down"),
        do=_scroll(1),
        named=use.scrolls,
    ),
    Key(
        names=("pageup",),
        places=frozenset({Place.OVERLAY}),
        word=later("page up"),
        help=later("scroll a page up"),
        do=_scroll(-1, pages=True),
        named=never,
    ),
    Key(
        names=("pagedown", "space"),
        places=frozenset({Place.OVERLAY}),
        word=later("page down"),
        help=later("scroll a page down"),
        do=_scroll(1, pages=True),
        named=never,
    ),
    # The settings
    Key(
        names=("escape", "q", "f4"),
        places=frozenset({Place.SETTINGS}),
        word=later("close"),
        help=later("close this"),
        do=_close,
    ),
    Key(
        names=("up",),
        places=frozenset({Place.SETTINGS}),
        word=later("up"),
        help=later("go to the setting above"),
        do=lambda model: adjusting.move(model, -1),
        named=never,
    ),
    Key(
        names=("down",),
        places=frozenset({Place.SETTINGS}),
        word=later("choose"),
        help=later("go to the setting below"),
        do=lambda model: adjusting.move(model, 1),
    ),
    Key(
        names=("left",),
        places=frozenset({Place.SETTINGS}),
        word=later("back"),
        help=later("give the setting the value before"),
        do=lambda model: adjusting.change(model, -1),
        named=never,
    ),
    Key(
        names=("enter", "right", "space"),
        places=frozenset({Place.SETTINGS}),
        word=later("change"),
        help=later("give the setting the next value, and keep it in the file"),
        do=lambda model: adjusting.change(model, 1),
    ),
)
"""In the order in which the key line and the help name them."""
