"""An aim: one way in which a hand can come to its contract with the fewest further cards, and the cards it builds on.

As long as a hand holds these, it is no farther away; so whatever else it has can go without a further search.
"""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver.glance import Glance
from shanghai_engine.solver.holding import Holding
from shanghai_engine.solver.nearness import Search
from shanghai_engine.solver.terms import Terms, terms_of


@dataclass(frozen=True, slots=True)
class Aim:
    """How many cards one way to the contract misses, and by card of the hand how many of it there are to build on."""

    missing: int
    cards: dict[Card, int]

    def holds(self, hand: tuple[Card, ...]) -> bool:
        """Say whether a hand has all these cards, so that it is not farther from the contract than `missing`."""
        return all(hand.count(card) >= number for card, number in self.cards.items())

    def spares(self, card: Card, hand: tuple[Card, ...]) -> bool:
        """Say whether a hand that has all these cards still has them without one of its cards."""
        number = self.cards.get(card)
        return number is None or hand.count(card) > number


def aim_within(hand: tuple[Card, ...], contract: Contract, rules: RuleSet, *, most: int, least: int = 0) -> Aim | None:
    """Give the nearest way that misses `most` cards or less; none where the distance is more (`solver.distance`).

    `least` says how near is near enough.
    """
    if Glance(hand, rules).missing(contract) > most:
        return None
    terms = terms_of(rules)
    mixed = len(set(contract.sets)) > 1
    search = Search(Holding(hand, terms), contract, terms, limit=most + 1, least=least, chooses_sets=mixed)
    missing = search.nearest()
    return None if missing > most else Aim(missing, _built_on(hand, search, terms))


def _built_on(hand: tuple[Card, ...], search: Search, terms: Terms) -> dict[Card, int]:
    """Give the cards of a hand that the plan found may use, all copies of them: whatever is wild among them."""
    places = [0, 0, 0, 0]
    for suit, held, _ in search.found_runs:
        places[suit] |= held
    ranks = {-1, *search.found_ranks}
    cards: dict[Card, int] = {}
    for card in hand:
        suit, rank, bit = terms.cards[card]
        if rank in ranks or places[suit] & bit:
            cards[card] = cards.get(card, 0) + 1
    return cards
