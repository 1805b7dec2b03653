"""Where a key is pressed: what is on the screen decides what it means."""

from __future__ import annotations

from enum import Enum

from shanghai_client.screen.model import Building, Choosing, Confirming, Model, Placing
from shanghai_engine.state import Phase


class Place(Enum):
    """Where a key is pressed: what is on the screen decides what it means."""

    SMALL = "small"
    """A terminal that is too small."""
    OVERLAY = "overlay"
    """Text over the table."""
    SETTINGS = "settings"
    """The settings."""
    CONFIRM = "confirm"
    """A question."""
    PLACE = "place"
    """Choosing a place."""
    CHOOSE = "choose"
    """Choosing a card."""
    BUILD = "build"
    """Building melds."""
    TABLE = "table"
    """The table."""
    BETWEEN = "between"
    """Between two hands."""
    LOBBY = "lobby"
    """Before the game."""


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
