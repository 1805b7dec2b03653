"""The arbitration of an offer: who may answer, in which order, and who gets the card (R7).

The outcome is a function of the claim order and the answers alone, never of the order in which the answers
arrived (R7.12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shanghai_engine.action import BUY, TAKE, Claim
from shanghai_engine.rules import RuleSet
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
    able = tuple(map(bool, buys_left))
    return _ask(rules, dealer, turn, discarder, tuple(down), able, stock >= rules.buy_extra_cards)


@lru_cache(maxsize=1 << 14)
def _ask(
    rules: RuleSet,
    dealer: int,
    turn: int,
    discarder: int | None,
    down: tuple[bool, ...],
    able: tuple[bool, ...],
    enough: bool,  # noqa: FBT001 a key of what is the same in game after game
) -> Asked:
    """Give the same by what matters of it: who has a buy left, and whether the stock has the cards of one."""
    buyers: list[int] = []
    turn_may_buy = False
    if enough:
        players = len(down)
        first = (turn if rules.buy_priority == "turn_left" else dealer) + 1
        for seat in (*range(first, players), *range(first)):
            if able[seat] and seat != discarder and (not down[seat] or rules.down_may_buy):
                if seat != turn:
                    buyers.append(seat)
                elif rules.turn_buys(players):
                    turn_may_buy = True
    others = tuple(buyers)
    return Asked((*others, turn) if down[turn] else (turn, *others), others, turn_may_buy)


def settle(order: tuple[int, ...], answers: Mapping[int, Claim]) -> Outcome | None:
    """Give the outcome as soon as it is certain, none before (R7.11)."""
    return _settled(order, tuple(map(answers.get, order)))


@lru_cache(maxsize=1 << 12)
def _settled(order: tuple[int, ...], claims: tuple[Claim | None, ...]) -> Outcome | None:
    """Give the same by what was answered in claim order: the same few outcomes in game after game."""
    decided: list[tuple[int, Claim]] = []
    for seat, claim in zip(order, claims, strict=True):
        if claim is None:
            return None
        decided.append((seat, claim))
        if claim is TAKE or claim is BUY:
            return Outcome(tuple(decided), seat, claim)
    return Outcome(tuple(decided), None, None)
