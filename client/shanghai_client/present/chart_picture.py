"""The chart of the totals as a picture: SVG with a line for each player, told apart by colour, mark and name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from prompt_toolkit.utils import get_cwidth

from shanghai_client.language import _, plural
from shanghai_client.present.cells import clip_name
from shanghai_client.present.people import People
from shanghai_client.present.score_sheet import places_of
from shanghai_engine.state import HandResult
from shanghai_wire.shown_text import visible

NAMESPACE = "http://www.w3.org/2000/svg"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#33a1c9", "#000000", "#8b4513")
"""Colours that people with any kind of colour vision tell apart on white."""
_SHAPES = (
    "M-5,0 a5,5 0 1,0 10,0 a5,5 0 1,0 -10,0 z",
    "M-4.5,-4.5 h9 v9 h-9 z",
    "M0,-6 L5.5,4.5 H-5.5 z",
    "M0,-6.5 L6.5,0 L0,6.5 L-6.5,0 z",
    "M0,6 L5.5,-4.5 H-5.5 z",
    "M-6,-2 H-2 V-6 H2 V-2 H6 V2 H2 V6 H-2 V2 H-6 z",
    "M-5,-5 L0,-2 L5,-5 L2,0 L5,5 L0,2 L-5,5 L-2,0 z",
    "M-3,-6 H3 L6,0 L3,6 H-3 L-6,0 z",
)
"""The marks of the players, drawn around the origin."""
_WIDTH, _HEIGHT = 880, 480
_LEFT, _TOP, _BOTTOM = 64, 64, 56
_MOST_LINES = 7
_SIGN = 7.5
"""About how many points wide a cell of text is."""
_LINE = 20
"""Points between two names at least."""
_WIDEST_NAME = 24


def chart_picture(results: Sequence[HandResult], people: People) -> str:
    """Give the chart of the totals as an SVG document; there is one finished hand at least.

    The mark of the hand's winner is filled. What the picture shows also stands in it as text, for who does not see it.
    """
    labels = _labels(results, people)
    highest = max(1, *(max(result.totals) for result in results))
    step = _step(highest)
    frame = _Frame(
        highest=-(-highest // step) * step,
        step=step,
        hands=len(results),
        right=30 + round(_SIGN * max(get_cwidth(label) for label in labels)),
    )
    root = Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {_WIDTH} {_HEIGHT}",
            "width": str(_WIDTH),
            "height": str(_HEIGHT),
            "role": "img",
            "font-family": "system-ui, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK JP', 'DejaVu Sans', sans-serif",
            "font-size": "14",
        },
    )
    title = _("Shanghai Rum: the totals after each hand")
    SubElement(root, "title").text = title
    SubElement(root, "desc").text = "; ".join(labels)
    SubElement(root, "rect", {"width": str(_WIDTH), "height": str(_HEIGHT), "fill": "#ffffff"})
    _text(root, _LEFT, 28, title, size=18, weight="bold")
    _text(root, _LEFT, 48, _("The lowest is the best. A filled mark: went out."), fill="#555555")
    _draw_axes(root, frame)
    ends = _ends([frame.y(total) for total in results[-1].totals])
    # The best lies on top.
    for seat in sorted(range(len(labels)), key=lambda each: -results[-1].totals[each]):
        _draw_player(root, frame, results, seat, label=labels[seat], end=ends[seat])
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=False) + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """The area of the lines, in points."""

    highest: int
    step: int
    hands: int
    right: int

    @property
    def end(self) -> int:
        """Where the area ends at the right."""
        return _WIDTH - self.right

    def x(self, hand: int) -> float:
        """Give where a hand stands, 0 for before the first."""
        return round(_LEFT + hand * (self.end - _LEFT) / self.hands, 1)

    def y(self, total: int) -> float:
        """Give where a total stands."""
        return round(_HEIGHT - _BOTTOM - total * (_HEIGHT - _TOP - _BOTTOM) / self.highest, 1)


def _labels(results: Sequence[HandResult], people: People) -> list[str]:
    totals = results[-1].totals
    return [
        _("{place}. {name}, {points}").format(
            place=place,
            name=clip_name(visible(people.names[seat]), _WIDEST_NAME),
            points=plural("{count} point", "{count} points", totals[seat]).format(count=totals[seat]),
        )
        for seat, place in enumerate(places_of(totals))
    ]


def _step(highest: int) -> int:
    """Give how far apart the lines of the scale are: easy to read, and so that there are few of them."""
    ten = 1
    while True:
        for step in (ten, 2 * ten, 5 * ten):
            if step * _MOST_LINES >= highest:
                return step
        ten *= 10


def _draw_axes(root: Element, frame: _Frame) -> None:
    for total in range(0, frame.highest + 1, frame.step):
        y = frame.y(total)
        SubElement(
            root,
            "path",
            {"d": f"M{_LEFT},{y} H{frame.end}", "stroke": "#444444" if not total else "#dddddd", "fill": "none"},
        )
        _text(root, _LEFT - 8, y + 5, str(total), anchor="end", fill="#555555")
    for hand in range(1, frame.hands + 1):
        _text(root, frame.x(hand), _HEIGHT - _BOTTOM + 20, str(hand), anchor="middle", fill="#555555")
    _text(root, (_LEFT + frame.end) / 2, _HEIGHT - 14, _("hand"), anchor="middle", fill="#555555")


def _draw_player(
    root: Element, frame: _Frame, results: Sequence[HandResult], seat: int, *, label: str, end: float
) -> None:
    colour = _COLOURS[seat % len(_COLOURS)]
    group = SubElement(root, "g", {"stroke": colour, "stroke-width": "2", "stroke-linejoin": "round"})
    totals = [0, *(result.totals[seat] for result in results)]
    points = " ".join(f"{frame.x(hand)},{frame.y(total)}" for hand, total in enumerate(totals))
    SubElement(group, "polyline", {"points": points, "fill": "none"})
    for result in results:
        SubElement(
            group,
            "path",
            {
                "d": _SHAPES[seat % len(_SHAPES)],
                "transform": f"translate({frame.x(result.hand)},{frame.y(result.totals[seat])})",
                "fill": colour if result.winner == seat else "#ffffff",
            },
        )
    last = frame.y(totals[-1])
    thread = f"M{frame.end + 9},{last} L{frame.end + 18},{end}"
    SubElement(group, "path", {"d": thread, "fill": "none", "stroke-width": "1"})
    _text(root, frame.end + 22, end + 5, label, fill=colour)


def _ends(heights: Sequence[float]) -> list[float]:
    """Give where each name stands, near to where its line ends, with room for each."""
    order = sorted(range(len(heights)), key=lambda seat: heights[seat])
    taken: list[float] = []
    for place, seat in enumerate(order):
        least = taken[-1] + _LINE if taken else _TOP
        lowest = _HEIGHT - _BOTTOM - _LINE * (len(order) - place - 1)
        taken.append(min(max(least, heights[seat]), lowest))
    return [taken[order.index(seat)] for seat in range(len(heights))]


def _text(
    root: Element,
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    fill: str = "#000000",
    size: int = 14,
    weight: str = "normal",
) -> None:
    given = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor, "fill": fill}
    given |= {"font-size": str(size)} if size != 14 else {}  # noqa: PLR2004 (the size of the document)
    given |= {"font-weight": weight} if weight != "normal" else {}
    SubElement(root, "text", given).text = text
