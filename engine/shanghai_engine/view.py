"""What one seat, or a spectator, may know: assembled from public and own parts, never by deleting from the state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from shanghai_engine.action import Claim
from shanghai_engine.card import Card
from shanghai_engine.contract import Contract
from shanghai_engine.drawing import drawn
from shanghai_engine.history import History, Learned, PublicEvent
from shanghai_engine.meld import Meld
from shanghai_engine.rules import RuleSet
from shanghai_engine.state import GAME_OVER, OFFER, PLAY, Hand, HandResult, Phase, State
from shanghai_engine.value import made_quickly


@made_quickly
@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody knows of a seat; `buys_left` is -1 where there is no limit, `cards` the number in hand."""

    name: str
    cards: int
    buys_left: int
    down: bool
    floats: bool
    total: int


@made_quickly
@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody knows.

    `hand` counts from 1, `turn_number` the turns of this hand from 1, `step` the plays of this turn (0: the
    offer). `upcard` is the live one; `dead` the dead discards in the order played. `claim_order` is that of
    the open offer; nobody can tell who has answered (R7.14). `events` are those of this hand, `results` the
    finished hands. `game_seed` is shown once the game is over.
    """

    rules: RuleSet
    phase: Phase
    hand: int
    contract: Contract
    dealer: int
    turn: int
    turn_number: int
    step: int
    stock: int
    upcard: Card | None
    dead: tuple[Card, ...]
    melds: tuple[Meld, ...]
    seats: tuple[SeatView, ...]
    claim_order: tuple[int, ...]
    reshuffles: int
    commitment: bytes
    nonces: tuple[bytes, ...]
    hand_commitment: bytes
    events: tuple[PublicEvent, ...]
    results: tuple[HandResult, ...]
    places: tuple[int, ...]
    game_seed: bytes | None

    def __hash__(self) -> int:
        """Hash what tells the moments of a game apart: a view is a key of what was worked out about it."""
        return hash((self.hand_commitment, self.turn_number, self.step, self.phase))


@made_quickly
@dataclass(frozen=True, slots=True)
class OwnView:
    """What a seat alone knows: its cards, the one just drawn, its own sealed answer, and what it learned so far."""

    seat: int
    hand: tuple[Card, ...]
    drawn: Card | None
    answer: Claim | None
    learned: tuple[Learned, ...]


@made_quickly
@dataclass(frozen=True, slots=True)
class View:
    """The public part, and the own part of a seat; a spectator has none."""

    public: PublicView
    own: OwnView | None

    def __str__(self) -> str:
        """Draw the table as the seat sees it."""
        return drawn(self.public, {} if self.own is None else {self.own.seat: self.own.hand})


_seat_view = lru_cache(maxsize=1 << 10)(SeatView)
"""A seat is seen many times before anything changes about it."""


@lru_cache(maxsize=1 << 8)
def _in_order(hand: Hand) -> Hand:
    """Give a hand in ascending order: it too is seen many times before it changes."""
    return tuple(sorted(hand))


def public_view(state: State, history: History) -> PublicView:
    """Give what everybody may know now."""
    over = state.phase is GAME_OVER
    on = state.phase is OFFER or state.phase is PLAY
    # As `State.floats` of every seat.
    floats = [on and down and not hand for down, hand in zip(state.down, state.hands, strict=True)]
    return PublicView(
        rules=state.rules,
        phase=state.phase,
        hand=state.hand,
        contract=state.contract,
        dealer=state.dealer,
        turn=state.turn,
        turn_number=state.turn_number,
        step=state.step,
        stock=len(state.stock),
        upcard=state.upcard,
        dead=tuple(state.dead),
        melds=tuple(state.melds),
        seats=tuple(
            map(_seat_view, state.names, map(len, state.hands), state.buys_left, state.down, floats, state.totals)
        ),
        claim_order=state.asked.order if state.phase is OFFER else (),
        reshuffles=state.reshuffles,
        commitment=state.commitment,
        nonces=state.nonces,
        hand_commitment=state.hand_commitment,
        events=tuple(history.public),
        results=state.results,
        places=state.places,
        game_seed=state.game_seed if over else None,
    )


def drawn_by(state: State, seat: int) -> Card | None:
    """Give the card that a seat has drawn on its turn, which it alone may know; none where it is not its turn."""
    return state.drawn if seat == state.turn and state.phase is PLAY else None


def own_view(state: State, history: History, seat: int) -> OwnView:
    """Give what a seat alone may know now."""
    return OwnView(
        seat=seat,
        hand=_in_order(state.hands[seat]),
        drawn=drawn_by(state, seat),
        answer=state.answers.get(seat),
        learned=tuple(history.learned[seat]),
    )
