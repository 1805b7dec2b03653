"""The keys while nothing is begun: at the table, between two hands, and before the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shanghai_client.language import _, later
from shanghai_client.screen import building, choosing
from shanghai_client.screen.keyboard import use
from shanghai_client.screen.keyboard.key import Key, never, running
from shanghai_client.screen.keyboard.place import AT_REST, CARDS, TABLE, Place, resting_place
from shanghai_client.screen.model import Confirming, Model, Wish
from shanghai_client.screen.ordering import Order, Sort, moved
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.stepping import Run, Step, at, done, stay
from shanghai_engine.action import Claim

_PAGE_OF_MELDS = 3
"""Rows of melds of a page: the smallest table shows so many."""
_PAGE_OF_LINES = 10
"""Lines of the score sheet of a page."""


def _begin(wish: Wish) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return choosing.begin(model, wish)

    return do


def _move(by: int) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return choosing.move(model, by)

    return do


def _carry(by: int) -> Callable[[Model], Step]:
    """Move the card itself: from then on the order is the player's own."""

    def do(model: Model) -> Step:
        hand = model.hand
        if not hand:
            return stay(model)
        own = moved(hand, model.cursor, by)
        return Step(replace(model, order=Order(Sort.OWN, own), cursor=at(hand, model.cursor + by), note=""))

    return do


def _sort(model: Model) -> Step:
    card = model.under_cursor
    order = model.order
    if order.sort is not Sort.OWN and order.sort.following is Sort.OWN and not order.own:
        order = replace(order, own=model.hand)
    sorted_so = replace(model, order=replace(order, sort=order.sort.following), note="")
    hand = sorted_so.hand
    return Step(replace(sorted_so, cursor=hand.index(card) if card in hand else 0))


def _unless(model: Model) -> Step:
    if model.game is None or model.scene is None or model.scene.seat is None:
        return stay(model)
    unless = model.unless.following
    return stay(replace(model, unless=unless), _(_SAID[unless]))


_SAID = {
    Unless.ASKED: later("every offer is asked again"),
    Unless.HELPS: later("offers of this hand are passed from the next one on, unless the card helps"),
    Unless.JOKER: later("offers of this hand are passed from the next one on, unless it is a joker"),
}
"""What is said of each way to pass."""


def _rematch(model: Model) -> Step:
    """Ask first: the host's word is enough, and the last sheet and chart leave everybody's screen with it."""
    if model.scene is None or model.scene.seat is None:
        # It is not asked of him who cannot do it: the command says why.
        return done(model, Run("rematch"))
    question = _("Play another game? This one's sheet leaves all screens; F2 shows it again.")
    return Step(replace(model, mode=Confirming(question, "rematch"), note=""))


def _scroll(by: int) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return Step(replace(model, meld_scroll=max(0, model.meld_scroll + by)))

    return do


def _page(direction: int) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        page = _PAGE_OF_MELDS if resting_place(model) is Place.TABLE else _PAGE_OF_LINES
        return _scroll(direction * page)(model)

    return do


def _lay_down(model: Model) -> Step:
    """Lay down what is staged where it fulfils the contract, else the best melds; the command says what is missing."""
    return building.lay_down(model) if building.is_ready(model) else done(model, Run("lay"))


