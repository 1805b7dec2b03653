"""What is seen of many seats and many discards where there is little room for them."""

from __future__ import annotations

import re

import pytest
from drawn import model_of
from positions import position
from scenes import scene_of

from shanghai_client.language import _, speaking
from shanghai_client.screen.looking import signs_lines
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.pieces import text_of


def test_the_newest_discard_is_seen_whole_in_either_language() -> None:
    """Of many discards the first are left out, and the line is no longer than the screen."""
    dead = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H"
    game = position(hand=2, turn=0, hands={0: "8C KD"}, discards=dead, drawn="KD")
    for language in ("en", "ja"):
        with speaking(language):
            lines = [text_of(line).rstrip() for line in board(model_of(scene_of(game)))]
        assert any(line.endswith("K♦ A♦ 2♥ 3♥") for line in lines), language


@pytest.mark.parametrize("language", ["en", "ja"])
def test_who_floats_is_told_in_the_narrow_columns_of_eight(language: str) -> None:
    """The word has room there, and so has that somebody is away."""
    game = position(players=8, hand=2, turn=0, down=[5], hands={0: "8C KD", 5: ""}, drawn="KD")
    with speaking(language):
        lines = [text_of(line) for line in board(model_of(scene_of(game, away=6)))]
        said = (_("afloat"), _("absent"))
    for word in said:
        assert any(word in line for line in lines[:7]), (word, lines[:7])


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("cards", "sign"), [("8C KD", "d"), ("", "f")])
def test_who_is_away_and_down_is_told_both_in_the_narrow_columns(cards: str, sign: str, language: str) -> None:
    """The one by its whole word, the other by a sign that the help explains; without room for two words none is cut."""
    game = position(players=5, hand=2, turn=0, down=[4], hands={0: "8C KD", 4: cards}, drawn="KD")
    with speaking(language):
        shown = scene_of(game)
        shown.table.seats[4].connected = False
        lines = [text_of(line) for line in board(model_of(shown))]
        row = next(line for line in lines if f"4 {sign}Eve" in line)
        away = _("away")
        helping = signs_lines()
        explained = _("  d, f at a seat  is down, or floats, where there is no room for the word")
    assert re.search(rf"4 {sign}Eve .*{away}( |$)", row)
    assert "~" not in row.partition("Eve")[2]
    assert explained in helping
