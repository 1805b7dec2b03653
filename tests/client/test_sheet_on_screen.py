"""The score sheet on the whole screen: all ten hands on F2, and the chart once the game is over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth
from scenes import played, scene, scene_of

from shanghai_client.present.score_sheet import whole_sheet_lines
from shanghai_client.screen.keys import pressed
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.signs import LETTERS


def _shown(model: Model) -> list[str]:
    return [text_of(line).rstrip() for line in board(model)]


@pytest.mark.parametrize("hands", [1, 2, 9, 10])
def test_f2_has_all_ten_hands(hands: int) -> None:
    """A finished hand has its scores, one that comes its contract and no scores yet."""
    lines = whole_sheet_lines(scene_of(played(hands), 0))
    rows = {int(line[:2]): line for line in lines if line[:2].strip().isdigit()}
    assert sorted(rows) == list(range(1, 11))
    assert [hand for hand, row in rows.items() if row.rstrip().endswith("-")] == list(range(hands + 1, 11))


def test_f2_before_the_first_hand_is_finished_shows_what_comes() -> None:
    """Ten contracts, and nobody has a point."""
    shown = _shown(pressed(Model(scene=scene("offer_on_turn")), "f2").model)
    assert any("10  3 runs of 5" in line for line in shown)


@pytest.mark.parametrize("only_ascii", [True, False])
def test_after_the_game_there_is_a_chart(only_ascii: bool) -> None:  # noqa: FBT001 (data)
    """It stands below the places where there is room, in the signs of the terminal."""
    look = Look(signs=LETTERS) if only_ascii else Look()
    shown = _shown(Model(scene=scene_of(played(10), 0), columns=100, rows=45, look=look))
    assert " The totals after each hand: the lowest is the best." in shown
    totals = [seat.total for seat in played(10).view(None).public.seats]
    assert any(line.rstrip().endswith(f"D {'Zoe' if only_ascii else 'Zoë'} {totals[3]}") for line in shown)
    assert any(f"{max(totals)}+" in line for line in shown) is only_ascii
    assert {
        get_cwidth(text_of(line)) for line in board(Model(scene=scene_of(played(10), 0), columns=100, rows=45))
    } == {100}


def test_a_small_terminal_scrolls_to_the_chart() -> None:
    """Down leads to what is below, and the rule says which lines are shown."""
    model = Model(scene=scene_of(played(10), 0))
    assert any("1-18 of 35: Up, Down" in line for line in _shown(model))
    for _press in range(40):
        model = pressed(model, "down").model
    assert any(line.strip().endswith("9    10") for line in _shown(model))
    assert any("18-35 of 35" in line for line in _shown(replace(model)))
