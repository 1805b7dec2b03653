"""The terms of melds: what a table's rules say about sets and runs, in the form in which the searches ask for it (R16).

A card is *wild* where it may stand for another: a joker, and where the table plays so a two. A two is natural at its
own place in a run. It costs a wild card and saves one there, so in counting how many cards are missing it is like any
other wild card; only where naturals are asked for (R8.3) does it matter that it is one.
"""

from __future__ import annotations

from functools import lru_cache

from shanghai_engine.card import ACE, CARDS, LOWEST_RANK, RANK, SUIT, TWO
from shanghai_engine.contract import LONGEST_RUN, Contract
from shanghai_engine.rules import Jokers, RuleSet

RANKS = ACE - LOWEST_RANK + 1
"""How many ranks there are; in lists by rank the two comes first and the ace last."""
PLACES = RANKS + 1
"""How many places a run has to lie on: in masks bit 0 is the ace that lies low, bit 1 the two, bit 13 the ace."""
LOW_ACE = 1
"""The place of the ace that lies low."""
ACES = LOW_ACE | 1 << PLACES - 1
"""Both places of the ace."""
TWO_PLACE = 1 << TWO - 1
"""The place of the two."""
ANY_NUMBER = 1 << 20
"""More jokers than anybody holds."""

_PLACE = tuple((SUIT[card], RANK[card] - LOWEST_RANK, 1 << RANK[card] - 1) for card in CARDS[:-1])
_NO_CARD = (-1, -1, 0)
_WITH_LOW_ACES = tuple((suit, rank, ACES if bit & ACES else bit) for suit, rank, bit in _PLACE)


class Terms:
    """The terms of one table; `terms_of` gives the same object for the same terms, so that it can be a key.

    `lowest` is the lowest place of a run, `wild_twos` the place of the two where twos are wild and no place
    otherwise. `cards` gives by card number the suit, the rank's number and the places in a run; the rank's
    number is -1 for a wild card.
    """

    __slots__ = (
        "cards",
        "distinct_ranks",
        "distinct_suits",
        "limit",
        "lowest",
        "run_naturals",
        "set_ranks",
        "wild_twos",
    )

    def __init__(
        self, *, low_aces: bool, wild_twos: bool, limit: Jokers, distinct_ranks: bool, distinct_suits: bool
    ) -> None:
        """Take the terms one by one."""
        self.lowest = 0 if low_aces else 1
        self.wild_twos = TWO_PLACE if wild_twos else 0
        self.limit: Jokers = limit
        self.distinct_ranks = distinct_ranks
        self.distinct_suits = distinct_suits
        self.run_naturals = tuple(map(self.fewest_naturals, range(LONGEST_RUN + 1)))
        self.set_ranks = range(int(wild_twos), RANKS)
        cards = [_NO_CARD, *(_WITH_LOW_ACES if low_aces else _PLACE), _NO_CARD]
        if wild_twos:
            cards = [(suit, -1, 0) if rank == 0 else (suit, rank, bit) for suit, rank, bit in cards]
        self.cards = tuple(cards)

    @property
    def longer_runs_help(self) -> bool:
        """Whether a run may hold more jokers only because it is longer (R8.5); else it can always be cut down."""
        return self.limit == "at_most_naturals"

    def fewest_naturals(self, size: int) -> int:
        """Give how many natural cards a meld of a size has at least (R8.3)."""
        if self.limit == "at_most_naturals":
            return (size + 1) // 2
        return 1 if self.limit == "any" else max(1, size - self.limit)

    def most_jokers_of_set(self, naturals: int) -> int:
        """Give how many jokers a set with so many natural cards can hold (R8.3); a set may grow without end."""
        if self.limit == "at_most_naturals":
            return naturals
        if not naturals:
            return 0
        return ANY_NUMBER if self.limit == "any" else self.limit

    def most_jokers_of_sets(self, naturals: int, sets: int) -> int:
        """Give how many jokers some sets can hold that have so many natural cards together."""
        return naturals if self.limit == "at_most_naturals" else sets * self.most_jokers_of_set(naturals)

    def most_wilds_of(self, contract: Contract, twos: int) -> int:
        """Give how many wild cards melds of just these sizes can hold, with so many `twos` that are wild.

        One of them in each run may lie at its own place, where it is natural.
        """
        if isinstance(self.limit, str):
            return contract.size
        melds = len(contract.sets) + len(contract.runs)
        return self.limit * melds + min(len(contract.runs), twos)

    def most_jokers_of_run(self, naturals: int) -> int:
        """Give how many jokers a run with so many natural cards can hold (R8.3); it ends at 13 cards (R1.3)."""
        return min(self.most_jokers_of_set(naturals), LONGEST_RUN - naturals)


@lru_cache(maxsize=256)
def _terms(*, aces: str, wild: str, limit: Jokers, ranks: bool, suits: bool) -> Terms:
    return Terms(
        low_aces=aces == "high_or_low",
        wild_twos=wild == "jokers_and_twos",
        limit=limit,
        distinct_ranks=ranks,
        distinct_suits=suits,
    )


def terms_of(rules: RuleSet) -> Terms:
    """Give the terms of a rule set."""
    return _terms(
        aces=rules.aces,
        wild=rules.wild,
        limit=rules.jokers_per_meld,
        ranks=rules.distinct_set_ranks,
        suits=rules.distinct_run_suits,
    )
