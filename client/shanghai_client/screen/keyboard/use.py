"""When a key is of use, so that the key line names it."""

from __future__ import annotations

from collections.abc import Callable

from shanghai_client.present.tables import free_seats
from shanghai_client.screen import choosing, looking
from shanghai_client.screen.keyboard.place import Place, resting_place
from shanghai_client.screen.model import Model, Wish
from shanghai_engine.action import Claim
from shanghai_engine.state import Phase

ANSWERS = frozenset({"t", "b", "p"})
"""The keys that answer an offer."""


def may(claim: Claim) -> Callable[[Model], bool]:
    """Give what says whether the open offer may be answered so."""

    def named(model: Model) -> bool:
        offer = None if model.scene is None else model.scene.offer
        return offer is not None and claim in offer.claims

    return named


def plays(model: Model) -> bool:
    """Say whether a play is owed."""
    return model.scene is not None and model.scene.play is not None


def hints(model: Model) -> bool:
    """Say whether a hint may be of use: where a play is owed, and the table does not ask its players to do without."""
    return plays(model) and model.scene is not None and not model.scene.table.options.no_hints


def lays_down(model: Model) -> bool:
    """Say whether the hand can be laid down now."""
    return plays(model) and model.scene is not None and model.scene.play is not None and model.scene.play.can_lay_down


def builds(model: Model) -> bool:
    """Say whether there are melds to build: by who plays, and is not down, or may lay down more (R16 `extra_melds`)."""
    scene, game = model.scene, model.game
    if scene is None or game is None or not scene.plays:
        return False
    return not scene.down or (game.rules.extra_melds and bool(scene.hand))


def has_places(wish: Wish) -> Callable[[Model], bool]:
    """Give what says whether a card can be laid off, or swapped, now."""

    def named(model: Model) -> bool:
        return bool(choosing.places_for(model, wish))

    return named


def discards(model: Model) -> bool:
    """Say whether a card can be discarded now."""
    return model.scene is not None and model.scene.play is not None and bool(model.scene.play.discards)


def goes_on(model: Model) -> bool:
    """Say whether the player is asked to go on."""
    return model.scene is not None and model.scene.going_on


def is_over(model: Model) -> bool:
    """Say whether the game is over."""
    return model.game is not None and model.game.phase is Phase.GAME_OVER


def plays_again(model: Model) -> bool:
    """Say whether another game can be asked for: after one, by who plays."""
    return is_over(model) and model.scene is not None and model.scene.seat is not None


def hosts(model: Model) -> bool:
    """Say whether the player is the host."""
    return model.scene is not None and model.scene.is_host()


def seats_bots(model: Model) -> bool:
    """Say whether the player is the host of a table where a seat is free."""
    return model.scene is not None and hosts(model) and free_seats(model.scene.table.seats) > 0


def stood_in(model: Model) -> bool:
    """Say whether a stand-in plays the seat."""
    return model.scene is not None and model.scene.stood_in


def paused(model: Model) -> bool:
    """Say whether the game is paused, and the player one who may let it go on."""
    return model.scene is not None and model.scene.seat is not None and bool(model.scene.table.pause_reason)


def scrolls(model: Model) -> bool:
    """Say whether what lies over the table has more than is shown."""
    return model.overlay is not None and model.overlay.scrolls


def leaves(model: Model) -> bool:
    """Say whether leaving is named: not to a player in the middle of a hand that goes on, who has more to think of."""
    playing = model.scene is not None and model.scene.seat is not None
    return not playing or resting_place(model) is not Place.TABLE or not model.link.whole


def noticed(model: Model) -> bool:
    """Say whether the server's host tells everybody something."""
    return bool(model.notice)


def has_sheets(model: Model) -> bool:
    """Say whether a game was played here before, whose sheet is to be seen: before the next, and while one is shown."""
    if model.overlay is None:
        return bool(model.finished) and resting_place(model) is Place.LOBBY
    return bool(model.finished) and looking.is_sheet(model.overlay, model)
