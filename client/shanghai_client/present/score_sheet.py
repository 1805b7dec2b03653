"""The score sheet: hands by players, totals and places; and the last cards of a finished hand."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_client.present.cells import count, left, right, wrap
from shanghai_client.present.news import end_text
from shanghai_client.present.people import People
from shanghai_client.scene import Scene
from shanghai_engine.card import cards_text
from shanghai_engine.state import HandResult
from shanghai_engine.view import PublicView

_WIDEST_NAME = 12
_NARROWEST_NAME = 7
_CONTRACT = 28


def places_of(totals: Sequence[int]) -> tuple[int, ...]:
    """Give the places from 1 for totals of which the lowest is best; equal totals share a place (R2.1)."""
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def score_lines(scene: Scene, *, width: int = 80) -> list[str]:
    """Give the score sheet of the game so far, within so many cells."""
    game = scene.game
    if game is None or not game.results:
        return ["No hand has been finished yet."]
    return sheet_lines(game.results, People.of(scene), width=width)


def sheet_lines(results: Sequence[HandResult], people: People, *, width: int = 80) -> list[str]:
    """Give a row for each finished hand, with `*` at who went out, and rows for the totals and the places."""
    players = len(people.names)
    with_contract = (width - 4 - _CONTRACT) // players > _NARROWEST_NAME
    first = _CONTRACT + 3 if with_contract else 6
    column = min((width - first) // players, _WIDEST_NAME + 2)
    names = ["You" if seat == people.you else name for seat, name in enumerate(people.names)]
    lines = [left("hand", first) + "".join(f" {right(name, column - 1)}" for name in names).rstrip()]
    for result in results:
        title = f"{result.hand:>2}  {result.contract}" if with_contract else f"{result.hand:>2}"
        row = [f"{score}{'*' if seat == result.winner else ' '}" for seat, score in enumerate(result.scores)]
        lines.append((left(title, first) + "".join(right(score, column) for score in row)).rstrip())
    totals = results[-1].totals
    for title, numbers in (("total", totals), ("place", places_of(totals))):
        lines.append((left(title, first) + "".join(right(f"{number} ", column) for number in numbers)).rstrip())
    return [*lines, "* went out"]


def last_hands_lines(result: HandResult, people: People, points: Sequence[int]) -> list[str]:
    """Give how a hand ended and everybody's last cards with what they count; `points` are by card number."""
    lines = [end_text(result, people)]
    for seat, hand in enumerate(result.hands):
        cards = sorted(hand, key=lambda card: (-points[card], card))
        shown = f"{result.scores[seat]:>4}  {cards_text(cards)}" if cards else f"{result.scores[seat]:>4}  no cards"
        lines += wrap(f"  {left(people.label(seat), 18)}{shown}", width=80, indent=" " * 26)
    return lines


def hands_lines(scene: Scene) -> list[str]:
    """Give the last cards of the hand that was finished last."""
    game = scene.game
    if game is None or not game.results:
        return ["No hand has been finished yet."]
    return last_hands_lines(game.results[-1], People.of(scene), game.rules.card_points)


def hand_over_lines(scene: Scene) -> list[str]:
    """Give all that is looked at between two hands (R2.4): who went out, the last cards, the score sheet."""
    return [*hands_lines(scene), "", *score_lines(scene)]


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
    return [f"{game.places[seat]}. {people.label(seat)}, {count(totals[seat], 'point')}" for seat in order]
