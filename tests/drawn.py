"""Pictures of the full screen as a terminal draws them: named positions, at sizes and in colours of all kinds.

python tests/drawn.py      writes the files under tests/data/screens/full anew, to be looked at before they are kept
"""

from __future__ import annotations

import asyncio
import io
import itertools
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass

import pyte
from depicted import Variant, file_of, output_to, screen_of, write_pictures
from positions import position
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from scenes import SCREENS, scene, scene_of

from shanghai_client.language import _, speaking
from shanghai_client.scene import Scene
from shanghai_client.screen.app import run_screen
from shanghai_client.screen.chronicle import Chronicle
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.keys import pressed
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.seeing import linked, seen, ticked, told
from shanghai_client.screen.signs import LETTERS
from shanghai_client.screen.style import Background, Theme
from shanghai_client.watching import Lost, Sight
from shanghai_engine.state import Phase

FULL = SCREENS / "full"
SIZES = ((80, 24), (100, 30), (140, 45), (40, 15))


def model_of(shown: Scene, *keys: str, look: Look | None = None, size: tuple[int, int] = SIZES[0]) -> Model:
    """Give the model of a scene that has just arrived, after some keys."""
    columns, rows = size
    model = seen(Model(columns=columns, rows=rows, look=look or Look()), shown, now=100.0)
    model = told(model, Chronicle().said(shown))
    for key in keys:
        model = pressed(model, key).model
    return model


# The positions


def _staging() -> tuple[Scene, tuple[str, ...]]:
    return scene("turn_that_can_lay_down"), ("m", "a", "b", "c", "2", "d", "e", "f")


def twenty_melds() -> Scene:
    """Give the fullest table: eight players, twenty melds, and a hand of 23 cards."""
    melds = [(seat, f"{rank}C {rank}D {rank}H") for seat, rank in enumerate("3456789T")]
    melds += [(seat, f"{rank}C {rank}D {rank}S JK") for seat, rank in enumerate("456789TJ")]
    melds += [(0, "4H 5H JK JK 8H 9H TH JH QH"), (1, "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")]
    melds += [(2, "6C JK 8C 9C"), (3, "TD JD QD KD AD")]
    hand = "2C 2D 2H 2S JC JD QH QS KC KD KH KS AC AD AH AS 3S 4S 5S 6S 7S 8S JK"
    game = position(players=8, hand=6, turn=0, melds=melds, hands={0: hand}, drawn="AS")
    return scene_of(game, 0, left_ms=42_000)


def _away() -> Scene:
    game = position(hand=3, turn=3, phase=Phase.OFFER, discards="4D 9C", discarder=2)
    return scene_of(game, 0, away=2)


def _reconnecting() -> tuple[Scene, tuple[str, ...]]:
    return scene("turn_that_can_lay_down"), ("m", "a", "b", "escape")


@dataclass(frozen=True, slots=True)
class Position:
    """A position: what is seen, the keys that were pressed, and what else has happened to the model."""

    scene: Callable[[], Scene]
    keys: tuple[str, ...] = ()
    then: Callable[[Model], Model] = lambda model: model


def _lost(model: Model) -> Model:
    why = _("the connection is lost ({why})").format(why=_("no answer"))
    lost = linked(model, Lost(why, 3.2), now=100.0)
    return ticked(linked(lost, Lost(why, 5.0, 3), now=112.0), now=114.0)


def _shut_down(model: Model) -> Model:
    return linked(model, Lost(_("the server is shutting down"), 2.0), now=100.0)


