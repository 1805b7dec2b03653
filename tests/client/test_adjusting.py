"""F4: the settings over the table are changed by keys, show at once, and are kept in the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth
from scenes import scene

from shanghai_client.language import _, speaking
from shanghai_client.screen.adjusting import filled, in_language, settings_lines
from shanghai_client.screen.colours import colour_depth
from shanghai_client.screen.keyboard.place import Place, place_of
from shanghai_client.screen.keys import KEYS, pressed
from shanghai_client.screen.liking import look_of
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.ordering import Sort
from shanghai_client.screen.panes.board import board, last_line
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.signs import LETTERS, SHAPES
from shanghai_client.screen.stepping import Fill, Keep
from shanghai_client.screen.style import Background, Theme
from shanghai_client.settings import BY_KEY, SETTINGS, Settings, Source, choose


@pytest.fixture
def model(tmp_path: Path) -> Model:
    """Give a turn on the screen, with settings that are all as usual."""
    chosen = choose(file=tmp_path / "settings.toml", environment={})
    return Model(look=look_of(chosen.settings), chosen=chosen, scene=scene("turn_that_can_lay_down"))


def _by(model: Model, *keys: str) -> Model:
    for key in keys:
        model = pressed(model, key).model
    return model


def _to(model: Model, key: str) -> Model:
    return _by(model, "f4", *["down"] * SETTINGS.index(BY_KEY[key]))


def test_f4_shows_every_setting_and_closes_again(model: Model) -> None:
    """All keys, values and where they come from stand there; F4, q and Esc lead back to the table."""
    there = _by(model, "f4")
    assert place_of(there) is Place.SETTINGS
    shown = settings_lines(replace(there.chosen), 0, width=78) if there.chosen else []
    for setting in SETTINGS:
        assert any(f" {setting.key} " in line for line in shown)
    assert "Settings" in text_of(board(there)[1])
    assert "change" in text_of(last_line(there))
    for key in ("f4", "q", "escape"):
        assert place_of(_by(there, key)) is Place.TABLE


def test_the_title_of_the_settings_is_in_the_language_that_is_changed_there(model: Model) -> None:
    """The whole page follows, where the reader stays."""
    there = _to(model, "lang")
    assert there.overlay is not None
    with speaking("ja"):
        after = in_language(there).overlay
        assert after is not None
        assert after.title == _("Settings") != there.overlay.title
    assert (after.cursor, after.scroll) == (there.overlay.cursor, there.overlay.scroll)
    assert in_language(model) == model


def test_a_change_shows_at_once_and_is_kept(model: Model) -> None:
    """The next value of the theme is that of the look, comes from the file now, and is to be written there."""
    step = pressed(_to(model, "theme"), "right")
    assert step.model.look.theme is Theme.TWO
    assert step.effect == Keep(BY_KEY["theme"], "two-colour")
    assert step.model.chosen is not None
    assert step.model.chosen.origins["theme"].source is Source.FILE
    assert pressed(step.model, "left").effect == Keep(BY_KEY["theme"], "four-colour")
    assert _by(step.model, "left").look.theme is Theme.FOUR


@pytest.mark.parametrize(
    "key", [setting.key for setting in SETTINGS if setting.choices or setting.usual in {True, False}]
)
def test_the_values_go_round(key: str, model: Model) -> None:
    """Right goes through all values and comes back to the first, Enter does the same, and Left goes back."""
    there = _to(model, key)
    setting = BY_KEY[key]
    size = len(setting.choices) or 2
    assert _by(there, *["right"] * size).chosen == _by(there, "right", "left").chosen
    assert _by(there, "enter").chosen == _by(there, *["left"] * (size - 1)).chosen


def test_the_hand_and_the_offers_follow_at_once(model: Model) -> None:
    """The order of the hand and what is passed by itself change with their settings, in the hand that is played."""
    assert _by(_to(model, "sort"), "right").order.sort is Sort.RANK
    assert _by(_to(model, "auto-pass"), "right").unless is Unless.HELPS
    assert _by(_to(model, "ascii"), "right").signs is LETTERS


@pytest.mark.parametrize(
    ("key", "text", "wrong"),
    [("name", " Ann ", "x" * 25), ("address", "host:7410", "here"), ("discovery", "off", "::1")],
)
def test_text_is_typed(key: str, text: str, wrong: str, model: Model) -> None:
    """A line is opened with what is there; what is typed is kept, and what cannot be is said and changes nothing."""
    there = _to(model, key)
    setting = BY_KEY[key]
    assert pressed(there, "right").effect == Fill(setting, str(setting.usual))
    step = pressed(there, "enter")
    assert step.effect == Fill(setting, str(setting.usual))
    typed = filled(step.model, setting, text)
    assert typed.effect == Keep(setting, text.strip())
    assert typed.model.chosen is not None
    assert getattr(typed.model.chosen.settings, key) == text.strip()
    assert typed.model.note == f"{key} counts from the next time on"
    refused = filled(step.model, setting, wrong)
    assert refused.effect is None
    assert f"{key} cannot be '{wrong}'; right would be" in refused.model.note
    assert refused.model.chosen == model.chosen


def test_a_variable_that_is_stronger_is_named(tmp_path: Path) -> None:
    """Whoever changes what the environment says is told that it will say so the next time, too, be it text or not."""
    environment = {"SHANGHAI_RUM_THEME": "mono", "SHANGHAI_RUM_NAME": "Ann"}
    chosen = choose(file=tmp_path / "settings.toml", environment=environment, flags={"background": "light"})
    model = Model(look=look_of(chosen.settings), chosen=chosen, scene=scene("turn_that_can_lay_down"))
    changed = _by(_to(model, "theme"), "right")
    assert changed.note == "it is kept, but SHANGHAI_RUM_THEME is stronger than the file the next time"
    assert changed.look.theme is Theme.CONTRAST
    typed = filled(_to(model, "name"), BY_KEY["name"], "Ben").model
    assert typed.note == "it is kept, but SHANGHAI_RUM_NAME is stronger than the file the next time"
    # A flag is for this time alone.
    assert _by(_to(model, "background"), "right").note == ""


def test_without_settings_nothing_is_typed(model: Model) -> None:
    """Where there is no file there is nothing to keep it in."""
    assert filled(replace(model, chosen=None), BY_KEY["name"], "Ann").effect is None


def test_without_a_settings_file_there_is_nothing_to_change() -> None:
    """Where no settings were given, F4 says so."""
    bare = Model(look=Look(), scene=scene("turn_that_can_lay_down"))
    assert _by(bare, "f4").note == "there are no settings to change here"


@pytest.mark.parametrize("place", range(len(SETTINGS)))
def test_the_chosen_setting_is_on_the_screen(place: int, model: Model) -> None:
    """Whichever is chosen, its line and what it is for are among those shown on the smallest terminal."""
    there = _by(model, "f4", *["down"] * place)
    shown = [text_of(line) for line in board(there)]
    assert any(line.startswith(f" > {SETTINGS[place].key} ") for line in shown)
    assert {get_cwidth(line) for line in shown} == {80}


def test_the_look_is_what_the_settings_say() -> None:
    """Every setting of the look has its place in it; a terminal of ambiguous width or without Unicode gets letters."""
    look = look_of(
        Settings(
            theme="mono",
            background="light",
            bell=False,
            confirm=False,
            sort="own",
            auto_pass="joker",  # noqa: S106 (no password)
            colours="16",
        )
    )
    assert look == Look(
        theme=Theme.MONO,
        background=Background.LIGHT,
        bell=False,
        guard=False,
        sort=Sort.OWN,
        unless=Unless.JOKER,
        colours="16",
    )
    assert look_of(Settings()).signs is SHAPES
    assert look_of(Settings(ambiguous_wide=True)).signs is LETTERS
    assert look_of(Settings(), shapes=False).signs is LETTERS


def test_the_number_of_colours_is_that_of_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number, or none, is sent whatever the terminal says; auto asks the terminal."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("PROMPT_TOOLKIT_COLOR_DEPTH", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    depths = [colour_depth(colours) for colours in ("none", "16", "256", "true", "auto")]
    assert [depth.value for depth in depths if depth] == [
        "DEPTH_1_BIT",
        "DEPTH_4_BIT",
        "DEPTH_8_BIT",
        "DEPTH_24_BIT",
        "DEPTH_24_BIT",
    ]


def test_the_keys_of_the_settings_are_no_others() -> None:
    """No key means two things where the settings lie over the table."""
    names = [name for key in KEYS if Place.SETTINGS in key.places for name in key.names]
    assert sorted(name for name in set(names) if names.count(name) > 1) in ([], ["f4"])
