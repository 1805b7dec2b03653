"""An independent reading of the rules, slow and plain, that the engine's refusals are compared with.

Nothing here calls the engine's checks: melds are read by trying what every joker could be, and the lawful
choices are found by asking about every choice that could be put into words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from shanghai_engine.action import Action, Answer, Claim, Discard, LayDown, LayOff, Swap
from shanghai_engine.card import CARDS, JOKER, Card
from shanghai_engine.meld import End, MeldKind
from shanghai_engine.state import Phase, State

RANKS = range(2, 15)
SUITS = range(4)


def is_set(cards: Sequence[Card]) -> bool:
    """R8.1 and R8.3, by trying every rank."""
    jokers = sum(card == JOKER for card in cards)
    return (
        len(cards) >= 3
        and 2 * jokers <= len(cards)
        and any(all(card in (JOKER, *_cards_of_rank(rank)) for card in cards) for rank in RANKS)
    )


def is_run(cards: Sequence[Card]) -> bool:
    """R1.3, R8.2 and R8.3, by laying the cards beside every stretch of every suit."""
    jokers = sum(card == JOKER for card in cards)
    return len(cards) >= 4 and 2 * jokers <= len(cards) and _stretch(cards) is not None


def _stretch(cards: Sequence[Card]) -> tuple[Card, ...] | None:
    """Give the natural cards that a run means, by trying them all."""
    for suit in SUITS:
        whole = CARDS[13 * suit : 13 * suit + 13]
        for start in range(14 - len(cards)):
            stretch = whole[start : start + len(cards)]
            if all(card in (JOKER, meant) for card, meant in zip(cards, stretch, strict=True)) and any(
                card != JOKER for card in cards
            ):
                return stretch
    return None


def _cards_of_rank(rank: int) -> tuple[Card, ...]:
    return tuple(CARDS[13 * suit + rank - 2] for suit in SUITS)


def is_meld(kind: MeldKind, cards: Sequence[Card]) -> bool:
    """Say whether cards in order are a meld of a kind."""
    return is_set(cards) if kind is MeldKind.SET else is_run(cards)


def is_lay_down(state: State, action: LayDown) -> bool:
    """R8.5: from the hand, once, every meld lawful, and each at least as long as one of the contract's."""
    if not _plays(state, action.seat) or state.down[action.seat]:
        return False
    if Counter(card for draft in action.melds for card in draft.cards) - Counter(state.hands[action.seat]):
        return False
    if not all(is_meld(draft.kind, draft.cards) for draft in action.melds):
        return False
    contract = state.rules.contracts[state.hand - 1]
    for kind, sizes in ((MeldKind.SET, contract.sets), (MeldKind.RUN, contract.runs)):
        lengths = sorted(len(draft.cards) for draft in action.melds if draft.kind is kind)
        if len(lengths) != len(sizes) or any(got < asked for got, asked in zip(lengths, sorted(sizes), strict=True)):
            return False
    return True


def _plays(state: State, seat: int) -> bool:
    return state.phase is Phase.PLAY and state.turn == seat


def every_choice(state: State) -> Iterator[Action]:
    """Give every answer, lay-off, swap and discard that can be put into words, by every seat, lawful or not."""
    for seat in range(-1, state.players + 1):
        for claim in Claim:
            yield Answer(seat, claim)
        for card in CARDS:
            yield Discard(seat, card)
    for seat in {state.turn, (state.turn + 1) % state.players}:
        for meld in range(-1, len(state.melds) + 1):
            places = len(state.melds[meld].cards) if 0 <= meld < len(state.melds) else 1
            for card in CARDS:
                for end in (None, End.LOW, End.HIGH):
                    yield LayOff(seat, meld, card, end)
                for index in range(-1, places + 1):
                    yield Swap(seat, meld, index, card)


def is_lawful(state: State, action: Action) -> bool:
    """Say whether an answer, lay-off, swap or discard may happen now under the standard rules."""
    match action:
        case Answer():
            return _may_answer(state, action)
        case Discard():
            return _plays(state, action.seat) and action.card in state.hands[action.seat] and not state.must_lay_down
        case LayOff():
            return _may_lay_off(state, action)
        case Swap():
            return _may_swap(state, action)
        case _:
            raise AssertionError(action)


