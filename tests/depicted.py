"""A picture as a terminal shows it: what stands there, in which colours, and the file that keeps both."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from shanghai_client.screen.model import Look

_USUAL = ""
_COLOURS = {ColorDepth.DEPTH_1_BIT: "mono", ColorDepth.DEPTH_4_BIT: "16", ColorDepth.DEPTH_8_BIT: "256"}


@dataclass(frozen=True, slots=True)
class Variant:
    """How something is drawn: what it is, on which terminal, in which look, of which a word says how it is."""

    what: str
    size: tuple[int, int] = (80, 24)
    depth: ColorDepth = ColorDepth.DEPTH_8_BIT
    look: Look = field(default_factory=Look)
    said: str = "four"
    language: str = "en"

    @property
    def name(self) -> str:
        """The name of its file."""
        columns, rows = self.size
        colours = _COLOURS.get(self.depth, "true")
        return ".".join((self.what, f"{columns}x{rows}", colours, self.said, self.language))


def output_to(written: io.StringIO, size: tuple[int, int], depth: ColorDepth) -> Vt100_Output:
    """Give a terminal of so many columns and rows that keeps what is written to it."""
    columns, rows = size
    return Vt100_Output(
        written,
        lambda: Size(rows=rows, columns=columns),
        term="xterm-256color",
        default_color_depth=depth,
        enable_cpr=False,
    )


def screen_of(drawn: str, size: tuple[int, int]) -> pyte.Screen:
    """Give the terminal after that was written to it."""
    screen = pyte.Screen(*size)
    pyte.Stream(screen).feed(drawn)
    return screen


def text_of(screen: pyte.Screen) -> list[str]:
    """Give what stands on the terminal."""
    return [line.rstrip() for line in screen.display]


def colours_of(screen: pyte.Screen) -> list[str]:
    """Give in what colours it stands there: for each row the stretches that are not as usual."""
    lines = []
    for row in range(screen.lines):
        cells = [_colour(screen.buffer[row][column]) for column in range(screen.columns)]
        ends = list(itertools.accumulate(len(list(group)) for _colours, group in itertools.groupby(cells)))
        kinds = [colours for colours, _group in itertools.groupby(cells)]
        said = [
            f"{begin}-{end - 1} {kind}"
            for begin, end, kind in zip((0, *ends[:-1]), ends, kinds, strict=True)
            if kind != _USUAL
        ]
        if said:
            lines.append(f"{row}: {', '.join(said)}")
    return lines


def _colour(cell: pyte.screens.Char) -> str:
    if cell.data == " " and cell.bg == "default" and not (cell.reverse or cell.underscore):
        return _USUAL
    words = [] if cell.fg == "default" else [cell.fg]
    words += [] if cell.bg == "default" else [f"on {cell.bg}"]
    words += [name for name in ("bold", "italics", "underscore", "reverse") if getattr(cell, name)]
    return " ".join(words)


def file_of(screen: pyte.Screen) -> str:
    """Give the file of a picture: what stands on the terminal, and in which colours."""
    return "".join(f"{line}\n" for line in (*text_of(screen), "-" * screen.columns, *colours_of(screen)))


def write_pictures(folder: Path, pictures: Mapping[str, str]) -> None:
    """Write the files of a folder anew, by their names."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    for name, text in pictures.items():
        (folder / name).write_text(text, encoding="utf-8")
