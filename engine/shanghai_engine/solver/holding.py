"""A hand as counts: what every search of the solver reads, and the same for any order of the cards.

A suit is a tuple of *layers*, each a mask of 14 places from the ace that lies low to the ace above the king: the first
layer holds the ranks of which there is a card, the second those of which there are two, and so on. Taking a run's cards
out of a suit is then a matter of three bit operations for each layer. Where an ace may lie low (R16) it stands at both
of its places, and is taken from both. Wild cards are in no suit and of no rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from shanghai_engine.card import Card
from shanghai_engine.rules import STANDARD
from shanghai_engine.solver.terms import ACES, LOW_ACE, PLACES, RANKS, TWO_PLACE, Terms, terms_of

Layers = tuple[int, ...]
Suits = tuple[Layers, ...]
SUITS = 4


class Holding:
    """The cards of a hand: `suits` as layers, `ranks` as a count by rank's number, and the wild cards.

    `jokers` counts the jokers, `twos` by suit the twos where they are wild, `wilds` both.
    """

    __slots__ = ("jokers", "ranks", "suits", "twos", "wilds")

    def __init__(self, hand: Sequence[Card], terms: Terms = terms_of(STANDARD)) -> None:  # noqa: B008 a constant
        """Count the cards of a hand."""
        suits: list[list[int]] = [[0], [0], [0], [0]]
        ranks = [0] * RANKS
        twos = [0] * SUITS
        jokers = 0
        cards = terms.cards
        for card in hand:
            suit, rank, bit = cards[card]
            if rank < 0:
                if suit < 0:
                    jokers += 1
                else:
                    twos[suit] += 1
                continue
            ranks[rank] += 1
            layers = suits[suit]
            if not layers[0] & bit:
                layers[0] |= bit
                continue
            for index in range(1, len(layers)):
                if not layers[index] & bit:
                    layers[index] |= bit
                    break
            else:
                layers.append(bit)
        self.suits: Suits = tuple(map(tuple, suits))
        self.ranks = ranks
        self.jokers = jokers
        self.twos = twos
        self.wilds = jokers + sum(twos) if terms.wild_twos else jokers

    def naturals(self) -> list[list[int]]:
        """Give by suit and rank's number how many cards can stand for themselves, wild twos among them."""
        counts = [[0] * RANKS for _ in self.suits]
        for suit, layers in enumerate(self.suits):
            counts[suit][0] = self.twos[suit]
            for layer in layers:
                for rank in ranks_of(layer & ~LOW_ACE):
                    counts[suit][rank] += 1
        return counts

    def masks(self, wild_twos: int) -> list[int]:
        """Give by suit the places for which there is a natural card, a wild two at its own place among them."""
        if not wild_twos:
            return [layers[0] for layers in self.suits]
        return [layers[0] | (wild_twos if two else 0) for layers, two in zip(self.suits, self.twos, strict=True)]


def places_of_ranks(ranks: Iterable[int]) -> int:
    """Give the mask of the places of ranks by their numbers; of an ace both."""
    return sum(ACES if rank == RANKS - 1 else TWO_PLACE << rank for rank in ranks)


def taking(places: int) -> int:
    """Give what to take out of a suit for cards at some places: an ace goes from both of its places."""
    return places | ACES if places & ACES else places


def without(layers: Layers, taken: int) -> Layers:
    """Give the layers of a suit after one card of each place in a mask, where there is one, has been taken."""
    if len(layers) == 1:
        return (layers[0] & ~taken,)
    if len(layers) == 2:  # noqa: PLR2004 the usual number of packs
        first, second = layers
        return (first & ~taken | second & taken, second & ~taken)
    return tuple((layer & ~taken) | (above & taken) for layer, above in zip(layers, (*layers[1:], 0), strict=True))


@lru_cache(maxsize=1 << PLACES)
def ranks_of(places: int) -> tuple[int, ...]:
    """Give the numbers of the ranks that belong to the places of a mask, from the lowest place up."""
    return tuple(place - 1 if place else RANKS - 1 for place in range(PLACES) if places >> place & 1)


def without_ranks(ranks: Sequence[int], taken: Sequence[int]) -> list[int]:
    """Give the count by rank after one card of each place in each mask has been taken."""
    left = list(ranks)
    for places in taken:
        for rank in ranks_of(places):
            left[rank] -= 1
    return left
