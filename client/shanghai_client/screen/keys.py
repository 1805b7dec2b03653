"""Every key in one table: where it works, what it does, and what the key line and the help say of it."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from shanghai_client.commands.command import Leaving
from shanghai_client.language import _, later
from shanghai_client.screen import adjusting, building, choosing, looking
from shanghai_client.screen.choosing import LETTERS, letters_of, place_letters
from shanghai_client.screen.model import Building, Choosing, Confirming, Looking, Model, Overlay, Placing, Wish
from shanghai_client.screen.ordering import Order, Sort, moved
from shanghai_client.screen.stepping import Act, Go, Open, Run, Step, at, done, over, stay
from shanghai_engine.action import Claim
from shanghai_engine.meld import End
from shanghai_engine.state import Phase


class Place(Enum):
    """Where a key is pressed: what is on the screen decides what it means."""

    SMALL = "a terminal that is too small"
    OVERLAY = "text over the table"
    SETTINGS = "the settings"
    CONFIRM = "a question"
    PLACE = "choosing a place"
    CHOOSE = "choosing a card"
    BUILD = "building melds"
    TABLE = "the table"
    BETWEEN = "between two hands"
    LOBBY = "before the game"


def place_of(model: Model) -> Place:
    """Give where a key would be pressed now."""
    if not model.fits:
        return Place.SMALL
    if model.overlay is not None:
        return Place.OVERLAY if model.overlay.cursor is None else Place.SETTINGS
    match model.mode:
        case Confirming():
            return Place.CONFIRM
        case Placing():
            return Place.PLACE
        case Choosing():
            return Place.CHOOSE
        case Building():
            return Place.BUILD
    return resting_place(model)


def resting_place(model: Model) -> Place:
    """Give where the player is when nothing is begun and nothing lies over it."""
    game = model.game
    if game is None:
        return Place.LOBBY
    return Place.BETWEEN if game.phase in {Phase.HAND_OVER, Phase.GAME_OVER} else Place.TABLE


def always(_model: Model) -> bool:
    """Say that a key is of use whatever is shown."""
    return True


def never(_model: Model) -> bool:
    """Say that a key need not be named in the key line: it is in the help."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key: its names, where it works, a word for the key line, a sentence for the help, and what it does.

    `named` says when the key line shows it: when it is of use.
    """

    names: tuple[str, ...]
    places: frozenset[Place]
    word: str
    help: str
    do: Callable[[Model], Step]
    named: Callable[[Model], bool] = always


# When keys are of use


def _may(claim: Claim) -> Callable[[Model], bool]:
    def named(model: Model) -> bool:
        offer = None if model.scene is None else model.scene.offer
        return offer is not None and claim in offer.claims

    return named


def _plays(model: Model) -> bool:
    return model.scene is not None and model.scene.play is not None


def _lays_down(model: Model) -> bool:
    return _plays(model) and model.scene is not None and model.scene.play is not None and model.scene.play.can_lay_down


def _builds(model: Model) -> bool:
    return model.scene is not None and model.scene.seat is not None and not model.scene.down


def _has_places(wish: Wish) -> Callable[[Model], bool]:
    def named(model: Model) -> bool:
        return bool(choosing.places_for(model, wish))

    return named


def _discards(model: Model) -> bool:
    return model.scene is not None and model.scene.play is not None and bool(model.scene.play.discards)


def _goes_on(model: Model) -> bool:
    return model.scene is not None and model.scene.going_on


def _is_over(model: Model) -> bool:
    return model.game is not None and model.game.phase is Phase.GAME_OVER


def _hosts(model: Model) -> bool:
    return model.scene is not None and model.scene.is_host()


def _stood_in(model: Model) -> bool:
    return model.scene is not None and model.scene.stood_in


def _paused(model: Model) -> bool:
    return model.scene is not None and bool(model.scene.table.pause_reason)


# What keys do


def _run(line: str) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return done(model, Run(line))

    return do


def _open(text: str) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return Step(model, Open(text))

    return do


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
    return Step(replace(model, unless=model.unless.following, note=""))


def _scroll_melds(by: int) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return Step(replace(model, meld_scroll=max(0, model.meld_scroll + by)))

    return do


def _scroll(by: int) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        overlay = model.overlay
        if overlay is None:
            return Step(model)
        return Step(replace(model, overlay=replace(overlay, scroll=max(0, overlay.scroll + by))))

    return do


def _close(model: Model) -> Step:
    return Step(replace(model, overlay=None))


def _back(model: Model) -> Step:
    return Step(replace(model, mode=Looking(), note=""))


def _over(make: Callable[[Model], Overlay]) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return over(model, make(model))

    return do


def _yes(model: Model) -> Step:
    mode = model.mode
    if not isinstance(mode, Confirming):
        return Step(model)
    return done(model, Go(mode.what) if isinstance(mode.what, Leaving) else Act(mode.what))


def _quit(model: Model) -> Step:
    if model.scene is None or model.scene.seat is None or _is_over(model):
        return done(model, Go(Leaving.QUIT))
    return Step(replace(model, mode=Confirming(_("End this program? Your seat is kept."), Leaving.QUIT), note=""))


def _lay_down(model: Model) -> Step:
    """Lay down what is staged where it fulfils the contract, else the best melds; the command says what is missing."""
    return building.lay_down(model) if building.is_ready(model) else done(model, Run("lay"))


_TABLE = frozenset({Place.TABLE})
_AT_REST = frozenset({Place.TABLE, Place.BETWEEN, Place.LOBBY})
_CARDS = frozenset({Place.TABLE, Place.CHOOSE, Place.BUILD})
_EVERYWHERE = frozenset(Place) - {Place.SMALL}
_NOT_SMALL = _EVERYWHERE - {Place.CONFIRM}
PAGE = 10
KEYS: tuple[Key, ...] = (
    Key(
        names=("t",),
        places=_TABLE,
        word=later("take"),
        help=later("take the upcard as your draw"),
        do=_run("take"),
        named=_may(Claim.TAKE),
    ),
    Key(
        names=("b",),
        places=_TABLE,
        word=later("buy"),
        help=later("claim to buy the upcard, with its extra cards from the stock"),
        do=_run("buy"),
        named=_may(Claim.BUY),
    ),
    Key(
        names=("p",),
        places=_TABLE,
        word=later("pass"),
        help=later("do not claim the upcard; on your own turn, draw from the stock"),
        do=_run("pass"),
        named=_may(Claim.PASS),
    ),
    Key(
        names=("l",),
        places=_TABLE,
        word=later("lay down"),
        help=later("lay down at once: the melds that you have built where they are ready, else the best"),
        do=_lay_down,
        named=_lays_down,
    ),
    Key(
        names=("m",),
        places=_TABLE,
        word=later("build melds"),
        help=later("build the melds yourself, also while others play"),
        do=building.begin,
        named=_builds,
    ),
    Key(
        names=("o",),
        places=_TABLE,
        word=later("lay off"),
        help=later("lay off a card on a meld: choose the card, then the place where there are several"),
        do=_begin(Wish.LAY_OFF),
        named=_has_places(Wish.LAY_OFF),
    ),
    Key(
        names=("s",),
        places=_TABLE,
        word=later("swap"),
        help=later("put a card in a joker's place, and take the joker"),
        do=_begin(Wish.SWAP),
        named=_has_places(Wish.SWAP),
    ),
    Key(
        names=("d",),
        places=_TABLE,
        word=later("discard"),
        help=later("discard a card, which ends your turn"),
        do=_begin(Wish.DISCARD),
        named=_discards,
    ),
    Key(
        names=("g", "enter"),
        places=frozenset({Place.BETWEEN}),
        word=later("go on"),
        help=later("go on to the next hand"),
        do=_run("go"),
        named=_goes_on,
    ),
    Key(
        names=("r",),
        places=frozenset({Place.BETWEEN}),
        word=later("rematch"),
        help=later("after the game: play another with the same people"),
        do=_run("rematch"),
        named=_is_over,
    ),
    Key(
        names=("s",),
        places=frozenset({Place.LOBBY}),
        word=later("start"),
        help=later("start the game, as the host; bots take the free seats"),
        do=_run("start"),
        named=_hosts,
    ),
    Key(
        names=("b",),
        places=frozenset({Place.LOBBY}),
        word=later("add a bot"),
        help=later("seat a bot on a free seat, as the host"),
        do=_run("bots 1"),
        named=_hosts,
    ),
    Key(
        names=("k",),
        places=_AT_REST,
        word=later("come back"),
        help=later("take your seat back from a stand-in"),
        do=_run("back"),
        named=_stood_in,
    ),
    Key(
        names=("u",),
        places=_TABLE,
        word=later("resume"),
        help=later("let the paused game go on"),
        do=_run("resume"),
        named=_paused,
    ),
    Key(
        names=("a",),
        places=_TABLE,
        word=later("auto-pass"),
        help=later(
            "pass the offers of this hand by itself: unless the card helps, unless it is a joker, or not at all"
        ),
        do=_unless,
        named=never,
    ),
    Key(
        names=("tab",),
        places=_TABLE,
        word=later("sort"),
        help=later("sort your hand by use, by rank, by suit, or in your own order"),
        do=_sort,
        named=lambda model: bool(model.hand),
    ),
    Key(
        names=("left",),
        places=_CARDS,
        word=later("left"),
        help=later("move to the card at the left"),
        do=_move(-1),
        named=never,
    ),
    Key(
        names=("right",),
        places=_CARDS,
        word=later("right"),
        help=later("move to the card at the right"),
        do=_move(1),
        named=never,
    ),
    Key(
        names=("<", "s-left"),
        places=_TABLE,
        word=later("carry left"),
        help=later("carry the card under the cursor to the left: your own order, which stays"),
        do=_carry(-1),
        named=never,
    ),
    Key(
        names=(">", "s-right"),
        places=_TABLE,
        word=later("carry right"),
        help=later("carry the card under the cursor to the right"),
        do=_carry(1),
        named=never,
    ),
    Key(
        names=("pageup", "up"),
        places=_AT_REST,
        word=later("melds up"),
        help=later("show earlier melds, or lines of the score sheet"),
        do=_scroll_melds(-1),
        named=never,
    ),
    Key(
        names=("pagedown", "down"),
        places=_AT_REST,
        word=later("melds down"),
        help=later("show later melds, or lines of the score sheet"),
        do=_scroll_melds(1),
        named=never,
    ),
    # Choosing
    Key(
        names=("enter",),
        places=frozenset({Place.CHOOSE}),
        word=later("choose"),
        help=later("choose the card under the cursor"),
        do=choosing.choose,
    ),
    Key(
        names=("y",),
        places=frozenset({Place.CONFIRM}),
        word=later("yes"),
        help=later("do it; every other key goes back"),
        do=_yes,
    ),
    # Building
    Key(
        names=("enter",),
        places=frozenset({Place.BUILD}),
        word=later("lay down"),
        help=later("lay the staged melds down"),
        do=building.lay_down,
    ),
    Key(
        names=("tab",),
        places=frozenset({Place.BUILD}),
        word=later("next meld"),
        help=later("go to the next meld; its number does, too"),
        do=lambda model: building.further(model, 1),
    ),
    Key(
        names=("s-tab",),
        places=frozenset({Place.BUILD}),
        word=later("last meld"),
        help=later("go to the meld before"),
        do=lambda model: building.further(model, -1),
        named=never,
    ),
    Key(
        names=("space",),
        places=frozenset({Place.BUILD}),
        word=later("stage"),
        help=later("stage the card under the cursor; its letter does, too"),
        do=building.stage,
        named=never,
    ),
    Key(
        names=("backspace",),
        places=frozenset({Place.BUILD}),
        word=later("unstage"),
        help=later("take the last card of the meld back"),
        do=building.unstage,
    ),
    Key(
        names=("c-z", "-"),
        places=frozenset({Place.BUILD}),
        word=later("undo"),
        help=later("take the last change back"),
        do=building.undo,
    ),
    Key(
        names=("delete",),
        places=frozenset({Place.BUILD}),
        word=later("clear"),
        help=later("take all cards back"),
        do=building.clear,
        named=never,
    ),
    Key(
        names=("=",),
        places=frozenset({Place.BUILD}),
        word=later("best"),
        help=later("stage the best melds, to be changed"),
        do=building.fill,
        named=_lays_down,
    ),
    Key(
        names=("<",),
        places=frozenset({Place.BUILD}),
        word=later("joker low"),
        help=later("put a run's spare joker at its low end"),
        do=lambda model: building.lean(model, End.LOW),
        named=never,
    ),
    Key(
        names=(">",),
        places=frozenset({Place.BUILD}),
        word=later("joker high"),
        help=later("put a run's spare joker at its high end"),
        do=lambda model: building.lean(model, End.HIGH),
        named=never,
    ),
    Key(
        names=("escape",),
        places=frozenset({Place.CHOOSE, Place.PLACE, Place.BUILD, Place.CONFIRM}),
        word=later("back"),
        help=later("go back; what is staged stays"),
        do=_back,
    ),
    # Over the table
    Key(
        names=("escape", "q", "enter"),
        places=frozenset({Place.OVERLAY}),
        word=later("close"),
        help=later("close this"),
        do=_close,
    ),
    Key(
        names=("up",),
        places=frozenset({Place.OVERLAY}),
        word=later("up"),
        help=later("scroll up"),
        do=_scroll(-1),
        named=never,
    ),
    Key(
        names=("down",),
        places=frozenset({Place.OVERLAY}),
        word=later("scroll"),
        help=later("scroll down"),
        do=_scroll(1),
    ),
    Key(
        names=("pageup",),
        places=frozenset({Place.OVERLAY}),
        word=later("page up"),
        help=later("scroll a page up"),
        do=_scroll(-PAGE),
        named=never,
    ),
    Key(
        names=("pagedown", "space"),
        places=frozenset({Place.OVERLAY}),
        word=later("page down"),
        help=later("scroll a page down"),
        do=_scroll(PAGE),
        named=never,
    ),
    # The settings
    Key(
        names=("escape", "q", "f4"),
        places=frozenset({Place.SETTINGS}),
        word=later("close"),
        help=later("close this"),
        do=_close,
    ),
    Key(
        names=("up",),
        places=frozenset({Place.SETTINGS}),
        word=later("up"),
        help=later("go to the setting above"),
        do=lambda model: adjusting.move(model, -1),
        named=never,
    ),
    Key(
        names=("down",),
        places=frozenset({Place.SETTINGS}),
        word=later("choose"),
        help=later("go to the setting below"),
        do=lambda model: adjusting.move(model, 1),
    ),
    Key(
        names=("left",),
        places=frozenset({Place.SETTINGS}),
        word=later("back"),
        help=later("give the setting the value before"),
        do=lambda model: adjusting.change(model, -1),
        named=never,
    ),
    Key(
        names=("right", "enter", "space"),
        places=frozenset({Place.SETTINGS}),
        word=later("change"),
        help=later("give the setting the next value, and keep it in the file"),
        do=lambda model: adjusting.change(model, 1),
    ),
    # Everywhere
    Key(
        names=("h",),
        places=_TABLE | {Place.OVERLAY},
        word=later("hint"),
        help=later("what a bot would do, the best lay-down, and what each card is worth"),
        do=_over(looking.hints),
        named=_plays,
    ),
    Key(
        names=("v",),
        places=_TABLE | {Place.OVERLAY},
        word=later("discards"),
        help=later("view all discards of this hand"),
        do=_over(looking.discards),
        named=never,
    ),
    Key(
        names=("f1",),
        places=_NOT_SMALL,
        word=later("rules"),
        help=later("the rules"),
        do=_over(looking.rules),
        named=never,
    ),
    Key(
        names=("f2",),
        places=_NOT_SMALL,
        word=later("score"),
        help=later("the score sheet of all hands"),
        do=_over(looking.score),
        named=never,
    ),
    Key(
        names=("f3",),
        places=_NOT_SMALL,
        word=later("log"),
        help=later("everything that has happened in this hand, and what was said"),
        do=_over(looking.log),
        named=never,
    ),
    Key(
        names=("f4",),
        places=_NOT_SMALL - {Place.SETTINGS},
        word=later("settings"),
        help=later("your settings: change them, and keep them for the next time"),
        do=adjusting.begin,
        named=never,
    ),
    Key(
        names=("?",),
        places=_NOT_SMALL,
        word=later("help"),
        help=later("the keys that work here, and what the signs mean"),
        do=lambda model: over(model, looking.help_for(key_help(model))),
    ),
    Key(
        names=(":",),
        places=_NOT_SMALL,
        word=later("command"),
        help=later("the command line, for everything: Tab completes, help lists"),
        do=_open(""),
    ),
    Key(
        names=("'",),
        places=_NOT_SMALL,
        word=later("say"),
        help=later("say something to everybody at the table"),
        do=_open("say "),
        named=never,
    ),
    Key(
        names=("q",),
        places=_AT_REST,
        word=later("quit"),
        help=later("end this program; your seat is kept"),
        do=_quit,
        named=lambda model: resting_place(model) is not Place.TABLE,
    ),
)
"""Every key, in the order in which the key line and the help name them."""


def find(model: Model, name: str) -> Key | None:
    """Give what a key means where it is pressed now."""
    place = place_of(model)
    return next((key for key in KEYS if place in key.places and name in key.names), None)


def pressed(model: Model, name: str) -> Step:
    """Do what a key does; one that means nothing here changes nothing."""
    place = place_of(model)
    if place is Place.SMALL:
        return Step(model)
    if place is Place.BUILD and name in set(string.digits):
        return building.by_number(model, name)
    choose = _BY_LETTER.get(place)
    if choose is not None and name in {*letters_of(model).values(), *place_letters(model).values()}:
        return choose(model, name)
    key = find(model, name)
    if key is not None:
        return key.do(model)
    if place is Place.CONFIRM:
        return Step(replace(model, mode=Looking(), note=_("Nothing was done.")))
    return choose(model, name) if choose is not None and name in LETTERS else Step(model)


_BY_LETTER = {
    Place.CHOOSE: choosing.by_letter,
    Place.PLACE: choosing.place_by_letter,
    Place.BUILD: building.by_letter,
}
"""What is chosen by a letter, by where it is pressed."""


def named_keys(model: Model) -> Iterator[tuple[str, str]]:
    """Give the keys for the key line, each with its word."""
    place = place_of(model)
    answers = model.link.whole or place is Place.OVERLAY
    for key in KEYS:
        if place in key.places and key.named(model) and (answers or key.places >= _AT_REST):
            yield key.names[0], _(key.word)


_SHOWN = {"escape": "Esc", "enter": "Enter", "tab": "Tab", "backspace": "Backspace", "delete": "Delete"}
_SHOWN |= {"space": "Space", "up": "Up", "down": "Down", "left": "Left", "right": "Right", "s-tab": "Shift-Tab"}
_SHOWN |= {"pageup": "PgUp", "pagedown": "PgDn", "c-z": "Ctrl-Z", "s-left": "Shift-Left", "s-right": "Shift-Right"}


def shown_name(name: str) -> str:
    """Give a key as it stands on the keyboard."""
    return _SHOWN.get(name, name.upper() if name[0] == "f" and name[1:].isdigit() else name)


def key_help(model: Model) -> list[tuple[str, str]]:
    """Give each key that works where the player is, with what it does; those that are of use now come first."""
    place = place_of(replace(model, overlay=None)) if model.overlay is not None else place_of(model)
    here = sorted((key for key in KEYS if place in key.places), key=lambda key: not key.named(model))
    keys = [(", ".join(shown_name(name) for name in key.names), _(key.help)) for key in here]
    if place in {Place.CHOOSE, Place.BUILD}:
        keys.insert(0, ("a b c ...", _("the card with this letter below it")))
    if place is Place.PLACE:
        keys.insert(0, ("a b c ...", _("the place with this letter")))
    if place is Place.BUILD:
        keys.insert(0, ("1 2 3 ...", _("the meld with this number")))
    return keys
