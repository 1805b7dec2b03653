"""The melds in the making, one after another in their slots."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.screen.model import Building, Model
from shanghai_client.screen.pieces import Line, Piece, fitted, line, width_of
from shanghai_client.screen.signs import card_piece
from shanghai_client.screen.staging import Slot, fault_of_slot
from shanghai_engine.meld import MeldKind
from shanghai_engine.rules import RuleSet


def staged_lines(model: Model, *, width: int) -> list[Line]:
    """Give the slots, as many beside each other as fit; nothing where no meld is being built."""
    game = model.game
    if game is None or not (isinstance(model.mode, Building) or model.staging.cards):
        return []
    lines: list[Line] = []
    row: Line = line(Piece("class:heading", _(" Staged ")))
    for number, slot in enumerate(model.staging.slots):
        shown = _slot(model, number, slot, game.rules)
        if width_of(row) + width_of(shown) > width:
            lines.append(row)
            row = line(" " * width_of(line(_(" Staged "))))
        row = (*row, *shown)
    return [fitted(each, width) for each in (*lines, row)]


def _slot(model: Model, number: int, slot: Slot, rules: RuleSet) -> Line:
    present = number == model.staging.current and isinstance(model.mode, Building)
    kind = _("set") if slot.kind is MeldKind.SET else _("run")
    head = Piece("class:cursor" if present else "class:label", f"{number + 1} {kind}", str(number + 1))
    cards = slot.draft(rules).cards
    whole = len(cards) >= slot.size and fault_of_slot(slot, rules) is None
    faces = [part for card in cards for part in (Piece("", " "), card_piece(card, model.signs))]
    mark = ""
    if len(cards) >= slot.size:
        mark = f" {model.signs.right if whole else model.signs.wrong}"
    count = Piece("class:good" if whole else "class:note", f" {len(cards)}/{slot.size}{mark}")
    return line(head, *faces, count, "   ")
