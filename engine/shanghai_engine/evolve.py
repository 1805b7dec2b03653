"""The one way in which a state changes: an event is applied to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shanghai_engine.card import Card
from shanghai_engine.event import (
    BOUGHT,
    FROM_STOCK,
    Answered,
    Dealt,
    Discarded,
    Drew,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    LaidDown,
    LaidOff,
    OfferClosed,
    Reshuffled,
    Swapped,
)
from shanghai_engine.offer import NOBODY_ASKED
from shanghai_engine.state import GAME_OVER, HAND_OVER, OFFER, PLAY, HandResult, State, without_card


def begin(event: GameStarted) -> State:
    """Give the state that a game starts from."""
    return State(
        rules=event.rules,
        names=event.players,
        packs=event.packs,
        game_seed=event.game_seed,
        commitment=event.commitment,
        nonces=event.nonces,
    )


def resume(event: GameStarted, results: tuple[HandResult, ...]) -> State:
    """Give the state between two hands of a game of which the first hands had these results.

    What the last hand left on the table is not in it, and is gone with the next deal: after that, nothing tells this
    state from one that saw every hand.
    """
    state = begin(event)
    if results:
        state.results = results
        state.hand = results[-1].hand
        state.dealer = results[-1].dealer
        state.hand_seed = results[-1].seed
        state.hand_commitment = results[-1].commitment
        state.totals = results[-1].totals
    return state


def evolve(state: State, events: Iterable[Event]) -> None:
    """Change the state by what happened; nothing else changes a state."""
    for event in events:
        _CHANGES[type(event)](state, event)


def _open_offer(state: State, *, turn: int, discarder: int | None) -> None:
    state.phase = OFFER
    state.live = True
    state.turn = turn
    state.turn_number += 1
    state.step = 0
    state.drawn = None
    state.laid_down_now = False
    state.discarder = discarder
    state.answers = {}
    state.asked = state.ask()


def _dealt(state: State, event: Dealt) -> None:
    players = state.players
    state.hand = event.hand
    state.dealer = event.dealer
    state.hand_seed = event.seed
    state.hand_commitment = event.commitment
    state.hands = list(event.hands)
    state.stock = list(reversed(event.stock))
    state.discards = [event.upcard]
    state.melds = []
    state.down = [False] * players
    state.buys_left = [state.rules.buys[event.hand - 1]] * players
    state.reshuffles = 0
    state.must_lay_down = False
    state.must_play = ()
    state.turn_number = 0
    _open_offer(state, turn=(event.dealer + 1) % players, discarder=None)


def _answered(state: State, event: Answered) -> None:
    state.answers[event.seat] = event.claim


def _offer_closed(state: State, event: OfferClosed) -> None:
    state.live = False
    state.asked = NOBODY_ASKED
    state.answers = {}
    if event.result is BOUGHT and event.seat is not None:
        state.discards.pop()
        if event.penalty:
            del state.stock[-len(event.penalty) :]
        state.hands[event.seat] += (event.card, *event.penalty)
        if state.buys_left[event.seat] > 0:
            state.buys_left[event.seat] -= 1


def _reshuffled(state: State, event: Reshuffled) -> None:
    # What was just passed lies above the dead cards and stays (R13.2).
    del state.discards[: len(event.stock)]
    state.stock = list(reversed(event.stock))
    state.reshuffles += 1


def _drew(state: State, event: Drew) -> None:
    if event.source is FROM_STOCK:
        state.stock.pop()
    else:
        state.discards.pop()
    state.hands[event.seat] += (event.card,)
    state.drawn = event.card
    state.phase = PLAY
    state.step = 1


def _laid_down(state: State, event: LaidDown) -> None:
    hand = list(state.hands[event.seat])
    for meld in event.melds:
        for card in meld.cards:
            hand.remove(card)
    state.hands[event.seat] = tuple(hand)
    state.melds.extend(event.melds)
    state.laid_down_now = state.laid_down_now or not state.down[event.seat]
    state.down[event.seat] = True
    state.must_lay_down = False
    for meld in event.melds:
        _played(state, meld.cards)
    state.step += 1


def _laid_off(state: State, event: LaidOff) -> None:
    state.hands[event.seat] = without_card(state.hands[event.seat], event.card)
    state.melds[event.after.id] = event.after
    _played(state, (event.card,))
    state.step += 1


def _played(state: State, cards: tuple[Card, ...]) -> None:
    """Strike what came onto the table off the jokers that must (R16, `swapped_joker`)."""
    if state.must_play:
        owed = list(state.must_play)
        for card in cards:
            if card in owed:
                owed.remove(card)
        state.must_play = tuple(owed)


def _swapped(state: State, event: Swapped) -> None:
    joker = state.melds[event.after.id].cards[event.index]
    state.hands[event.seat] = (*without_card(state.hands[event.seat], event.card), joker)
    state.melds[event.after.id] = event.after
    # A wild two that is owed may have gone to its own place in a run.
    _played(state, (event.card,))
    if state.rules.swapped_joker == "play_this_turn":
        state.must_play = (*state.must_play, joker)
    state.must_lay_down = not state.down[event.seat]
    state.step += 1


def _discarded(state: State, event: Discarded) -> None:
    state.hands[event.seat] = without_card(state.hands[event.seat], event.card)
    state.discards.append(event.card)
    state.must_play = ()
    _open_offer(state, turn=(event.seat + 1) % state.players, discarder=event.seat)


def _hand_ended(state: State, event: HandEnded) -> None:
    state.phase = HAND_OVER
    state.live = False
    state.asked = NOBODY_ASKED
    state.totals = event.totals
    state.results = (
        *state.results,
        HandResult(
            hand=state.hand,
            contract=state.contract,
            dealer=state.dealer,
            reason=event.reason,
            winner=event.winner,
            hands=event.hands,
            scores=event.scores,
            totals=event.totals,
            seed=state.hand_seed,
            commitment=state.hand_commitment,
        ),
    )


def _game_ended(state: State, event: GameEnded) -> None:
    state.phase = GAME_OVER
    state.places = event.places


_CHANGES: dict[type[Any], Callable[[State, Any], None]] = {
    Dealt: _dealt,
    Answered: _answered,
    OfferClosed: _offer_closed,
    Reshuffled: _reshuffled,
    Drew: _drew,
    LaidDown: _laid_down,
    LaidOff: _laid_off,
    Swapped: _swapped,
    Discarded: _discarded,
    HandEnded: _hand_ended,
    GameEnded: _game_ended,
}
