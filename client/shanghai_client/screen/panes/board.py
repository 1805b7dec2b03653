"""The whole picture: where everything is, by the size of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.present.chart import chart_lines
from shanghai_client.present.house_rules import house_notice_lines
from shanghai_client.present.score_sheet import final_lines, hand_over_lines
from shanghai_client.present.table import seating_lines
from shanghai_client.present.talk import notice_text
from shanghai_client.scene import Scene
from shanghai_client.screen.keyboard.place import Place, resting_place
from shanghai_client.screen.model import LOWEST, NARROWEST, Model
from shanghai_client.screen.panes import asking, cards, melds, piles, seats, sheet, staged, story
from shanghai_client.screen.panes.title import title_line
from shanghai_client.screen.pieces import EMPTY, Line, Piece, beside, block, both_ends, fitted, line, width_of
from shanghai_client.screen.signs import of_known_width
from shanghai_engine.state import Phase

WIDE = 100
"""From so many columns on, a column at the right has the piles, the discards and what has happened."""
_LEAST_STORY = 2
_LEAST_MELDS = 3
_LEAST_TOLD = 3
_GAP = 2


def board(model: Model) -> list[Line]:
    """Give the picture, one line less than the terminal has: the last is the key line's, or the command line's."""
    height = model.rows - 1
    if not model.fits:
        return _shown(model, _too_small(model, height))
    foot = _foot(model)
    head = [title_line(model), *_notice(model)]
    room = height - len(head) - len(foot)
    if model.overlay is not None:
        middle = sheet.sheet_lines(model, width=model.columns, height=room)
    elif resting_place(model) is Place.TABLE:
        middle = _wide(model, room) if model.columns >= WIDE else _narrow(model, room)
    else:
        middle = _reading(model, room)
    return _shown(model, [*head, *block(middle, width=model.columns, height=room), *foot])


def clamped(model: Model) -> Model:
    """Give the model with nothing scrolled beyond its end."""
    room = model.rows - 2 - len(_notice(model)) - len(_foot(model))
    overlay = model.overlay
    if overlay is None:
        return replace(model, meld_scroll=min(model.meld_scroll, _last_scroll(model, room))) if model.fits else model
    last = sheet.last_scroll(model, width=model.columns, height=room)
    page = max(1, sheet.shown_lines(room) - 1)
    return replace(model, overlay=replace(overlay, scroll=min(overlay.scroll, last), scrolls=last > 0, page=page))


def _last_scroll(model: Model, room: int) -> int:
    """Give the first row of the last page of what is scrolled while nothing lies over it."""
    if resting_place(model) is not Place.TABLE:
        return max(0, len(_read(model)) - _read_room(model, room))
    shape = _Wide.of(model, room) if model.columns >= WIDE else _Narrow.of(model, room)
    return melds.last_scroll(model, width=shape.width, height=shape.melds)


def _notice(model: Model) -> list[Line]:
    """Give what the server's host tells everybody, in a line of its own."""
    if model.scene is None or not model.notice:
        return []
    return [both_ends([Piece("class:warning", f" {notice_text(model.scene.table.notice)} ")], [], model.columns)]


def foot_height(model: Model) -> int:
    """Give the lines of it, which are needed for what one types."""
    return len(_foot(model)) if model.fits else 0


def _foot(model: Model) -> list[Line]:
    """Give what stands at the bottom whatever is above it: one's own hand, and what is asked."""
    heading, sort = (cards.hand_heading(model), cards.order_text(model)) if _has_hand(model) else ("", "")
    own = _own(model) if _has_hand(model) else []
    return [_rule(model, heading, sort), *own, *asking.asking_lines(model, width=model.columns)]


def last_line(model: Model) -> Line:
    """Give the key line."""
    if not model.fits:
        return fitted(EMPTY, model.columns)
    return _shown(model, [asking.key_line(model, width=model.columns)])[0]


def _shown(model: Model, lines: Sequence[Line]) -> list[Line]:
    """Give lines of exactly the terminal's width, in signs that it has."""
    if not model.signs.only_ascii:
        return [fitted(each, model.columns) for each in lines]
    plain = [tuple(piece._replace(text=of_known_width(piece.text)) for piece in each) for each in lines]
    return [fitted(each, model.columns) for each in plain]


def _too_small(model: Model, height: int) -> list[Line]:
    said = [
        _("This terminal has {columns} x {rows} signs.").format(columns=model.columns, rows=model.rows),
        _("The table needs {columns} x {rows}.").format(columns=NARROWEST, rows=LOWEST),
        _("Make it larger, or play with --plain."),
        _("Keys do nothing here; Ctrl-C twice ends."),
    ]
    lines = [line(part) for each in said for part in wrap(each, width=model.columns)]
    return block(lines, width=model.columns, height=height)


def _has_hand(model: Model) -> bool:
    game = model.game
    return (
        model.scene is not None
        and model.scene.seat is not None
        and game is not None
        and game.phase in {Phase.OFFER, Phase.PLAY}
    )


def _own(model: Model) -> list[Line]:
    lines = cards.hand_lines(model, width=model.columns)
    return [*lines, *staged.staged_lines(model, width=model.columns)] or [line()]


