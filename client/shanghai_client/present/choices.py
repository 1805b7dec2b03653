"""What is asked of the viewer, what is legal, and the shortest command for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from shanghai.v1 import table_pb2
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import wrap
from shanghai_client.present.melds import meld_text
from shanghai_client.present.people import People
from shanghai_client.present.tables import pause_text
from shanghai_client.scene import Scene
from shanghai_engine.action import Claim, LayOff, Swap
from shanghai_engine.card import Card, cards_text
from shanghai_engine.decision import Decision
from shanghai_engine.meld import MeldKind
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.view import PublicView

_PLACES = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th")
_CLAIMS = {Claim.TAKE: "take (t)", Claim.BUY: "buy (b)", Claim.PASS: "pass (p)"}


def choice_lines(scene: Scene) -> list[str]:
    """Say what is asked and what one may do; who owes nothing learns what is waited for."""
    game = scene.game
    if game is None:
        return ["The game has not begun."]
    if scene.table.pause_reason:
        return [pause_text(scene.table.pause_reason)]
    if scene.offer is not None:
        return _offer_lines(scene, game, scene.offer)
    if scene.play is not None:
        return _play_lines(scene, game, scene.play)
    if scene.going_on:
        return wrap(f"Go on to the next hand: go (g).{clock_text(scene)}", width=scene.width)
    return wrap(_waiting(scene, game), width=scene.width)


def clock_text(scene: Scene) -> str:
    """Give the time left, where a clock runs, as the end of a sentence."""
    clock = scene.clock
    if clock is None or clock.kind == table_pb2.CLOCK_KIND_UNSPECIFIED:
        return ""
    return f" {count((clock.left_ms + 999) // 1000, 'second')} left."


def _waiting(scene: Scene, game: PublicView) -> str:
    people = People.of(scene)
    if game.places:
        return "The game is over."
    if scene.stood_in:
        return "A stand-in plays for you (R14.2): back takes your seat again."
    own = scene.view.own if scene.view is not None else None
    if game.claim_order and own is not None and own.answer is not None:
        return f"You have answered the offer of {game.upcard} ({own.answer.value}); it is not closed yet."
    if game.claim_order:
        return f"{game.upcard} is offered" + (", and you have no part in it." if own is not None else ".")
    if len(game.results) == game.hand:
        return "The next hand is dealt when everybody goes on."
    return f"It is {people.whose(game.turn)} turn." if game.turn != scene.seat else "It is your turn."


def _offer_lines(scene: Scene, game: PublicView, offer: Decision) -> list[str]:
    people = People.of(scene)
    card = game.upcard
    mine = offer.seat == game.turn
    if mine:
        first = f"Your turn. The upcard is {card}: take it as your draw, or pass and draw from the stock."
    else:
        first = f"{card} is offered, on {people.whose(game.turn)} turn. You may buy it, {_price(game, offer.seat)}."
    lines = wrap(first + clock_text(scene), width=scene.width)
    if mine and Claim.BUY in offer.claims:
        lines += wrap(f"You may also buy it, {_price(game, offer.seat)} (R7.9).", width=scene.width)
    lines += wrap(_order_text(offer, people), width=scene.width)
    if offer.passing_ends_hand:
        warning = (
            f"CAREFUL: the stock is empty. If you pass and nobody buys {card}, this hand ends, nobody wins it, and"
            " everybody scores the cards in hand (R13.1)."
        )
        lines += wrap(warning, width=scene.width)
    return [*lines, *wrap(f"You may: {', '.join(_CLAIMS[claim] for claim in offer.claims)}.", width=scene.width)]


def _price(game: PublicView, seat: int) -> str:
    left = game.seats[seat].buys_left
    buys = "buys without limit" if left == UNLIMITED else f"{count(left, 'buy')} left"
    extra = game.rules.buy_extra_cards
    return f"with {extra} more {'card' if extra == 1 else 'cards'}; {buys}" if extra else f"with nothing more; {buys}"


def _order_text(offer: Decision, people: People) -> str:
    """Give the claim order with one's own place in it (R7.11): whoever stands before comes before."""
    order = offer.claim_order
    if len(order) == 1:
        return "Nobody else can claim it."
    names = ", ".join("YOU" if seat == offer.seat else people.names[seat] for seat in order)
    return f"Claim order: {names}. You come {_PLACES[offer.place]} of {len(order)}."


def _play_lines(scene: Scene, game: PublicView, play: Decision) -> list[str]:
    own = scene.view.own if scene.view is not None else None
    drawn = own.drawn if own is not None else None
    # What was drawn and is played already is no news on a later play of the turn.
    begun = f"Your turn. You have drawn {drawn}." if drawn in scene.hand else "Your turn goes on."
    lines = [f"{begun}{clock_text(scene)}"]
    if play.must_lay_down:
        lines += wrap("You have swapped a joker: lay down before you discard (R10.2).", width=scene.width)
    if play.must_play:
        owed = f"Before you discard you must play the swapped {cards_text(play.must_play)} (R16)."
        lines += wrap(owed, width=scene.width)
    lines.append("You may:")
    if play.lay_down is not None:
        lines += _lay_down_lines(scene, game, play)
    lines += _lay_off_lines(scene, game, play)
    lines += _swap_lines(scene, game, play)
    if play.discards:
        lines += wrap("  discard CARD (d CARD), which ends your turn", width=scene.width, indent="      ")
    return lines


def _lay_down_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    melds = play.lay_down or ()
    used = [card for draft in melds for card in draft.cards]
    left = sum(game.rules.card_points[card] for card in scene.hand) - sum(game.rules.card_points[card] for card in used)
    text = f"  lay (l)  lay down {' / '.join(str(draft) for draft in melds)}, which leaves {count(left, 'point')}"
    yield from wrap(text, width=scene.width, indent="           ")


def _lay_off_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    """Give a line for each card that can be laid off, with all its places."""
    for card, places in _by_card(play.lay_offs).items():
        if len(places) == 1:
            text = f"  off {card}  on meld {places[0].meld} ({meld_text(game.melds[places[0].meld])})"
            yield from wrap(text, width=scene.width, indent="      ")
            continue
        named = [lay_off_command(game, each).removeprefix(f"off {card} ") for each in places]
        text = f"  off {card} and where: {', '.join(named)} (as in {lay_off_command(game, places[0])})"
        yield from wrap(text, width=scene.width, indent="      ")


def _swap_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    """Give a line for each card that can be swapped for a joker, with all its melds."""
    for card, places in _by_card(play.swaps).items():
        if len(places) == 1:
            text = f"  swap {card}  for the joker in meld {places[0].meld} ({meld_text(game.melds[places[0].meld])})"
            yield from wrap(text, width=scene.width, indent="      ")
            continue
        melds = ", ".join(str(each.meld) for each in places)
        text = f"  swap {card} and which meld: {melds} (as in swap {card} {places[0].meld})"
        yield from wrap(text, width=scene.width, indent="      ")


Placed = TypeVar("Placed", LayOff, Swap)


def _by_card(moves: Sequence[Placed]) -> dict[Card, list[Placed]]:
    by_card: dict[Card, list[Placed]] = {}
    for move in moves:
        by_card.setdefault(move.card, []).append(move)
    return by_card


def lay_off_command(game: PublicView, lay_off: LayOff) -> str:
    """Give the command that names a place, as in `off 5H 2` and `off JK 1 low`."""
    end = f" {lay_off.end.value}" if lay_off.end is not None and game.melds[lay_off.meld].kind is MeldKind.RUN else ""
    both = lay_off.card.suit is None or not end
    return f"off {lay_off.card} {lay_off.meld}{end if both else ''}"
