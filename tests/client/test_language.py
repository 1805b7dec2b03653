"""The language: which one is chosen, and that it is spoken everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from client_program import run_program

from shanghai_client.cli.worded import speak_as_asked
from shanghai_client.folders import settings_path
from shanghai_client.language import VARIABLE, UnknownLanguage, _, choose, plural, speak, speaking, spoken
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import and_list, cells, wrap
from shanghai_client.reasons import sentence_by_reason


@pytest.mark.parametrize(
    ("wanted", "environment", "setting", "spoken"),
    [
        ("", {}, "", "en"),
        ("ja", {"SHANGHAI_RUM_LANG": "en", "LANG": "en_US.UTF-8"}, "en", "ja"),
        ("", {"SHANGHAI_RUM_LANG": "ja", "LANG": "en_US.UTF-8"}, "en", "ja"),
        ("", {"LANG": "en_US.UTF-8"}, "ja", "ja"),
        ("", {"LC_ALL": "ja_JP.UTF-8", "LANG": "en_US.UTF-8"}, "", "ja"),
        ("", {"LC_MESSAGES": "ja", "LANG": "C"}, "", "ja"),
        ("", {"LC_ALL": "C", "LC_MESSAGES": "ja", "LANG": "ja_JP"}, "", "en"),
        ("", {"LC_ALL": "", "LANG": "ja_JP.eucJP"}, "", "ja"),
        ("", {"LANG": "de_DE.UTF-8"}, "", "en"),
        ("", {"LANG": "C.UTF-8"}, "", "en"),
    ],
)
def test_the_flag_comes_first_then_the_environment_the_setting_and_the_locale(
    wanted: str, environment: dict[str, str], setting: str, spoken: str
) -> None:
    """Whatever is said more directly counts; a locale that is not spoken is answered in English."""
    assert choose(wanted, environment=environment, setting=setting) == spoken


@pytest.mark.parametrize(
    ("wanted", "environment", "setting", "named"),
    [
        ("de", {}, "", "--lang"),
        ("", {"SHANGHAI_RUM_LANG": "jp"}, "", "SHANGHAI_RUM_LANG"),
        ("", {}, "fr", "lang"),
    ],
)
def test_a_language_that_is_asked_for_and_not_spoken_is_refused(
    wanted: str, environment: dict[str, str], setting: str, named: str
) -> None:
    """The sentence names where it was asked for, and the languages that there are."""
    with pytest.raises(UnknownLanguage, match=f"{named} is .*en, ja"):
        choose(wanted, environment=environment, setting=setting)


def test_a_block_in_a_language_ends_with_the_one_before() -> None:
    """Texts and plurals follow the language, and so do lists."""
    assert (spoken(), count(1, "card"), count(2, "card")) == ("en", "1 card", "2 cards")
    with speaking("ja"):
        assert (spoken(), count(1, "card"), count(2, "card")) == ("ja", "1枚", "2枚")
        assert plural("{count} card", "{count} cards", 3).format(count=3) == "3枚"
        assert and_list(["8H", "9H", "TH"]) == "8H、9H、TH"
        assert _("a text that nobody has translated") == "a text that nobody has translated"
    assert and_list(["8H", "9H", "TH"]) == "8H, 9H and TH"


def test_a_reason_is_said_only_with_all_of_its_values() -> None:
    """What another version of the server leaves out cannot be put into a sentence of ours: then its own is shown."""
    with speaking("ja"):
        whole = sentence_by_reason("NOT_YOUR_TURN", {"seat": "3", "turn": "2", "of": "another version"})
        assert {"3", "2"} <= set(whole)
        assert sentence_by_reason("NOT_YOUR_TURN", {"seat": "3"}) == ""
        assert sentence_by_reason("NOT_THOUGHT_OF", {"seat": "3"}) == ""
    assert sentence_by_reason("NOT_YOUR_TURN", {"seat": "3", "turn": "2"}) == ""


def test_a_line_of_japanese_is_broken_by_cells_and_not_before_punctuation() -> None:
    """Lines end between any two signs, but none begins with 、 or 」 or ends with 「."""
    text = "「手札」から8Hを捨てました。アップカードは8H、山札は40枚です。"
    for width in range(10, 70):
        lines = wrap(text, width=width, indent="  ")
        assert all(cells(line) <= width for line in lines)
        assert not any(line.strip()[0] in "、。」ー" for line in lines)
        assert not any(line.endswith("「") for line in lines)
        assert "".join(line.strip() for line in lines) == text
    assert wrap("一 二", width=80) == ["一 二"]


def test_the_command_line_names_the_language_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--lang` is read before everything else, behind the command too, and not behind `--`."""
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv(VARIABLE, "en")
    try:
        for arguments in (["--lang", "ja", "rules"], ["rules", "--lang=ja"], ["rules", "--lang", "en", "--lang", "ja"]):
            speak_as_asked(arguments)
            assert spoken() == "ja"
        speak_as_asked(["rules", "--", "--lang", "ja"])
        assert spoken() == "en"
    finally:
        speak("en")


def test_the_settings_file_is_asked_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its `lang` counts where neither the flag nor the environment says anything, and a broken file says nothing."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings = settings_path()
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('lang = "ja"\n', encoding="utf-8")
    try:
        speak_as_asked(["rules"])
        assert spoken() == "ja"
        speak_as_asked(["rules", "--lang", "en"])
        assert spoken() == "en"
        settings.write_text("lang = [", encoding="utf-8")
        speak_as_asked(["rules"])
        assert spoken() == "en"
    finally:
        speak("en")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--bogus"], "というオプションはありません"),
        (["play", "--players", "many"], "'--players' の値が正しくありません"),
        (["play", "too", "much"], "余分な引数があります（too much）"),
        (["nothing"], "'nothing' というコマンドはありません"),
        (["rules", "R99"], "'R99' というルールはありません"),
        (["join", "nowhere"], "'nowhere' はアドレスではありません"),
        (["play", "--players", "9"], "9人では遊べません"),
    ],
)
async def test_the_mistakes_of_a_command_line_are_told_in_japanese(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    """Whoever finds a mistake, the library of the command line too, says it in the language that was asked for."""
    ran = await run_program(*arguments, "--lang", "ja", home=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("shanghai-rum: ")
    assert said in ran.err


async def test_an_unknown_language_is_wrong_input(tmp_path: Path) -> None:
    """One sentence, and the exit code of wrong input."""
    ran = await run_program("rules", "--lang", "tlh", home=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "shanghai-rum: --lang is 'tlh', and this program speaks en, ja\n"
