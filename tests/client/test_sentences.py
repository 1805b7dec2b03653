"""Sentences that somebody new to the game reads: each says what he needs at that moment, and of him as `you`."""

from __future__ import annotations

from dataclasses import replace

from drawn import model_of
from positions import position
from scenes import scene_of

from shanghai.v1 import table_pb2
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.people import People
from shanghai_client.screen.guard import slip_of
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.pieces import text_of
from shanghai_engine.card import JOKER
from shanghai_engine.game import Game
from shanghai_engine.rules import CLASSIC, STANDARD, RuleSet

FLOATS = "Your last card: its discard does not win, you float without a card (R11.2)."
WINS = "Your last card: its discard wins the hand (R16)."


def _last_cards(hand: str, rules: RuleSet = STANDARD) -> Game:
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    return position(hand=1, turn=0, melds=melds, hands={0: hand}, drawn=hand.split(maxsplit=1)[0], rules=rules)


def test_r11_2_nobody_floats_who_is_not_down() -> None:
    """Under rules by which one can hold a single card without being down, its discard is as any other."""
    game = position(hand=1, turn=0, melds=[(1, "8C 8D 8H"), (1, "KC KD KH")], hands={0: "2C"}, drawn="2C")
    assert not any("Your last card" in line for line in choice_lines(scene_of(game)))


def test_r11_2_who_would_float_is_told_before_he_discards() -> None:
    """Before the discard of the last card, and of no other, it is said that it does not win, on either screen."""
    for hand, told in (("2C", True), ("2C 3D", False)):
        scene = scene_of(_last_cards(hand))
        assert (FLOATS in " ".join(choice_lines(scene))) is told
        picture = "\n".join(text_of(line) for line in board(model_of(scene, size=(120, 30))))
        assert (FLOATS in picture) is told
    # At 80 columns it has room too.
    assert FLOATS in "\n".join(text_of(line) for line in board(model_of(scene_of(_last_cards("2C")))))


def test_r16_go_out_with_discard_who_would_win_is_told_so_and_not_asked_back() -> None:
    """Where the discard of the last card wins nobody is told that he floats, nor asked whether he means it."""
    scene = scene_of(_last_cards("4H", CLASSIC))
    assert WINS in " ".join(choice_lines(scene))
    picture = "\n".join(text_of(line) for line in board(model_of(scene)))
    assert WINS in picture
    for hand, asked in (("JK", False), ("JK 4H", True)):
        assert bool(slip_of(JOKER, scene_of(_last_cards(hand, CLASSIC)))) is asked
    assert slip_of(JOKER, scene_of(_last_cards("JK")))


def test_a_host_who_paused_the_game_is_told_of_himself() -> None:
    """Who paused it as the host reads `you`, everybody else `the host`."""
    for seat, by in ((0, "you"), (2, "the host"), (None, "the host")):
        scene = scene_of(_last_cards("2C 3D"), seat)
        scene.table.pause_reason = table_pb2.PAUSE_REASON_HOST
        assert choice_lines(scene) == [f"The game is paused by {by}: it goes on with resume."]
        title = text_of(board(model_of(scene, size=(120, 30)))[0])
        assert f"The game is paused by {by}: " in title


def test_ones_own_long_name_keeps_its_mark() -> None:
    """Where a name has to be cut, the name is, and not what says that it is one's own."""
    people = People(names=("A name of 24 characters!", "日本語の長い名前", "Zoë"), you=0)
    assert people.label(0, width=12) == "A nam~ (you)"
    assert replace(people, you=1).label(1, width=13) == "日本語~ (you)"
    assert (people.label(2, width=12), people.label(0)) == ("Zoë", "A name of 24 characters! (you)")


def test_the_columns_of_the_seats_stay_when_somebody_lays_down() -> None:
    """With eight seats at the smallest size the numbers stand in the same place before and after."""
    before = position(hand=1, players=8, turn=0, hands={0: "8C 8D"}, drawn="8C")
    after = position(hand=1, players=8, turn=0, hands={0: "8C 8D"}, down=[1, 6], drawn="8C")
    heads = [
        next(text_of(line) for line in board(model_of(scene_of(game))) if "cds" in text_of(line))
        for game in (before, after)
    ]
    assert heads[0] == heads[1]
