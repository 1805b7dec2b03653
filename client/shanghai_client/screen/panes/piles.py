"""The stock and the upcard, drawn large."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.present.cells import left
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line, Piece, line
from shanghai_client.screen.signs import card_piece

WIDTH, HEIGHT = 17, 5


def pile_lines(model: Model) -> list[Line]:
    """Give the two piles beside each other: how many cards the stock has, and the live upcard."""
    game = model.game
    if game is None:
        return []
    top_left, top_right, low_left, low_right, across, down = tuple(model.signs.box)
    stock_style = "class:warning" if not game.stock else "class:rule"
    top, low = f"{top_left}{across * 4}{top_right}", f"{low_left}{across * 4}{low_right}"
    big_top, big_low = f"{top_left}{across * 6}{top_right}", f"{low_left}{across * 6}{low_right}"
    stock = f"{game.stock:>3} "
    frame = "class:upcard" if game.upcard is not None else "class:rule"
    empty = Piece("class:dim", "  ")
    shown = card_piece(game.upcard, model.signs, style="class:upcard") if game.upcard is not None else empty
    heads = left(_("stock"), 7) + left(_("upcard"), 8)
    return [
        line(Piece("class:label", f" {heads}")),
        line(Piece("class:rule", f" {top} "), Piece(frame, big_top)),
        line(
            Piece("class:rule", f" {down}"),
            Piece(stock_style if not game.stock else "", stock),
            Piece("class:rule", f"{down} "),
            Piece(frame, f"{down}  "),
            shown,
            Piece(frame, f"  {down}"),
        ),
        line(Piece("class:rule", f" {low} "), Piece(frame, big_low)),
    ]
