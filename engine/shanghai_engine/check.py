"""May this happen now? One check per action kind (R15.1); the legal list stands on the same pieces.

Every check gives none where the action is lawful, and else the violation that names the rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import JOKER, Card, cards_text
from shanghai_engine.meld import Meld, MeldKind, read_meld, refuse_lay_off, refuse_swap
from shanghai_engine.refusal import Refusal
from shanghai_engine.solver import can_lay_down, fulfils
from shanghai_engine.state import Phase, State, without_card
from shanghai_engine.violation import RuleViolation


def why_not(state: State, action: Action) -> RuleViolation | None:
    """Give the reason why an action cannot happen now; none where it can."""
    return _CHECKS[type(action)](state, action)


def _check_seat(state: State, seat: int) -> RuleViolation | None:
    if 0 <= seat < state.players:
        return None
    return RuleViolation(Refusal.NO_SUCH_SEAT, seat=seat, last=state.players - 1)


def _not_now(state: State, what: str) -> RuleViolation:
    """Say what the game waits for instead."""
    if state.phase is Phase.GAME_OVER:
        return RuleViolation(Refusal.GAME_IS_OVER)
    waits = {
        Phase.OFFER: f"the offer of {state.upcard} is open",
        Phase.PLAY: f"seat {state.turn} has drawn, and plays and discards",
        Phase.HAND_OVER: "the hand is over and the next is not dealt yet",
    }
    return RuleViolation(Refusal.NOT_NOW, what=what, now=waits[state.phase])


def check_answer(state: State, action: Answer) -> RuleViolation | None:
    """R7.10: who is asked may answer once, with a claim that he may make."""
    if state.phase is not Phase.OFFER:
        return _check_seat(state, action.seat) or _not_now(state, "an answer to an offer")
    seat, claim, turn = action.seat, action.claim, state.turn
    if seat not in state.asked.order:
        refused = _check_seat(state, seat)
        order = ", ".join(str(asked) for asked in state.asked.order)
        return refused or RuleViolation(Refusal.NOT_IN_THE_OFFER, seat=seat, card=state.upcard, order=order)
    if seat in state.answers:
        return RuleViolation(Refusal.ALREADY_ANSWERED, seat=seat, card=state.upcard)
    if claim is Claim.TAKE and seat != turn:
        return RuleViolation(Refusal.TAKE_IS_FOR_THE_TURN, turn=turn, seat=seat, card=state.upcard)
    if claim is Claim.BUY and seat == turn and not state.asked.turn_may_buy:
        able = state.rules.turn_buys(state.players)
        refusal = Refusal.TURN_CANNOT_BUY_NOW if able else Refusal.TURN_CANNOT_BUY
        return RuleViolation(refusal, seat=seat, card=state.upcard)
    if claim is Claim.TIMEOUT:
        return RuleViolation(Refusal.NOT_NOW, what="a time-out as an answer", now="answer take, buy or pass")
    return None


def check_on_turn(state: State, seat: int, what: str) -> RuleViolation | None:
    """R4.2: only who is on turn and has drawn plays and discards."""
    if state.phase is Phase.PLAY and seat == state.turn:
        return None
    refused = _check_seat(state, seat)
    if refused is None and state.phase in {Phase.OFFER, Phase.PLAY} and seat != state.turn:
        return RuleViolation(Refusal.NOT_YOUR_TURN, seat=seat, turn=state.turn)
    return refused or _not_now(state, what)


def check_lay_down(state: State, action: LayDown) -> RuleViolation | None:
    """R8.5: once per hand, the whole contract, of lawful melds, from one's own hand."""
    seat = action.seat
    refused = check_on_turn(state, seat, "laying down")
    if refused is not None:
        return refused
    if state.down[seat]:
        return RuleViolation(Refusal.ALREADY_DOWN, seat=seat)
    for number, draft in enumerate(action.melds):
        read = read_meld(draft, meld_id=number, owner=seat)
        if isinstance(read, Refusal):
            return RuleViolation(read, meld=draft)
    melds = " / ".join(str(draft) for draft in action.melds) or "no melds"
    if not fulfils(action.melds, state.contract):
        return RuleViolation(Refusal.NOT_THE_CONTRACT, melds=melds, hand=state.hand, contract=state.contract)
    missing = Counter(card for draft in action.melds for card in draft.cards) - Counter(state.hands[seat])
    if missing:
        return RuleViolation(
            Refusal.CARDS_NOT_IN_HAND, melds=melds, seat=seat, missing=cards_text(sorted(missing.elements()))
        )
    return None


