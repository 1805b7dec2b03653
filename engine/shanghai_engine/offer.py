"""The arbitration of an offer: who may answer, in which order, and who gets the card (R7).

The outcome is a function of the claim order and the answers alone, never of the order in which the answers
arrived (R7.12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shanghai_engine.action import BUY, TAKE, Claim
from shanghai_engine.rules import MOST_PLAYERS, RuleSet
from shanghai_engine.value import made_quickly


@made_quickly
@dataclass(frozen=True, slots=True)
class Asked:
    """Whom an offer is made to: the seats in claim order (R7.11), those but the one on turn; if it may buy (R7.9)."""

    order: tuple[int, ...]
    others: tuple[int, ...]
    turn_may_buy: bool


NOBODY_ASKED = Asked(order=(), others=(), turn_may_buy=False)
"""While no offer is open."""


@made_quickly
@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of an offer: the answers up to the one that decided, who gets the card, and by which claim.

    `seat` and `claim` are none where everybody passed.
    """

    answers: tuple[tuple[int, Claim], ...]
    seat: int | None
    claim: Claim | None


def ask(
    *,
    rules: RuleSet,
    dealer: int,
    turn: int,
    discarder: int | None,
    down: Sequence[bool],
    buys_left: Sequence[int],
    stock: int,
) -> Asked:
    """Give the claim order of an offer (R7.3 to R7.11).

    `down` and `buys_left` are by seat, -1 buys being without limit; `discarder` is none for the hand's first
    upcard; `stock` is the number of cards in it.
    """
    buyers: list[int] = []
    if stock >= rules.buy_extra_cards:
        down_may_buy = rules.down_may_buy
        first = (turn if rules.buy_priority == "turn_left" else dealer) + 1
        buyers = [
            seat
            for seat in _SEATS_FROM[len(down)][first]
            if buys_left[seat] and seat != discarder and (down_may_buy or not down[seat])
        ]
    turn_may_buy = turn in buyers and rules.turn_buys(len(down))
    others = tuple([seat for seat in buyers if seat != turn])
    return _asked((*others, turn) if down[turn] else (turn, *others), others, turn_may_buy)


_SEATS_FROM = tuple(
    tuple((*range(first, players), *range(first)) for first in range(players + 1))
    for players in range(MOST_PLAYERS + 1)
)
"""The seats of so many players, from one of them on to its right neighbour."""
_asked = lru_cache(maxsize=1 << 12)(Asked)


def settle(order: Sequence[int], answers: Mapping[int, Claim]) -> Outcome | None:
    """Give the outcome as soon as it is certain, none before (R7.11)."""
    decided: list[tuple[int, Claim]] = []
    for seat in order:
        claim = answers.get(seat)
        if claim is None:
            return None
        decided.append((seat, claim))
        if claim is TAKE or claim is BUY:
            return Outcome(tuple(decided), seat, claim)
    return Outcome(tuple(decided), None, None)