POSITIONS: dict[str, Position] = {
    "offer": Position(lambda: scene("offer_to_a_buyer")),
    "own_turn": Position(lambda: scene("turn_that_can_lay_down")),
    "staging": Position(lambda: _staging()[0], _staging()[1]),
    "lay_off_choice": Position(lambda: scene("turn_with_melds"), ("o", "e")),
    "twenty_melds": Position(twenty_melds),
    "floating": Position(lambda: scene("floating")),
    "score_sheet": Position(lambda: scene("between_hands")),
    "lobby": Position(lambda: scene("lobby")),
    "away": Position(_away),
    "reconnecting": Position(lambda: _reconnecting()[0], _reconnecting()[1], _lost),
    "shut_down": Position(lambda: scene("offer_on_turn"), (), _shut_down),
    "choosing": Position(twenty_melds, ("d",)),
    "slip": Position(lambda: scene("turn_with_melds"), ("d", "e")),
    "hints": Position(lambda: scene("turn_that_can_lay_down"), ("h",)),
    "help": Position(lambda: scene("offer_to_a_buyer"), ("?",)),
    "passing_ends": Position(lambda: scene("offer_that_ends_the_hand")),
    "game_over": Position(lambda: scene("game_over")),
    "spectator": Position(lambda: scene("spectator")),
}
"""The named positions."""


_LOOKS = {
    "four": Look(),
    "two-light": Look(theme=Theme.TWO, background=Background.LIGHT),
    "contrast": Look(theme=Theme.CONTRAST),
    "mono": Look(theme=Theme.MONO),
    "ascii": Look(signs=LETTERS),
}
_DEPTHS = (ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_24_BIT)


_IN_JAPANESE = (
    "offer",
    "own_turn",
    "staging",
    "lay_off_choice",
    "twenty_melds",
    "score_sheet",
    "lobby",
    "reconnecting",
    "hints",
    "help",
    "spectator",
)


def _others() -> Iterator[Variant]:
    """Give the other variants, so that each two of a size, a depth and a look meet in one, with other positions."""
    names = itertools.cycle(POSITIONS)
    for number, (size, (said, look)) in enumerate(itertools.product(SIZES[1:3], _LOOKS.items())):
        for shift in range(2):
            depth = _DEPTHS[(number + shift) % len(_DEPTHS)]
            yield Variant(next(names), size, depth, look, said)
    for said, look in _LOOKS.items():
        yield Variant(next(names), SIZES[3], ColorDepth.DEPTH_4_BIT, look, said)
    for name in ("twenty_melds", "offer", "staging"):
        yield Variant(name, SIZES[0], ColorDepth.DEPTH_1_BIT, _LOOKS["ascii"], "ascii")
    for name in _IN_JAPANESE:
        yield Variant(name, language="ja")
    yield Variant("own_turn", SIZES[2], language="ja")
    yield Variant("game_over", SIZES[1], language="ja")


VARIANTS: tuple[Variant, ...] = (*(Variant(name) for name in POSITIONS), *_others())
"""Every picture that is kept."""


# Drawing


async def _silence() -> AsyncGenerator[Sight]:
    await asyncio.Event().wait()
    yield Lost("never", 0.0)


class _Pictured(ScreenDesk):
    """A desk that is drawn once."""

    def __init__(self, model: Model) -> None:
        super().__init__(seat=None, watch=_silence, look=model.look)
        self.model = model
        self.pictured = asyncio.Event()

    def drawn(self) -> None:
        """Take note."""
        self.pictured.set()


async def terminal_of(model: Model, depth: ColorDepth = ColorDepth.DEPTH_8_BIT) -> pyte.Screen:
    """Give the terminal after the model was drawn on it by the program."""
    size = (model.columns, model.rows)
    written = io.StringIO()
    output = output_to(written, size, depth)
    desk = _Pictured(model)
    with create_pipe_input() as keys:
        running = asyncio.create_task(run_screen(desk, input=keys, output=output))
        await asyncio.wait_for(desk.pictured.wait(), 60)
        drawn = written.getvalue()
        running.cancel()
        await asyncio.wait({running})
    return screen_of(drawn, size)


async def picture(variant: Variant) -> str:
    """Give the file of a variant: what stands on the terminal, and in which colours."""
    place = POSITIONS[variant.what]
    with speaking(variant.language):
        model = place.then(model_of(place.scene(), *place.keys, look=variant.look, size=variant.size))
        screen = await terminal_of(model, variant.depth)
    return file_of(screen)


async def pictures() -> dict[str, str]:
    """Give every file that is kept, by its name."""
    return {f"{variant.name}.txt": await picture(variant) for variant in VARIANTS}


if __name__ == "__main__":
    write_pictures(FULL, asyncio.run(pictures()))
