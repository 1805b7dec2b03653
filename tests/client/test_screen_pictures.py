"""The pictures of the full screen, drawn by the program on a terminal, as they were looked at."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from depicted import Variant
from drawn import FULL, POSITIONS, SIZES, VARIANTS, model_of, picture, twenty_melds
from latin import latin_words
from positions import position
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.utils import get_cwidth
from scenes import NAMES, SCENES, SCREENS, scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.screen.keys import KEYS, pressed
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.panes.board import board, clamped, last_line
from shanghai_client.screen.pieces import text_of, width_of
from shanghai_client.screen.signs import LETTERS, SHAPES

_NAMED = {"offer", "own_turn", "staging", "lay_off_choice", "twenty_melds", "floating", "score_sheet", "lobby"}
_NAMED |= {"away", "reconnecting", "shut_down"}


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
async def test_a_picture_is_as_it_was_looked_at(variant: Variant) -> None:
    """What stands on the terminal, and in which colours, is what its file says (`python tests/drawn.py`)."""
    assert await picture(variant) == (FULL / f"{variant.name}.txt").read_text(encoding="utf-8")


_GIVEN = ("ABCDE", "FRDAY", "GAMES", "QUIET", "ENDED", "Friday", "kitchen", "laptop", "secret", "sesame")
"""Codes of tables, and what people have typed."""


@pytest.mark.parametrize("path", [*SCREENS.glob("*.ja.txt"), *SCREENS.glob("*/*.ja.txt")], ids=lambda path: path.stem)
def test_a_picture_in_japanese_shows_no_english(path: Path) -> None:
    """Beside names, cards, keys and what is typed, no word in Latin letters is left."""
    shown = path.read_text(encoding="utf-8").partition("-----")[0]
    names = {word for name in (*NAMES, *_GIVEN) for word in re.findall("[A-Za-z]+", name)}
    assert latin_words(shown) - names == set()


def test_every_picture_is_kept_once() -> None:
    """Each file belongs to a variant, and no two variants have one file."""
    names = [f"{variant.name}.txt" for variant in VARIANTS]
    assert len(set(names)) == len(names)
    assert {path.name for path in FULL.glob("*.txt")} == set(names)


def test_the_named_positions_are_drawn_at_the_smallest_size() -> None:
    """Every named position is there at 80x24 in colour and English."""
    usual = {variant.what for variant in VARIANTS if variant == Variant(variant.what)}
    assert usual >= _NAMED
    assert usual == set(POSITIONS)


def test_the_other_variants_meet_pairwise() -> None:
    """Each size above the smallest meets each look and each depth of colour."""
    found = {(variant.size, variant.said) for variant in VARIANTS} | {(v.size, v.depth) for v in VARIANTS}
    looks = {variant.said for variant in VARIANTS}
    depths = (ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_24_BIT)
    assert found >= set(itertools.product(SIZES[1:3], looks)) | set(itertools.product(SIZES[1:3], depths))


def _pictures(model: Model) -> list[list[str]]:
    """Give the text of a model's picture after each key that does something."""
    after = [model, *(pressed(model, name).model for key in KEYS for name in key.names)]
    return [[text_of(each) for each in (*board(clamped(then)), last_line(then))] for then in after]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", SCENES)
def test_a_picture_fills_the_terminal_exactly(name: str, size: tuple[int, int]) -> None:
    """Whatever is shown and pressed, there are as many lines as rows, each as wide as the terminal."""
    columns, rows = size
    for lines in _pictures(model_of(scene(name), size=size)):
        assert len(lines) == rows
        assert {get_cwidth(line) for line in lines} == {columns}


@pytest.mark.parametrize("players", [3, 8])
def test_names_of_all_scripts_keep_the_columns(players: int) -> None:
    """Names of kanji, emoji and letters with marks are as wide as they are: every line ends where the terminal does."""
    names = ("日本太郎", "🎲🎲🎲", "Ünïcödé", "한국어", "🐉", "Zoë", "日本花子", "مرحبا")
    shown = scene_of(position(players=players, hand=1, turn=1))
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    for seat, name in zip(table.seats, names, strict=False):
        seat.name = name
    named = replace(shown, table=table)
    for size, signs in itertools.product(SIZES[:3], (SHAPES, LETTERS)):
        lines = [text_of(each) for each in board(model_of(named, look=Look(signs=signs), size=size))]
        assert {get_cwidth(line) for line in lines} == {size[0]}
        assert any("日本太郎" in line for line in lines)
        assert any("🎲🎲🎲" in line for line in lines)


@pytest.mark.parametrize("name", SCENES)
def test_ascii_is_ascii_but_for_what_is_wide_everywhere(name: str) -> None:
    """With ASCII signs no sign is left whose width terminals do not agree on."""
    for lines in _pictures(model_of(scene(name), look=Look(signs=LETTERS))):
        strange = {sign for line in lines for sign in line if not sign.isascii() and get_cwidth(sign) != 2}
        assert strange == set()


def test_the_fullest_table_is_played_on_the_smallest_terminal() -> None:
    """At 80x24 all twenty melds of eight players, all 23 cards of the hand and every seat are there at once."""
    shown = twenty_melds()
    lines = [text_of(each) for each in board(model_of(shown))]
    text = "\n".join(lines)
    for number in range(20):
        assert f" {number} " in text
    assert [line for line in lines if "♣" in line]
    assert sum(width_of(each) for each in board(model_of(shown))) == 80 * 23
    cards = next(line for line in lines if line.startswith("  K♥ J♦"))
    assert len(cards.split()) == 23
