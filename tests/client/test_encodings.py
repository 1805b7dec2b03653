"""Terminals and pipes that are not UTF-8: what they cannot show is said in English, and drawn as wide as it is."""

from __future__ import annotations

import codecs
import itertools
from pathlib import Path

import pytest
from client_program import run_program
from screen_person import Person

from shanghai_client.present.cells import cells
from shanghai_client.screen.signs import in_encoding

NARROW = ("ascii", "latin-1", "cp1252")
"""Encodings that have no Japanese."""
WIDE = ("euc_jp", "shift_jis")
"""Encodings that have."""
_SAID = "has no signs of the language 'ja', so English is spoken.\n"
_COMMANDS = (
    ("rules", "R1"),
    ("play", "--help"),
    ("play", "--auto", "--plain", "--seed", "a"),
    ("settings",),
    ("tables", "127.0.0.1:1"),
    ("nonsense",),
)


@pytest.mark.parametrize(("command", "encoding"), [*zip(_COMMANDS, itertools.cycle(NARROW), strict=False)])
async def test_where_there_are_no_signs_for_a_language_english_is_spoken(
    tmp_path: Path, command: tuple[str, ...], encoding: str
) -> None:
    """Every command says what it says without a language, in ASCII, and whoever asked for the language is told why."""
    where = {"PYTHONIOENCODING": encoding, "SHANGHAI_RUM_LANG": ""}
    asked = await run_program(*command, "--lang", "ja", home=tmp_path, variables=where, encoding="ascii")
    usual = await run_program(*command, home=tmp_path, variables=where, encoding="ascii")
    assert (asked.code, asked.out) == (usual.code, usual.out)
    assert asked.err == f"The encoding here, {codecs.lookup(encoding).name}, {_SAID}{usual.err}"
    assert "\\u" not in asked.out + asked.err


@pytest.mark.parametrize(
    ("variables", "told"),
    [({"SHANGHAI_RUM_LANG": "ja"}, True), ({"SHANGHAI_RUM_LANG": "", "LC_ALL": "ja_JP.UTF-8"}, False)],
    ids=["the variable", "the locale"],
)
async def test_only_who_asked_for_a_language_is_told(tmp_path: Path, variables: dict[str, str], *, told: bool) -> None:
    """A locale is no wish of its own: where the encoding is another one, English is spoken without a word."""
    ran = await run_program("rules", "R1", home=tmp_path, variables={"PYTHONIOENCODING": "ascii"} | variables)
    assert ran.out.startswith("R1 The cards")
    assert (_SAID in ran.err) == told


@pytest.mark.parametrize("encoding", WIDE)
async def test_encodings_of_japan_show_japanese(tmp_path: Path, encoding: str) -> None:
    """What has the signs of a language shows it."""
    where = {"PYTHONIOENCODING": encoding, "SHANGHAI_RUM_LANG": "ja"}
    ran = await run_program("rules", "R1", home=tmp_path, variables=where, encoding=encoding)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("R1 カード")


async def test_nothing_is_printed_that_an_encoding_has_not(tmp_path: Path) -> None:
    """Where only ASCII is printed, names and paths stand there by their escapes, on either stream."""
    where = {"PYTHONIOENCODING": "ascii"}
    ran = await run_program("settings", "name", "Zoë", home=tmp_path, variables=where, encoding="ascii")
    assert ran.out.startswith('name = "Zo\\xeb"')
    ran = await run_program("verify", "Zoë", home=tmp_path, variables=where, encoding="ascii")
    assert "the record 'Zo\\xeb' cannot be read" in ran.err


def test_a_line_is_as_wide_without_the_signs_that_a_terminal_lacks() -> None:
    """For each cell of a sign that cannot be sent there is one that can."""
    text = " Zoë 日本太郎 🎲 8♥ "
    assert in_encoding(text, "utf-8") == text
    assert in_encoding(text, "latin-1") == " Zoë ???????? ?? 8? "
    assert in_encoding(text, "ascii") == " Zo? ???????? ?? 8? "
    assert in_encoding(text, "euc_jp") == " Zoë 日本太郎 ?? 8? "
    assert {cells(in_encoding(text, each)) for each in (*NARROW, *WIDE)} == {cells(text)}


def test_the_screen_of_another_encoding_is_whole(tmp_path: Path) -> None:
    """The table is drawn in ASCII and English, and what stands beside a name stands where it does for all seats."""
    person = Person(
        *("play", "--name", "日本太郎", "--seed", "a"),
        home=tmp_path,
        language="ja",
        begun_by=("env", "PYTHONIOENCODING=latin-1"),
    )
    try:
        person.until_shown(" p pass ")
        row = next(line for line in person.lines() if "????????" in line)
        other = next(line for line in person.lines() if "Bot 1" in line)
        assert row.index("11") == other.index("11")
        assert all(line.isascii() for line in person.lines())
        # The settings keep a language that cannot be shown here, and go on in English.
        person.press("\x1bOS")
        person.press("\x1b[B")
        for value in ("en", "auto", "ja"):
            person.press("\x1b[D")
            person.until_shown(f"> lang            {value}")
            assert all(line.isascii() for line in person.lines())
            assert person.shows("Esc close")
    finally:
        person.close()
