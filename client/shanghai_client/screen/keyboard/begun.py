"""The keys while something is begun: a card or a place is chosen, melds are built, or something is asked back."""

from __future__ import annotations

from shanghai_client.commands.command import Leaving
from shanghai_client.language import later
from shanghai_client.screen import building, choosing
from shanghai_client.screen.keyboard import use
from shanghai_client.screen.keyboard.key import Key, back, never
from shanghai_client.screen.keyboard.place import Place
from shanghai_client.screen.model import Confirming, Model
from shanghai_client.screen.stepping import Act, Go, Run, Step, done


def _yes(model: Model) -> Step:
    mode = model.mode
    if not isinstance(mode, Confirming):
        return Step(model)
    match mode.what:
        case str(line):
            return done(model, Run(line))
        case Leaving() as how:
            return done(model, Go(how))
        case action:
            return done(model, Act(action))


BEGUN_KEYS: tuple[Key, ...] = (
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
        names=("escape",),
        places=frozenset({Place.CHOOSE, Place.PLACE, Place.BUILD, Place.CONFIRM}),
        word=later("back"),
        help=later("go back; what is staged stays"),
        do=back,
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
        named=never,
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
        named=use.lays_down,
    ),
    Key(
        names=("<",),
        places=frozenset({Place.BUILD}),
        word=later("lower"),
        help=later("let a run's jokers stand for other cards: lower ones first"),
        do=lambda model: building.turn(model, -1),
        named=never,
    ),
    Key(
        names=(">",),
        places=frozenset({Place.BUILD}),
        word=later("higher"),
        help=later("let a run's jokers stand for other cards: higher ones first"),
        do=lambda model: building.turn(model, 1),
        named=never,
    ),
)
"""In the order in which the key line and the help name them."""
