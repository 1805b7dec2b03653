"""The decider: a lawful action becomes the events that follow from it, chance included; nothing changes here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from shanghai_engine.action import (
    BUY,
    TAKE,
    TIMEOUT,
    Action,
    Answer,
    Deal,
    Discard,
    LayDown,
    LayOff,
    Swap,
    TimeOut,
)
from shanghai_engine.card import Card
from shanghai_engine.check import why_not
from shanghai_engine.event import (
    BOUGHT,
    FROM_STOCK,
    FROM_UPCARD,
    NOBODY,
    TAKEN,
    Answered,
    Dealt,
    Discarded,
    Drew,
    EndReason,
    Event,
    GameEnded,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    Reshuffled,
    Swapped,
)
from shanghai_engine.evolve import evolve
from shanghai_engine.malformed import Malformed
from shanghai_engine.meld import laid_off, read_meld, swapped
from shanghai_engine.offer import Outcome, settle
from shanghai_engine.owing import owing, way_to_play
from shanghai_engine.refusal import Refusal
from shanghai_engine.shuffle import Chance, commitment
from shanghai_engine.solver import best_lay_down
from shanghai_engine.state import OFFER, PLAY, State


def decide(state: State, action: Action, chance: Chance) -> tuple[Event, ...]:
    """Give the events that follow from an action; raises `RuleViolation`, and changes nothing."""
    refused = why_not(state, action)
    if refused is not None:
        raise refused
    return _DECIDERS[type(action)](state, action, chance)


# The same few in every game: to look one up takes a third of the time that it takes to make it.
_answered = cache(Answered)
_drew = cache(Drew)
_discarded = cache(Discarded)


def _deal(state: State, _action: Deal, chance: Chance) -> tuple[Event, ...]:
    hand = state.hand + 1
    players = state.players
    dealer = _drawn_dealer(chance, players) if hand == 1 else (state.dealer + 1) % players
    cards = _in_order(chance.deal(hand, state.packs))
    dealt = state.rules.cards_dealt[hand - 1]
    # Dealt one at a time from the dealer's left (R3.1).
    hands = [cards[(seat - dealer - 1) % players : players * dealt : players] for seat in range(players)]
    seed = chance.hand_seed(hand)
    return (
        Dealt(
            hand=hand,
            contract=state.rules.contract(hand),
            dealer=dealer,
            hands=tuple(hands),
            upcard=cards[players * dealt],
            stock=cards[players * dealt + 1 :],
            seed=seed,
            commitment=commitment(seed),
        ),
    )


def _drawn_dealer(chance: Chance, players: int) -> int:
    dealer: object = chance.first_dealer(players)
    if type(dealer) is not int or not 0 <= dealer < players:
        raise Malformed(dealer, f"the first dealer that a Chance gives is a seat, 0 to {players - 1} (R2.2)")
    return dealer


def _in_order(cards: object) -> tuple[Card, ...]:
    """Give the cards that chance puts in order; numbers in their place would be taken for cards, here and elsewhere."""
    if not isinstance(cards, tuple) or not all(type(card) is Card for card in cards):
        raise Malformed(cards, "what a Chance deals is a tuple of Card (R3.1)")
    return cards


def _answer(state: State, action: Answer, chance: Chance) -> tuple[Event, ...]:
    seat, claim = action.seat, action.claim
    answered = _answered(seat, claim)
    outcome = settle(state.asked.order, state.answers | {seat: claim})
    return (answered,) if outcome is None else (answered, *_close_offer(state, outcome, chance))


def _close_offer(state: State, outcome: Outcome, chance: Chance) -> tuple[Event, ...]:
    card, turn, seat = state.discards[-1], state.turn, outcome.seat
    stock = state.stock
    result, penalty = NOBODY, tuple[Card, ...]()
    if outcome.claim is TAKE:
        result = TAKEN
    elif outcome.claim is BUY:
        result = BOUGHT
        penalty = tuple(stock[: -state.rules.buy_extra_cards - 1 : -1])
    closed = OfferClosed(card, turn, state.asked.others, outcome.answers, result, seat, penalty)
    if result is TAKEN:
        return (closed, _drew(turn, FROM_UPCARD, card))
    # R7.13: there is nothing left to choose.
    if len(stock) > len(penalty):
        return (closed, _drew(turn, FROM_STOCK, stock[-len(penalty) - 1]))
    dead = state.dead
    if dead and state.reshuffles < state.rules.reshuffles:
        order = _in_order(chance.reshuffle(state.hand, state.reshuffles + 1, dead))
        return (closed, Reshuffled(order), Drew(turn, FROM_STOCK, order[0]))
    return _end_hand(state, (closed,), EndReason.STOCK, None)


def _end_hand(state: State, events: tuple[Event, ...], reason: EndReason, winner: int | None) -> tuple[Event, ...]:
    """End the hand after these events, which have not changed the state yet; give them and those that follow."""
    last = state.copy()
    evolve(last, events)
    hands = tuple(last.hands)
    points = state.rules.card_points
    scores = tuple(sum(points[card] for card in hand) for hand in hands)
    totals = tuple(total + score for total, score in zip(state.totals, scores, strict=True))
    ended = HandEnded(reason=reason, winner=winner, hands=hands, scores=scores, totals=totals)
    if state.hand < state.rules.hands:
        return (*events, ended)
    return (*events, ended, GameEnded(totals=totals, places=places(totals)))


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """Give the place of every total, from 1; the lowest wins, equal totals share the place (R2.1)."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def _end_if_out(state: State, event: LaidDown | LaidOff, played: int) -> tuple[Event, ...]:
    """End the hand where a seat has played its last card to the table (R4.3, R11.1)."""
    if len(state.hands[event.seat]) > played:
        return (event,)
    return _end_hand(state, (event,), EndReason.OUT, event.seat)


