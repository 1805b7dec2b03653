"""Passing by itself: all offers of a hand, unless the upcard is worth a look."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from shanghai_client.holding import sort_when_down
from shanghai_client.scene import Scene
from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.contract import ONE_MELD, Contract
from shanghai_engine.meld import refuse_swap
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import all_lay_downs, can_lay_down, outs
from shanghai_engine.view import PublicView


class Unless(Enum):
    """Which offers are not passed by themselves."""

    ASKED = "ask"
    """None is passed: every offer is asked."""
    HELPS = "helps"
    """A card that brings the hand nearer to its contract, or that fits a meld of the table once one is down, or makes
    a further one where these are played; on one's own turn also one that can be swapped for a joker."""
    JOKER = "joker"
    """A joker, or what else is wild."""

    @property
    def following(self) -> Unless:
        """The one after it."""
        every = list(Unless)
        return every[(every.index(self) + 1) % len(every)]


def passes(scene: Scene, unless: Unless) -> bool:
    """Say whether the open offer is passed by itself; never one in which a pass may end the hand (R13.1)."""
    offer, game = scene.offer, scene.game
    if unless is Unless.ASKED or offer is None or game is None or game.upcard is None:
        return False
    if Claim.PASS not in offer.claims or offer.passing_ends_hand or game.rules.wild_cards[game.upcard]:
        return False
    return unless is Unless.JOKER or not helps(scene)


def helps(scene: Scene) -> bool:
    """Say whether the upcard brings the viewer's hand nearer to its contract; when down, whether it fits a meld.

    Where the table plays further melds (R16 `extra_melds`) a card helps who is down, too, that makes one with his hand.
    On one's own turn a card helps, too, that can be swapped for a joker of the table at once (R10).
    """
    game = scene.game
    if game is None or game.upcard is None:
        return False
    if game.turn == scene.seat and _can_be_swapped(game.upcard, scene, game):
        return True
    if not scene.down:
        return game.upcard in outs_of(scene.hand, game.contract, game.rules)
    if game.rules.extra_melds and makes_a_meld(game.upcard, scene.hand, game.rules):
        return True
    return any(group.name == "fits" for group in sort_when_down((game.upcard,), game.melds, game.rules).groups)


@lru_cache(maxsize=64)
def makes_a_meld(card: Card, hand: tuple[Card, ...], rules: RuleSet) -> bool:
    """Say whether a card is part of a set or a run that it makes with the hand."""
    others = [each for each in hand if rules.wild_cards[card] or rules.wild_cards[each] or _meets(each, card)]
    return any(
        card in draft.cards
        for contract in ONE_MELD
        for drafts in all_lay_downs((*others, card), contract, rules)
        for draft in drafts
    )


def _meets(card: Card, other: Card) -> bool:
    """Say whether two natural cards can be in one meld."""
    return card.rank == other.rank or card.suit == other.suit


def _can_be_swapped(card: Card, scene: Scene, game: PublicView) -> bool:
    """Say whether a card, once drawn, brings a joker of the table; who is not down must lay down with it (R10.2)."""
    rules = game.rules
    if rules.joker_swap == "nobody" or (rules.joker_swap == "down_only" and not scene.down):
        return False
    jokers = {
        joker
        for meld in game.melds
        for index, joker in enumerate(meld.cards)
        if refuse_swap(meld, index, card, rules) is None
    }
    return any(scene.down or can_lay_down((*scene.hand, joker), game.contract, rules) for joker in jokers)


@lru_cache(maxsize=64)
def outs_of(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> frozenset[Card]:
    """Give the cards that bring a hand nearer to a contract, worked out once."""
    return outs(hand, contract, rules)
