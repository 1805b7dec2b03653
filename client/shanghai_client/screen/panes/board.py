"""The whole picture: where everything is, by the size of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shanghai_client.language import _
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
        return model
    last = sheet.last_scroll(model, width=model.columns, height=room)
    page = max(1, sheet.shown_lines(room) - 1)
    return replace(model, overlay=replace(overlay, scroll=min(overlay.scroll, last), scrolls=last > 0, page=page))


def _notice(model: Model) -> list[Line]:
    """Give what the server's host tells everybody, in a line of its own."""
    if model.scene is None or not model.notice:
        return []
    return [both_ends([Piece("class:warning", f" {notice_text(model.scene.table.notice)} ")], [], model.columns)]


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
    return block([line(each) for each in said], width=model.columns, height=height)


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


def _narrow(model: Model, room: int) -> list[Line]:
    """Give the table for few columns: seats and piles, melds, the discards, what has happened, one below another."""
    width = model.columns
    seating = width - piles.WIDTH - 1
    top = beside(
        seats.seat_lines(model, width=seating, height=piles.HEIGHT), piles.pile_lines(model), left_width=seating
    )
    left = room - len(top) - 2
    lying = melds.meld_lines(model, width=width, height=max(_LEAST_MELDS, left - _LEAST_STORY))
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


def _wide(model: Model, room: int) -> list[Line]:
    """Give the table for many columns: what has happened stands at the right, with the piles and the discards."""
    right = max(34, model.columns // 3)
    width = model.columns - right - _GAP
    seating = seats.seat_lines(model, width=width, height=max(piles.HEIGHT, room // 2))
    lying = melds.meld_lines(model, width=width, height=room - len(seating) - 1)
    at_left = [*seating, _rule(model, melds.melds_heading(model), "", width=width), *lying]
    dead = story.discards_lines(model, width=right, height=max(2, room // 4))
    at_right = [*piles.pile_lines(model), _rule(model, _("Discards"), "", width=right), *dead]
    at_right.append(_rule(model, _("What has happened"), "", width=right))
    at_right += story.story_lines(model, width=right, height=room - len(at_right))
    return beside(at_left, at_right, left_width=width, gap=_GAP)


def _reading(model: Model, room: int) -> list[Line]:
    """Give what is read between the hands, after the game, and before it: the sheet or the lobby, and what was told."""
    scene, game = model.scene, model.game
    if scene is None:
        return [line(_(" Waiting for the table."))]
    width = model.columns
    present: Callable[[Scene], Sequence[str]] = _before_game
    if game is not None:
        present = _after_game(model) if game.phase is Phase.GAME_OVER else hand_over_lines
    text = list(present(replace(scene, width=width - 2)))
    least = 3 if model.told else 0
    first = max(0, min(model.meld_scroll, len(text) - (room - least - 1)))
    shown = text[first : first + room - least - 1]
    lines = sheet.text_lines(model, shown, width=width, height=len(shown))
    told = story.story_lines(model, width=width, height=room - len(lines) - 1)
    where = ""
    if len(shown) < len(text):
        where = _("{first}-{last} of {all}: Up, Down").format(first=first + 1, last=first + len(shown), all=len(text))
    return [*lines, _rule(model, _("What has happened"), where), *told]


def _before_game(scene: Scene) -> list[str]:
    return [*seating_lines(scene), *house_notice_lines(scene)]


def _after_game(model: Model) -> Callable[[Scene], Sequence[str]]:
    def present(scene: Scene) -> Sequence[str]:
        return [*final_lines(scene), "", *chart_lines(scene, ascii_only=model.signs.only_ascii)]

    return present
