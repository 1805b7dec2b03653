"""The order of one's own hand: by use for the contract, by rank, by suit, or one's own, which stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from shanghai_client.holding import Group, Holding, sort_by_use, sort_when_down
from shanghai_engine.card import JOKER, RANK, SUIT, Card
from shanghai_engine.contract import Contract
from shanghai_engine.meld import Meld
from shanghai_engine.rules import RuleSet
from shanghai_engine.view import View


class Sort(Enum):
    """What the hand is sorted by."""

    USE = "use"
    RANK = "rank"
    SUIT = "suit"
    OWN = "own"

    @property
    def following(self) -> Sort:
        """The one after it."""
        every = list(Sort)
        return every[(every.index(self) + 1) % len(every)]


@dataclass(frozen=True, slots=True)
class Order:
    """How a player has his hand: `own` is his own order as far as he has made one, from left to right."""

    sort: Sort = Sort.USE
    own: tuple[Card, ...] = ()


def holding_of(view: View | None) -> Holding | None:
    """Sort the viewer's hand by use; none for a spectator and before the first deal. It is worked out once a hand."""
    if view is None or view.own is None:
        return None
    game = view.public
    if game.seats[view.own.seat].down:
        return _when_down(view.own.hand, game.melds, game.rules)
    return _by_use(view.own.hand, game.contract, game.rules)


@lru_cache(maxsize=64)
def _by_use(hand: tuple[Card, ...], contract: Contract, rules: RuleSet) -> Holding:
    return sort_by_use(hand, contract, rules)


@lru_cache(maxsize=64)
def _when_down(hand: tuple[Card, ...], melds: tuple[Meld, ...], rules: RuleSet) -> Holding:
    return sort_when_down(hand, melds, rules)


def groups_of(view: View | None, order: Order) -> tuple[Group, ...]:
    """Give the hand in its order, in named groups; the name is empty where the order has none."""
    holding = holding_of(view)
    if view is None or view.own is None or holding is None:
        return ()
    if order.sort is Sort.USE:
        return holding.groups
    if order.sort is Sort.OWN:
        return (Group("", kept(order.own, view.own.hand)),)
    if order.sort is Sort.RANK:
        return (Group("", tuple(sorted(view.own.hand, key=_by_rank))),)
    return _by_suit(view.own.hand)


def _by_rank(card: Card) -> tuple[int, int]:
    return (RANK[card] or max(RANK) + 1, card)


def _by_suit(hand: Sequence[Card]) -> tuple[Group, ...]:
    suits = (*range(4), SUIT[JOKER])
    found = (tuple(sorted(card for card in hand if SUIT[card] == suit)) for suit in suits)
    return tuple(Group("", cards) for cards in found if cards)


def kept(own: Sequence[Card], hand: Sequence[Card]) -> tuple[Card, ...]:
    """Give the hand in an order that was made for an earlier one: what is gone is left out, what is new comes last."""
    there = Counter(hand)
    stays: list[Card] = []
    for card in own:
        if there[card] > 0:
            there[card] -= 1
            stays.append(card)
    return (*stays, *sorted(there.elements()))


def moved(cards: Sequence[Card], place: int, by: int) -> tuple[Card, ...]:
    """Give the cards with the one at a place moved to the left or right, as far as there is room."""
    to = max(0, min(len(cards) - 1, place + by))
    left = [*cards[:place], *cards[place + 1 :]]
    return (*left[:to], cards[place], *left[to:])
