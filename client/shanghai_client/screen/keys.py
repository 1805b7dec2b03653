"""Every key in one table: where it works, what it does, and what the key line and the help say of it."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from dataclasses import replace

from shanghai_client.commands.command import Leaving
from shanghai_client.language import _, later
from shanghai_client.screen import adjusting, building, choosing, looking
from shanghai_client.screen.choosing import LETTERS, letters_of, place_letters
from shanghai_client.screen.keyboard import use
from shanghai_client.screen.keyboard.begun import BEGUN_KEYS
from shanghai_client.screen.keyboard.key import Key, laying_over, never
from shanghai_client.screen.keyboard.overlay import OVERLAY_KEYS
from shanghai_client.screen.keyboard.place import ALMOST_EVERYWHERE, AT_REST, TABLE, Place, place_of
from shanghai_client.screen.keyboard.table import TABLE_KEYS
from shanghai_client.screen.model import Confirming, Looking, Model
from shanghai_client.screen.stepping import Go, Open, Step, done, over


def _open(text: str) -> Callable[[Model], Step]:
    def do(model: Model) -> Step:
        return Step(model, Open(text))

    return do


def _quit(model: Model) -> Step:
    if model.scene is None or model.scene.seat is None or use.is_over(model):
        return done(model, Go(Leaving.QUIT))
    return Step(replace(model, mode=Confirming(_("End this program? Your seat is kept."), Leaving.QUIT), note=""))


def _score(model: Model) -> Step:
    return Step(replace(model, overlay=looking.score(model)))


KEYS: tuple[Key, ...] = (
    *TABLE_KEYS,
    *BEGUN_KEYS,
    *OVERLAY_KEYS,
    # Everywhere
    Key(
        names=("h",),
        places=TABLE | {Place.OVERLAY},
        word=later("hint"),
        help=later("what a bot would do, the best lay-down, and what each card is worth"),
        do=laying_over(looking.hints),
        named=use.hints,
    ),
    Key(
        names=("v",),
        places=TABLE | {Place.OVERLAY},
        word=later("discards"),
        help=later("view all discards of this hand"),
        do=laying_over(looking.discards),
        named=never,
    ),
    Key(
        names=("f1",),
        places=ALMOST_EVERYWHERE,
        word=later("rules"),
        help=later("the rules"),
        do=laying_over(looking.rules),
        named=never,
    ),
    Key(
        names=("f2",),
        places=ALMOST_EVERYWHERE,
        word=later("sheets"),
        help=later("the score sheet of all hands; once more, that of the game before"),
        do=_score,
        named=use.has_sheets,
    ),
    Key(
        names=("f3",),
        places=ALMOST_EVERYWHERE,
        word=later("log"),
        help=later("everything that has happened in this hand, and what was said"),
        do=laying_over(looking.log),
        named=never,
    ),
    Key(
        names=("f4",),
        places=ALMOST_EVERYWHERE - {Place.SETTINGS},
        word=later("settings"),
        help=later("your settings: change them, and keep them for the next time"),
        do=adjusting.begin,
        named=never,
    ),
    Key(
        names=("?",),
        places=ALMOST_EVERYWHERE,
        word=later("help"),
        help=later("the keys that work here, and what the signs mean"),
        do=lambda model: over(model, looking.help_for(*key_help(model))),
    ),
    Key(
        names=(":",),
        places=ALMOST_EVERYWHERE,
        word=later("command"),
        help=later("the command line, for everything: Tab completes, help lists"),
        do=_open(""),
    ),
    Key(
        names=("'",),
        places=ALMOST_EVERYWHERE,
        word=later("say"),
        help=later("say something to everybody at the table"),
        do=_open("say "),
        named=never,
    ),
    Key(
        names=("escape",),
        places=AT_REST,
        word=later("put the notice away"),
        help=later("put the notice of the server's host away"),
        do=lambda model: Step(replace(model, read_notice=model.notice or model.read_notice)),
        named=use.noticed,
    ),
    Key(
        names=("q",),
        places=AT_REST,
        word=later("quit"),
        help=later("end this program; your seat is kept"),
        do=_quit,
        named=use.leaves,
    ),
)
"""Every key, in the order in which the key line and the help name them."""


def find(model: Model, name: str) -> Key | None:
    """Give what a key means where it is pressed now."""
    place = place_of(model)
    return next((key for key in KEYS if place in key.places and name in key.names), None)


def pressed(model: Model, name: str) -> Step:
    """Do what a key does; one that means nothing here changes nothing, but for the message that was read."""
    place = place_of(model)
    if place is Place.SMALL:
        return Step(model)
    model = replace(model, note="")
    if place is Place.BUILD and name in set(string.digits):
        return building.by_number(model, name)
    choose = _BY_LETTER.get(place)
    if choose is not None and _chooses(model, name):
        return choose(model, name)
    key = find(model, name)
    if key is not None:
        return key.do(model)
    if place is Place.OVERLAY:
        # The question still stands below the text: its keys answer it, and close what lies over the table.
        below = replace(model, overlay=None)
        return pressed(below, name) if find(below, name) is not None or _chooses(below, name) else Step(model)
    if place is Place.CONFIRM:
        return Step(replace(model, mode=Looking(), note=_("Nothing was done.")))
    return choose(model, name) if choose is not None and name in LETTERS else Step(model)


def _chooses(model: Model, name: str) -> bool:
    return name in {*letters_of(model).values(), *place_letters(model).values()}


_BY_LETTER = {
    Place.CHOOSE: choosing.by_letter,
    Place.PLACE: choosing.place_by_letter,
    Place.BUILD: building.by_letter,
}
"""What is chosen by a letter, by where it is pressed."""


def named_keys(model: Model) -> Iterator[tuple[str, str]]:
    """Give the keys for the key line, each with its word."""
    place = place_of(model)
    for key in KEYS:
        if place in key.places and key.named(model) and (model.link.whole or _works_unheard(key, place)):
            yield key.names[0], _(key.word)
    below = replace(model, overlay=None)
    if place is Place.OVERLAY and model.link.whole and place_of(below) is Place.TABLE:
        # What lies over the table leaves the question to be seen, and its keys answer it from there.
        yield from ((name, word) for name, word in named_keys(below) if name in use.ANSWERS)


def _works_unheard(key: Key, place: Place) -> bool:
    """Say whether a key does anything while the connection is lost: what was begun goes on but for its last step."""
    if place in AT_REST:
        return key.places >= AT_REST
    return place in {Place.CONFIRM, Place.OVERLAY, Place.SETTINGS} or "enter" not in key.names


_SHOWN = {"escape": "Esc", "enter": "Enter", "tab": "Tab", "backspace": "Backspace", "delete": "Delete"}
_SHOWN |= {"space": "Space", "up": "Up", "down": "Down", "left": "Left", "right": "Right", "s-tab": "Shift-Tab"}
_SHOWN |= {"pageup": "PgUp", "pagedown": "PgDn", "c-z": "Ctrl-Z", "s-left": "Shift-Left", "s-right": "Shift-Right"}


def shown_name(name: str) -> str:
    """Give a key as it stands on the keyboard."""
    return _SHOWN.get(name, name.upper() if name[0] == "f" and name[1:].isdigit() else name)


def key_help(model: Model) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Give each key that works where the player is, with what it does: first those that are of use now."""
    place = place_of(replace(model, overlay=None)) if model.overlay is not None else place_of(model)
    here = [key for key in KEYS if place in key.places]
    now, others = ([_told(key) for key in here if key.named(model) is named] for named in (True, False))
    if place in {Place.CHOOSE, Place.BUILD}:
        now.insert(0, ("a b c ...", _("the card with this letter below it")))
    if place is Place.PLACE:
        now.insert(0, ("a b c ...", _("the place with this letter")))
    if place is Place.BUILD:
        now.insert(0, ("1 2 3 ...", _("the meld with this number")))
    return now, others


def _told(key: Key) -> tuple[str, str]:
    return ", ".join(shown_name(name) for name in key.names), _(key.help)
