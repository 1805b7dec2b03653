"""Hints, when they are asked for: what a good bot would do, the best lay-down, and what each card is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from shanghai_client.commands.looking import hint_lines as advice_lines
from shanghai_client.language import _, plural
from shanghai_client.present.cells import wrap
from shanghai_client.scene import Scene
from shanghai_client.screen.passing import outs_of
from shanghai_engine.card import Card, cards_text
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import distance
from shanghai_engine.view import PublicView


def hint_lines(scene: Scene) -> list[str]:
    """Give all hints for a player; at a table that asks for none, only that it does."""
    game = scene.game
    if game is None or scene.seat is None or scene.table.options.no_hints:
        return advice_lines(scene)
    lines = list(advice_lines(scene))
    play = scene.play
    if play is not None and play.lay_down is not None:
        best = " / ".join(str(draft) for draft in play.lay_down)
        lines += ["", *wrap(_("The best lay-down: {melds}").format(melds=best), width=scene.width, indent="  ")]
    if not scene.down and scene.hand:
        lines += ["", _("What each card is worth to the contract:"), *_worths(scene, game)]
    return lines


@lru_cache(maxsize=16)
def needs(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> dict[Card, bool]:
    """Say of each card whether the hand is farther from its contract without one of it."""
    missing = distance(hand, contract, rules)
    return {card: distance(_without(hand, card), contract, rules) > missing for card in dict.fromkeys(hand)}


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    place = hand.index(card)
    return (*hand[:place], *hand[place + 1 :])


def _worths(scene: Scene, game: PublicView) -> Iterator[str]:
    needed = needs(scene.hand, game.contract, game.rules)
    helpers = outs_of(scene.hand, game.contract, game.rules)
    counted = Counter(scene.hand)
    keep = [card for card in counted if needed[card]]
    spare = sorted((card for card in counted if not needed[card]), key=lambda card: -game.rules.card_points[card])
    if keep:
        text = _("  needed now, for without one of it more is missing: {cards}").format(cards=cards_text(keep))
        yield from wrap(text, width=scene.width, indent="    ")
    for card in spare:
        points = game.rules.card_points[card]
        text = plural("  {card} can be spared: {points} point", "  {card} can be spared: {points} points", points)
        yield text.format(card=card, points=points)
    if helpers and len(helpers) > 1:
        text = plural("  {n} kind of card would help.", "  {n} kinds of cards would help.", len(helpers))
        yield text.format(n=len(helpers))
