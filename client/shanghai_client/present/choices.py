"""What is asked of the viewer, what is legal, and the shortest command for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later, plural
from shanghai_client.present.amounts import count, ordinal
from shanghai_client.present.cells import comma_list, wrap
from shanghai_client.present.melds import meld_text
from shanghai_client.present.people import People
from shanghai_client.present.tables import pause_text
from shanghai_client.scene import Scene
from shanghai_engine.action import Claim, LayOff, Swap
from shanghai_engine.card import Card, cards_text
from shanghai_engine.decision import Decision
from shanghai_engine.meld import MeldKind
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase
from shanghai_engine.view import PublicView

_CLAIMS = {Claim.TAKE: later("take (t)"), Claim.BUY: later("buy (b)"), Claim.PASS: later("pass (p)")}
_ANSWERED = {
    Claim.TAKE: later("You have answered the offer of {card} (take); it is not closed yet."),
    Claim.BUY: later("You have answered the offer of {card} (buy); it is not closed yet."),
    Claim.PASS: later("You have answered the offer of {card} (pass); it is not closed yet."),
}


def choice_lines(scene: Scene) -> list[str]:
    """Say what is asked and what one may do; who owes nothing learns what is waited for."""
    game = scene.game
    if game is None:
        return [_("The game has not begun.")]
    if scene.table.pause_reason:
        return [pause_text(scene.table.pause_reason, yours=scene.is_host())]
    if scene.offer is not None:
        return _offer_lines(scene, game, scene.offer)
    if scene.play is not None:
        return _play_lines(scene, game, scene.play)
    if scene.going_on:
        return wrap(_("Go on to the next hand: go (g).") + clock_text(scene), width=scene.width)
    return wrap(_waiting(scene, game), width=scene.width)


def last_card_text(scene: Scene) -> str:
    """Say before the discard of the last card whether it wins (R11.2, R16 `go_out_with_discard`); else empty."""
    game = scene.game
    if game is None or len(scene.hand) != 1 or scene.play is None or not scene.play.discards:
        return ""
    if game.rules.go_out_with_discard:
        return _("Your last card: its discard wins the hand (R16).")
    if not scene.down:
        return ""
    return _("Your last card: its discard does not win, you float without a card (R11.2).")


def stand_in_text(back: str) -> str:
    """Say that a stand-in plays for the viewer, and by which key or command he takes his seat again."""
    return _("A stand-in plays for you (R14.2): {back} takes your seat again.").format(back=back)


def waits_for_deal_text() -> str:
    """Say that the viewer has nothing to do with the hand that is played (R2.3)."""
    return _("You play from the next deal on; until then a bot plays your seat (R2.3).")


def clock_text(scene: Scene) -> str:
    """Give the time left, where a clock runs, as the end of a sentence."""
    clock = scene.clock
    if clock is None or clock.kind == table_pb2.CLOCK_KIND_UNSPECIFIED:
        return ""
    return _(" {seconds} left.").format(seconds=count((clock.left_ms + 999) // 1000, "second"))


def _waiting(scene: Scene, game: PublicView) -> str:
    people = People.of(scene)
    if game.places:
        return _("The game is over.")
    if scene.stood_in:
        return stand_in_text("back")
    if scene.waits and game.phase is not Phase.HAND_OVER:
        return waits_for_deal_text()
    own = scene.view.own if scene.view is not None else None
    if game.claim_order and own is not None and own.answer is not None:
        return _(_ANSWERED.get(own.answer, _ANSWERED[Claim.PASS])).format(card=game.upcard)
    if game.claim_order and own is not None:
        return _("{card} is offered, and you have no part in it.").format(card=game.upcard)
    if game.claim_order:
        return _("{card} is offered.").format(card=game.upcard)
    if len(game.results) == game.hand:
        return _("The next hand is dealt when everybody goes on.")
    return _("It is {whose} turn.").format(whose=people.whose(game.turn))


def _offer_lines(scene: Scene, game: PublicView, offer: Decision) -> list[str]:
    people = People.of(scene)
    card = game.upcard
    mine = offer.seat == game.turn
    if mine:
        first = _("Your turn. The upcard is {card}: take it as your draw, or pass and draw from the stock.").format(
            card=card
        )
    else:
        first = _("{card} is offered, on {whose} turn. You may buy it, {price}.").format(
            card=card, whose=people.whose(game.turn), price=_price(game, offer.seat)
        )
    lines = wrap(first + clock_text(scene), width=scene.width)
    if mine and Claim.BUY in offer.claims:
        text = _("You may also buy it, {price} (R7.9).").format(price=_price(game, offer.seat))
        lines += wrap(text, width=scene.width)
    lines += wrap(_order_text(offer, people), width=scene.width)
    if offer.passing_ends_hand:
        warning = _(
            "CAREFUL: the stock is empty. If you pass and nobody buys {card}, this hand ends, nobody wins it, and"
            " everybody scores the cards in hand (R13.1)."
        ).format(card=card)
        lines += wrap(warning, width=scene.width)
    claims = comma_list([_(_CLAIMS[claim]) for claim in offer.claims])
    return [*lines, *wrap(_("You may: {claims}.").format(claims=claims), width=scene.width)]


def _price(game: PublicView, seat: int) -> str:
    left = game.seats[seat].buys_left
    buys = _("buys without limit") if left == UNLIMITED else _("{buys} left").format(buys=count(left, "buy"))
    extra = game.rules.buy_extra_cards
    if not extra:
        return _("with nothing more; {buys}").format(buys=buys)
    text = plural("with {count} more card; {buys}", "with {count} more cards; {buys}", extra)
    return text.format(count=extra, buys=buys)


def _order_text(offer: Decision, people: People) -> str:
    """Give the claim order with one's own place in it (R7.11): whoever stands before comes before."""
    order = offer.claim_order
    if len(order) == 1:
        return _("Nobody else can claim it.")
    names = comma_list([_("YOU") if seat == offer.seat else people.names[seat] for seat in order])
    text = _("Claim order: {names}. You come {place} of {count}.")
    if gives_way(offer):
        text = _("Claim order: {names}. You come {place} of {count}: you are down, so every buyer comes first (R7.6).")
    return text.format(names=names, place=ordinal(offer.place), count=len(order))


