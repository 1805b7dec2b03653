"""Passing by itself: all offers of a hand, unless the upcard is worth a look."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from shanghai_client.holding import sort_when_down
from shanghai_client.scene import Scene
from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import outs


class Unless(Enum):
    """Which offers are not passed by themselves."""

    ASKED = "ask"
    """None is passed: every offer is asked."""
    HELPS = "helps"
    """A card that brings the hand nearer to its contract, or that fits a meld of the table once one is down."""
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
    """Say whether the upcard brings the viewer's hand nearer to its contract; when down, whether it fits a meld."""
    game = scene.game
    if game is None or game.upcard is None:
        return False
    if not scene.down:
        return game.upcard in outs_of(scene.hand, game.contract, game.rules)
    return any(group.name == "fits" for group in sort_when_down((game.upcard,), game.melds, game.rules).groups)


@lru_cache(maxsize=64)
def outs_of(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> frozenset[Card]:
    """Give the cards that bring a hand nearer to a contract, worked out once."""
    return outs(hand, contract, rules)
