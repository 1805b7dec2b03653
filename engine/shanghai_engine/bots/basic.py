"""The basic player: collects for the contract, buys what brings it nearer, and plays off all that fits."""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import lru_cache

from shanghai_engine.action import BUY, PASS, TAKE, Action, Answer, Claim, Discard, LayDown
from shanghai_engine.bots.away import away_of
from shanghai_engine.bots.outlook import Outlook
from shanghai_engine.bots.playing_off import next_play
from shanghai_engine.bots.seen import open_cards, playable, wanted
from shanghai_engine.bots.tally import gone, tally_of_hand
from shanghai_engine.card import JOKER, Card
from shanghai_engine.decision import Decision, DecisionKind
from shanghai_engine.view import OwnView, PublicView, View

TAKE_GAIN = 0.35
"""The gain, in cards, from which an upcard is better than the unknown card of the stock."""
DENIAL = 0.1
"""How much less the gain may be for everybody else who visibly collects such cards: taking it denies it (R7.5)."""
BUY_GAIN = 0.30
"""The gain from which an upcard is bought while the hand has just the cards that the contract needs."""
BUY_GAIN_PER_SPARE = 0.07
"""How much more it must gain for every card that the hand has beyond that: the extra cards only cost points."""
HASTE = 0.1
"""How much more while somebody is down, and the hand may end before the next turn."""
POINT = 0.008
"""What a point in hand is worth, in cards, while there is time."""
LATE_POINT = 0.04
"""The same while somebody is down and the contract is far."""
FAR = 3
"""The distance from which a contract is not to be reached before the end, once somebody is down."""
GIFT = 0.5
"""What it costs, in cards, to discard a card that the next player can play at once; four times that if he floats."""
WANTED = 0.12
"""What it costs to discard a card that somebody visibly collects."""


def decide(view: View, decision: Decision, rng: random.Random) -> Action:
    """Give the choice of a seat: a lawful one, the same for the same view, decision and state of `rng`."""
    own = view.own
    if own is None:
        raise ValueError(f"seat {decision.seat} cannot decide on a spectator's view: give the view of that seat")
    if decision.kind is DecisionKind.OFFER:
        return Answer(decision.seat, _claim(view.public, own, decision))
    return _play(view.public, own, decision, rng)


_outlook_of = lru_cache(maxsize=1 << 6)(Outlook)
"""What a seat sees in its hand is remembered: it is asked again before its hand changes."""


def _outlook(public: PublicView, own: OwnView) -> Outlook:
    marks = 0
    if public.contract.runs:
        marks = gone(open_cards(public) + tally_of_hand(own.hand), public.rules.packs_for(len(public.seats)))
    return _outlook_of(own.hand, public.contract, marks)


def _claim(public: PublicView, own: OwnView, decision: Decision) -> Claim:
    card = public.upcard
    if card is None:
        return PASS
    if public.seats[own.seat].down:
        wants = card in playable(public)
    elif _wants(public, own, card, buys=TAKE not in decision.claims):
        # With two players a hand short of the contract grows only by the buys of the player on turn (R7.9).
        short = BUY in decision.claims and _spare(public, own) < 0
        return BUY if short or TAKE not in decision.claims else TAKE
    else:
        wants = False
    if TAKE not in decision.claims:
        return PASS
    if not wants and decision.passing_ends_hand:
        # R13.1: by taking one plays on, and a card that is cheaper than the one discarded for it loses nothing.
        points = public.rules.card_points
        wants = points[card] < max((points[held] for held in own.hand if held != JOKER), default=0)
    return TAKE if wants else PASS


def _spare(public: PublicView, own: OwnView) -> int:
    """Give how many cards the hand will have beyond the contract after the next draw; below 0 it is too small."""
    return len(own.hand) + 1 - public.contract.size


def _wants(public: PublicView, own: OwnView, card: Card, *, buys: bool) -> bool:
    """Say whether a seat that is not down should have the upcard, as its draw or as a buy with its extra cards."""
    gain = _outlook(public, own).gain(card)
    if _is_worth(public, own, card, gain, buys=buys):
        return True
    return away_of(public, own).completed_by(own.hand, card)


def _is_worth(public: PublicView, own: OwnView, card: Card, gain: float, *, buys: bool) -> bool:
    """Say whether what the outlook gains is enough."""
    if not buys:
        short = TAKE_GAIN - gain
        if not 0 < short <= DENIAL * len(public.seats):
            return short <= 0
        return DENIAL * sum(fitting >> card & 1 for fitting in wanted(public, own.seat)) >= short
    hurry = any(seat.down for seat in public.seats)
    if gain < BUY_GAIN + BUY_GAIN_PER_SPARE * _spare(public, own) + HASTE * hurry:
        return False
    return not (hurry and away_of(public, own).beyond(own.hand, FAR - 1))


def _play(public: PublicView, own: OwnView, decision: Decision, rng: random.Random) -> Action:
    if decision.lay_down is not None:
        return LayDown(decision.seat, decision.lay_down)
    play = None
    if public.seats[own.seat].down:
        play = next_play(decision, own.hand, public.melds, public.rules)
    elif decision.swaps:
        # Listed for a seat that is not down only where it can then lay down (R10.2).
        play = max(decision.swaps, key=lambda swap: public.rules.card_points[swap.card])
    return play or Discard(decision.seat, _discard(public, own, decision, rng))


def _discard(public: PublicView, own: OwnView, decision: Decision, rng: random.Random) -> Card:
    """Choose the card that is worth least to this hand, then the one of most points; a joker only if all are."""
    choices = [card for card in decision.discards if card != JOKER] or list(decision.discards)
    points = public.rules.card_points
    if public.seats[own.seat].down:
        most = max(points[card] for card in choices)
        dearest = [card for card in choices if points[card] == most]
        return dearest[0] if len(dearest) == 1 else rng.choice(dearest)
    outlook = _outlook(public, own)
    contract, away = public.contract, away_of(public, own)
    if not decision.can_lay_down:
        away.cannot_lay_down(own.hand)
    late = any(seat.down for seat in public.seats) and away.beyond(own.hand, FAR - 1)
    point = LATE_POINT if late else POINT
    others, gift, gifts = wanted(public, own.seat), *_gifts(public, own.seat)
    worth = []
    for card, loss in zip(choices, outlook.losses(choices), strict=True):
        worth_of_card = loss - point * points[card]
        for fitting in others:
            if fitting >> card & 1:
                worth_of_card += WANTED
        if card in gifts:
            worth_of_card += gift
        # Where only the last bits differ, the card decides: they are not the same everywhere.
        worth.append((round(worth_of_card, 9), card))
    worth.sort()
    if late or not contract.sets or not contract.runs:
        return worth[0][1]
    # The outlook counts a card twice that a set and a run both want: the solver has the last word.
    return next((card for _, card in worth if away.as_near_without(own.hand, card)), worth[0][1])


def _gifts(public: PublicView, seat: int) -> tuple[float, Collection[Card]]:
    """Give the cards that the next player could play at once, and what it costs to give him one."""
    following = public.seats[(seat + 1) % len(public.seats)]
    if not following.down:
        return 0.0, ()
    return GIFT * (4 if following.floats else 1), playable(public)
