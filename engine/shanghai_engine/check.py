"""May this happen now? One check per action kind (R15.1); the legal list stands on the same pieces.

Every check gives none where the action is lawful, and else the violation that names the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shanghai_engine.action import (
    BUY,
    PASS,
    TAKE,
    TIMEOUT,
    Action,
    Answer,
    Claim,
    Deal,
    Discard,
    LayDown,
    LayOff,
    Swap,
    TimeOut,
)
from shanghai_engine.card import Card, cards_text
from shanghai_engine.contract import Contract
from shanghai_engine.form import FORMS, ill_formed
from shanghai_engine.meld import Meld, MeldDraft, read_meld, refuse_alike, refuse_lay_off, refuse_swap
from shanghai_engine.owing import Play, can_play_owed, owing
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import RuleSet
from shanghai_engine.solver import fulfils, least_missing
from shanghai_engine.state import GAME_OVER, HAND_OVER, OFFER, PLAY, Hand, Phase, State, without_card
from shanghai_engine.violation import RuleViolation, violation


def why_not(state: State, action: Action) -> RuleViolation | None:
    """Give the reason why an action cannot happen now; none where it can. Raises `Malformed` for what is no action."""
    if type(action) is Answer and type(action.claim) is Claim and type(action.seat) is int:
        # By far the most actions: told apart here without asking any further.
        return check_answer(state, action)
    kind = type(action)
    form = FORMS.get(kind)
    if form is None or not form(action):
        raise ill_formed(action)
    return _CHECKS[kind](state, action)


def _check_seat(state: State, seat: int) -> RuleViolation | None:
    if 0 <= seat < state.players:
        return None
    return RuleViolation(Refusal.NO_SUCH_SEAT, seat=seat, last=state.players - 1)


def _not_now(state: State, seat: int) -> RuleViolation:
    """Say what the game waits for instead of a seat's move."""
    match state.phase:
        case Phase.GAME_OVER:
            return RuleViolation(Refusal.GAME_IS_OVER)
        case Phase.HAND_OVER:
            return RuleViolation(Refusal.HAND_IS_OVER, hand=state.hand)
        case Phase.OFFER:
            # Where a record ends between an offer and the draw the upcard is settled already.
            card = state.upcard or "the last upcard"
            return RuleViolation(Refusal.OFFER_IS_OPEN, seat=seat, card=card)
        case Phase.PLAY:
            return RuleViolation(Refusal.NO_OFFER_IS_OPEN, turn=state.turn)


def check_answer(state: State, action: Answer) -> RuleViolation | None:
    """R7.10: who is asked may answer once, with a claim that he may make."""
    if state.phase is not OFFER:
        return _check_seat(state, action.seat) or _not_now(state, action.seat)
    if not state.live:
        return _check_seat(state, action.seat) or RuleViolation(Refusal.NO_OFFER_IS_OPEN, turn=state.turn)
    seat, claim, turn = action.seat, action.claim, state.turn
    if seat not in state.asked.order:
        refused = _check_seat(state, seat)
        order = ", ".join(str(asked) for asked in state.asked.order)
        return refused or RuleViolation(Refusal.NOT_IN_THE_OFFER, seat=seat, card=state.upcard, order=order)
    if seat in state.answers:
        return RuleViolation(Refusal.ALREADY_ANSWERED, seat=seat, card=state.upcard)
    if claim is TAKE and seat != turn:
        return RuleViolation(Refusal.TAKE_IS_FOR_THE_TURN, turn=turn, seat=seat, card=state.upcard)
    if claim is BUY and seat == turn and not state.asked.turn_may_buy:
        able = state.rules.turn_buys(state.players)
        refusal = Refusal.TURN_CANNOT_BUY_NOW if able else Refusal.TURN_CANNOT_BUY
        return RuleViolation(refusal, seat=seat, card=state.upcard)
    if claim is TIMEOUT:
        return RuleViolation(Refusal.TIMEOUT_IS_THE_TABLES, seat=seat)
    return None