def gives_way(offer: Decision) -> bool:
    """Say whether it is an offer on one's own turn in which buyers come first: so it is for who is down (R7.6)."""
    return Claim.TAKE in offer.claims and offer.place > 0


def _play_lines(scene: Scene, game: PublicView, play: Decision) -> list[str]:
    own = scene.view.own if scene.view is not None else None
    drawn = own.drawn if own is not None else None
    # What was drawn and is played already is no news on a later play of the turn.
    begun = _("Your turn goes on.")
    if drawn in scene.hand:
        begun = _("Your turn. You have drawn {card}.").format(card=drawn)
    lines = [f"{begun}{clock_text(scene)}"]
    if play.must_lay_down:
        lines += wrap(_("You have swapped a joker: lay down before you discard (R10.2)."), width=scene.width)
    if play.must_play:
        owed = _("Before you discard you must play the swapped {cards} (R16).")
        lines += wrap(owed.format(cards=cards_text(play.must_play)), width=scene.width)
    lines.append(_("You may:"))
    if play.lay_down is not None:
        lines += _lay_down_lines(scene, game, play)
    lines += _lay_off_lines(scene, game, play)
    lines += _swap_lines(scene, game, play)
    if play.discards:
        lines += wrap(_("  discard CARD (d CARD), which ends your turn"), width=scene.width, indent="      ")
        lines += wrap(last_card_text(scene), width=scene.width) if last_card_text(scene) else []
    return lines


def _lay_down_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    melds = play.lay_down or ()
    used = [card for draft in melds for card in draft.cards]
    left = sum(game.rules.card_points[card] for card in scene.hand) - sum(game.rules.card_points[card] for card in used)
    text = _("  lay (l)  lay down {melds}, which leaves {points}").format(
        melds=" / ".join(str(draft) for draft in melds), points=count(left, "point")
    )
    yield from wrap(text, width=scene.width, indent="           ")


def _lay_off_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    """Give a line for each card that can be laid off, with all its places."""
    for card, places in _by_card(play.lay_offs).items():
        if len(places) == 1:
            meld = meld_text(game.melds[places[0].meld])
            text = _("  off {card}  on meld {number} ({meld})").format(card=card, number=places[0].meld, meld=meld)
            yield from wrap(text, width=scene.width, indent="      ")
            continue
        named = [lay_off_command(game, each).removeprefix(f"off {card} ") for each in places]
        text = _("  off {card} and where: {places} (as in {command})").format(
            card=card, places=", ".join(named), command=lay_off_command(game, places[0])
        )
        yield from wrap(text, width=scene.width, indent="      ")


def _swap_lines(scene: Scene, game: PublicView, play: Decision) -> Iterator[str]:
    """Give a line for each card that can be swapped for a joker, with all its melds."""
    for card, places in _by_card(play.swaps).items():
        if len(places) == 1:
            meld = meld_text(game.melds[places[0].meld])
            text = _("  swap {card}  for the joker in meld {number} ({meld})").format(
                card=card, number=places[0].meld, meld=meld
            )
            yield from wrap(text, width=scene.width, indent="      ")
            continue
        melds = ", ".join(str(each.meld) for each in places)
        text = _("  swap {card} and which meld: {melds} (as in {command})").format(
            card=card, melds=melds, command=f"swap {card} {places[0].meld}"
        )
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
