"""What has happened, in words, the newest last; talk among it."""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.screen.model import Kind, Model
from shanghai_client.screen.pieces import Line, Piece, line, text_of
from shanghai_client.screen.signs import with_cards

_STYLES = {Kind.HAND: "class:heading", Kind.EVENT: "", Kind.TALK: "class:talk", Kind.NOTE: "class:note"}
_OLD = "class:dim"


def story_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give the last lines, as many as fit, broken at spaces."""
    lines: list[Line] = []
    # What was played before the last deal is not of what lies above it.
    deal = max((place for place, told in enumerate(model.told) if told.kind is Kind.HAND), default=0)
    for place, told in reversed(list(enumerate(model.told))):
        if len(lines) >= height:
            break
        is_old = place < deal and told.kind in {Kind.HAND, Kind.EVENT}
        style = _OLD if is_old else _STYLES[told.kind]
        parts = wrap(told.text, width=width - 1, indent="  ")
        lines = [(Piece(style, " "), *_told(part, model, style)) for part in parts] + lines
    return lines[-height:] if height > 0 else []


def _told(text: str, model: Model, style: str) -> Line:
    """Give a part of a line with its cards in colour; what is old has no colours."""
    if style == _OLD:
        return (Piece(style, text_of(with_cards(text, model.signs))),)
    return with_cards(text, model.signs, style=style)


def discards_line(model: Model, *, width: int) -> Line:
    """Give the discards of this hand in one line, the newest at the right; what does not fit is cut at the left."""
    game = model.game
    if game is None:
        return line()
    label = _(" Discards ")
    cards = list(game.dead)
    room = (width - get_cwidth(label) - 3) // 3
    shown = cards[-room:] if len(cards) > room else cards
    cut = f"{model.signs.cut} " if len(shown) < len(cards) else ""
    text = " ".join(card.text for card in shown) if shown else _("none yet")
    return line(
        Piece("class:label", label), Piece("class:dim", cut), *with_cards(text, model.signs, style="class:dead")
    )


def discards_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give all discards of this hand, in lines, the last of them where not all fit."""
    game = model.game
    if game is None:
        return []
    lines = wrap(" ".join(card.text for card in game.dead) or _("none yet"), width=width - 1)
    return [(Piece("", " "), *with_cards(each, model.signs, style="class:dead")) for each in lines[-height:]]