def check_on_turn(state: State, seat: int) -> RuleViolation | None:
    """R4.2: only who is on turn and has drawn plays and discards."""
    if state.phase is PLAY and seat == state.turn:
        return None
    refused = _check_seat(state, seat)
    if refused is None and state.phase in {OFFER, PLAY} and seat != state.turn:
        return RuleViolation(Refusal.NOT_YOUR_TURN, seat=seat, turn=state.turn)
    return refused or _not_now(state, seat)


def check_lay_down(state: State, action: LayDown) -> RuleViolation | None:
    """R8.5: once per hand, the whole contract, of lawful melds, from one's own hand.

    Who is down may lay further melds where the table plays `extra_melds`.
    """
    seat = action.seat
    refused = check_on_turn(state, seat)
    if refused is None and state.down[seat] and not state.rules.extra_melds:
        refused = RuleViolation(Refusal.ALREADY_DOWN, seat=seat)
    if refused is not None:
        return refused
    melds: list[Meld] = []
    for number, draft in enumerate(action.melds, start=len(state.melds)):
        read = read_meld(draft, meld_id=number, owner=seat, rules=state.rules)
        if isinstance(read, Refusal):
            return violation(read, state.rules, meld=draft)
        melds.append(read)
    refused = _check_contract(state, action, melds) or _check_all_held(state, action)
    if refused is None and state.must_play:
        refused = check_jokers_can_follow(state, action)
    return refused


def _in_words(drafts: Sequence[MeldDraft]) -> str:
    return " / ".join(str(draft) for draft in drafts)


def _check_contract(state: State, action: LayDown, melds: Sequence[Meld]) -> RuleViolation | None:
    if not melds:
        return RuleViolation(Refusal.NO_MELDS)
    if state.down[action.seat]:
        return None
    if not fulfils(action.melds, state.contract):
        said = _in_words(action.melds)
        return RuleViolation(Refusal.NOT_THE_CONTRACT, melds=said, hand=state.hand, contract=state.contract)
    refused = refuse_alike(melds, state.rules)
    return None if refused is None else RuleViolation(refused, melds=_in_words(action.melds))


def _check_all_held(state: State, action: LayDown) -> RuleViolation | None:
    left, missing = list(state.hands[action.seat]), []
    for draft in action.melds:
        for card in draft.cards:
            if card in left:
                left.remove(card)
            else:
                missing.append(card)
    if not missing:
        return None
    said, lacked = _in_words(action.melds), cards_text(sorted(missing))
    return RuleViolation(Refusal.CARDS_NOT_IN_HAND, melds=said, seat=action.seat, missing=lacked)


def _check_held(state: State, seat: int, card: Card) -> RuleViolation | None:
    return None if card in state.hands[seat] else RuleViolation(Refusal.CARD_NOT_IN_HAND, card=card, seat=seat)


def _check_meld(state: State, meld: int) -> RuleViolation | None:
    if 0 <= meld < len(state.melds):
        return None
    if not state.melds:
        return RuleViolation(Refusal.NO_MELDS_YET, meld=meld)
    return RuleViolation(Refusal.NO_SUCH_MELD, meld=meld, last=len(state.melds) - 1)


def refuse_lay_offs(state: State, seat: int) -> Refusal | None:
    """R9.1: who is down lays off, where the table plays so not in the turn of the lay-down."""
    if not state.down[seat]:
        return Refusal.NOT_DOWN
    if state.laid_down_now and not state.rules.lay_off_when_laying_down:
        return Refusal.NOT_IN_THE_SAME_TURN
    return None


def _check_may(refused: Refusal | None, seat: int) -> RuleViolation | None:
    return None if refused is None else RuleViolation(refused, seat=seat)


def check_lay_off(state: State, action: LayOff) -> RuleViolation | None:
    """R9: who is down adds a card of his hand to a meld that takes it."""
    seat, card = action.seat, action.card
    refused = (
        check_on_turn(state, seat)
        or _check_may(refuse_lay_offs(state, seat), seat)
        or _check_held(state, seat, card)
        or _check_meld(state, action.meld)
    )
    if refused is not None:
        return refused
    meld = state.melds[action.meld]
    reason = refuse_lay_off(meld, card, action.end, state.rules)
    if reason is not None:
        end = "" if action.end is None else action.end.value
        return violation(reason, state.rules, meld=meld, card=card, end=end)
    return check_jokers_can_follow(state, action) if state.must_play else None


