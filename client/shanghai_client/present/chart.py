"""A chart of the totals after each hand, drawn with the signs of a terminal: the lower a line, the better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from shanghai_client.language import _
from shanghai_client.present.cells import clip_name, wrap
from shanghai_client.present.people import People
from shanghai_client.scene import USUAL_WIDTH, Scene
from shanghai_engine.state import HandResult

MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What stands for the players, by seat."""
USUAL_HEIGHT = 14
"""Rows of the chart where nobody says how many there are."""
_LEAST_PLOT, _WIDEST_LABEL = 11, 26
"""Cells that the lines have at least, and a player's label at most."""

Piece = tuple[str, int | None]
"""Some signs of a row, and the seat that they belong to, for whoever has colours; none for axes."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What a chart is drawn with."""

    axis: str
    tick: str
    corner: str
    base: str
    dot: str


UNICODE = Signs(axis="│", tick="┤", corner="└", base="─", dot="·")
ASCII = Signs(axis="|", tick="+", corner="+", base="-", dot=".")


def chart_lines(scene: Scene, *, ascii_only: bool = False, height: int = USUAL_HEIGHT) -> list[str]:
    """Give the chart of a game so far, in words where there is nothing to draw yet."""
    game = scene.game
    if game is None or not game.results:
        return [_("No hand has been finished yet.")]
    drawn = drawn_lines(
        game.results, People.of(scene), width=scene.width, height=height, signs=ASCII if ascii_only else UNICODE
    )
    return [*wrap(_("The totals after each hand: the lowest is the best."), width=scene.width), *drawn]


def drawn_lines(
    results: Sequence[HandResult],
    people: People,
    *,
    width: int = USUAL_WIDTH,
    height: int = USUAL_HEIGHT,
    signs: Signs = UNICODE,
) -> list[str]:
    """Give the chart as lines of text."""
    rows = chart_rows(results, people, width=width, height=height, signs=signs)
    return ["".join(text for text, _seat in row).rstrip() for row in rows]


def chart_rows(
    results: Sequence[HandResult],
    people: People,
    *,
    width: int = USUAL_WIDTH,
    height: int = USUAL_HEIGHT,
    signs: Signs = UNICODE,
) -> list[list[Piece]]:
    """Give the rows of a chart, each in pieces: a scale, a line for each player, his name where it ends, the hands.

    It takes `height` rows, or more where the players need them, in at most `width` cells. There is one finished hand
    at least.
    """
    totals = _totals(results)
    players = len(totals)
    height = max(height - 2, players)
    highest = max(1, *(max(line) for line in totals))
    scale = len(str(highest))
    labels = [f" {MARKS[seat]} {people.label(seat)} {line[-1]}" for seat, line in enumerate(totals)]
    room = max(6, min(_WIDEST_LABEL, max(map(get_cwidth, labels)), width - scale - 1 - _LEAST_PLOT))
    labels = [_label(MARKS[seat], people.label(seat), line[-1], room=room) for seat, line in enumerate(totals)]
    plot = _Plot(columns=max(_LEAST_PLOT, width - scale - 1 - room), rows=height, highest=highest, hands=len(results))
    cells = plot.drawn(totals, signs.dot)
    ends = _ends([plot.row(line[-1]) for line in totals], height)
    rows: list[list[Piece]] = []
    for row in range(height):
        number = plot.number(row)
        edge = f"{number:>{scale}}{signs.tick}" if number is not None else f"{'':>{scale}}{signs.axis}"
        pieces: list[Piece] = [(edge, None), *cells[row]]
        pieces += [(labels[seat], seat) for seat in range(players) if ends[seat] == row]
        rows.append(pieces)
    rows.append([(f"{'':>{scale}}{signs.corner}{signs.base * plot.columns}", None)])
    rows.append([(f"{'':>{scale + 1}}{plot.hand_numbers()}", None)])
    return rows


def _totals(results: Sequence[HandResult]) -> list[list[int]]:
    """Give each seat's totals, from 0 before the first hand on."""
    players = len(results[0].totals)
    return [[0, *(result.totals[seat] for result in results)] for seat in range(players)]


def _label(mark: str, name: str, total: int, *, room: int) -> str:
    """Give what stands behind a player's line; a name that is cut leaves the total whole."""
    rest = room - len(f" {mark}  {total}")
    shown = f" {clip_name(name, rest)}" if rest > 1 or get_cwidth(name) <= rest else ""
    return f" {mark}{shown} {total}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """The area of the lines: how many cells it has, and what they stand for."""

    columns: int
    rows: int
    highest: int
    hands: int

    def row(self, total: float) -> int:
        """Give the row of a total; the highest is at the top."""
        return round((self.highest - total) * (self.rows - 1) / self.highest)

    def column(self, hand: int) -> int:
        """Give the column of a hand, 0 for before the first."""
        return round(hand * (self.columns - 1) / self.hands)

    def number(self, row: int) -> int | None:
        """Give the number on the scale that stands at a row, no number twice; none where none does."""
        last = self.rows - 1
        middle = round(self.highest * (last - last // 2) / last)
        at = {last // 2: middle} if 0 < middle < self.highest else {}
        return {**at, 0: self.highest, last: 0}.get(row)

    def drawn(self, totals: Sequence[Sequence[int]], dot: str) -> list[list[Piece]]:
        """Give the rows with every line: a mark at each hand, dots between; the better player lies on top."""
        found: dict[tuple[int, int], Piece] = {}
        order = sorted(range(len(totals)), key=lambda seat: totals[seat][-1], reverse=True)
        for seat in order:
            for place in self._between(totals[seat]):
                found[place] = (dot, seat)
        for seat in order:
            for hand in range(1, self.hands + 1):
                found[self.row(totals[seat][hand]), self.column(hand)] = (MARKS[seat], seat)
        return [[found.get((row, column), (" ", None)) for column in range(self.columns)] for row in range(self.rows)]

    def _between(self, line: Sequence[int]) -> list[tuple[int, int]]:
        places = []
        for hand in range(self.hands):
            first, last = self.column(hand), self.column(hand + 1)
            steps = max(last - first, abs(self.row(line[hand + 1]) - self.row(line[hand])), 1)
            for step in range(steps):
                total = line[hand] + (line[hand + 1] - line[hand]) * step / steps
                places.append((self.row(total), round(first + (last - first) * step / steps)))
        return places

    def hand_numbers(self) -> str:
        """Give the row of the hands' numbers, each under its marks; those for which there is no room are left out."""
        text = ""
        for hand in range(1, self.hands + 1):
            number = str(hand)
            place = self.column(hand) - len(number) + 1
            if place > len(text) or (not text and place >= 0):
                text += " " * (place - len(text)) + number
        return text


def _ends(rows: Sequence[int], height: int) -> list[int]:
    """Give a row for each label, as near as can be to where its line ends, and no two the same."""
    order = sorted(range(len(rows)), key=lambda seat: rows[seat])
    taken: list[int] = []
    for place, seat in enumerate(order):
        least = taken[-1] + 1 if taken else 0
        # Below it there has to be room for those that come.
        taken.append(min(max(least, rows[seat]), height - len(order) + place))
    return [taken[order.index(seat)] for seat in range(len(rows))]
