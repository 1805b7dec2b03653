"""Everybody at the table: cards in hand, buys left, total, and what is to be said of him."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.cells import left, right
from shanghai_client.present.people import People
from shanghai_client.scene import Scene
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line, Piece, beside, fitted, line
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase
from shanghai_engine.view import PublicView

FEW = 4
"""So many seats stand below each other even where there is little room."""
_NUMBERS = 19
"""Cells of a row beside its name and its notes."""
_NARROWEST_NAME, _WIDEST_NAME = 6, 24


def seat_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give a heading and the seats below it: in one column, or in two where they would not fit."""
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return []
    seats = range(len(game.seats))
    if len(seats) + 1 <= height:
        return _column(model, scene, game, seats, width)
    half = -(-len(seats) // 2)
    column = (width - 1) // 2
    first = _column(model, scene, game, seats[:half], column)
    second = _column(model, scene, game, seats[half:], column)
    return beside(first, second, left_width=column, gap=1)


def _column(model: Model, scene: Scene, game: PublicView, seats: Sequence[int], width: int) -> list[Line]:
    notes = {seat: _notes(scene, game, seat, short=width < 48) for seat in seats}  # noqa: PLR2004 (words need 48 cells)
    widest = max((len(note) for note in notes.values()), default=0)
    name = max(_NARROWEST_NAME, min(_WIDEST_NAME, width - _NUMBERS - widest))
    heading = f"     {left(_('name'), name)} {right(_('cards'), 5)}{right(_('buys'), 5)}{right(_('total'), 6)}"
    if width < _NUMBERS + name + 4:
        heading = f"    {left(_('name'), name)}{right(_('cds'), 4)}{right(_('buy'), 4)}{right(_('total'), 6)}"
    lines = [line(Piece("class:label", heading))]
    tight = width < _NUMBERS + name + 4
    return [*lines, *(_row(model, scene, game, seat, notes[seat], name, width, tight=tight) for seat in seats)]


def _row(
    model: Model, scene: Scene, game: PublicView, seat: int, note: str, name: int, width: int, *, tight: bool
) -> Line:
    shown = game.seats[seat]
    on_turn = seat == game.turn and game.phase in {Phase.OFFER, Phase.PLAY}
    style = "class:turn" if on_turn else "class:you" if seat == scene.seat else ""
    if scene.table.seats[seat].occupant == table_pb2.OCCUPANT_PERSON and not scene.table.seats[seat].connected:
        style = "class:away"
    mark = model.signs.here if on_turn else " "
    dealer = "D" if seat == game.dealer else " "
    buys = _("any") if shown.buys_left == UNLIMITED else str(shown.buys_left)
    people = People.of(scene)
    cards, buys, total = (
        (f"{shown.cards:>4}", right(buys, 4), f"{shown.total:>6}")
        if tight
        else (f"{shown.cards:>6}", right(buys, 5), f"{shown.total:>6}")
    )
    pieces = [
        Piece("class:turn", mark),
        Piece("class:label", str(seat)),
        Piece("class:mark", dealer),
        Piece(style, f"{'' if tight else ' '} {left(people.label(seat), name)}"[(1 if tight else 0) :]),
        Piece(style, cards),
        Piece("class:dim" if not shown.buys_left or shown.down else style, buys),
        Piece(style, total),
        Piece("class:good" if shown.down else "class:dim", f" {note}"),
    ]
    return fitted(line(*pieces), width)


def _notes(scene: Scene, game: PublicView, seat: int, *, short: bool) -> str:
    """Give what is to be said of a seat: that it is down or floats, and who is not there."""
    shown, sitting = game.seats[seat], scene.table.seats[seat]
    notes: list[str] = []
    if shown.floats:
        notes.append(_("floats"))
    elif shown.down:
        notes.append(_("down"))
    person = sitting.occupant == table_pb2.OCCUPANT_PERSON
    if person and sitting.stand_in:
        notes.append(_("stand-in"))
    elif person and not sitting.connected:
        notes.append(_("away"))
    elif not person and not short:
        notes.append(_("bot {level}").format(level=sitting.level).rstrip())
    if game.phase is Phase.HAND_OVER and sitting.ready:
        notes.append(_("ready"))
    return ("," if short else ", ").join(notes)
