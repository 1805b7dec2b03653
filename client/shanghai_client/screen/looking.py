"""What can be laid over the table to be looked at: help, hints, the discards, the rules, the score sheet, the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def score(model: Model) -> Overlay:
    """Give the score sheet of the whole game, the last cards of the hand that was finished last, and the chart."""
    ascii_only = model.signs.only_ascii

    def present(scene: Scene) -> Sequence[str]:
        game = scene.game
        if game is None or not game.results:
            return whole_sheet_lines(scene)
        places = ["", *place_lines(game, People.of(scene))] if game.places else []
        sheet = [*whole_sheet_lines(scene), *places, "", *hands_lines(scene)]
        return [*sheet, "", *chart_lines(scene, ascii_only=ascii_only)]

    return Overlay(_("The score sheet"), present)


def log(_model: Model) -> Overlay:
    """Give everything that has happened in this hand, and what was said."""

    def present(scene: Scene) -> Sequence[str]:
        return [*log_lines(scene), "", _("Talk:"), *talk_lines(scene)]

    return Overlay(_("The log"), present)


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
        now = [scene.view, scene.table, scene.decision, scene.width]
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
        _("  * below a card  it is new; + it can be laid off now, or fits a meld; s it can be swapped for a joker"),
        _("  JK=7H in a run  a joker that stands for that card; [7] where there is little room"),
        _("  missing         so many more cards at least, before the hand can lay down its contract"),
    ]
