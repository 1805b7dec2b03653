"""The guard against a slip: what a discard would give away by mistake."""

from __future__ import annotations

from shanghai_client.language import _
from shanghai_client.scene import Scene
from shanghai_engine.card import Card


def slip_of(card: Card, scene: Scene) -> str:
    """Give the question that a discard is asked back with; empty where it is plainly meant."""
    game, play = scene.game, scene.play
    if game is None or play is None:
        return ""
    if game.rules.go_out_with_discard and len(scene.hand) == 1:
        # It wins the hand (R16).
        return ""
    if game.rules.wild_cards[card]:
        return _("{card} is wild, and worth keeping: discard it all the same?").format(card=card)
    if any(each.card == card for each in play.lay_offs):
        return _("{card} could be laid off: discard it all the same?").format(card=card)
    if any(each.card == card for each in play.swaps):
        return _("{card} could be swapped for a joker: discard it all the same?").format(card=card)
    if play.lay_down is not None:
        return _("You can lay down now: discard {card} all the same?").format(card=card)
    return ""
