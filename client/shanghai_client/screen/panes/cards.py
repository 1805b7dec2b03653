"""One's own hand: its cards in their order, with their group above and their marks, or their keys, below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from prompt_toolkit.utils import get_cwidth

from shanghai_client.language import _, later, plural
from shanghai_client.present.cells import clip
from shanghai_client.screen.choosing import letters_of
from shanghai_client.screen.fresh import new_cards
from shanghai_client.screen.model import Building, Choosing, Looking, Model, Placing
from shanghai_client.screen.ordering import Sort, groups_of, holding_of
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.pieces import Line, Piece, line, width_of
from shanghai_client.screen.signs import card_piece
from shanghai_engine.card import Card
from shanghai_engine.meld import Meld, refuse_lay_off
from shanghai_engine.rules import RuleSet

_LABELS = {
    "set": later("set"),
    "run": later("run"),
    "jokers": later("jokers"),
    "spare": later("spare set"),
    "pairs": later("pairs"),
    "near": later("near"),
    "fits": later("fits a meld"),
    "rest": later("rest"),
}
_SORTS = {
    Sort.USE: later("by use"),
    Sort.RANK: later("by rank"),
    Sort.SUIT: later("by suit"),
    Sort.OWN: later("your order"),
}
_BARE, _FRAMED = 3, 5
"""Cells of a card and the blank behind it, without and with a frame."""
TALL = 36
"""From so many rows on cards have frames."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A card as it is shown: its place in the hand, its marks, and the label of the group that begins with it."""

    place: int
    card: Card
    marks: str
    label: str = ""
    opens: bool = False


Row = Sequence[tuple[int, _Seen]]
"""Cards beside each other, each with the cell that it begins at."""


def hand_heading(model: Model) -> str:
    """Give what there is to say of the hand: how many cards and points, and how far it is from the contract."""
    scene, game = model.scene, model.game
    if scene is None or game is None or scene.seat is None:
        return ""
    hand = scene.hand
    if scene.waits:
        return _("You play from the next deal on")
    if not hand:
        return _("Your hand is empty: you float") if scene.down else _("Your hand is empty")
    points = sum(game.rules.card_points[card] for card in hand)
    cards = plural("Your hand, {n} card", "Your hand, {n} cards", len(hand)).format(n=len(hand))
    counted = plural("{n} point", "{n} points", points).format(n=points)
    return _("{cards}, {points}: {missing}").format(cards=cards, points=counted, missing=_missing(model))


def _missing(model: Model) -> str:
    holding = holding_of(None if model.scene is None else model.scene.view)
    missing = None if holding is None else holding.missing
    if missing is None:
        return _("you are down")
    if missing == 0:
        return _("you can lay down")
    return plural("{n} card missing", "{n} cards missing", missing).format(n=missing)


def order_text(model: Model) -> str:
    """Say what the hand is sorted by, and which offers are passed by themselves."""
    sort = _(_SORTS[model.order.sort])
    return sort if model.unless is Unless.ASKED else _("auto-pass, {sort}").format(sort=sort)


def hand_lines(model: Model, *, width: int) -> list[Line]:
    """Give the hand: the labels of its groups, its cards, and below these their marks or keys; where needed in rows.

    Where there is much room each card has a frame.
    """
    cards, keys = list(_cards(model)), letters_of(model)
    rows = list(_rows(cards, width - 2, _FRAMED)) if model.rows >= TALL else []
    if len(rows) == 1:
        return [_labels(rows[0]), *_framed(model, rows[0], keys), _below(model, rows[0], keys, shift=1)]
    rows = list(_rows(cards, width - 2, _BARE))
    if len(rows) > 1:
        rows = list(_rows(cards, width - 2, _BARE, whole_labels=False))
    return [each for row in rows for each in (_labels(row), _faces(model, row, keys), _below(model, row, keys))]


def _cards(model: Model) -> Iterator[_Seen]:
    scene = model.scene
    if scene is None or model.game is None:
        return
    fresh = Counter(new_cards(scene.view))
    swaps = {each.card for each in scene.play.swaps} if scene.play is not None else set()
    place = 0
    for group in groups_of(scene.view, model.order):
        for number, card in enumerate(group.cards):
            new = fresh[card] > 0
            fresh[card] -= new
            use = f"{'+' if _lays_off(model, card) else ''}{'s' if card in swaps else ''}"
            label = _(_LABELS[group.name]) if group.name and not number else ""
            yield _Seen(place, card, _marks(use, new=new), label, opens=not number)
            place += 1


def _marks(use: str, *, new: bool) -> str:
    """Give what stands below a card, in its two cells: that it is new comes before the second of its uses."""
    return f"*{use}"[:2].ljust(2) if new else use.rjust(2)


