"""Every picture at every size: as many lines as the terminal has, and each as wide as it is, whatever it is sent."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import hypothesis
from around import LOBBIES, OVER_THE_TABLE
from drawn import POSITIONS, model_of
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth
from scenes import scene

from shanghai_client.language import LANGUAGES, speaking
from shanghai_client.lobby import picture as lobby_picture
from shanghai_client.lobby.page import Lobby
from shanghai_client.screen.keys import KEYS, pressed
from shanghai_client.screen.liking import look_of
from shanghai_client.screen.model import LOWEST, NARROWEST, Model
from shanghai_client.screen.panes.board import WIDE, board, clamped, last_line
from shanghai_client.screen.pieces import Line, text_of
from shanghai_client.settings import Settings

_LOOKS = st.builds(Settings, ascii=st.booleans(), ambiguous_wide=st.booleans())
_COLUMNS = st.sampled_from((NARROWEST, NARROWEST + 1, WIDE - 1, WIDE, 140)) | st.integers(1, 220)
_ROWS = st.sampled_from((LOWEST, LOWEST + 1, 30, 45)) | st.integers(2, 80)
_PRESSED = st.lists(st.sampled_from([name for key in KEYS for name in key.names]), max_size=4)


def _width(text: str, *, ambiguous_wide: bool) -> int:
    """Give the cells of a text on a terminal that gives two to signs of ambiguous width, or one."""
    wide = sum(unicodedata.east_asian_width(sign) == "A" for sign in text) if ambiguous_wide else 0
    return get_cwidth(text) + wide


def _check(lines: Sequence[Line], columns: int, rows: int, settings: Settings) -> None:
    assert len(lines) == rows
    widths = {_width(text_of(each), ambiguous_wide=settings.ambiguous_wide) for each in lines}
    assert widths == {columns}


def _check_table(model: Model, settings: Settings) -> None:
    model = clamped(model)
    _check([*board(model), last_line(model)], model.columns, model.rows, settings)


@given(name=st.sampled_from(list(POSITIONS)), keys=_PRESSED, settings=_LOOKS, columns=_COLUMNS, rows=_ROWS)
def test_the_table_is_as_wide_as_the_terminal(
    name: str, keys: list[str], settings: Settings, columns: int, rows: int
) -> None:
    """In every named position, in both languages, after any keys."""
    for language in LANGUAGES:
        with speaking(language):
            position = POSITIONS[name]
            model = model_of(position.scene(), *position.keys, look=look_of(settings), size=(columns, rows))
            model = position.then(model)
            for key in keys:
                model = pressed(model, key).model
            _check_table(model, settings)


@hypothesis.settings(max_examples=30)
@given(name=st.sampled_from(list(OVER_THE_TABLE)), settings=_LOOKS, columns=_COLUMNS, rows=_ROWS)
def test_what_lies_over_the_table_is_as_wide_as_the_terminal(
    name: str, settings: Settings, columns: int, rows: int
) -> None:
    """The settings, the score sheet and the chart, in both languages."""
    for language in LANGUAGES:
        with speaking(language):
            what, then = OVER_THE_TABLE[name]
            _check_table(then(model_of(scene(what), look=look_of(settings), size=(columns, rows))), settings)


@given(name=st.sampled_from(list(LOBBIES)), settings=_LOOKS, columns=_COLUMNS, rows=_ROWS, cursor=st.integers(0, 20))
def test_the_lobby_is_as_wide_as_the_terminal(
    name: str, settings: Settings, columns: int, rows: int, cursor: int
) -> None:
    """Every page, in both languages, whichever row is chosen."""
    for language in LANGUAGES:
        with speaking(language):
            lobby = LOBBIES[name](Lobby(columns=columns, rows=rows, look=look_of(settings), name="Zoë"))
            lobby = replace(lobby, cursor=min(cursor, max(0, lobby.choices - 1)))
            _check([*lobby_picture.board(lobby), lobby_picture.last_line(lobby)], columns, rows, settings)


def test_how_a_terminal_is_too_small_is_said_whole_on_the_smallest() -> None:
    """The sentences are broken into lines, and none is cut, while there are enough of these."""
    for language in LANGUAGES:
        with speaking(language):
            usual = board(model_of(scene("lobby"), size=(60, 20)))
            small = board(model_of(scene("lobby"), size=(20, 20)))
            texts = ["".join(text_of(each).replace(" ", "") for each in lines) for lines in (usual, small)]
            assert texts[1].replace("20x20", "60x20") == texts[0]