def _rule(model: Model, heading: str, right: str, *, width: int | None = None) -> Line:
    """Give a horizontal line with a heading in it, and a word at its end."""
    width = model.columns if width is None else width
    sign = model.signs.rule
    head = [Piece("class:rule", sign * 2), *([Piece("class:heading", f" {heading} ")] if heading else [])]
    tail = [Piece("class:label", f" {right} "), Piece("class:rule", sign * 2)] if right else []
    filling = max(0, width - width_of(head) - width_of(tail))
    return fitted((*head, Piece("class:rule", sign * filling), *tail), width)


@dataclass(frozen=True, slots=True)
class _Narrow:
    """How few columns are shared out: the top with seats and piles, and below it rows for the melds."""

    width: int
    top: list[Line]
    melds: int

    @classmethod
    def of(cls, model: Model, room: int) -> _Narrow:
        """Share out."""
        seating = model.columns - piles.WIDTH - 1
        at_left = seats.seat_lines(model, width=seating, height=piles.HEIGHT)
        top = beside(at_left, piles.pile_lines(model), left_width=seating)
        return cls(model.columns, top, max(_LEAST_MELDS, room - len(top) - 2 - _LEAST_STORY))


def _narrow(model: Model, room: int) -> list[Line]:
    """Give the table for few columns: seats and piles, melds, the discards, what has happened, one below another."""
    shape = _Narrow.of(model, room)
    width, top = shape.width, shape.top
    left = room - len(top) - 2
    lying = melds.meld_lines(model, width=width, height=shape.melds)
    told = story.story_lines(model, width=width, height=left - len(lying))
    gap = [line()] * max(0, left - len(lying) - len(told))
    return [
        *top,
        _rule(model, melds.melds_heading(model), ""),
        *lying,
        *gap,
        story.discards_line(model, width=width),
        *told,
    ]


@dataclass(frozen=True, slots=True)
class _Wide:
    """How many columns are shared out: the seats, and below them rows for the melds; the rest is the right column's."""

    width: int
    seating: list[Line]
    melds: int

    @classmethod
    def of(cls, model: Model, room: int) -> _Wide:
        """Share out."""
        width = model.columns - max(34, model.columns // 3) - _GAP
        seating = seats.seat_lines(model, width=width, height=max(piles.HEIGHT, room // 2))
        return cls(width, seating, room - len(seating) - 1)


def _wide(model: Model, room: int) -> list[Line]:
    """Give the table for many columns: what has happened stands at the right, with the piles and the discards."""
    shape = _Wide.of(model, room)
    width = shape.width
    right = model.columns - width - _GAP
    lying = melds.meld_lines(model, width=width, height=shape.melds)
    at_left = [*shape.seating, _rule(model, melds.melds_heading(model), "", width=width), *lying]
    dead = story.discards_lines(model, width=right, height=max(2, room // 4))
    at_right = [*piles.pile_lines(model), _rule(model, _("Discards"), "", width=right), *dead]
    at_right.append(_rule(model, _("What has happened"), "", width=right))
    at_right += story.story_lines(model, width=right, height=room - len(at_right))
    return beside(at_left, at_right, left_width=width, gap=_GAP)


def _reading(model: Model, room: int) -> list[Line]:
    """Give what is read between the hands, after the game, and before it: the sheet or the lobby, and what was told."""
    if model.scene is None:
        return [line(_(" Waiting for the table."))]
    width = model.columns
    text = _read(model)
    height = _read_room(model, room)
    first = max(0, min(model.meld_scroll, len(text) - height))
    shown = text[first : first + height]
    lines = sheet.text_lines(model, shown, width=width, height=len(shown))
    if len(shown) < len(text):
        # It stands with what is scrolled: the heading below is that of what was told.
        signs = model.signs
        more = f"{signs.more_above if first else ' '}{signs.more_below if first + len(shown) < len(text) else ' '}"
        where = _("lines {first}-{last} of {all}: Up, Down, PgUp, PgDn")
        if model.game is not None and model.game.phase is Phase.GAME_OVER:
            where = _("lines {first}-{last} of {all}, a chart last: Up, Down, PgUp, PgDn")
        said = where.format(first=first + 1, last=first + len(shown), all=len(text))
        lines.append(line(Piece("class:note", f" {more} "), Piece("class:label", said)))
    told = story.story_lines(model, width=width, height=room - len(lines) - 1)
    return [*lines, _rule(model, _("What has happened"), ""), *told]


def _read(model: Model) -> list[str]:
    """Give the text of it."""
    scene, game = model.scene, model.game
    if scene is None:
        return []
    present: Callable[[Scene], Sequence[str]] = _before_game
    if game is not None:
        present = _after_game(model) if game.phase is Phase.GAME_OVER else hand_over_lines
    return list(present(replace(scene, width=model.columns - 2)))


def _read_room(model: Model, room: int) -> int:
    """Give the rows for it: what was told has some, and what is too long a line that says so."""
    height = room - 1 - (_LEAST_TOLD if model.told else 0)
    return height if len(_read(model)) <= height else height - 1


def _before_game(scene: Scene) -> list[str]:
    return [*seating_lines(scene), *house_notice_lines(scene)]


def _after_game(model: Model) -> Callable[[Scene], Sequence[str]]:
    def present(scene: Scene) -> Sequence[str]:
        return [*final_lines(scene), "", *chart_lines(scene, ascii_only=model.signs.only_ascii)]

    return present
