"""Every colour of the screen, by the names of its classes: themes for dark and light backgrounds."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from prompt_toolkit.styles import Style


class Theme(Enum):
    """How the suits are coloured; every theme tells them apart by their signs first."""

    FOUR = "four-colour"
    TWO = "two-colour"
    MONO = "mono"
    CONTRAST = "high-contrast"


class Background(Enum):
    """What the terminal draws on."""

    DARK = "dark"
    LIGHT = "light"


_ATTRIBUTES = {
    "title": "reverse bold",
    "title.part": "reverse",
    "heading": "bold",
    "rule": "",
    "dim": "",
    "turn": "bold",
    "you": "bold",
    "away": "italic",
    "clubs": "",
    "diamonds": "",
    "hearts": "",
    "spades": "",
    "joker": "bold",
    "for-joker": "underline",
    "cursor": "reverse bold",
    "chosen": "reverse",
    "staged": "underline",
    "dead": "",
    "letter": "bold",
    "mark": "bold",
    "label": "",
    "upcard": "bold",
    "question": "bold",
    "warning": "reverse bold",
    "note": "bold",
    "key": "bold",
    "good": "bold",
    "lost": "reverse bold",
    "clock": "bold",
    "clock.short": "reverse bold",
    "talk": "bold",
    "new": "bold",
    "overlay": "",
    "overlay.title": "reverse bold",
    "completion-menu.completion": "reverse",
    "completion-menu.completion.current": "noreverse bold underline",
}
"""What every class is without colours: the theme `mono`, and the ground of all others."""
_DARK = {
    "title": "noreverse bg:#005f5f #ffffff bold",
    "title.part": "noreverse bg:#005f5f #d7ffff",
    "heading": "#87d7af bold",
    "rule": "#5f8787",
    "dim": "#8a8a8a",
    "turn": "#ffd75f bold",
    "you": "#ffffff bold",
    "away": "#8a8a8a italic",
    "joker": "#ff87ff bold",
    "for-joker": "#ff87ff underline",
    "cursor": "reverse bold",
    "staged": "#6c6c6c underline",
    "letter": "#ffd75f bold",
    "mark": "#5fd787 bold",
    "label": "#8a8a8a",
    "question": "#ffffff bold",
    "warning": "noreverse bg:#af0000 #ffffff bold",
    "note": "#ffaf5f bold",
    "key": "#ffd75f bold",
    "good": "#5fd787 bold",
    "lost": "noreverse bg:#af0000 #ffffff bold",
    "clock": "#ffd75f bold",
    "talk": "#87d7ff",
    "new": "#5fd787 bold",
    "overlay.title": "noreverse bg:#005f5f #ffffff bold",
    "completion-menu.completion": "bg:#303030 #d0d0d0",
    "completion-menu.completion.current": "noreverse bg:#005f5f #ffffff bold",
    "scrollbar.background": "bg:#303030",
    "scrollbar.button": "bg:#5f5f5f",
}
_LIGHT = {
    "title": "noreverse bg:#005f5f #ffffff bold",
    "title.part": "noreverse bg:#005f5f #d7ffff",
    "heading": "#005f5f bold",
    "rule": "#87afaf",
    "dim": "#6a6a6a",
    "turn": "#9a5f00 bold",
    "you": "#000000 bold",
    "away": "#6a6a6a italic",
    "joker": "#8700af bold",
    "for-joker": "#8700af underline",
    "staged": "#8a8a8a underline",
    "letter": "#9a5f00 bold",
    "mark": "#006f2f bold",
    "label": "#6a6a6a",
    "question": "#000000 bold",
    "warning": "noreverse bg:#af0000 #ffffff bold",
    "note": "#9a3f00 bold",
    "key": "#9a5f00 bold",
    "good": "#006f2f bold",
    "lost": "noreverse bg:#af0000 #ffffff bold",
    "clock": "#9a5f00 bold",
    "talk": "#005f9a",
    "new": "#006f2f bold",
    "overlay.title": "noreverse bg:#005f5f #ffffff bold",
    "completion-menu.completion": "bg:#d8d8d8 #202020",
    "completion-menu.completion.current": "noreverse bg:#005f5f #ffffff bold",
}
_SUITS = {
    (Theme.FOUR, Background.DARK): ("#5fd75f", "#5fafff", "#ff5f5f", "#e4e4e4"),
    (Theme.FOUR, Background.LIGHT): ("#00701a", "#0050c0", "#c00000", "#000000"),
    (Theme.TWO, Background.DARK): ("#e4e4e4", "#ff5f5f", "#ff5f5f", "#e4e4e4"),
    (Theme.TWO, Background.LIGHT): ("#000000", "#c00000", "#c00000", "#000000"),
}
_CONTRAST = {
    "clubs": "ansibrightgreen bold",
    "diamonds": "ansibrightcyan bold",
    "hearts": "ansibrightred bold",
    "spades": "ansiwhite bold",
    "joker": "ansibrightmagenta bold",
    "key": "ansibrightyellow bold",
    "letter": "ansibrightyellow bold",
    "turn": "ansibrightyellow bold",
    "mark": "ansibrightgreen bold",
    "note": "ansibrightyellow bold",
    "warning": "reverse bold",
}
_CONTRAST_LIGHT = {
    "clubs": "ansigreen bold",
    "diamonds": "ansiblue bold",
    "hearts": "ansired bold",
    "spades": "ansiblack bold",
    "joker": "ansimagenta bold",
}


def classes_of(theme: Theme, background: Background) -> dict[str, str]:
    """Give the style of every class in a theme."""
    suits = ("clubs", "diamonds", "hearts", "spades")
    if theme is Theme.MONO:
        return dict(_ATTRIBUTES)
    if theme is Theme.CONTRAST:
        return _ATTRIBUTES | (_CONTRAST if background is Background.DARK else _CONTRAST_LIGHT)
    colours = _DARK if background is Background.DARK else _LIGHT
    return _ATTRIBUTES | colours | dict(zip(suits, _SUITS[theme, background], strict=True))


@lru_cache
def style_for(theme: Theme, background: Background) -> Style:
    """Give a theme as the terminal's library wants it."""
    return Style(list(classes_of(theme, background).items()))
