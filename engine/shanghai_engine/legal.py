"""What every seat owes now, with its whole legal list: derived from the checks, never written twice."""

from __future__ import annotations

from functools import lru_cache, partial

from shanghai_engine.action import BUY, PASS, TAKE, Claim, LayDown, LayOff, Swap
from shanghai_engine.card import Card
from shanghai_engine.check import (
    check_jokers_can_follow,
    check_may_discard,
    lays_down_after,
    refuse_lay_offs,
    refuse_swaps,
)
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.decision import Decision, DecisionId, LayDownSource, OfferDecision, PlayDecision
from shanghai_engine.meld import MeldDraft
from shanghai_engine.openings import Openings
from shanghai_engine.owing import owing, way_to_play
from shanghai_engine.reach import Reach
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import OFFER, PLAY, Hand, State


def decisions(state: State, reach: Reach, openings: Openings) -> dict[int, Decision]:
    """Give what every seat owes now, by seat; empty only between hands and after the game."""
    if state.phase is OFFER:
        return _offers(state)
    if state.phase is PLAY:
        return {state.turn: _play(state, reach, openings)}
    return {}


def decision_id(state: State) -> DecisionId:
    """Give the id of what is owed now; all seats of an offer share it."""
    return _decision_id(state.hand, state.turn_number, state.step)


_decision_id = lru_cache(maxsize=1 << 14)(DecisionId)
"""The ids of one game are much those of the next."""


def _offers(state: State) -> dict[int, Decision]:
    name, asked, turn = decision_id(state), state.asked, state.turn
    owed: dict[int, Decision] = {}
    for place, seat in enumerate(asked.order):
        if seat in state.answers:
            continue
        claims, ends_hand = _BUYER, False
        if seat == turn:
            claims, ends_hand = _TURN_AND_BUYER if asked.turn_may_buy else _TURN, _passing_ends_hand(state)
        owed[seat] = OfferDecision(seat, name, claims, asked.order, place, ends_hand)
    return owed


_BUYER: tuple[Claim, ...] = (BUY, PASS)
_TURN: tuple[Claim, ...] = (TAKE, PASS)
_TURN_AND_BUYER: tuple[Claim, ...] = (TAKE, BUY, PASS)


def _passing_ends_hand(state: State) -> bool:
    """R13.1: the stock is empty and R13.2 gives no new one, so a pass of the player on turn ends the hand."""
    return not state.stock and (len(state.discards) == 1 or state.reshuffles >= state.rules.reshuffles)


def _play(state: State, reach: Reach, openings: Openings) -> PlayDecision:
    seat = state.turn
    hand = state.hands[seat]
    held = set(hand)
    missing = 0 if state.down[seat] else reach.least_missing(seat, hand, state.contract, state.rules)
    lay_down = _best_lay_down(state, seat) if missing == 0 else None
    lay_offs: tuple[LayOff, ...] = ()
    swaps: tuple[Swap, ...] = ()
    if state.melds:
        lay_offs = tuple(_lay_offs(state, seat, held, openings))
        # With the joker of a swap a hand is nearer by one card at most (R10.2).
        if missing <= 1:
            swaps = tuple(_swaps(state, seat, held, openings, reach))
    discards = tuple(sorted(held)) if check_may_discard(state, seat) is None else ()
    name = decision_id(state)
    return PlayDecision(seat, name, lay_down, lay_offs, swaps, discards, state.must_lay_down, state.must_play)


def _best_lay_down(state: State, seat: int) -> tuple[MeldDraft, ...] | LayDownSource | None:
    """Give the best lay-down; where R16 lets no owed joker follow it, one that an owed joker can follow.

    Who is not down yet can lay down.
    """
    hand, rules = state.hands[seat], state.rules
    if not state.down[seat]:
        if not state.must_play:
            return partial(best_lay_down, hand, state.contract, rules)
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


def _lay_offs(state: State, seat: int, held: set[Card], openings: Openings) -> list[LayOff]:
    """Give every lay-off, by card, meld and end."""
    if refuse_lay_offs(state, seat) is not None:
        return []
    fitting = openings.lay_offs(seat, held, state.melds, state.rules)
    if not state.must_play:
        return fitting
    return [play for play in fitting if check_jokers_can_follow(state, play) is None]


def _swaps(state: State, seat: int, held: set[Card], openings: Openings, reach: Reach) -> list[Swap]:
    """Give every swap, by meld, joker and card."""
    if refuse_swaps(state, seat) is not None:
        return []
    fitting = openings.swaps(seat, held, state.melds, state.rules)
    if fitting and not state.down[seat]:
        misses = partial(reach.would_miss, seat)
        fitting = [play for play in fitting if lays_down_after(state, play, misses)]
    if state.rules.swapped_joker == "play_this_turn":
        fitting = [play for play in fitting if check_jokers_can_follow(state, play) is None]
    return fitting