def _lays_off(model: Model, card: Card) -> bool:
    scene, game = model.scene, model.game
    if scene is None or game is None or not scene.down:
        return False
    if scene.play is not None:
        return any(each.card == card for each in scene.play.lay_offs)
    return _fits(card, game.melds, game.rules)


@lru_cache(maxsize=256)
def _fits(card: Card, melds: tuple[Meld, ...], rules: RuleSet) -> bool:
    return any(refuse_lay_off(meld, card, end, rules) is None for meld in melds for end in meld.ends)


def _rows(cards: Sequence[_Seen], width: int, stride: int, *, whole_labels: bool = True) -> Iterator[Row]:
    """Give the cards in rows, a card every so many cells; a group begins one cell further, or behind a longer label."""
    row: list[tuple[int, _Seen]] = []
    cell = 0
    for seen in cards:
        start = cell + (1 if seen.opens and row else 0)
        if row and seen.opens and row_label(row) and whole_labels:
            first = next(at for at, each in reversed(row) if each.opens)
            start = max(start, first + get_cwidth(row_label(row)) + 1)
        if row and start + stride - 1 > width:
            yield row
            row, start = [], 0
        row.append((start, seen))
        cell = start + stride
    if row:
        yield row


def row_label(row: Row) -> str:
    """Give the label of the last group of a row."""
    return next((each.label for _cell, each in reversed(row) if each.opens), "")


def _labels(row: Row) -> Line:
    opening = [(cell, seen.label) for cell, seen in row if seen.label]
    text = ""
    following_cells = [*(cell for cell, _label in opening), cell_behind(row)][1:]
    for (cell, label), following in zip(opening, following_cells, strict=True):
        text += " " * (cell - get_cwidth(text)) + clip(label, max(following - cell - 1, _BARE - 1))
    return line(Piece("class:label", f"  {text}"))


def cell_behind(row: Row) -> int:
    """Give a cell behind all labels of a row."""
    return max((cell + get_cwidth(seen.label) + 2 for cell, seen in row), default=0)


def _placed(row: Row, pieces: Callable[[_Seen], Sequence[Piece]]) -> Line:
    """Give a line with something at the cell of each card."""
    line_so_far = [Piece("", "  ")]
    end = 0
    for cell, seen in row:
        shown = pieces(seen)
        line_so_far += [Piece("", " " * (cell - end)), *shown]
        end = cell + width_of(shown)
    return line(*line_so_far)


def _faces(model: Model, row: Row, keys: dict[int, str]) -> Line:
    return _placed(row, lambda seen: [_face(model, seen, keys)])


def _face(model: Model, seen: _Seen, keys: dict[int, str]) -> Piece:
    return card_piece(seen.card, model.signs, style=_face_style(model, seen, keys), press=f"card {seen.place}")


def _framed(model: Model, row: Row, keys: dict[int, str]) -> list[Line]:
    """Give the cards in their frames, in three lines."""
    top_left, top_right, low_left, low_right, across, down = tuple(model.signs.box)

    def frame(text: str) -> Callable[[_Seen], Sequence[Piece]]:
        return lambda seen: [Piece(_frame_style(model, seen), text, f"card {seen.place}")]

    def middle(seen: _Seen) -> Sequence[Piece]:
        side = Piece(_frame_style(model, seen), down, f"card {seen.place}")
        return [side, _face(model, seen, keys), side]

    top, low = f"{top_left}{across * 2}{top_right}", f"{low_left}{across * 2}{low_right}"
    return [_placed(row, frame(top)), _placed(row, middle), _placed(row, frame(low))]


def _frame_style(model: Model, seen: _Seen) -> str:
    return "class:turn" if seen.place == model.cursor else "class:rule"


def _face_style(model: Model, seen: _Seen, keys: dict[int, str]) -> str:
    if seen.place == model.cursor and isinstance(model.mode, Looking | Choosing | Building | Placing):
        return "class:cursor"
    if isinstance(model.mode, Choosing) and seen.place not in keys:
        return "class:dim"
    return "class:staged" if seen.place in model.staged_places else ""


def _below(model: Model, row: Row, keys: dict[int, str], *, shift: int = 0) -> Line:
    """Give the marks of the cards, or their keys while one is being chosen."""
    choosing = isinstance(model.mode, Choosing | Building)
    blank = " " * shift

    def pieces(seen: _Seen) -> Sequence[Piece]:
        if choosing:
            return [Piece("class:letter", f"{blank}{keys.get(seen.place, ' ')} ", f"card {seen.place}")]
        return [Piece("class:mark", f"{blank}{seen.marks}")]

    return _placed(row, pieces)