TABLE_KEYS: tuple[Key, ...] = (
    Key(
        names=("t",),
        places=TABLE,
        word=later("take"),
        help=later("take the upcard as your draw"),
        do=running("take"),
        named=use.may(Claim.TAKE),
    ),
    Key(
        names=("b",),
        places=TABLE,
        word=later("buy"),
        help=later("claim to buy the upcard, with its extra cards from the stock"),
        do=running("buy"),
        named=use.may(Claim.BUY),
    ),
    Key(
        names=("p",),
        places=TABLE,
        word=later("pass"),
        help=later("do not claim the upcard; on your own turn, draw from the stock"),
        do=running("pass"),
        named=use.may(Claim.PASS),
    ),
    Key(
        names=("l",),
        places=TABLE,
        word=later("lay down"),
        help=later("lay down at once: the melds that you have built where they are ready, else the best"),
        do=_lay_down,
        named=use.lays_down,
    ),
    Key(
        names=("m",),
        places=TABLE,
        word=later("build melds"),
        help=later("build the melds yourself, also while others play"),
        do=building.begin,
        named=use.builds,
    ),
    Key(
        names=("o",),
        places=TABLE,
        word=later("lay off"),
        help=later("lay off a card on a meld: choose the card, then the place where there are several"),
        do=_begin(Wish.LAY_OFF),
        named=use.has_places(Wish.LAY_OFF),
    ),
    Key(
        names=("s",),
        places=TABLE,
        word=later("swap"),
        help=later("put a card in a joker's place, and take the joker"),
        do=_begin(Wish.SWAP),
        named=use.has_places(Wish.SWAP),
    ),
    Key(
        names=("d",),
        places=TABLE,
        word=later("discard"),
        help=later("discard a card, which ends your turn"),
        do=_begin(Wish.DISCARD),
        named=use.discards,
    ),
    Key(
        names=("g", "enter"),
        places=frozenset({Place.BETWEEN}),
        word=later("go on"),
        help=later("go on to the next hand"),
        do=running("go"),
        named=use.goes_on,
    ),
    Key(
        names=("r",),
        places=frozenset({Place.BETWEEN}),
        word=later("rematch"),
        help=later("after the game: play another with the same people"),
        do=_rematch,
        named=use.plays_again,
    ),
    Key(
        names=("s",),
        places=frozenset({Place.LOBBY}),
        word=later("start"),
        help=later("start the game, as the host; bots take the free seats"),
        do=running("start"),
        named=use.hosts,
    ),
    Key(
        names=("b",),
        places=frozenset({Place.LOBBY}),
        word=later("add a bot"),
        help=later("seat a bot on a free seat, as the host"),
        do=running("bots 1"),
        named=use.seats_bots,
    ),
    Key(
        names=("k",),
        places=AT_REST,
        word=later("come back"),
        help=later("take your seat back from a stand-in"),
        do=running("back"),
        named=use.stood_in,
    ),
    Key(
        names=("u",),
        places=TABLE,
        word=later("resume"),
        help=later("let the paused game go on"),
        do=running("resume"),
        named=use.paused,
    ),
    Key(
        names=("A",),
        places=TABLE,
        word=later("auto-pass"),
        help=later(
            "pass the offers of this hand by itself: unless the card helps, unless it is a joker, or not at all"
        ),
        do=_unless,
        named=use.may(Claim.PASS),
    ),
    Key(
        names=("tab",),
        places=TABLE,
        word=later("sort"),
        help=later("sort your hand by use, by rank, by suit, or in your own order"),
        do=_sort,
        named=lambda model: bool(model.hand),
    ),
    Key(
        names=("left",),
        places=CARDS,
        word=later("left"),
        help=later("move to the card at the left"),
        do=_move(-1),
        named=never,
    ),
    Key(
        names=("right",),
        places=CARDS,
        word=later("right"),
        help=later("move to the card at the right"),
        do=_move(1),
        named=never,
    ),
    Key(
        names=("<", "s-left"),
        places=TABLE,
        word=later("carry left"),
        help=later("carry the card under the cursor to the left: your own order, which stays"),
        do=_carry(-1),
        named=never,
    ),
    Key(
        names=(">", "s-right"),
        places=TABLE,
        word=later("carry right"),
        help=later("carry the card under the cursor to the right"),
        do=_carry(1),
        named=never,
    ),
    Key(
        names=("up",),
        places=AT_REST,
        word=later("melds up"),
        help=later("show earlier melds, or lines of the score sheet"),
        do=_scroll(-1),
        named=never,
    ),
    Key(
        names=("down",),
        places=AT_REST,
        word=later("melds down"),
        help=later("show later melds, or lines of the score sheet"),
        do=_scroll(1),
        named=never,
    ),
    Key(
        names=("pageup",),
        places=AT_REST,
        word=later("page up"),
        help=later("scroll a page up"),
        do=_page(-1),
        named=never,
    ),
    Key(
        names=("pagedown",),
        places=AT_REST,
        word=later("page down"),
        help=later("scroll a page down"),
        do=_page(1),
        named=never,
    ),
)
"""In the order in which the key line and the help name them."""
