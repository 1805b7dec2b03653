"""What a seat owes, and every choice that it has: derived from the checks, never written twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.check import (
    check_jokers_can_follow,
    check_may_discard,
    check_may_lay_off,
    check_may_swap,
    check_swap_goes_on,
)
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.meld import MeldDraft, MeldKind, refuse_lay_off, refuse_swap
from shanghai_engine.owing import owing, way_to_play
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import Hand, Phase, State


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
    ends the hand (R13.1). For a play: `lay_down`, `lay_offs`, `swaps`, `discards` (each card once),
    whether R10.2 makes the seat lay down before it discards, and the swapped jokers that it must play (R16).
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
    must_play: tuple[Card, ...] = ()

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
    held = tuple(sorted(set(state.hands[seat])))
    return Decision(
        seat=seat,
        id=decision_id(state),
        kind=DecisionKind.PLAY,
        lay_down=_best_lay_down(state, seat),
        lay_offs=tuple(_lay_offs(state, seat, held)),
        swaps=tuple(_swaps(state, seat, held)),
        discards=held if check_may_discard(state, seat) is None else (),
        must_lay_down=state.must_lay_down,
        must_play=state.must_play,
    )


def _best_lay_down(state: State, seat: int) -> tuple[MeldDraft, ...] | None:
    """Give the best lay-down; where R16 lets no owed joker follow it, one that an owed joker can follow."""
    hand, rules = state.hands[seat], state.rules
    if not state.down[seat]:
        best = best_lay_down(hand, state.contract, rules)
    elif rules.extra_melds:
        best = _best_further_meld(hand, rules)
    else:
        return None
    if best is None or not state.must_play or check_jokers_can_follow(state, LayDown(seat, best)) is None:
        return best
    plays = way_to_play(owing(state)) or []
    return plays[0].melds if plays and isinstance(plays[0], LayDown) else None


def _best_further_meld(hand: Hand, rules: RuleSet) -> tuple[MeldDraft, ...] | None:
    """Give the one further set or run that leaves fewest points, then fewest cards (R16 `extra_melds`)."""
    found = [draft for contract in ONE_MELD if (draft := best_lay_down(hand, contract, rules)) is not None]
    points = rules.card_points

    def laid(drafts: tuple[MeldDraft, ...]) -> tuple[int, int]:
        return sum(points[card] for card in drafts[0].cards), len(drafts[0].cards)

    return max(found, key=laid, default=None)


def _lay_offs(state: State, seat: int, held: tuple[Card, ...]) -> Iterator[LayOff]:
    if check_may_lay_off(state, seat) is not None:
        return
    rules = state.rules
    for card in held:
        for meld in state.melds:
            for end in meld.ends:
                if refuse_lay_off(meld, card, end, rules) is None:
                    play = LayOff(seat, meld.id, card, end)
                    if not state.must_play or check_jokers_can_follow(state, play) is None:
                        yield play


def _swaps(state: State, seat: int, held: tuple[Card, ...]) -> Iterator[Swap]:
    if check_may_swap(state, seat) is not None:
        return
    for meld in state.melds:
        places = meld.joker_places()
        # Jokers of a set that are equal cards stand for the same, so one place is enough.
        if meld.kind is MeldKind.SET:
            places = list({meld.cards[index]: index for index in reversed(places)}.values())[::-1]
        for index in places:
            for card in held:
                if refuse_swap(meld, index, card, state.rules) is None:
                    play = Swap(seat, meld.id, index, card)
                    if check_swap_goes_on(state, play) is None:
                        yield play
