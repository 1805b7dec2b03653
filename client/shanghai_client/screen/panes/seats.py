"""Everybody at the table: cards in hand, buys left, total, and what is to be said of him."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.cells import clip_name, comma_list, left, right
from shanghai_client.present.people import People, level_text
from shanghai_client.scene import Scene
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line, Piece, beside, fitted, line
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase
from shanghai_engine.view import PublicView

_NARROWEST_NAME, _WIDEST_NAME = 6, 24
_WIDE, _TIGHT = (6, 5, 6), (4, 4, 6)
"""Cells of the cards, the buys, and the total."""
_NOTE = 8
"""Cells that a note has at least, where one is that long."""
_ROOMY = 48
"""Cells of a row from which on its numbers stand wide, and its notes are whole words."""


def seat_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give a heading and the seats below it: in one column, or in two where they would not fit."""
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return []
    seats = range(len(game.seats))
    if len(seats) + 1 <= height:
        return _column(model, scene, game, seats, width)
    half = -(-len(seats) // 2)
    column = width // 2
    first = _column(model, scene, game, seats[:half], column)
    second = _column(model, scene, game, seats[half:], column)
    return beside(first, second, left_width=column)


def _column(model: Model, scene: Scene, game: PublicView, seats: Sequence[int], width: int) -> list[Line]:
    notes = {seat: _notes(scene, game, seat, short=width < _ROOMY) for seat in seats}
    cells = _WIDE if width >= _ROOMY else _TIGHT
    # In every hand somebody lays down: the columns stay where they are when it is so.
    widest = max(get_cwidth(note) for note in (_("down"), *notes.values()))
    note = widest if width >= _ROOMY else min(widest, _NOTE)
    name = max(_NARROWEST_NAME, min(_WIDEST_NAME, width - sum(cells) - note - 5))
    heads = (_("cards"), _("buys"), _("total")) if width >= _ROOMY else (_("cds"), _("buy"), _("total"))
    numbers = "".join(right(head, cell) for head, cell in zip(heads, cells, strict=True))
    lines = [line(Piece("class:label", f"    {left(_('name'), name)}{numbers}"))]
    return [*lines, *(_row(model, scene, game, seat, notes[seat], name, width) for seat in seats)]


def _row(model: Model, scene: Scene, game: PublicView, seat: int, note: str, name: int, width: int) -> Line:
    shown, sitting = game.seats[seat], scene.table.seats[seat]
    on_turn = seat == game.turn and game.phase in {Phase.OFFER, Phase.PLAY}
    style = "class:turn" if on_turn else "class:you" if seat == scene.seat else ""
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and not sitting.connected:
        style = "class:away"
    buys = _("any") if shown.buys_left == UNLIMITED else str(shown.buys_left)
    people = People.sitting(scene)
    crowded = width < _ROOMY and note not in {"", _down(game, seat, short=True)}
    cards, buying, total = _WIDE if width >= _ROOMY else _TIGHT
    called = people.label(seat, width=name) if width >= _ROOMY else clip_name(people.names[seat], name)
    pieces = [
        Piece("class:turn", model.signs.here if on_turn else " "),
        Piece("class:label", str(seat)),
        Piece("class:mark", f"{'D' if seat == game.dealer else ' '}{_sign(game, seat) if crowded else ' '}"),
        Piece(style, left(called, name)),
        Piece(style, right(str(shown.cards), cards)),
        Piece("class:dim" if not shown.buys_left or shown.down else style, right(buys, buying)),
        Piece(style, right(str(shown.total), total)),
        Piece("class:good" if shown.down else "class:dim", f" {note}"),
    ]
    return fitted(line(*pieces), width)


def _notes(scene: Scene, game: PublicView, seat: int, *, short: bool) -> str:
    """Give what is to be said of a seat: that it is down or floats, and who is not there."""
    shown, sitting = game.seats[seat], scene.table.seats[seat]
    notes = [_down(game, seat, short=short)] if shown.down else []
    person = sitting.occupant == table_pb2.OCCUPANT_PERSON
    if sitting.waits_for_deal:
        notes.append(_("waits") if short else _("from the next deal"))
    elif person and sitting.stand_in:
        notes.append(_("absent") if short else _("stand-in"))
    elif person and not sitting.connected:
        notes.append(_("away"))
    elif not person and not short:
        notes.append(_("bot {level}").format(level=level_text(sitting.level)).rstrip())
    if game.phase is Phase.HAND_OVER and sitting.ready:
        notes.append(_("ready"))
    # Where there is room for one, that who is not there is what the others wait for: a sign tells that he is down.
    return "".join(notes[-1:]) if short else comma_list(notes)


def _down(game: PublicView, seat: int, *, short: bool) -> str:
    """Say that a seat is down, or floats; nothing where it is not down."""
    if game.seats[seat].floats:
        return _("afloat") if short else _("floats")
    return _("down") if game.seats[seat].down else ""


def _sign(game: PublicView, seat: int) -> str:
    """Give the sign for the same, where its word has no room."""
    return "f" if game.seats[seat].floats else "d" if game.seats[seat].down else " "
