"""The score sheet: hands by players, totals and places; and the last cards of a finished hand."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_client.language import _
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import left, right, wrap
from shanghai_client.present.contracts import contract_words
from shanghai_client.present.news import end_text
from shanghai_client.present.people import People
from shanghai_client.present.ready import ready_lines
from shanghai_client.scene import USUAL_WIDTH, Scene
from shanghai_engine.card import cards_text
from shanghai_engine.contract import Contract
from shanghai_engine.state import HandResult
from shanghai_engine.view import PublicView

_WIDEST_NAME = 12
_NARROWEST_NAME = 7
_CONTRACT = 28
_HAND = 6
"""Cells of a hand's number."""
_NARROWEST_COLUMN = 6
"""Cells of a player at least: a score of four signs, its mark, a gap, and a few letters of the name."""


def places_of(totals: Sequence[int]) -> tuple[int, ...]:
    """Give the places from 1 for totals of which the lowest is best; equal totals share a place (R2.1)."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def score_lines(scene: Scene) -> list[str]:
    """Give the score sheet of the game so far."""
    game = scene.game
    if game is None or not game.results:
        return [_("No hand has been finished yet.")]
    return sheet_lines(game.results, People.of(scene), width=scene.width)


def whole_sheet_lines(scene: Scene) -> list[str]:
    """Give the score sheet of the whole game, with the contracts of the hands that are still to be played."""
    game = scene.game
    if game is None:
        return [_("No hand has been finished yet.")]
    coming = game.rules.contracts[len(game.results) : game.rules.hands]
    return sheet_lines(game.results, People.of(scene), width=scene.width, coming=coming)


def sheet_lines(
    results: Sequence[HandResult], people: People, *, width: int = USUAL_WIDTH, coming: Sequence[Contract] = ()
) -> list[str]:
    """Give a row for each finished hand, with `*` at who went out, and rows for the totals and the places.

    `coming` are the contracts of the hands after them, which have rows without scores. Where not all players fit beside
    each other, the sheet goes on below with the others.
    """
    players = len(people.names)
    blocks = -(-players * _narrowest_column(results) // (width - _HAND))
    size = -(-players // blocks)
    lines: list[str] = []
    for first in range(0, players, size):
        lines += _block(results, people, range(first, min(first + size, players)), width, coming)
    return [*lines, _("* went out")]


def _narrowest_column(results: Sequence[HandResult]) -> int:
    """Give the cells that a player has at least: his longest number, its mark, and a gap."""
    numbers = [number for result in results for number in (*result.scores, *result.totals)]
    return max(_NARROWEST_COLUMN, *(len(str(number)) + 2 for number in numbers)) if numbers else _NARROWEST_COLUMN


def _block(
    results: Sequence[HandResult], people: People, seats: range, width: int, coming: Sequence[Contract]
) -> list[str]:
    players = len(seats)
    with_contract = (width - 4 - _CONTRACT) // players > _NARROWEST_NAME
    first = _CONTRACT + 3 if with_contract else _HAND
    column = min((width - first) // players, _WIDEST_NAME + 2)
    names = [_("You") if seat == people.you else people.names[seat] for seat in seats]
    lines = [left(_("hand"), first) + "".join(f" {right(name, column - 1)}" for name in names).rstrip()]
    for result in results:
        title = f"{result.hand:>2}  {contract_words(result.contract)}" if with_contract else f"{result.hand:>2}"
        row = [f"{result.scores[seat]}{'*' if seat == result.winner else ' '}" for seat in seats]
        lines.append((left(title, first) + "".join(right(score, column) for score in row)).rstrip())
    for hand, contract in enumerate(coming, start=len(results) + 1):
        title = f"{hand:>2}  {contract_words(contract)}" if with_contract else f"{hand:>2}"
        lines.append(left(title, first) + "".join(right("- ", column) for _seat in seats).rstrip())
    totals = results[-1].totals if results else (0,) * len(people.names)
    for title, numbers in ((_("total"), totals), (_("place"), places_of(totals))):
        lines.append((left(title, first) + "".join(right(f"{numbers[seat]} ", column) for seat in seats)).rstrip())
    return lines


def last_hands_lines(
    result: HandResult, people: People, points: Sequence[int], *, width: int = USUAL_WIDTH
) -> list[str]:
    """Give how a hand ended and everybody's last cards with what they count; `points` are by card number."""
    lines = wrap(end_text(result, people), width=width)
    name = max(_NARROWEST_NAME, min(18, width - 50))
    for seat, hand in enumerate(result.hands):
        cards = sorted(hand, key=lambda card: (-points[card], card))
        held = cards_text(cards) if cards else _("no cards")
        shown = f"{result.scores[seat]:>4}  {held}"
        lines += wrap(f"  {left(people.label(seat), name)}{shown}", width=width, indent=" " * (name + 8))
    return lines


def hands_lines(scene: Scene) -> list[str]:
    """Give the last cards of the hand that was finished last."""
    game = scene.game
    if game is None or not game.results:
        return [_("No hand has been finished yet.")]
    return last_hands_lines(game.results[-1], People.of(scene), game.rules.card_points, width=scene.width)


def hand_over_lines(scene: Scene, hand: int = 0) -> list[str]:
    """Give all that is looked at between two hands (R2.4): who went out, the last cards, the score sheet, who is ready.

    `hand` is a finished one, from 1; without it the one that was finished last.
    """
    game = scene.game
    if game is None or not game.results:
        return [_("No hand has been finished yet.")]
    results, people = game.results[: hand or None], People.of(scene)
    last = last_hands_lines(results[-1], people, game.rules.card_points, width=scene.width)
    sheet = sheet_lines(results, people, width=scene.width)
    return [*last, "", *sheet, *([] if hand and hand < len(game.results) else ready_lines(scene))]


def final_lines(scene: Scene) -> list[str]:
    """Give the end of the game: the whole sheet and the places in words."""
    game = scene.game
    if game is None or not game.places:
        return score_lines(scene)
    return [*score_lines(scene), "", *place_lines(game, People.of(scene))]


def place_lines(game: PublicView, people: People) -> list[str]:
    """Give a line for each place, the first first."""
    totals = [seat.total for seat in game.seats]
    order = sorted(range(len(totals)), key=lambda seat: (game.places[seat], seat))
    text = _("{place}. {name}, {points}")
    return [
        text.format(place=game.places[seat], name=people.label(seat), points=count(totals[seat], "point"))
        for seat in order
    ]
