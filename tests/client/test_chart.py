"""The chart of the totals: in the terminal and as a picture."""

from __future__ import annotations

import stat
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from client_program import run_program
from prompt_toolkit.utils import get_cwidth
from scenes import played, scene_of

from shanghai_client.picture_file import PictureNotWritten, picture_path, write_picture
from shanghai_client.present.chart import ASCII, MARKS, chart_lines, chart_rows, drawn_lines
from shanghai_client.present.chart_picture import NAMESPACE, chart_picture
from shanghai_client.present.people import People
from shanghai_client.present.score_sheet import places_of, sheet_lines
from shanghai_engine.state import HandResult

_SVG = f"{{{NAMESPACE}}}"


def _results(*totals: tuple[int, ...]) -> list[HandResult]:
    """Give hands with these totals after each; who got least in a hand went out."""
    first = played(1, players=len(totals[0])).state.results[0]
    before = (0,) * len(totals[0])
    found = []
    for hand, now in enumerate(totals, start=1):
        scores = tuple(new - old for new, old in zip(now, before, strict=True))
        winner = scores.index(min(scores))
        found.append(replace(first, hand=hand, totals=now, scores=scores, winner=winner))
        before = now
    return found


EXPECTED = """\
100+                   A A Ann (you) 100
   |                 ..
   |                .
 50+         .B........B B Ben 50
   |     ....    .
   |  ...      ..
  0+..........A
   +--------------------
              1        2
"""
PEOPLE = People(("Ann", "Ben"), you=0)


def test_the_chart_is_drawn_to_scale() -> None:
    """Each mark stands in the row of its total and in the column of its hand, and the names where the lines end."""
    lines = drawn_lines(_results((0, 50), (100, 50)), PEOPLE, width=40, height=9, signs=ASCII)
    assert lines == EXPECTED.splitlines()


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("players", [2, 4, 8])
@pytest.mark.parametrize("width", [30, 40, 80, 140])
def test_the_chart_fits_and_names_everybody(width: int, players: int, ascii_only: bool) -> None:  # noqa: FBT001 (data)
    """No line is wider than the terminal, and every player's mark, total and name stand in it once behind the lines."""
    scene = replace(scene_of(played(10, players=players), 0), width=width)
    lines = chart_lines(scene, ascii_only=ascii_only)
    assert max(map(get_cwidth, lines)) <= width
    assert scene.game is not None
    for seat, shown in enumerate(scene.game.seats):
        ends = [line for line in lines if line.endswith(f" {shown.total}") and f" {MARKS[seat]} " in line]
        assert len(ends) == 1
    drawn = "".join(lines).replace("日本太郎", "").replace("Zoë", "")
    assert drawn.isascii() is ascii_only


def test_every_piece_knows_whose_it_is() -> None:
    """What has a colour says by its seat which one; the pieces put together are the lines."""
    results = _results((0, 50), (100, 50))
    rows = chart_rows(results, PEOPLE, width=40, height=8)
    assert ["".join(text for text, _ in row).rstrip() for row in rows] == drawn_lines(
        results, PEOPLE, width=40, height=8
    )
    marks = {(text, seat) for row in rows for text, seat in row if text in MARKS}
    assert marks == {("A", 0), ("B", 1)}


def test_equal_totals_have_a_row_each_for_their_names() -> None:
    """Lines that end in one place are named below each other, and no name is lost at either end of the scale."""
    lines = drawn_lines(_results((5,) * 8), People(tuple("STUVWXYZ")), width=60, height=4)
    assert [line.rsplit(maxsplit=2)[1] for line in lines[:8]] == list("STUVWXYZ")
    lines = drawn_lines(_results((0, 0, 0, 0)), People(tuple("WXYZ")), width=60, height=9)
    assert [line.rsplit(maxsplit=2)[1] for line in lines[3:7]] == list("WXYZ")


@pytest.mark.parametrize("total", [0, 1, 2, 9])
def test_no_number_stands_twice_on_the_scale(total: int) -> None:
    """Totals of next to nothing have a scale, too, without a number at two heights."""
    lines = drawn_lines(_results((total, total)), People(names=("Ann", "Kai")))
    numbers = [line.split("┤")[0].strip() for line in lines if "┤" in line]
    assert len(set(numbers)) == len(numbers)
    assert numbers[-1] == "0"


def test_numbers_of_any_length_stand_whole_on_a_narrow_sheet() -> None:
    """Eight players with totals of six figures on 40 columns: none is cut, and none touches the next."""
    results = _results(*((total,) * 8 for total in (50_000, 100_000, 150_000)))
    lines = sheet_lines(results, People(names=tuple(f"Player {seat}" for seat in range(8))), width=40)
    assert max(map(len, lines)) <= 40
    words = " ".join(lines).split()
    assert words.count("150000") == 8
    assert sum(word.rstrip("*") == "50000" for word in words) == 24


