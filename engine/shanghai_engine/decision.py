"""What a seat owes, and every choice that it has: derived from the checks, never written twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import JOKER, Card
from shanghai_engine.check import check_may_swap, could_lay_down_after, refuse_swap_in
from shanghai_engine.meld import End, MeldDraft, MeldKind, refuse_lay_off
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import Phase, State


class DecisionKind(Enum):
    """What is asked: an answer to an offer (R7.10), or the next play of the turn (R4.2)."""

    OFFER = "offer"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class DecisionId:
    """Which decision of the game this is: the hand, its turn, and the play within the turn (0 is the offer)."""

    hand: int
    turn: int
    step: int

    def __str__(self) -> str:
        """Give the text that travels, as in `3.17.1`."""
        return f"{self.hand}.{self.turn}.{self.step}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What one seat owes now, with every lawful choice; of the lay-downs the best (fewest points left).

    For an offer: `claims`, `claim_order` (R7.11) and this seat's `place` in it from 0, and whether passing
    ends the hand (R13.1). For a play: `lay_down`, `lay_offs`, `swaps`, `discards` (each card once), and
    whether R10.2 makes the seat lay down before it discards.
    """

    seat: int
    id: DecisionId
    kind: DecisionKind
    claims: tuple[Claim, ...] = ()
    claim_order: tuple[int, ...] = ()
    place: int = 0
    passing_ends_hand: bool = False
    lay_down: tuple[MeldDraft, ...] | None = None
    lay_offs: tuple[LayOff, ...] = ()
    swaps: tuple[Swap, ...] = ()
    discards: tuple[Card, ...] = ()
    must_lay_down: bool = False

    def actions(self) -> Iterator[Action]:
        """Give every choice as an action."""
        for claim in self.claims:
            yield Answer(self.seat, claim)
        if self.lay_down is not None:
            yield LayDown(self.seat, self.lay_down)
        yield from self.lay_offs
        yield from self.swaps
        for card in self.discards:
            yield Discard(self.seat, card)


def decisions(state: State) -> dict[int, Decision]:
    """Give what every seat owes now, by seat; empty only between hands and after the game."""
    if state.phase is Phase.OFFER:
        return {seat: _offer(state, seat) for seat in state.asked.order if seat not in state.answers}
    if state.phase is Phase.PLAY:
        return {state.turn: _play(state)}
    return {}


def decision_id(state: State) -> DecisionId:
    """Give the id of what is owed now; all seats of an offer share it."""
    return DecisionId(state.hand, state.turn_number, state.step)


def _offer(state: State, seat: int) -> Decision:
    asked = state.asked
    if seat != state.turn:
        claims: tuple[Claim, ...] = (Claim.BUY, Claim.PASS)
    elif asked.turn_may_buy:
        claims = (Claim.TAKE, Claim.BUY, Claim.PASS)
    else:
        claims = (Claim.TAKE, Claim.PASS)
    return Decision(
        seat=seat,
        id=decision_id(state),
        kind=DecisionKind.OFFER,
        claims=claims,
        claim_order=asked.order,
        place=asked.order.index(seat),
        passing_ends_hand=seat == state.turn and _passing_ends_hand(state),
    )


def _passing_ends_hand(state: State) -> bool:
    """R13.1: the stock is empty and R13.2 gives no new one, so a pass of the player on turn ends the hand."""
    return not state.stock and (len(state.discards) == 1 or state.reshuffles >= state.rules.reshuffles)


def _play(state: State) -> Decision:
    seat = state.turn
    hand = state.hands[seat]
    held = tuple(sorted(set(hand)))
    return Decision(
        seat=seat,
        id=decision_id(state),
        kind=DecisionKind.PLAY,
        lay_down=None if state.down[seat] else best_lay_down(hand, state.contract, state.rules),
        lay_offs=tuple(_lay_offs(state, seat, held)) if state.down[seat] else (),
        swaps=tuple(_swaps(state, seat, held)),
        discards=() if state.must_lay_down else held,
        must_lay_down=state.must_lay_down,
    )


def _lay_offs(state: State, seat: int, held: tuple[Card, ...]) -> Iterator[LayOff]:
    for card in held:
        for meld in state.melds:
            ends: tuple[End | None, ...] = (None,) if meld.kind is MeldKind.SET else (End.LOW, End.HIGH)
            for end in ends:
                if refuse_lay_off(meld, card, end) is None:
                    yield LayOff(seat, meld.id, card, end)


def _swaps(state: State, seat: int, held: tuple[Card, ...]) -> Iterator[Swap]:
    if check_may_swap(state, seat) is not None:
        return
    for meld in state.melds:
        if not meld.jokers:
            continue
        # All jokers of a set stand for the same, so one place is enough.
        places = [index for index, card in enumerate(meld.cards) if card == JOKER]
        for index in places[:1] if meld.kind is MeldKind.SET else places:
            for card in held:
                if refuse_swap_in(state, meld, index, card) is None and (
                    state.down[seat] or could_lay_down_after(state, seat, card)
                ):
                    yield Swap(seat, meld.id, index, card)
