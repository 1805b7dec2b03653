"""One's own hand, sorted by use for the contract."""

from __future__ import annotations

from shanghai_client.holding import Holding, sort_by_use, sort_when_down
from shanghai_client.language import _, later
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import cells, left, wrap
from shanghai_client.present.choices import waits_for_deal_text
from shanghai_client.scene import Scene
from shanghai_engine.card import cards_text

_LABELS = {
    "set": later("set"),
    "run": later("run"),
    "jokers": later("jokers"),
    "spare": later("spare set"),
    "pairs": later("pairs"),
    "near": later("near"),
    "fits": later("fits a meld"),
    "rest": later("rest"),
}


def holding_of(scene: Scene) -> Holding | None:
    """Sort the viewer's own hand by use; none for a spectator, and before his first deal."""
    if scene.game is None or not scene.plays:
        return None
    game = scene.game
    if scene.down:
        return sort_when_down(scene.hand, game.melds, game.rules)
    return sort_by_use(scene.hand, game.contract, game.rules)


def hand_lines(scene: Scene) -> list[str]:
    """Give the viewer's hand: how much it counts, how far it is from the contract, and its cards by use."""
    game, holding = scene.game, holding_of(scene)
    if game is not None and scene.waits:
        return wrap(waits_for_deal_text(), width=scene.width)
    if game is None or holding is None:
        return [_("You hold no cards.")]
    hand = scene.hand
    if not hand:
        return [_("Your hand is empty: you float.") if scene.down else _("Your hand is empty.")]
    points = sum(game.rules.card_points[card] for card in hand)
    counted = _("Your hand, {cards}, {points}: {missing}").format(
        cards=count(len(hand), "card"), points=count(points, "point"), missing=missing_text(holding.missing)
    )
    lines = wrap(counted, width=scene.width)
    labels = [_(_LABELS[group.name]) for group in holding.groups]
    width = max(cells(label) for label in labels)
    for label, group in zip(labels, holding.groups, strict=True):
        text = f"  {left(label, width)}  {cards_text(group.cards)}"
        lines += wrap(text, width=scene.width, indent=" " * (width + 4))
    return lines


def hand_line(scene: Scene) -> str:
    """Give the viewer's hand in one line, a stroke between its groups, for a look in passing."""
    holding = holding_of(scene)
    if holding is None or not scene.hand:
        return hand_lines(scene)[0]
    groups = " / ".join(cards_text(group.cards) for group in holding.groups)
    return _("Your hand: {groups}; {missing}").format(groups=groups, missing=missing_text(holding.missing))


def missing_text(missing: int | None) -> str:
    """Say how many cards the hand lacks to lay down; none for who is down."""
    if missing is None:
        return _("you are down.")
    if missing == 0:
        return _("you can lay down.")
    return _("{cards} missing to lay down.").format(cards=count(missing, "card"))
