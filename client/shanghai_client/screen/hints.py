"""Hints, when they are asked for: what a good bot would do, the best lay-down, and what each card is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from shanghai_client.commands.looking import hint_lines as advice_lines
from shanghai_client.language import _, plural
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene
from shanghai_client.screen.passing import outs_of
from shanghai_engine.card import Card, cards_text
from shanghai_engine.contract import Contract
from shanghai_engine.meld import MeldDraft
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import best_lay_down, distance
from shanghai_engine.view import PublicView

NEEDED = 1000
"""The worth of a card without which the hand is farther from its contract."""


def hint_lines(scene: Scene) -> list[str]:
    """Give all hints for a player; at a table that asks for none, only that it does."""
    game = scene.game
    if game is None or not scene.plays or scene.table.options.no_hints:
        return advice_lines(scene)
    lines = list(advice_lines(scene))
    best = _best(scene, game)
    if best is not None:
        melds = " / ".join(str(draft) for draft in best)
        lines += ["", *wrap(_("The best lay-down: {melds}").format(melds=melds), width=scene.width, indent="  ")]
    if not scene.down and scene.hand:
        lines += ["", _("What each card is worth to the contract:"), *_worths(scene, game, best or ())]
    return lines


def _best(scene: Scene, game: PublicView) -> tuple[MeldDraft, ...] | None:
    """Give the best lay-down, which may have to wait for one's own turn; none where there is none."""
    if scene.play is not None and (scene.down or scene.play.lay_down is not None):
        return scene.play.lay_down
    return None if scene.down else best_lay_down(scene.hand, game.contract, game.rules)


@lru_cache(maxsize=16)
def worths(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> dict[Card, int]:
    """Give what one of each card is worth: by how many kinds of cards fewer would help the hand without it.

    `NEEDED` is the worth of a card without which more is missing; 0 is that of a card that can be spared.
    """
    missing, helping = distance(hand, contract, rules), outs_of(hand, contract, rules)
    found: dict[Card, int] = {}
    for card in dict.fromkeys(hand):
        rest = _without(hand, card)
        farther = distance(rest, contract, rules) > missing
        found[card] = NEEDED if farther else len(helping - outs_of(rest, contract, rules))
    return found


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])


def _worths(scene: Scene, game: PublicView, best: Sequence[MeldDraft]) -> Iterator[str]:
    worth = worths(scene.hand, game.contract, game.rules)
    # Of the cards that can be spared one by one those are not named that are laid down.
    left = Counter(scene.hand) - Counter(card for draft in best for card in draft.cards)
    worth = {card: value for card, value in worth.items() if value or card in left}
    points = game.rules.card_points
    for value in sorted(set(worth.values()), reverse=True):
        cards = sorted((card for card in worth if worth[card] == value), key=lambda card: (-points[card], card))
        yield from wrap(f"  {_worth(value, cards_text(cards))}", width=scene.width, indent="    ")


def _worth(value: int, cards: str) -> str:
    if value == NEEDED:
        return _("needed, for without one of them one more is missing: {cards}").format(cards=cards)
    if not value:
        return _("can be spared, the most points first: {cards}").format(cards=cards)
    text = plural(
        "without one of them {n} kind of card fewer would help: {cards}",
        "without one of them {n} kinds of cards fewer would help: {cards}",
        value,
    )
    return text.format(n=value, cards=cards)
