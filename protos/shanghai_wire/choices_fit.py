"""Whether what a seat is asked fits what it sees: the cards that it may play are its own, the melds are on the table.

A server of ours says nothing else. Whoever shows a view, or works out a hint for it, need not ask again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from shanghai_engine.card import Card
from shanghai_engine.decision import Decision, DecisionKind
from shanghai_engine.history import HandDealt
from shanghai_engine.view import PublicView, View
from shanghai_wire.bad_message import BadMessage


def check_hands(game: PublicView) -> None:
    """Raise `BadMessage` where a deal is not one of a hand of the game's rules, by one of its seats."""
    hands, seats = len(game.rules.contracts), len(game.seats)
    numbers = [("game.hand", game.hand)]
    for place, event in enumerate(game.events):
        if isinstance(event, HandDealt):
            numbers.append((f"game.events[{place}].hand", event.hand))
            if not 0 <= event.dealer < seats:
                raise BadMessage(f"game.events[{place}].dealer", event.dealer, f"it is one of {seats} seats, from 0")
    for field, number in numbers:
        if not 1 <= number <= hands:
            raise BadMessage(field, number, f"it is one of {hands} hands, from 1")


def check_choices(decision: Decision, view: View | None) -> None:
    """Raise `BadMessage` where a decision offers a choice that a seat with this view cannot have, or none at all."""
    if view is None or view.own is None:
        raise BadMessage("decision", decision.kind.value, "it is asked of a seat in a game")
    if decision.kind is DecisionKind.OFFER:
        order = len(decision.claim_order)
        if not 0 <= decision.place < order:
            raise BadMessage("decision.offer.place", decision.place, f"it is one of {order} places, from 0")
        if not decision.claims:
            raise BadMessage("decision.offer.claims", (), "an offer has a choice")
        return
    if decision.lay_down is None and not (decision.lay_offs or decision.swaps or decision.discards):
        raise BadMessage("decision.play", (), "a play has a choice")
    for field, cards in _played(decision):
        missing = Counter(cards) - Counter(view.own.hand)
        if missing:
            raise BadMessage(field, min(missing).text, "it is in the hand")
    _check_melds(decision, view.public)


def _played(decision: Decision) -> Iterator[tuple[str, Iterable[Card]]]:
    """Give the cards of each choice, which are to be in the hand together."""
    yield "decision.play.lay_down", [card for draft in decision.lay_down or () for card in draft.cards]
    yield from ((f"decision.play.lay_offs[{place}].card", [it.card]) for place, it in enumerate(decision.lay_offs))
    yield from ((f"decision.play.swaps[{place}].card", [it.card]) for place, it in enumerate(decision.swaps))
    yield from ((f"decision.play.discards[{place}]", [card]) for place, card in enumerate(decision.discards))


def _check_melds(decision: Decision, game: PublicView) -> None:
    """Raise `BadMessage` where a choice names a meld that is not on the table, or a place that holds no joker."""
    melds = game.melds
    named = [(f"lay_offs[{place}]", each.meld) for place, each in enumerate(decision.lay_offs)]
    named += [(f"swaps[{place}]", each.meld) for place, each in enumerate(decision.swaps)]
    for name, meld in named:
        if not 0 <= meld < len(melds):
            raise BadMessage(f"decision.play.{name}.meld", meld, f"it is one of {len(melds)} melds, from 0")
    for place, swap in enumerate(decision.swaps):
        swapped = melds[swap.meld]
        if not 0 <= swap.index < len(swapped.cards) or not swapped.joker_at(swap.index):
            raise BadMessage(f"decision.play.swaps[{place}].index", swap.index, "it is the place of a joker")