def test_without_a_finished_hand_there_is_nothing_to_draw() -> None:
    """The chart says so in words."""
    assert chart_lines(scene_of(played(0), 0)) == ["No hand has been finished yet."]


@pytest.mark.parametrize("players", [2, 4, 8])
def test_the_picture_is_well_formed_and_shows_everybody(players: int) -> None:
    """It is SVG with a line of a colour and marks of a shape for each player, and says in text what it shows."""
    results = played(10, players=players).state.results
    names = played(10, players=players).state.names
    root = ET.fromstring(chart_picture(results, People(names)))  # noqa: S314 (made here)
    assert root.tag == f"{_SVG}svg"
    groups = root.findall(f"{_SVG}g")
    assert len(groups) == players
    assert len({group.get("stroke") for group in groups}) == players
    assert len({path.get("d") for group in groups for path in group.findall(f"{_SVG}path[@transform]")}) == players
    for group in groups:
        line = group.find(f"{_SVG}polyline")
        assert line is not None
        assert len(line.get("points", "").split()) == 11
        assert len(group.findall(f"{_SVG}path[@transform]")) == 10
    texts = [text.text for text in root.findall(f"{_SVG}text")]
    places = places_of(results[-1].totals)
    for seat, name in enumerate(names):
        assert f"{places[seat]}. {name}, {results[-1].totals[seat]} points" in texts
    filled = [path for path in root.iter(f"{_SVG}path") if path.get("transform") and path.get("fill") != "#ffffff"]
    assert len(filled) == sum(result.winner is not None for result in results)


def test_what_a_name_holds_cannot_break_the_picture() -> None:
    """Signs that mean something in XML, and those that may not stand in it, make no other document."""
    people = People(('<script>"&', "Ben\x00\x1b[31m"))
    root = ET.fromstring(chart_picture(_results((0, 5)), people))  # noqa: S314 (made here)
    texts = [text.text for text in root.findall(f"{_SVG}text")]
    assert '1. <script>"&, 0 points' in texts
    assert "2. Ben[31m, 5 points" in texts
    assert root.find(f".//{_SVG}script") is None


def test_names_in_the_picture_do_not_cover_each_other() -> None:
    """However near the lines end, each name has its room, within the picture."""
    root = ET.fromstring(chart_picture(_results((5,) * 8), People(tuple("STUVWXYZ"))))  # noqa: S314
    heights = sorted(float(text.get("y", "")) for text in root.findall(f"{_SVG}text") if "points" in (text.text or ""))
    assert len(heights) == 8
    assert min(b - a for a, b in pairwise(heights)) >= 16
    assert heights[-1] <= 480 - 40


def test_a_picture_takes_no_other_files_place(tmp_path: Path) -> None:
    """A file that is there stays, unless it shall be overwritten; nothing else is left in the folder."""
    path = tmp_path / "chart.svg"
    write_picture(path, "one")
    with pytest.raises(PictureNotWritten, match="is there already"):
        write_picture(path, "two")
    assert path.read_text(encoding="utf-8") == "one"
    write_picture(path, "three", force=True)
    assert path.read_text(encoding="utf-8") == "three"
    assert [each.name for each in tmp_path.iterdir()] == ["chart.svg"]
    assert stat.S_ISREG(path.stat().st_mode)
    with pytest.raises(PictureNotWritten, match="No such file"):
        write_picture(tmp_path / "none" / "chart.svg", "four")
    with pytest.raises(PictureNotWritten, match=r"name a file that ends in \.svg"):
        picture_path("chart.png")


async def test_the_picture_of_a_recorded_game(tmp_path: Path) -> None:
    """`replay --svg` draws the totals of a record, and overwrites a picture only with --force."""
    record, picture = tmp_path / "game.jsonl", tmp_path / "game.svg"
    await run_program("play", "--auto", "--seed", "3", "--record", str(record), home=tmp_path)
    ran = await run_program("replay", str(record), "--svg", str(picture), home=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, "", f"The picture is in {str(picture)!r}.\n")
    again = await run_program("replay", str(record), "--svg", str(picture), home=tmp_path)
    assert again.code == 2
    assert "the file is there already (--force overwrites it)" in again.err
    forced = await run_program("replay", str(record), "--svg", str(picture), "--force", home=tmp_path)
    assert forced.code == 0
    root = ET.parse(picture).getroot()  # noqa: S314 (made by this program)
    assert len(root.findall(f"{_SVG}g")) == 4


async def test_the_chart_is_a_command(tmp_path: Path) -> None:
    """`chart` draws nothing before the first hand has been finished, and says so; with a file as an error."""
    typed = "wait\nchart\nchart x.svg\nquit\n"
    ran = await run_program("play", "--plain", "--seed", "1", "--pace", "0", home=tmp_path, typed=typed)
    assert "No hand has been finished yet." in ran.out
    assert "No hand has been finished yet, so there is nothing to draw" in ran.err