def _check_held(state: State, seat: int, card: Card) -> RuleViolation | None:
    return None if card in state.hands[seat] else RuleViolation(Refusal.CARD_NOT_IN_HAND, card=card, seat=seat)


def _check_meld(state: State, meld: int) -> RuleViolation | None:
    if 0 <= meld < len(state.melds):
        return None
    melds = f"0 to {len(state.melds) - 1}" if state.melds else "none yet"
    return RuleViolation(Refusal.NO_SUCH_MELD, meld=meld, melds=melds)


def check_lay_off(state: State, action: LayOff) -> RuleViolation | None:
    """R9: who is down adds a card of his hand to a meld that takes it."""
    seat = action.seat
    refused = check_on_turn(state, seat, "laying off")
    if refused is None and not state.down[seat]:
        refused = RuleViolation(Refusal.NOT_DOWN, seat=seat)
    refused = refused or _check_held(state, seat, action.card) or _check_meld(state, action.meld)
    if refused is not None:
        return refused
    meld = state.melds[action.meld]
    reason = refuse_lay_off(meld, action.card, action.end)
    if reason is None:
        return None
    end = "" if action.end is None else action.end.value
    return RuleViolation(reason, meld=meld, card=action.card, end=end)


def check_may_swap(state: State, seat: int) -> RuleViolation | None:
    """R10 as the table's rules have it: who swaps at all."""
    rules = state.rules
    if rules.joker_swap == "nobody":
        return RuleViolation(Refusal.NO_SWAPS)
    if rules.joker_swap == "down_only" and not state.down[seat]:
        return RuleViolation(Refusal.SWAP_WHEN_DOWN, seat=seat)
    return None


def refuse_swap_in(state: State, meld: Meld, index: int, card: Card) -> Refusal | None:
    """Say which rule keeps a card from a joker's place in a meld, at this table (R10.1)."""
    if meld.kind is MeldKind.SET and not state.rules.swap_in_sets:
        return Refusal.NO_SWAPS_IN_SETS
    return refuse_swap(meld, index, card)


def could_lay_down_after(state: State, seat: int, card: Card) -> bool:
    """Say whether a swap of this card leaves a seat that is not down able to lay down (R10.2)."""
    hand = (*without_card(state.hands[seat], card), JOKER)
    return can_lay_down(hand, state.contract, state.rules)


def check_swap(state: State, action: Swap) -> RuleViolation | None:
    """R10: the card that a joker stands for takes its place, and who is not down can lay down then."""
    seat, card = action.seat, action.card
    refused = (
        check_on_turn(state, seat, "swapping a joker")
        or check_may_swap(state, seat)
        or _check_held(state, seat, card)
        or _check_meld(state, action.meld)
    )
    if refused is not None:
        return refused
    meld = state.melds[action.meld]
    reason = refuse_swap_in(state, meld, action.index, card)
    if reason is not None:
        return RuleViolation(reason, card=card, index=action.index, meld=meld)
    if not state.down[seat] and not could_lay_down_after(state, seat, card):
        return RuleViolation(Refusal.COULD_NOT_LAY_DOWN, seat=seat, contract=state.contract)
    return None


def check_discard(state: State, action: Discard) -> RuleViolation | None:
    """R4.2 and R10.2: one card of the hand, once nothing else is owed."""
    seat = action.seat
    refused = check_on_turn(state, seat, "discarding")
    if refused is None and state.must_lay_down:
        refused = RuleViolation(Refusal.MUST_LAY_DOWN, seat=seat)
    return refused or _check_held(state, seat, action.card)


def check_time_out(state: State, action: TimeOut) -> RuleViolation | None:
    """R7.11 and R14.2: only a seat that owes something can run out of time."""
    if state.phase is Phase.OFFER:
        return check_answer(state, Answer(action.seat, Claim.PASS))
    return check_on_turn(state, action.seat, "a time-out")


def check_deal(state: State, _action: Deal) -> RuleViolation | None:
    """R2.4: the next hand is dealt when one is over."""
    if state.phase is Phase.HAND_OVER:
        return None
    if state.phase is Phase.GAME_OVER:
        return RuleViolation(Refusal.GAME_IS_OVER)
    return RuleViolation(Refusal.HAND_IS_ON, hand=state.hand)


_CHECKS: dict[type[Any], Callable[[State, Any], RuleViolation | None]] = {
    Answer: check_answer,
    LayDown: check_lay_down,
    LayOff: check_lay_off,
    Swap: check_swap,
    Discard: check_discard,
    TimeOut: check_time_out,
    Deal: check_deal,
}
