"""Where a key is pressed: what is on the screen decides what it means."""

from __future__ import annotations

from enum import Enum

from shanghai_client.screen.model import Building, Choosing, Confirming, Model, Placing
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


TABLE = frozenset({Place.TABLE})
"""At the table, while nothing is begun."""
AT_REST = frozenset({Place.TABLE, Place.BETWEEN, Place.LOBBY})
"""Wherever nothing is begun, and nothing lies over the table."""
CARDS = frozenset({Place.TABLE, Place.CHOOSE, Place.BUILD})
"""Where one goes from card to card."""
ALMOST_EVERYWHERE = frozenset(Place) - {Place.SMALL, Place.CONFIRM}
"""Wherever keys do anything, and none but `y` may be pressed by mistake."""
