"""Whether a position could be one of a game: what a text that somebody wrote by hand may get wrong.

A position need not be whole, so cards may be missing; but nothing may be there that no game can have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from shanghai_engine.action import PASS, TIMEOUT, Answer
from shanghai_engine.card import JOKER, JOKERS_PER_PACK, cards_text
from shanghai_engine.check import check_answer
from shanghai_engine.malformed import Malformed
from shanghai_engine.rules import MOST_PACKS, UNLIMITED
from shanghai_engine.shuffle import GAME_SEED_BYTES, NONCE_BYTES
from shanghai_engine.solver import can_lay_down
from shanghai_engine.state import HAND_OVER, OFFER, PLAY, State


def check_possible(state: State) -> None:
    """Raise `Malformed` for the first thing about a state that no game can have, with the rule."""
    for check in _CHECKS:
        check(state)


def _check_start(state: State) -> None:
    """What `Game.new` asks of names and seeds, and of packs (R16)."""
    for name in state.names:
        if any("\ud800" <= letter <= "\udfff" for letter in name):
            raise Malformed(name, "a name is whole text, without half signs (surrogates), which no record can hold")
    for secret, size, what in (
        (state.game_seed, GAME_SEED_BYTES, "game seed"),
        *((nonce, NONCE_BYTES, "nonce") for nonce in state.nonces),
    ):
        if len(secret) != size:
            raise Malformed(secret.hex(), f"a {what} has {size} bytes")
    if len(state.nonces) != state.players:
        raise Malformed("nonces", f"there is one for each of {state.players} seats")
    if not 1 <= state.packs <= MOST_PACKS:
        raise Malformed(f"packs {state.packs}", f"a game has 1 to {MOST_PACKS} packs (R16)")
    if not 0 <= state.reshuffles <= state.rules.reshuffles:
        right = f"by these rules the stock is made anew 0 to {state.rules.reshuffles} times (R13.2)"
        raise Malformed(f"reshuffles {state.reshuffles}", right)
    if min(state.totals) < 0:
        raise Malformed(f"total {min(state.totals)}", "points are never below 0 (R12.1)")


def _check_phase(state: State) -> None:
    if not state.hand:
        if state.phase is not HAND_OVER:
            raise Malformed(f"hand 0, {state.phase.value}", "before the first deal the turn is at 'hand_over' (R2.4)")
        return
    if state.phase is OFFER and state.step:
        raise Malformed(f"offer {state.step}", "the offer is play 0 of a turn, as in 'turn 1 offer 0 number 5'")
    if state.phase is PLAY and state.step < 1:
        raise Malformed(f"play {state.step}", "the plays of a turn count from 1, as in 'turn 1 play 1 number 5'")
    if state.phase in {OFFER, PLAY} and state.turn_number < 1:
        raise Malformed(f"number {state.turn_number}", "the turns of a hand count from 1 (R14.1)")


def _check_copies(state: State) -> None:
    """R1.1: as many copies of a card as the packs have, in all places together."""
    held = Counter(state.stock)
    held.update(state.discards)
    for cards in state.hands:
        held.update(cards)
    for meld in state.melds:
        held.update(meld.cards)
    jokers = JOKERS_PER_PACK * state.packs
    for card, number in sorted(held.items()):
        if number > (jokers if card is JOKER else state.packs):
            right = f"{state.packs} packs have {state.packs} of each card, and {jokers} jokers (R1.1)"
            raise Malformed(cards_text([card] * number), right)


def _check_buys(state: State) -> None:
    """R7.2: a seat has at most the buys of the hand."""
    limit = state.rules.buys[state.hand - 1] if state.hand else 0
    for left in state.buys_left:
        if limit != UNLIMITED and not 0 <= left <= limit:
            raise Malformed(f"buys {left}", f"in hand {state.hand} a seat has 0 to {limit} buys left (R7.2)")


def _check_melds(state: State) -> None:
    """R8.5: melds lie there of who is down."""
    for meld in state.melds:
        if not state.down[meld.owner]:
            right = f"who has laid a meld is 'down', and seat {meld.owner} is not (R8.5)"
            raise Malformed(f"meld {meld.owner} {meld.kind.value} {meld}", right)


def _check_drawn(state: State) -> None:
    """R4.2: the card of this turn is in hand until it is played, and then on the table."""
    card = state.drawn
    if card is None:
        return
    value = f"drawn {card}"
    if state.phase is OFFER:
        raise Malformed(value, "while an offer is open nobody has drawn (R7.13)")
    if card in state.hands[state.turn]:
        return
    if state.phase is PLAY and state.step == 1:
        raise Malformed(value, f"the card just drawn is in the hand of seat {state.turn}, which is on turn (R4.2)")
    if not any(card in meld.cards for meld in state.melds):
        right = f"the card drawn in this turn is in the hand of seat {state.turn}, or in a meld (R4.2)"
        raise Malformed(value, right)


def _check_bound(state: State) -> None:
    """R10.2, R16: what binds the seat on turn."""
    down = state.turn >= 0 and state.down[state.turn]
    if state.laid_down_now and not down:
        raise Malformed("laid_down_now", f"who has laid down is 'down', and seat {state.turn} is not (R8.5)")
    if state.must_lay_down and (down or state.phase is not PLAY):
        raise Malformed("must_lay_down", "it binds who is on turn, has swapped a joker, and is not down (R10.2)")
    if (
        state.must_lay_down
        and not state.must_play
        and not can_lay_down(state.hands[state.turn], state.contract, state.rules)
    ):
        raise Malformed("must_lay_down", f"the hand of seat {state.turn} can be laid down then (R10.2)")
    missing = Counter(state.must_play) - Counter(state.hands[state.turn] if state.turn >= 0 else ())
    if missing:
        right = f"what must be played is in the hand of seat {state.turn}, which is on turn (R16)"
        raise Malformed(f"must_play {cards_text(state.must_play)}", right)


def _check_answers(state: State) -> None:
    """R7.10: an answer is one that the seat may give."""
    if not state.answers:
        return
    open_ = state.copy()
    open_.answers = {}
    for seat, claim in state.answers.items():
        refused = check_answer(open_, Answer(seat, PASS if claim is TIMEOUT else claim))
        if refused is not None:
            raise Malformed(f"answer {claim.value}", str(refused))


_CHECKS: tuple[Callable[[State], None], ...] = (
    _check_start,
    _check_phase,
    _check_copies,
    _check_buys,
    _check_melds,
    _check_drawn,
    _check_bound,
    _check_answers,
)
