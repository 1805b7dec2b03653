"""The effort that a search may make: how many steps, never how long, so that the same question has the same answer.

A hand of a size that people play is searched to the end. Nothing in the rules bounds a hand that buys without limit
(R16), and the plans of a hand grow faster than the hand: beyond `MOST_CARDS_EXACT` cards a search gives up in time.
"""

from __future__ import annotations

MOST_CARDS_EXACT = 23
"""Up to so many cards in hand every plan is looked at."""
MOST_STEPS = 10_000
"""How many candidates for a meld are looked at for a larger hand; looking at a whole plan counts as several."""
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
STEPS_OF_ORDER = 50
"""How many it counts as to look which melds of a turn could be the contract's."""
ENDLESS = 1 << 62
"""More steps than any search takes."""


class Effort:
    """The steps that are left to all searches for one answer."""

    __slots__ = ("left",)

    def __init__(self, cards: int, *, most: int = MOST_STEPS) -> None:
        """Begin with the steps for a hand of so many cards."""
        self.left = most if cards > MOST_CARDS_EXACT else ENDLESS

    @property
    def spent(self) -> bool:
        """Whether a search gave up; else it has looked at all that matters."""
        return self.left < 0

    def take(self, steps: int) -> bool:
        """Take so many steps; say whether there were still enough."""
        self.left -= steps
        return self.left >= 0