def _may_answer(state: State, action: Answer) -> bool:
    seat, turn, players = action.seat, state.turn, state.players
    if state.phase is not Phase.OFFER or not 0 <= seat < players or seat in state.answers:
        return False
    first = state.turn_number == 1
    last = (turn - 1) % players
    buyer = not state.down[seat] and state.buys_left[seat] > 0 and len(state.stock) >= 2 and (first or seat != last)
    if action.claim is Claim.PASS:
        return seat == turn or buyer
    if action.claim is Claim.TAKE:
        return seat == turn
    if action.claim is Claim.BUY:
        return buyer and (seat != turn or players == 2)
    return False


def _may_lay_off(state: State, action: LayOff) -> bool:
    seat = action.seat
    if not _plays(state, seat) or not state.down[seat] or action.card not in state.hands[seat]:
        return False
    if not 0 <= action.meld < len(state.melds):
        return False
    meld = state.melds[action.meld]
    if meld.kind is MeldKind.SET:
        return action.end is None and is_set((*meld.cards, action.card))
    if action.end is End.LOW:
        return is_run((action.card, *meld.cards))
    return action.end is End.HIGH and is_run((*meld.cards, action.card))


def _may_swap(state: State, action: Swap) -> bool:
    seat, card = action.seat, action.card
    if not _plays(state, seat) or card == JOKER or card not in state.hands[seat]:
        return False
    if not 0 <= action.meld < len(state.melds):
        return False
    meld = state.melds[action.meld]
    if not 0 <= action.index < len(meld.cards) or meld.cards[action.index] != JOKER:
        return False
    if meld.kind is MeldKind.SET:
        fits = is_set((*meld.cards[: action.index], card, *meld.cards[action.index + 1 :]))
    else:
        meant = _stretch(meld.cards)
        fits = meant is not None and meant[action.index] == card
    if not fits or state.down[seat]:
        return fits
    hand = list(state.hands[seat])
    hand[hand.index(card)] = JOKER
    return could_lay_down(hand, state.rules.contracts[state.hand - 1].sets, state.rules.contracts[state.hand - 1].runs)


def could_lay_down(hand: Sequence[Card], sets: Sequence[int], runs: Sequence[int]) -> bool:
    """Say whether a hand can lay a contract down, by taking every possible meld away in turn."""
    if runs:
        return any(could_lay_down(rest, sets, runs[1:]) for rest in _after_runs(hand, runs[0]))
    if sets:
        return any(could_lay_down(rest, sets[1:], ()) for rest in _after_sets(hand, sets[0]))
    return True


def _without(hand: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def _after_runs(hand: Sequence[Card], least: int) -> Iterator[list[Card]]:
    held = Counter(hand)
    for suit in SUITS:
        whole = CARDS[13 * suit : 13 * suit + 13]
        for length in range(least, 14):
            for start in range(14 - length):
                stretch = whole[start : start + length]
                here = [card for card in stretch if held[card]]
                # Any joker may stand for a card that is held as well, to spare that card for another meld.
                for jokers in range(length - len(here), min(held[JOKER], length // 2) + 1):
                    for naturals in combinations(here, length - jokers):
                        yield _without(hand, [*naturals, *[JOKER] * jokers])


def _after_sets(hand: Sequence[Card], least: int) -> Iterator[list[Card]]:
    # Beyond the asked size a set never helps: taking its surplus away leaves more for the other melds. But a longer
    # set may hold more jokers' worth of naturals, so the least size alone is enough for sets.
    jokers_held = sum(card == JOKER for card in hand)
    for rank in RANKS:
        here = [card for card in hand if card in _cards_of_rank(rank)]
        for jokers in range(min(jokers_held, least // 2) + 1):
            if len(here) >= least - jokers:
                yield _without(hand, [*here[: least - jokers], *[JOKER] * jokers])
