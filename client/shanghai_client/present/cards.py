"""One's own hand, sorted by use for the contract."""

from __future__ import annotations

from shanghai_client.holding import Holding, sort_by_use, sort_when_down
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene
from shanghai_engine.card import cards_text

_LABELS = {
    "set": "set",
    "run": "run",
    "jokers": "jokers",
    "pairs": "pairs",
    "near": "near",
    "fits": "fits a meld",
    "rest": "rest",
}


def holding_of(scene: Scene) -> Holding | None:
    """Sort the viewer's own hand by use; none for a spectator and before the first deal."""
    if scene.game is None or scene.seat is None:
        return None
    game = scene.game
    if scene.down:
        return sort_when_down(scene.hand, game.melds, game.rules)
    return sort_by_use(scene.hand, game.contract, game.rules)


def hand_lines(scene: Scene) -> list[str]:
    """Give the viewer's hand: how much it counts, how far it is from the contract, and its cards by use."""
    game, holding = scene.game, holding_of(scene)
    if game is None or holding is None:
        return ["You hold no cards."]
    hand = scene.hand
    if not hand:
        return ["Your hand is empty: you float." if scene.down else "Your hand is empty."]
    points = sum(game.rules.card_points[card] for card in hand)
    counted = f"Your hand, {count(len(hand), 'card')}, {count(points, 'point')}: {missing_text(holding.missing)}"
    lines = wrap(counted, width=scene.width)
    width = max(len(_LABELS[group.name]) for group in holding.groups)
    for group in holding.groups:
        text = f"  {_LABELS[group.name]:<{width}}  {cards_text(group.cards)}"
        lines += wrap(text, width=scene.width, indent=" " * (width + 4))
    return lines


def hand_line(scene: Scene) -> str:
    """Give the viewer's hand in one line, a stroke between its groups, for a look in passing."""
    holding = holding_of(scene)
    if holding is None or not scene.hand:
        return hand_lines(scene)[0]
    groups = " / ".join(cards_text(group.cards) for group in holding.groups)
    return f"Your hand: {groups}; {missing_text(holding.missing)}"


def missing_text(missing: int | None) -> str:
    """Say how many cards the hand lacks to lay down; none for who is down."""
    if missing is None:
        return "you are down."
    if missing == 0:
        return "you can lay down."
    return f"{count(missing, 'card')} missing to lay down."
