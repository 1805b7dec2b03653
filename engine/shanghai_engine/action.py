"""What can be asked of a game: the moves of the players, and the two that whoever runs the table makes.

An action is only a wish. `check.py` says whether it may happen, `decide.py` what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_engine.card import Card
from shanghai_engine.choice import Choice
from shanghai_engine.meld import End, MeldDraft
from shanghai_engine.value import made_quickly


class Claim(Choice):
    """An answer to an offer (R7.10); `TIMEOUT` is what the table gives for whoever gave none (R7.11)."""

    TAKE = "take"
    BUY = "buy"
    PASS = "pass"  # noqa: S105 the answer to an offer, not a password
    TIMEOUT = "timeout"

    @property
    def wants(self) -> bool:
        """Whether the answer claims the upcard."""
        return self is TAKE or self is BUY


# Names of their own: to look a member up on its class takes as long as a small function.
TAKE, BUY, PASS, TIMEOUT = Claim


@made_quickly
@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the open offer: take, buy or pass (R7.10)."""

    seat: int
    claim: Claim


@made_quickly
@dataclass(frozen=True, slots=True)
class LayDown:
    """Put all melds of the contract on the table at once (R8.5)."""

    seat: int
    melds: tuple[MeldDraft, ...]


@made_quickly
@dataclass(frozen=True, slots=True)
class LayOff:
    """Add one card to a meld, at an end if it is a run (R9)."""

    seat: int
    meld: int
    card: Card
    end: End | None = None


@made_quickly
@dataclass(frozen=True, slots=True)
class Swap:
    """Put a card in the place of a joker, 0-based within the meld, and take the joker (R10)."""

    seat: int
    meld: int
    index: int
    card: Card


@made_quickly
@dataclass(frozen=True, slots=True)
class Discard:
    """End the turn by discarding one card face up (R4.2)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TimeOut:
    """The table's clock for a seat ran out: a pass (R7.11), or the least that ends the turn (R14.2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the next hand (R2.4)."""


Action = Answer | LayDown | LayOff | Swap | Discard | TimeOut | Deal
