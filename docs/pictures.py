"""Draws the pictures of the README: the program runs on a terminal in memory, and what stands there becomes SVG.

python docs/pictures.py      writes docs/pictures/*.svg anew; the same code gives the same pictures
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import pyte

PICTURES = Path(__file__).parent / "pictures"
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
# What drives the program in the tests drives it here.
from around import LOBBIES, lobby_terminal  # noqa: E402
from client_program import run_program  # noqa: E402
from drawn import model_of, terminal_of  # noqa: E402
from scenes import scene_of  # noqa: E402

from shanghai_client.lobby.page import Lobby  # noqa: E402
from shanghai_client.screen.model import Model  # noqa: E402
from shanghai_engine.action import Deal  # noqa: E402
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for  # noqa: E402
from shanghai_engine.decision import Decision, DecisionKind  # noqa: E402
from shanghai_engine.game import Game  # noqa: E402

_CELL, _ROW, _MARGIN = 8.4, 18, 14
"""Points of a cell, of a row, and around all."""
_BACK, _FRONT = "#121816", "#d8dcd8"
_NAMED = {
    "black": "#000000",
    "red": "#cd3131",
    "green": "#0dbc79",
    "brown": "#e5e510",
    "blue": "#2472c8",
    "magenta": "#bc3fbc",
    "cyan": "#11a8cd",
    "white": "#e5e5e5",
}
_LINES = {
    "─": "M0,9 H8.4",
    "│": "M4.2,0 V18",
    "╭": "M4.2,18 Q4.2,9 8.4,9",
    "╮": "M0,9 Q4.2,9 4.2,18",
    "╰": "M4.2,0 Q4.2,9 8.4,9",
    "╯": "M0,9 Q4.2,9 4.2,0",
}
"""Signs that meet those of the next cell: they are drawn, for no font fits every row height."""


def svg_of(screen: pyte.Screen, title: str) -> str:
    """Give what stands on a terminal as an SVG document, with its text as text."""
    width, height = screen.columns * _CELL + 2 * _MARGIN, screen.lines * _ROW + 2 * _MARGIN
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width:g} {height:g}",
            "width": f"{width:g}",
            "height": f"{height:g}",
            "role": "img",
            "font-family": "ui-monospace, 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', Menlo, Consolas, monospace",
            "font-size": "14",
        },
    )
    SubElement(root, "title").text = title
    SubElement(root, "rect", {"width": f"{width:g}", "height": f"{height:g}", "rx": "8", "fill": _BACK})
    for row in range(screen.lines):
        for column, cells, look in _runs(screen, row):
            _draw(root, _MARGIN + column * _CELL, _MARGIN + row * _ROW, cells, look)
    indent(root, " ")
    return tostring(root, encoding="unicode") + "\n"


Look = tuple[str, str, bool, bool, bool]
"""The colours of the signs and behind them; whether they are bold, slanted, underlined."""


def _runs(screen: pyte.Screen, row: int) -> Iterator[tuple[int, list[str], Look]]:
    """Give the stretches of a row that look the same: where each begins, and its cells."""
    line = screen.buffer[row]
    cells = [(column, line[column]) for column in range(screen.columns)]
    for look, group in groupby(cells, lambda cell: _look(cell[1])):
        found = list(group)
        yield found[0][0], [cell.data for _column, cell in found], look


def _look(cell: pyte.screens.Char) -> Look:
    front, back = _colour(cell.fg, _FRONT), _colour(cell.bg, _BACK)
    if cell.reverse:
        front, back = back, front
    return front, back, cell.bold, cell.italics, cell.underscore


def _colour(name: str, usual: str) -> str:
    return usual if name == "default" else _NAMED.get(name.removeprefix("bright"), f"#{name}")


def _draw(root: Element, x: float, y: float, cells: list[str], look: Look) -> None:
    front, back, bold, slanted, underlined = look
    if back != _BACK:
        box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{len(cells) * _CELL:g}", "height": str(_ROW), "fill": back}
        SubElement(root, "rect", box)
    style = {"fill": front}
    style |= {"font-weight": "bold"} if bold else {}
    style |= {"font-style": "italic"} if slanted else {}
    style |= {"text-decoration": "underline"} if underlined else {}
    place = 0
    for kind, group in groupby(cells, lambda cell: "line" if cell in _LINES else "blank" if cell == " " else "text"):
        signs = list(group)
        left = x + place * _CELL
        place += len(signs)
        if kind == "line":
            for number, sign in enumerate(signs):
                there = f"translate({left + number * _CELL:g},{y:g})"
                SubElement(root, "path", {"d": _LINES[sign], "transform": there, "stroke": front, "fill": "none"})
        elif kind == "text":
            # A cell behind a wide sign is empty; the whole is as wide as its cells, in whatever font.
            length = f"{len(signs) * _CELL:g}"
            where = {"x": f"{left:g}", "y": f"{y + 13.5:g}", "textLength": length, "lengthAdjust": "spacingAndGlyphs"}
            SubElement(root, "text", where | style).text = "".join(signs)


def table() -> Model:
    """Let bots play a game by its seed until there is much to be seen: Ann's turn, melds of everybody, a lay-off."""
    names = ["Ann", "Bot 1", "Ben", "Zoë"]
    game = Game.new(seed=bytes(31) + b"\x07", players=names)
    decide = LEVELS[DEFAULT_LEVEL].decide
    while True:
        decisions = game.decisions()
        if not decisions:
            game.apply(Deal())
            continue
        seat, decision = next(iter(decisions.items()))
        if _much_to_see(game, decision):
            break
        game.apply(decide(game.view(seat), decision, rng_for("picture", seat, decision.id)))
    shown = scene_of(game, 0)
    for sitting, name in zip(shown.table.seats, names, strict=True):
        sitting.name = name
    return model_of(shown, size=(100, 30))


def _much_to_see(game: Game, decision: Decision) -> bool:
    playing = decision.seat == 0 and decision.kind is DecisionKind.PLAY and bool(decision.lay_offs)
    return playing and game.state.hand > 1 and len({meld.owner for meld in game.state.melds}) == len(game.state.names)


async def drawn(home: Path) -> dict[str, str]:
    """Give every picture by the name of its file."""
    record, chart = home / "game.jsonl", home / "chart.svg"
    await run_program("play", "--auto", "--seed", "a picture", "--name", "Ann", "--record", str(record), home=home)
    await run_program("replay", str(record), "--svg", str(chart), home=home)
    lobby = await lobby_terminal(LOBBIES["tables"](Lobby(columns=100, rows=18, name="Zoë")))
    return {
        "table.svg": svg_of(await terminal_of(table()), "The table, on one's own turn"),
        "lobby.svg": svg_of(lobby, "The lobby, with the tables of a host"),
        "chart.svg": chart.read_text(encoding="utf-8"),
    }


async def main() -> None:
    """Write the pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        for name, picture in (await drawn(Path(home))).items():
            (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
