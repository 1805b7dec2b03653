"""The melds on the table, each with its number and its owner, written as fully as there is room for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shanghai_client.language import _, plural
from shanghai_client.present.cells import cells, clip_name, left
from shanghai_client.present.people import People
from shanghai_client.screen.choosing import place_letters
from shanghai_client.screen.model import Model
from shanghai_client.screen.pieces import Line, Piece, beside, fitted, line, width_of
from shanghai_client.screen.signs import CLASS_OF_SUIT, Signs, card_piece
from shanghai_engine.action import LayOff, Swap
from shanghai_engine.card import RANK_LETTERS, SUIT
from shanghai_engine.meld import End, Meld, MeldKind

_GAP = 2
_MOST_COLUMNS = 4
Letters = dict[tuple[int, End | int | None], str]
"""The keys of the places of a lay-off by meld and end, of a swap by meld and place of the joker."""
Form = Callable[[Meld, Signs, Letters], list[Piece]]


def meld_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give the melds in so many lines at most: in columns, scrolled where not even their shortest form fits."""
    game = model.game
    if game is None or not game.melds or height < 1:
        return [line(Piece("class:dim", _(" No melds yet.")))] if game is not None and height > 0 else []
    return _scrolled(model, _all_lines(model, width=width, height=height), height, width)


def last_scroll(model: Model, *, width: int, height: int) -> int:
    """Give the first row of the last page of melds; 0 where they all fit."""
    game = model.game
    if game is None or not game.melds or height < 1:
        return 0
    return max(0, len(_all_lines(model, width=width, height=height)) - height)


