"""Melds and discards as they lie on the table."""

from __future__ import annotations

from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import cells, left, wrap
from shanghai_client.present.people import People
from shanghai_client.scene import Scene
from shanghai_engine.card import cards_text
from shanghai_engine.meld import Meld, MeldKind

_KINDS = {MeldKind.SET: later("set"), MeldKind.RUN: later("run")}


def kind_text(kind: MeldKind) -> str:
    """Give `set` or `run`."""
    return _(_KINDS[kind])


def meld_text(meld: Meld) -> str:
    """Give a meld's cards; a joker of a run with the card that it stands for, as in `5H JK=6H 7H`."""
    return meld.meaning


def meld_lines(scene: Scene) -> list[str]:
    """Give every meld on the table with its number and its owner."""
    game = scene.game
    if game is None or not game.melds:
        return [_("No melds on the table.")]
    people = People.of(scene)
    lines = [_("{melds} on the table:").format(melds=count(len(game.melds), "meld"))]
    width = max(cells(kind_text(kind)) for kind in MeldKind)
    for meld in game.melds:
        kind = left(kind_text(meld.kind), width)
        text = f"  {meld.id:>2}  {kind}  {meld_text(meld)}   ({people.who(meld.owner)})"
        lines += wrap(text, width=scene.width, indent=" " * (width + 8))
    return lines


def discard_lines(scene: Scene) -> list[str]:
    """Give the discards of this hand: the live upcard, and the dead in the order in which they were played (R5.3)."""
    game = scene.game
    if game is None:
        return [_("No discards yet.")]
    upcard = _("Upcard: {card}.").format(card=game.upcard) if game.upcard is not None else _("No live upcard.")
    if not game.dead:
        return [_("{upcard} No dead discards.").format(upcard=upcard)]
    dead = cards_text(game.dead)
    text = _("{upcard} Dead discards, the first played first: {cards}").format(upcard=upcard, cards=dead)
    return wrap(text, width=scene.width, indent="  ")
