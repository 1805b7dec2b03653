"""What can be laid over the table to be looked at: help, hints, the discards, the rules, the score sheet, the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.present.chart import chart_lines
from shanghai_client.present.house_rules import table_rules_lines
from shanghai_client.present.melds import discard_lines
from shanghai_client.present.news import log_lines
from shanghai_client.present.people import People
from shanghai_client.present.score_sheet import hands_lines, place_lines, whole_sheet_lines
from shanghai_client.present.talk import talk_lines
from shanghai_client.rulebook import rule_lines
from shanghai_client.scene import Scene
from shanghai_client.screen.hints import hint_lines
from shanghai_client.screen.model import Model, Overlay

_KEY = 16
"""Cells of the names of a key."""


def hints(_model: Model) -> Overlay:
    """Give what a bot would do, and what each card is worth."""
    return Overlay(_("Hints"), remembered(hint_lines))


def discards(_model: Model) -> Overlay:
    """Give the discards of this hand."""
    return Overlay(_("The discards"), discard_lines)


def rules(_model: Model) -> Overlay:
    """Give the rules, and what the table changes in them."""

    def present(scene: Scene) -> Sequence[str]:
        changed = [*table_rules_lines(scene), ""] if scene.rules.changes() else []
        return [*changed, *rule_lines("", width=scene.width)]

    return Overlay(_("The rules"), remembered(present))


def score(model: Model) -> Overlay | None:
    """Give the score sheet of the game, with the last cards of the hand that was finished last, and the chart.

    While a sheet is shown, that of the game before at this table; none after the first one's.
    """
    sheets = _sheets(model)
    shown = "" if model.overlay is None else model.overlay.title
    titles = [each.title for each in sheets]
    if shown not in titles:
        return sheets[0]
    following = titles.index(shown) + 1
    return sheets[following] if following < len(sheets) else None


def is_sheet(overlay: Overlay, model: Model) -> bool:
    """Say whether what lies over the table is a score sheet."""
    return overlay.title in {each.title for each in _sheets(model)}


def ended_sheet(model: Model, ended: Scene) -> Overlay | None:
    """Give what lies over the table once its game has given way to another: of its sheet that of the ended game."""
    overlay = model.overlay
    if overlay is None or overlay.title != _("The score sheet"):
        return overlay
    sheet = _ended(ended, ascii_only=model.signs.only_ascii)
    return replace(overlay, title=sheet.title, present=sheet.present)


def _ended(ended: Scene, *, ascii_only: bool) -> Overlay:
    title = _("The score sheet of game {n}").format(n=ended.table.game_number)
    return Overlay(title, _sheet_of(ended, ascii_only=ascii_only))


def _sheets(model: Model) -> list[Overlay]:
    """Give the sheets that there are, the present game's first; before a new game begins it has none to show."""
    ascii_only = model.signs.only_ascii
    sheets = [Overlay(_("The score sheet"), _sheet_of(None, ascii_only=ascii_only))]
    sheets += [_ended(ended, ascii_only=ascii_only) for ended in reversed(model.finished)]
    return sheets[1:] if model.game is None and model.finished else sheets


def _sheet_of(ended: Scene | None, *, ascii_only: bool) -> Callable[[Scene], Sequence[str]]:
    """Give what presents a game that has ended, or the one that is shown."""

    def present(scene: Scene) -> Sequence[str]:
        shown = scene if ended is None else replace(ended, width=scene.width)
        game = shown.game
        if game is None or not game.results:
            return whole_sheet_lines(shown)
        places = ["", *place_lines(game, People.of(shown))] if game.places else []
        if shown.recorded:
            # Who has taken a seat over in it is in no record.
            places += wrap(_("The names are those with which this game began."), width=scene.width)
        sheet = [*whole_sheet_lines(shown), *places, "", *hands_lines(shown)]
        return [*sheet, "", *chart_lines(shown, ascii_only=ascii_only)]

    return present


def log(_model: Model) -> Overlay:
    """Give everything that has happened in this hand, and what was said."""

    def present(scene: Scene) -> Sequence[str]:
        return [*log_lines(scene), "", _("Talk:"), *talk_lines(scene)]

    return Overlay(_("The log"), remembered(present))


def help_for(now: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]) -> Overlay:
    """Give the help of where the player is: what each key does, those of use `now` first, and what the signs mean."""

    def told(keys: Sequence[tuple[str, str]], width: int) -> list[str]:
        return [
            part for key, said in keys for part in wrap(f"  {key:<{_KEY}} {said}", width=width, indent=" " * (_KEY + 3))
        ]

    def present(scene: Scene) -> Sequence[str]:
        later_on = [_("At other moments, and always:"), *told(others, scene.width), ""] if others else []
        return [_("Now:"), *told(now, scene.width), "", *later_on, *signs_lines()]

    return Overlay(_("Help"), present)


def remembered(present: Callable[[Scene], Sequence[str]]) -> Callable[[Scene], Sequence[str]]:
    """Give what presents the same again without working it out, as long as the scene and its width are the same."""
    seen: list[object] = []
    lines: list[str] = []

    def again(scene: Scene) -> Sequence[str]:
        now = [scene.view, scene.table, scene.decision, scene.told, scene.width]
        if len(seen) != len(now) or any(old is not new for old, new in zip(seen, now, strict=True)):
            lines[:] = present(scene)
            seen[:] = now
        return lines

    return again


def output(title: str, lines: Sequence[str]) -> Overlay:
    """Give what a command has said."""
    kept = tuple(lines)
    return Overlay(title, lambda _scene: kept)


def signs_lines() -> list[str]:
    """Say what the signs on the table mean."""
    return [
        _("On the table:"),
        _("  D at a seat     is the dealer; the arrow is at who is on turn"),
        _("  d, f at a seat  is down, or floats, where there is no room for the word"),
        _("  * below a card  it is new; + it can be laid off now, or fits a meld; s it can be swapped for a joker"),
        _("  JK=7H in a run  a joker that stands for that card; [7] where there is little room"),
        _("  missing         so many more cards at least, before the hand can lay down its contract"),
    ]
