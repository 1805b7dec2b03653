"""What happened: frozen facts, chance included, from which a game can be rebuilt without the shuffler.

`Answered` is sealed until the offer closes (R7.14); every other event has its line in the game record.
"""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.choice import Choice
from shanghai_engine.contract import Contract
from shanghai_engine.meld import End, Meld
from shanghai_engine.rules import RuleSet
from shanghai_engine.value import made_quickly


class OfferResult(Choice):
    """How an offer ended."""

    TAKEN = "taken"
    BOUGHT = "bought"
    NONE = "none"


# Names of their own: to look a member up on its class takes as long as a small function.
TAKEN, BOUGHT, NOBODY = OfferResult


class DrawSource(Choice):
    """Where the card of the turn was drawn from (R4.2)."""

    STOCK = "stock"
    UPCARD = "upcard"


FROM_STOCK, FROM_UPCARD = DrawSource


class EndReason(Choice):
    """Why a hand ended: somebody is out (R11.1), the stock ran out (R13), or too many turns (R14.1)."""

    OUT = "out"
    STOCK = "stock"
    TURNS = "turns"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table's rules, the players' names by seat, and the secrets that fix every deal."""

    rules: RuleSet
    players: tuple[str, ...]
    packs: int
    game_seed: bytes
    commitment: bytes
    nonces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand was dealt (R3): `hands` by seat, in the order dealt; `stock` from its top, after the upcard."""

    hand: int
    contract: Contract
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    upcard: Card
    stock: tuple[Card, ...]
    seed: bytes
    commitment: bytes


@made_quickly
@dataclass(frozen=True, slots=True)
class Answered:
    """A seat answered the open offer; sealed (R7.14)."""

    seat: int
    claim: Claim


@made_quickly
@dataclass(frozen=True, slots=True)
class OfferClosed:
    """The offer's outcome (R7.11).

    `eligible` are the other seats that could buy, in claim order; `answers` those up to the one that
    decided, in claim order; `seat` who got the card; `penalty` the extra cards that a buyer drew (R7.1).
    """

    card: Card
    turn: int
    eligible: tuple[int, ...]
    answers: tuple[tuple[int, Claim], ...]
    result: OfferResult
    seat: int | None
    penalty: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The dead cards became the stock (R13.2), its top first."""

    stock: tuple[Card, ...]


@made_quickly
@dataclass(frozen=True, slots=True)
class Drew:
    """The player on turn drew the card of his turn (R4.2)."""

    seat: int
    source: DrawSource
    card: Card


@made_quickly
@dataclass(frozen=True, slots=True)
class LaidDown:
    """A seat laid down (R8.5): the melds as they lie on the table."""

    seat: int
    melds: tuple[Meld, ...]


@made_quickly
@dataclass(frozen=True, slots=True)
class LaidOff:
    """A seat added a card to a meld (R9); `after` is the meld with it."""

    seat: int
    card: Card
    end: End | None
    after: Meld


@made_quickly
@dataclass(frozen=True, slots=True)
class Swapped:
    """A seat put a card in the place of a joker and took the joker (R10); `after` is the meld with it."""

    seat: int
    index: int
    card: Card
    after: Meld


@made_quickly
@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded, which ended its turn (R4.2)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand is over: the hands by seat as they were scored, the scores, and the totals so far (R12)."""

    reason: EndReason
    winner: int | None
    hands: tuple[tuple[Card, ...], ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over: totals by seat, and places from 1, which equal totals share (R2.1)."""

    totals: tuple[int, ...]
    places: tuple[int, ...]


Event = (
    GameStarted
    | Dealt
    | Answered
    | OfferClosed
    | Reshuffled
    | Drew
    | LaidDown
    | LaidOff
    | Swapped
    | Discarded
    | HandEnded
    | GameEnded
)