def _lay_down(state: State, action: LayDown, _chance: Chance) -> tuple[Event, ...]:
    melds = []
    for number, draft in enumerate(action.melds, start=len(state.melds)):
        meld = read_meld(draft, meld_id=number, owner=action.seat, rules=state.rules)
        assert not isinstance(meld, Refusal), f"{draft} was checked"  # noqa: S101 the check has read it already
        melds.append(meld)
    return _end_if_out(state, LaidDown(action.seat, tuple(melds)), sum(len(meld.cards) for meld in melds))


def _lay_off(state: State, action: LayOff, _chance: Chance) -> tuple[Event, ...]:
    after = laid_off(state.melds[action.meld], action.card, action.end)
    return _end_if_out(state, LaidOff(action.seat, action.card, action.end, after), 1)


def _swap(state: State, action: Swap, _chance: Chance) -> tuple[Event, ...]:
    return (
        Swapped(action.seat, action.index, action.card, swapped(state.melds[action.meld], action.index, action.card)),
    )


def _discard(state: State, action: Discard, _chance: Chance) -> tuple[Event, ...]:
    event = _discarded(action.seat, action.card)
    if state.rules.go_out_with_discard and len(state.hands[action.seat]) == 1:
        return _end_hand(state, (event,), EndReason.OUT, action.seat)
    if state.turn_number >= state.rules.turn_limit * state.players:
        return _end_hand(state, (event,), EndReason.TURNS, None)
    return (event,)


def _time_out(state: State, action: TimeOut, chance: Chance) -> tuple[Event, ...]:
    """R7.11, R14.2: a pass; or the plays that are owed before the discard, then that of the card just drawn."""
    if state.phase is OFFER:
        return _answer(state, Answer(action.seat, TIMEOUT), chance)
    if not state.hands[action.seat]:
        # Only where a record ends between the last card and the hand's end.
        return _end_hand(state, (), EndReason.OUT, action.seat)
    events: list[Event] = []
    after = state.copy()

    def do(play: Action) -> None:
        followed = _DECIDERS[type(play)](after, play, chance)
        evolve(after, followed)
        events.extend(followed)

    for play in _owed(state):
        do(play)
    if after.phase is PLAY:
        do(Discard(action.seat, _least(after)))
    return tuple(events)


def _owed(state: State) -> Sequence[Action]:
    """Give the plays that are owed before the discard (R10.2, R16 `swapped_joker`)."""
    if state.must_play:
        return way_to_play(owing(state)) or ()
    if not state.must_lay_down:
        return ()
    drafts = best_lay_down(state.hands[state.turn], state.contract, state.rules)
    assert drafts is not None, "R10.2 binds only a hand that can lay down"  # noqa: S101 the swap was refused else
    return (LayDown(state.turn, drafts),)


def _least(state: State) -> Card:
    """Give the card just drawn; where it was played already, the one that costs most points, never a joker first.

    Where twos are wild (R16) they are jokers here too.
    """
    hand = state.hands[state.turn]
    if state.drawn in hand:
        return state.drawn
    rules = state.rules
    return max(hand, key=lambda card: (not rules.wild_cards[card], rules.card_points[card], card))


_DECIDERS: dict[type[Any], Callable[[State, Any, Chance], tuple[Event, ...]]] = {
    Deal: _deal,
    Answer: _answer,
    LayDown: _lay_down,
    LayOff: _lay_off,
    Swap: _swap,
    Discard: _discard,
    TimeOut: _time_out,
}
