"""How a player likes his screen, read from his settings."""

from __future__ import annotations

from shanghai_client.screen.model import Look
from shanghai_client.screen.ordering import Sort
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.signs import LETTERS, SHAPES
from shanghai_client.screen.style import Background, Theme
from shanghai_client.settings import Settings


def look_of(settings: Settings, *, mouse: bool = True, shapes: bool = True) -> Look:
    """Give the look that settings ask for; `shapes` says whether the terminal can be sent more than ASCII.

    A terminal that gives two cells to signs of ambiguous width is drawn on in ASCII: there no line would meet another.
    """
    letters = settings.ascii or settings.ambiguous_wide or not shapes
    return Look(
        theme=Theme(settings.theme),
        background=Background(settings.background),
        signs=LETTERS if letters else SHAPES,
        shapes=shapes,
        bell=settings.bell,
        mouse=mouse,
        guard=settings.confirm,
        sort=Sort(settings.sort),
        unless=Unless(settings.auto_pass),
        colours=settings.colours,
    )
