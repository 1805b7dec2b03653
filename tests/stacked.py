"""Chance that brings things about: everybody is dealt jokers and cards that go together, so that much is played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from shanghai_engine.card import CARDS, JOKER, JOKERS_PER_PACK, Card
from shanghai_engine.shuffle import hmac_sha256


@dataclass(frozen=True, slots=True)
class StackedChance:
    """Chance that puts a few ranks or suits, and all jokers, on top of the packs; the same for the same number."""

    number: int

    def first_dealer(self, players: int) -> int:
        """Give the seat that deals hand 1."""
        return self.number % players

    def hand_seed(self, hand: int) -> bytes:
        """Give some seed of a hand."""
        return hmac_sha256(self.number.to_bytes(8, "big"), bytes((hand,)))

    def deal(self, hand: int, packs: int) -> tuple[Card, ...]:
        """Give the cards of all packs, those that go together first."""
        rng = random.Random(f"{self.number} {hand}")
        cards = [*CARDS[:-1], *[JOKER] * JOKERS_PER_PACK] * packs
        low = rng.randint(2, 11)
        suits = rng.sample(range(4), rng.randint(1, 4))
        near = range(low, low + rng.randint(2, 7))
        rng.shuffle(cards)

        def goes_together(card: Card) -> bool:
            return card == JOKER or (card.rank in near and card.suit in suits) or card.rank == low

        # A stable sort leaves each part in its random order.
        return tuple(sorted(cards, key=lambda card: not goes_together(card) and rng.random() < 0.9))

    def reshuffle(self, hand: int, number: int, dead: Sequence[Card]) -> tuple[Card, ...]:
        """Give the dead cards in the order of the new stock."""
        return tuple(random.Random(f"{self.number} {hand} {number}").sample(list(dead), len(dead)))
