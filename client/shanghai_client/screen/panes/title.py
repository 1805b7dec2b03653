"""The first line: the hand and its contract, whose turn it is, the clock, the connection."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.people import People
from shanghai_client.present.tables import pause_text, status_text
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line, Piece, both_ends
from shanghai_engine.state import Phase

SHORT = 5.0
"""Seconds from which on a clock is shown as running out."""
_MINUTE = 60


def time_text(seconds: float) -> str:
    """Give a time as minutes and seconds, as in `1:05`."""
    whole = int(seconds)
    return f"{whole // _MINUTE}:{whole % _MINUTE:02}"


def title_line(model: Model) -> Line:
    """Give the first line, as wide as the terminal."""
    right = [*_turn(model), *_clock(model), *_link(model)]
    return both_ends(_hand(model), right, model.columns, style="class:title.part")


def _hand(model: Model) -> list[Piece]:
    scene, game = model.scene, model.game
    if scene is None:
        return [Piece("class:title", _(" Shanghai Rum "))]
    if game is None:
        name = f" {scene.table.name!r}" if scene.table.name else ""
        said = _(" Table {code}{name} ").format(code=scene.table.table, name=name)
        return [Piece("class:title", said), Piece("class:title.part", status_text(scene.table.status))]
    hand = _(" Hand {hand}/{hands} ").format(hand=game.hand, hands=game.rules.hands)
    contract = _("{contract} ({n} cards)").format(contract=contract_words(game.contract), n=game.contract.size)
    return [Piece("class:title", hand), Piece("class:title.part", contract)]


def _turn(model: Model) -> list[Piece]:
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return []
    if scene.table.pause_reason:
        return [Piece("class:warning", f" {pause_text(scene.table.pause_reason, yours=scene.is_host())} ")]
    if game.phase is Phase.GAME_OVER:
        return [Piece("class:title.part", _("the game is over "))]
    if game.phase is Phase.HAND_OVER:
        return [Piece("class:title.part", _("the hand is over "))]
    who = People.of(scene).who(game.turn)
    return [Piece("class:title.part", _("turn {n}: {who} ").format(n=game.turn_number, who=who))]


def _clock(model: Model) -> list[Piece]:
    left = model.left
    if left is None:
        return []
    style = "class:clock.short" if left <= SHORT else "class:title"
    return [Piece(style, f" {time_text(left + 0.999)} ")]


def _link(model: Model) -> list[Piece]:
    link, signs = model.link, model.signs
    if link.whole:
        return [Piece("class:title.part", f" {signs.linked} ")]
    since = time_text(model.now - (link.lost_at or 0.0))
    return [Piece("class:lost", _(" {sign} lost {since} ").format(sign=signs.broken, since=since))]
