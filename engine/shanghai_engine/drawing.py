"""A table drawn as text: what `str` of a game and of a view gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from shanghai_engine.card import Card, cards_text
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase

if TYPE_CHECKING:  # views are drawn here, and draw themselves by this module
    from shanghai_engine.view import PublicView, SeatView


def drawn(public: PublicView, hands: Mapping[int, Sequence[Card]]) -> str:
    """Draw what everybody sees, with some hands by seat; a `>` marks the seat on turn."""
    return "\n".join([*_heading(public), *_melds(public), *_seats(public, hands)])


def _heading(public: PublicView) -> Iterator[str]:
    names = [seat.name for seat in public.seats]
    if not public.hand:
        yield f"Before hand 1 of {public.rules.hands}: {public.contract}. Nothing is dealt yet."
        return
    yield f"Hand {public.hand} of {public.rules.hands}: {public.contract}. {names[public.dealer]} dealt."
    if public.phase is Phase.OFFER:
        waiting = ", ".join(names[seat] for seat in public.claim_order)
        offered = f"{public.upcard} is offered to {waiting}" if waiting else "the offer is closed"
        yield f"Turn {public.turn_number}, {names[public.turn]}: {offered}."
    elif public.phase is Phase.PLAY:
        yield f"Turn {public.turn_number}, {names[public.turn]} plays."
    elif public.phase is Phase.GAME_OVER:
        winners = " and ".join(name for name, place in zip(names, public.places, strict=True) if place == 1)
        yield f"The game is over: {winners} won."
    else:
        yield "The hand is over."
    top = f", {public.dead[-1]} on top" if public.dead else ""
    yield f"Stock {public.stock}, dead cards {len(public.dead)}{top}."


def _melds(public: PublicView) -> Iterator[str]:
    if public.melds:
        yield ""
    for meld in public.melds:
        yield f"  {meld.id:>2} {meld.kind.value}  {meld}  ({public.seats[meld.owner].name})"


def _seats(public: PublicView, hands: Mapping[int, Sequence[Card]]) -> Iterator[str]:
    width = max(len(seat.name) for seat in public.seats)
    yield ""
    yield f"  {'':<{width}}  total  buys  cards"
    for number, seat in enumerate(public.seats):
        on_turn = number == public.turn and public.phase in {Phase.OFFER, Phase.PLAY}
        buys = "any" if seat.buys_left == UNLIMITED else seat.buys_left
        hand = f"  {cards_text(sorted(hands[number]))}" if hands.get(number) else ""
        line = f"{'>' if on_turn else ' '} {seat.name:<{width}}  {seat.total:>5}  {buys:>4}  {seat.cards:>5}"
        yield f"{line}{_standing(seat)}{hand}".rstrip()


def _standing(seat: SeatView) -> str:
    if seat.floats:
        return "  floats"
    return "  down" if seat.down else ""
