"""The effort that a search may make: how many steps, never how long, so that the same question has the same answer.

Nothing in the rules bounds a hand that buys without limit (R16), nor the melds on a table, and the plans of a hand grow
faster than the hand. So every search ends: that of a hand of a size that people play after far more steps than any such
hand was ever seen to take, that of more than `MOST_CARDS_EXACT` cards in time for a table that waits.
"""

from __future__ import annotations

MOST_CARDS_EXACT = 23
"""Up to so many cards in hand a search has `MOST_STEPS_EXACT` steps, else `MOST_STEPS`."""
MOST_STEPS = 10_000
"""How many candidates for a meld are looked at for a larger hand; looking at a whole plan counts as several."""
MOST_STEPS_EXACT = 250_000
"""The same for a hand of a usual size: the hardest of 20,000 awkward ones takes less than two thirds of it, and all
of it take well under a second."""
MOST_CHECKS = 20_000
"""How many lay-offs and swaps are tried for a simple turn."""
CHECKS_OF_MELD = 500
"""How many of these to look for a further meld counts as."""
MOST_STEPS_NEAR = 20_000
"""How many melds are tried to say how near a hand is, and which cards help: twice what any hand of up to 23 cards was
seen to need for a contract that a table can have (R16 `contracts`)."""
STEPS_OF_BOUND = 10
"""How many candidates the room of a plan for wild cards counts as."""
STEPS_OF_PLAN = 20
"""How many candidates a whole plan counts as, which is dealt out card by card."""
STEPS_OF_WILD = 8
"""How many more for each wild card, for which room is to be made."""
STEPS_OF_GROWTH = 5
"""How many the ways of one end of a run count as."""
STEPS_OF_DEALING = 5
"""How many the choice of who gets equal cards counts as."""
STEPS_OF_ABLE = 50
"""How many the question counts as whether a hand can lay down."""
STEPS_OF_POSITION = 200
"""How many it counts as to begin with another position, or with another number of melds."""
STEPS_OF_SWAP = 60
"""How many it counts as to find another position that swaps lead to."""
STEPS_OF_ORDER = 50
"""How many it counts as to look which melds of a turn could be the contract's."""


class Effort:
    """The steps that are left to all searches for one answer."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        """Begin with so many steps."""
        self.left = steps

    @classmethod
    def for_hand(cls, cards: int) -> Effort:
        """Give the effort for the plans of a hand of so many cards."""
        return cls(MOST_STEPS if cards > MOST_CARDS_EXACT else MOST_STEPS_EXACT)

    @property
    def spent(self) -> bool:
        """Whether a search gave up; else it has looked at all that matters."""
        return self.left < 0

    def take(self, steps: int) -> bool:
        """Take so many steps; say whether there were still enough."""
        self.left -= steps
        return self.left >= 0