def refuse_swaps(state: State, seat: int) -> Refusal | None:
    """R10 as the table's rules have it: who swaps at all, and when."""
    rules = state.rules
    if rules.joker_swap == "nobody":
        return Refusal.NO_SWAPS
    if rules.joker_swap == "down_only" and not state.down[seat]:
        return Refusal.SWAP_WHEN_DOWN
    if state.laid_down_now and not rules.lay_off_when_laying_down:
        return Refusal.NOT_IN_THE_SAME_TURN
    return None


def check_swap(state: State, action: Swap) -> RuleViolation | None:
    """R10: the card that a joker stands for takes its place, and who is not down can lay down then."""
    seat, card = action.seat, action.card
    refused = (
        check_on_turn(state, seat)
        or _check_may(refuse_swaps(state, seat), seat)
        or _check_held(state, seat, card)
        or _check_meld(state, action.meld)
    )
    if refused is not None:
        return refused
    meld = state.melds[action.meld]
    reason = refuse_swap(meld, action.index, card, state.rules)
    if reason is not None:
        return RuleViolation(reason, card=card, index=action.index, meld=meld)
    return check_swap_goes_on(state, action)


def check_swap_goes_on(state: State, action: Swap) -> RuleViolation | None:
    """R10.2, and R16's `swapped_joker`: the joker of a swap that fits can be used as the rules ask."""
    if not lays_down_after(state, action):
        return RuleViolation(Refusal.COULD_NOT_LAY_DOWN, seat=action.seat, contract=state.contract)
    return check_jokers_can_follow(state, action) if state.rules.swapped_joker == "play_this_turn" else None


def lays_down_after(state: State, swap: Swap, misses: Callable[[Hand, Contract, RuleSet], int] = least_missing) -> bool:
    """R10.2: whether who makes a swap that fits is down, or can lay down with its joker; `misses` knows the latter."""
    if state.down[swap.seat]:
        return True
    hand = (*without_card(state.hands[swap.seat], swap.card), state.melds[swap.meld].cards[swap.index])
    return misses(hand, state.contract, state.rules) == 0


def check_jokers_can_follow(state: State, play: Play) -> RuleViolation | None:
    """R16, `swapped_joker`: after this play, which fits, the swapped jokers can still be played in this turn."""
    after = owing(state).play(play)
    if can_play_owed(after):
        return None
    return RuleViolation(Refusal.JOKER_COULD_NOT_BE_PLAYED, jokers=cards_text(after.must_play))


def check_discard(state: State, action: Discard) -> RuleViolation | None:
    """R4.2, R10.2, R10.3: one card of the hand, once nothing else is owed."""
    seat = action.seat
    return check_on_turn(state, seat) or check_may_discard(state, seat) or _check_held(state, seat, action.card)


def check_may_discard(state: State, seat: int) -> RuleViolation | None:
    """R10.2, R10.3: nothing else is owed before the discard.

    A joker that can no more be played, as far as a bounded search can tell, binds nobody: no turn is without a way out.
    """
    if state.must_lay_down:
        return RuleViolation(Refusal.MUST_LAY_DOWN, seat=seat)
    if state.must_play and can_play_owed(owing(state)):
        return RuleViolation(Refusal.MUST_PLAY_JOKER, seat=seat, jokers=cards_text(state.must_play))
    return None


def check_time_out(state: State, action: TimeOut) -> RuleViolation | None:
    """R7.11 and R14.2: only a seat that owes something can run out of time."""
    if state.phase is OFFER:
        return check_answer(state, Answer(action.seat, PASS))
    return check_on_turn(state, action.seat)


def check_deal(state: State, _action: Deal) -> RuleViolation | None:
    """R2.4: the next hand is dealt when one is over, if there is one (R2.1)."""
    if state.phase is HAND_OVER and state.hand < state.rules.hands:
        return None
    if state.phase in {HAND_OVER, GAME_OVER}:
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