def _all_lines(model: Model, *, width: int, height: int) -> list[Line]:
    """Give all melds, in the longest form that fits into so many lines; else in the shortest."""
    entries = _entries(model, _SHORTEST)
    columns = max(1, min(_MOST_COLUMNS, width // (max(width_of(entry) for entry in entries) + _GAP)))
    for form in _FORMS:
        shown = _entries(model, form)
        widest = max(width_of(entry) for entry in shown)
        fitting = [
            n for n in range(1, _MOST_COLUMNS + 1) if -(-len(shown) // n) <= height and n * (widest + _GAP) <= width
        ]
        if fitting:
            entries, columns = shown, fitting[0]
            break
    return _in_columns(entries, columns, width)


def _in_columns(entries: Sequence[Line], columns: int, width: int) -> list[Line]:
    rows = -(-len(entries) // columns)
    column = width // columns
    lines = [fitted(entry, column) for entry in entries[:rows]]
    for number in range(1, columns):
        lines = beside(lines, entries[number * rows : (number + 1) * rows], left_width=column * number)
    return lines


def _scrolled(model: Model, lines: list[Line], height: int, width: int) -> list[Line]:
    if len(lines) <= height:
        return lines
    first = min(model.meld_scroll, len(lines) - height)
    shown = lines[first : first + height]
    below = len(lines) - first - height
    signs = model.signs
    more = f"{signs.more_above if first else ' '}{signs.more_below if below else ' '}"
    shown[-1] = (*fitted(shown[-1], width - 3), Piece("class:note", f" {more}"))
    return shown


def _entries(model: Model, form: Form) -> list[Line]:
    scene, game = model.scene, model.game
    if scene is None or game is None:
        return []
    people = People.of(scene)
    letters = _letters(model)
    # The word for oneself is never cut.
    name = max(_NAMES[form], cells(_("you")))
    return [
        line(
            Piece("class:label", f" {meld.id:>2} "),
            Piece(
                "class:you" if meld.owner == scene.seat else "class:dim",
                left(clip_name(_owner(people, meld.owner), name), name),
            ),
            " ",
            *form(meld, model.signs, letters),
        )
        for meld in game.melds
    ]


def _owner(people: People, seat: int) -> str:
    return _("you") if seat == people.you else people.names[seat]


def _letters(model: Model) -> Letters:
    letters: Letters = {}
    for action, letter in place_letters(model).items():
        match action:
            case LayOff():
                letters[action.meld, action.end] = letter
            case Swap():
                letters[action.meld, action.index] = letter
    return letters


def _key(letters: Letters, meld: Meld, place: End | int | None) -> list[Piece]:
    letter = letters.get((meld.id, place))
    return [] if letter is None else [Piece("class:cursor", letter, letter)]


def _full(meld: Meld, signs: Signs, letters: Letters) -> list[Piece]:
    """Give every card, a joker of a run with the card that it stands for, as in `5♥ JK=6♥ 7♥`."""
    pieces = _key(letters, meld, End.LOW)
    for index, card in enumerate(meld.cards):
        pieces += [Piece("", " ")] if pieces else []
        pieces += _key(letters, meld, index)
        means = meld.stands_for(index) if meld.joker_at(index) else None
        if means is None:
            pieces.append(card_piece(card, signs))
        else:
            pieces += [Piece("class:joker", f"{card.text}="), card_piece(means, signs, style="class:for-joker")]
    return pieces + _tail(letters, meld)


def _tail(letters: Letters, meld: Meld) -> list[Piece]:
    keys = _key(letters, meld, None if meld.kind is MeldKind.SET else End.HIGH)
    return [Piece("", " "), *keys] if keys else []


def _short(meld: Meld, signs: Signs, letters: Letters) -> list[Piece]:
    """Give the suit of a run once and then its ranks, jokers in brackets; the rank of a set once and then its suits."""
    if meld.kind is MeldKind.SET:
        return _short_set(meld, signs, letters)
    style = f"class:{CLASS_OF_SUIT[meld.suit]}"
    pieces = [Piece(style, signs.suit(meld.suit)), Piece("", " "), *_key(letters, meld, End.LOW)]
    for index in range(len(meld.cards)):
        rank = _rank(meld.rank + index)
        joker = meld.joker_at(index)
        pieces += _key(letters, meld, index)
        pieces.append(Piece("class:joker", f"[{rank}]") if joker else Piece(style, rank))
    return pieces + _tail(letters, meld)


def _short_set(meld: Meld, signs: Signs, letters: Letters) -> list[Piece]:
    pieces = [Piece("class:heading", _rank(meld.rank)), Piece("", " ")]
    for index, card in enumerate(meld.cards):
        pieces += _key(letters, meld, index)
        if meld.joker_at(index):
            pieces.append(Piece("class:joker", f"[{card.text}]"))
        else:
            pieces.append(Piece(f"class:{CLASS_OF_SUIT[SUIT[card]]}", signs.suit(SUIT[card])))
    return pieces + _tail(letters, meld)


def _range(meld: Meld, signs: Signs, letters: Letters) -> list[Piece]:
    """Give a run by its ends and the ranks that jokers stand for, a set as `_short` does with its jokers counted."""
    if meld.kind is MeldKind.SET:
        return _short_set(meld, signs, letters)
    style = f"class:{CLASS_OF_SUIT[meld.suit]}"
    ends = f"{_rank(meld.rank)}{signs.dash}{_rank(meld.high)}"
    pieces = [Piece(style, signs.suit(meld.suit)), Piece("", " "), *_key(letters, meld, End.LOW), Piece(style, ends)]
    jokers = meld.joker_places()
    if jokers:
        pieces.append(Piece("class:joker", "["))
        for index in jokers:
            pieces += [*_key(letters, meld, index), Piece("class:joker", _rank(meld.rank + index))]
        pieces.append(Piece("class:joker", "]"))
    return pieces + _tail(letters, meld)


def _rank(rank: int) -> str:
    """Give the letter of a rank; 1 is an ace that lies low."""
    return "A" if rank == 1 else RANK_LETTERS[rank - 2]


_SHORTEST: Form = _range
_FORMS: tuple[Form, ...] = (_full, _short, _range)
"""The richest first."""
_NAMES: dict[Form, int] = {_full: 10, _short: 6, _range: 5}
"""Cells of the owner's name in each form."""


def melds_heading(model: Model) -> str:
    """Give how many melds lie on the table."""
    melds = 0 if model.game is None else len(model.game.melds)
    return plural("{n} meld", "{n} melds", melds).format(n=melds) if melds else _("Melds")
