"""Playing off: what a seat that is down does with its cards, one lay-off or swap after the other (R9, R10).

Natural cards go first, since laying one off never closes a place that another needs except its own copy's. A card
that fits nowhere is swapped for the joker that stands for it, and jokers then bridge the gap to a card that would fit
beyond them; only what is left of them goes wherever R8.3 allows.
"""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import ACE, JOKER, LOWEST_RANK, RANK, SUIT, Card, card_of
from shanghai_engine.decision import Decision
from shanghai_engine.meld import (
    HIGH,
    LOW,
    SET,
    End,
    Meld,
    laid_off,
    lay_offs_of,
    refuse_lay_off,
    swapped,
    swaps_of,
)
from shanghai_engine.rules import RuleSet


def next_play(decision: Decision, hand: Sequence[Card], melds: Sequence[Meld], rules: RuleSet) -> LayOff | Swap | None:
    """Give the next card to play off; none where nothing is left that can be."""
    bridge = _bridge(hand, melds, rules)
    # A joker that would fit may be no choice: in the turn of the lay-down some tables allow no lay-off (R16).
    over = None if bridge is None else next((p for p in decision.lay_offs if _is_joker_to(p, bridge)), None)
    naturals = [play for play in decision.lay_offs if play.card != JOKER]
    swaps = [
        play for play in decision.swaps if _joker_fits(swapped(melds[play.meld], play.index, play.card), melds, rules)
    ]
    fitting = {play.card for play in naturals}
    stuck = [play for play in swaps if play.card not in fitting]
    if stuck:
        return stuck[0]
    if over is None and swaps and _bridge((*hand, JOKER), melds, rules) is not None:
        return swaps[0]
    if naturals:
        return max(naturals, key=lambda play: _opens(play, hand, melds))
    if over is not None:
        return over
    jokers = [play for play in decision.lay_offs if play.card == JOKER]
    return max(jokers, key=lambda play: _shelter(play, melds), default=None)


def _is_joker_to(play: LayOff, place: tuple[int, End]) -> bool:
    return play.card == JOKER and (play.meld, play.end) == place


def fitting_cards(melds: Sequence[Meld], rules: RuleSet) -> set[Card]:
    """Give every card that who is down can play: lay it off, or swap it for a joker that then fits."""
    fitting = {card for meld in melds for card, _ in lay_offs_of(meld, rules)}
    for meld in melds if rules.joker_swap != "nobody" else ():
        for index in meld.joker_places():
            for card in swaps_of(meld, index, rules):
                if card not in fitting and _joker_fits(swapped(meld, index, card), melds, rules):
                    fitting.add(card)
    return fitting


def _joker_fits(changed: Meld, melds: Sequence[Meld], rules: RuleSet) -> bool:
    """Say whether a joker can be laid off once a meld has changed."""
    return any(
        fitting is JOKER
        for meld in melds
        for fitting, _ in lay_offs_of(changed if meld.id == changed.id else meld, rules)
    )


def _bridge(hand: Sequence[Card], melds: Sequence[Meld], rules: RuleSet) -> tuple[int, End] | None:
    """Give the run and its end where jokers of the hand, laid off first, make room for a card that does not fit."""
    jokers = sum(card == JOKER for card in hand)
    if not jokers:
        return None
    best: tuple[int, int, int, End] | None = None
    for meld in melds:
        if meld.kind is SET:
            continue
        for card in hand:
            if SUIT[card] != meld.suit:
                continue
            end = LOW if RANK[card] < meld.rank else HIGH
            gap = meld.rank - RANK[card] - 1 if end is LOW else RANK[card] - meld.high - 1
            if (
                1 <= gap <= jokers
                and _takes_jokers(meld, gap, end, rules)
                and (best is None or (gap, -card) < best[:2])
            ):
                best = (gap, -card, meld.id, end)
    return None if best is None else best[2:]


def _takes_jokers(meld: Meld, number: int, end: End, rules: RuleSet) -> bool:
    """Say whether a run takes so many jokers at one end, one by one (R8.3)."""
    for _ in range(number):
        if refuse_lay_off(meld, JOKER, end, rules) is not None:
            return False
        meld = laid_off(meld, JOKER, end)
    return True


def _beyond(play: LayOff, meld: Meld) -> list[Card]:
    """Give the cards of a run's suit that lie beyond the one laid off, the next first."""
    if play.end is None:
        return []
    if play.end is LOW:
        return [card_of(rank, meld.suit) for rank in range(meld.rank - 2, LOWEST_RANK - 1, -1)]
    return [card_of(rank, meld.suit) for rank in range(meld.high + 2, ACE + 1)]


def _opens(play: LayOff, hand: Sequence[Card], melds: Sequence[Meld]) -> tuple[int, bool, int]:
    """Rate a lay-off of a natural card: by the cards in hand that can follow; then sets, which open nothing."""
    following = 0
    for card in _beyond(play, melds[play.meld]):
        if card not in hand:
            break
        following += 1
    return following, play.end is None, -play.card


def _shelter(play: LayOff, melds: Sequence[Meld]) -> tuple[bool, int]:
    """Rate a lay-off of a joker: best where only one card can fetch it, and where it opens least to the others."""
    return play.end is not None, -len(_beyond(play, melds[play.meld]))
