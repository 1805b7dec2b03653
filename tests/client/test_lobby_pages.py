"""The lobby's pages: what each key does, and the pictures as they were looked at."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from around import AROUND, LOBBIES, VARIANTS, lobby_ended, lobby_terminal, picture, tables
from depicted import Variant
from prompt_toolkit.utils import get_cwidth

from shanghai.v1 import table_pb2
from shanghai_client.language import _, speaking
from shanghai_client.lobby import app
from shanghai_client.lobby.desk import LobbyDesk
from shanghai_client.lobby.draft import FIELDS, Draft
from shanghai_client.lobby.effect import Connect, Disconnect, Leave, LookOn, Make, PlayHere, Sit, Type
from shanghai_client.lobby.keys import KEYS, Step, answered, pressed
from shanghai_client.lobby.page import Ask, Lobby, Page
from shanghai_client.lobby.picture import board, last_line
from shanghai_client.present.people import name_text
from shanghai_client.screen.model import Look
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.signs import LETTERS
from shanghai_engine.bots import LEVELS
from shanghai_engine.rules import PRESETS


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
async def test_a_picture_is_as_it_was_looked_at(variant: Variant) -> None:
    """What stands on the terminal, and in which colours, is what its file says (`python tests/around.py`)."""
    assert await picture(variant) == (AROUND / f"{variant.name}.txt").read_text(encoding="utf-8")


def test_every_picture_is_kept_once() -> None:
    """Each file belongs to a variant, and no two variants have one file."""
    names = [f"{variant.name}.txt" for variant in VARIANTS]
    assert len(set(names)) == len(names)
    assert {path.name for path in AROUND.glob("*.txt")} == set(names)


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (["i"], "Your name: Zoë"),
        (["i", "K", "a", "i"], "Your name: Kai"),
        (["i", "\x1b[C", "2"], "Your name: Zoë2"),
        (["i", "\x7f", "K"], "Your name: K"),
        (["i", "\x1b[200~Kai\nB\x1b[201~"], "Your name: Kai B"),
        (["i", "K", "\r"], "as K"),
        (["i", "\r"], "as Zoë"),
    ],
)
async def test_what_is_typed_takes_the_place_of_what_was_there(keys: list[str], shown: str) -> None:
    """The old name is marked: the first sign, or what is pasted, replaces it, an arrow goes into it, Enter keeps it."""
    screen = await lobby_terminal(Lobby(name="Zoë"), typed=keys)
    lines = "\n".join(line.rstrip() for line in screen.display)
    assert re.search(rf"{shown}$", lines, re.MULTILINE)


def _page(name: str, *keys: str, size: tuple[int, int] = (80, 24), look: Look | None = None) -> Lobby:
    lobby = LOBBIES[name](Lobby(columns=size[0], rows=size[1], name="Zoë", look=look or Look()))
    for key in keys:
        lobby = pressed(lobby, key).lobby
    return lobby


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (40, 12), (61, 17), (20, 5)])
@pytest.mark.parametrize("name", LOBBIES)
def test_a_picture_fills_the_terminal_exactly(name: str, size: tuple[int, int]) -> None:
    """Whatever is shown and pressed, there are as many lines as rows, each as wide as the terminal."""
    for key in ("", *(word for each in KEYS for word in each.names)):
        for look in (Look(), Look(signs=LETTERS)):
            lobby = _page(name, *([key] if key else []), size=size, look=look)
            shown = [text_of(each) for each in (*board(lobby), last_line(lobby))]
            assert len(shown) == size[1]
            assert {get_cwidth(line) for line in shown} == {size[0]}


@pytest.mark.parametrize("page", Page)
def test_no_key_means_two_things_on_a_page(page: Page) -> None:
    """Every key of a page has one meaning."""
    names = [name for key in KEYS if page in key.pages for name in key.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", LOBBIES)
def test_the_chosen_row_is_on_the_screen(name: str) -> None:
    """However many rows there are, the one that is chosen is shown, on the smallest terminal too."""
    lobby = _page(name, size=(40, 12))
    for _press in range(lobby.choices + 2):
        shown = [text_of(each) for each in board(lobby)]
        assert sum("▶" in line for line in shown) == (1 if lobby.choices and not lobby.helping else 0)
        lobby = pressed(lobby, "down").lobby
    assert lobby.cursor == max(0, lobby.choices - 1)


def test_a_notice_that_is_too_long_for_the_page_is_whole_in_the_help() -> None:
    """At most a third of the page is the notice's, and what is cut there says so."""
    text = " ".join(f"word{number}" for number in range(28))
    lobby = replace(_page("tables", size=(40, 14)), notice=table_pb2.Notice(number=1, text=text))
    assert len(text) <= 200
    shown = [text_of(each).strip() for each in board(lobby)]
    assert shown[1].startswith("The server's host says: word0")
    assert shown[3].endswith("~")
    assert "Tables" in shown[4:6]
    helping = " ".join(text_of(each).strip() for each in board(pressed(lobby, "?").lobby))
    assert text in helping


def test_where_to() -> None:
    """The first row is a game against bots, the last asks for an address, and those between open their server."""
    lobby = replace(_page("servers"), cursor=0)
    assert pressed(lobby, "enter").effect == PlayHere()
    assert pressed(replace(lobby, cursor=2), "enter").effect == Connect("192.168.1.20:7410")
    asked = pressed(replace(lobby, cursor=4), "enter")
    assert asked.effect == Type("")
    assert asked.lobby.question is not None
    assert asked.lobby.question.ask is Ask.ADDRESS
    assert answered(asked.lobby, " localhost:7410 ").effect == Connect("localhost:7410")
    assert answered(asked.lobby, " ").effect is None
    assert pressed(lobby, "q").effect == Leave()


def test_sitting_down() -> None:
    """One sits down where a seat is free, or is one's own; a private table asks for its passcode first."""
    lobby = _page("tables")
    assert pressed(replace(lobby, cursor=0), "enter").effect == Sit("FRDAY")
    assert pressed(replace(lobby, cursor=1), "enter").effect == Sit("GAMES")
    asked = pressed(replace(lobby, cursor=2), "enter").lobby
    assert asked.question is not None
    assert asked.question.ask is Ask.PASSCODE
    assert answered(asked, "sesame").effect == Sit("QUIET", passcode="sesame")
    over = pressed(replace(lobby, cursor=3), "enter")
    assert (over.effect, over.lobby.note) == (None, "the game at ENDED is over")
    full = tables()[0]
    for seat in full.seats:
        seat.occupant, seat.name = table_pb2.OCCUPANT_PERSON, "Ann"
    none = pressed(replace(lobby, tables=(full,), cursor=0), "enter")
    assert (none.effect, none.lobby.note) == (None, "no seat is free at FRDAY: w looks on")


@pytest.mark.parametrize("keys", [("enter",), ("c",)])
def test_who_was_sent_away_is_asked_back_before_he_sits_down_there_again(keys: tuple[str, ...]) -> None:
    """Enter once more does it, any other key takes the question away; tables of that code elsewhere are not meant."""
    lobby = replace(_page("tables"), cursor=0, held=frozenset())
    away = replace(lobby, sent_away=frozenset({(lobby.address, "FRDAY")}))
    asked = pressed(away, keys[0]).lobby
    if keys == ("c",):
        asked = answered(replace(asked, cursor=2), "frday").lobby
    assert asked.note == "the host of FRDAY has sent you away: Enter once more sits you down there all the same"
    assert pressed(asked, "enter").effect == Sit("FRDAY")
    assert pressed(pressed(pressed(asked, "down").lobby, "up").lobby, "enter").effect is None
    elsewhere = replace(lobby, sent_away=frozenset({("127.0.0.1:1", "FRDAY")}))
    assert pressed(elsewhere, "enter").effect == Sit("FRDAY")


@pytest.mark.parametrize("key", ["enter", "w", "o"])
def test_no_key_is_for_another_table_than_the_chosen_one_that_has_gone(key: str) -> None:
    """It is said that none is chosen; the arrows choose one again."""
    gone = replace(_page("tables"), cursor=-1)
    step = pressed(gone, key)
    assert (step.effect, step.lobby.note) == (None, "no table is chosen: Up and Down choose one")
    assert step.lobby.question is None
    for arrow in ("up", "down"):
        assert pressed(gone, arrow).lobby.cursor == 0


def test_a_latecomer_takes_a_bots_seat() -> None:
    """At a game that is on a bot's seat can be taken, where the table has it so."""
    lobby = replace(_page("tables"), held=frozenset())
    assert pressed(lobby, "enter").effect == Sit("GAMES")
    table = tables()[1]
    table.latecomers_allowed = False
    assert pressed(replace(lobby, tables=(table,), cursor=0), "enter").effect is None


def test_looking_on() -> None:
    """A table can be watched where it lets people watch; a private one asks for its passcode."""
    lobby = _page("tables")
    assert pressed(lobby, "w").effect == LookOn("GAMES")
    asked = pressed(replace(lobby, cursor=2), "w").lobby
    assert answered(asked, "sesame").effect == LookOn("QUIET", "sesame")
    table = tables()[0]
    table.spectators_allowed = False
    refused = pressed(replace(lobby, tables=(table,), cursor=0), "w")
    assert (refused.effect, refused.lobby.note) == (None, "FRDAY is not for spectators")


def test_codes() -> None:
    """A table can be named by its code in any letters, and a hand-over code gives a seat at the chosen one."""
    asked = pressed(_page("tables"), "c").lobby
    assert answered(asked, "frday").effect == Sit("FRDAY")
    assert answered(asked, "NOBDY").lobby.note == "there is no table 'NOBDY' at this server"
    over = pressed(_page("tables"), "o").lobby
    assert answered(over, "ABCD-EFGH-JKLM").effect == Sit("GAMES", code="ABCD-EFGH-JKLM")


def test_a_name_is_one_that_can_be_seen() -> None:
    """A name is read as that of an option is, and why one cannot be used is said."""
    asked = pressed(_page("servers"), "i")
    assert asked.effect == Type("Zoë")
    assert answered(asked.lobby, " Grete  Ida ").lobby.name == "Grete Ida"
    for text, said in (("x" * 40, "24 are the most"), ("a\u200b", "cannot be printed"), ("\u3164", "can be seen")):
        refused = answered(asked.lobby, text).lobby
        assert refused.name == "Zoë"
        assert said in refused.note


def test_what_a_field_of_a_new_table_is_for_is_said_below() -> None:
    """The chosen field is explained, the rules by what the chosen ones are."""
    lobby = _page("no_tables", "n")
    said = [[text_of(each) for each in board(replace(lobby, cursor=place))][-2:] for place in range(len(FIELDS) + 1)]
    assert len({tuple(each) for each in said}) == len(FIELDS) + 1
    rules = replace(lobby, cursor=1)
    for preset in PRESETS:
        assert f" {preset}: " in text_of(board(rules)[-2])
        rules = pressed(rules, "right").lobby
    file = replace(rules, draft=replace(rules.draft, rules="mine.toml"))
    assert "A file with house rules" in text_of(board(file)[-2])


def test_a_new_table_is_made_of_its_fields() -> None:
    """Every field can be changed by keys or typed, and what comes of it is a table's options."""
    lobby = _page("no_tables", "n")
    assert lobby.page is Page.NEW
    draft = lobby.draft
    for place, field in enumerate(FIELDS):
        there = replace(lobby, cursor=place)
        if field.turn is not None and (field.name != "level" or len(LEVELS) > 1):
            assert pressed(there, "right").lobby.draft != draft
        if field.read is not None:
            asked = pressed(there, "enter")
            assert isinstance(asked.effect, Type)
            typed = "text" if isinstance(getattr(draft, field.name), str) else "3"
            assert str(getattr(answered(asked.lobby, typed).lobby.draft, field.name)) == typed
    assert pressed(replace(lobby, cursor=len(FIELDS)), "enter").effect == Make(draft)
    assert pressed(lobby, "m").effect == Make(draft)
    options = Draft(offer_s=0, turn_s=90, spectators=False, hints=False).options
    assert (options.offer_ms, options.turn_ms, options.HasField("grace_ms")) == (0, 90_000, False)
    assert (options.spectators, options.no_hints) == (False, True)


def test_the_usual_times_are_told_with_their_seconds() -> None:
    """Whoever makes a table for people who think long sees what they have; an older server does not tell it."""
    usual = table_pb2.TableOptions(offer_ms=20_000, turn_ms=90_500, pause_ms=0)
    shown = {field.name: field.shown(Draft(usual=usual)) for field in FIELDS}
    assert shown["offer_s"] == "as usual at the server: 20 seconds"
    assert shown["turn_s"] == "as usual at the server: 91 seconds"
    assert shown["pause_s"] == "as usual at the server: no clock"
    assert shown["grace_s"] == "as usual at the server"
    assert (
        next(field for field in FIELDS if field.name == "offer_s").shown(Draft(usual=usual, offer_s=30)) == "30 seconds"
    )


def test_times_and_numbers_are_typed() -> None:
    """Enter asks for them, figures are taken, nothing is what is usual, and what is no number is said."""
    lobby = replace(_page("no_tables", "n"), cursor=[field.name for field in FIELDS].index("offer_s"))
    asked = pressed(lobby, "enter").lobby
    assert answered(asked, "600").lobby.draft.offer_s == 600
    assert answered(asked, "").lobby.draft.offer_s is None
    wrong = answered(asked, "long").lobby
    assert (wrong.draft.offer_s, wrong.note) == (None, "'long' is no number from 0 to 86400")
    seats = pressed(replace(lobby, cursor=2), "enter").lobby
    assert answered(seats, "9").lobby.note == "'9' is no number from 2 to 8"
    bots = pressed(replace(lobby, cursor=3), "enter").lobby
    assert answered(bots, "7").lobby.draft.bots == 3


def test_there_is_always_room_for_a_person() -> None:
    """Bots never take every seat, whichever of the two numbers is changed."""
    lobby = replace(_page("no_tables", "n"), cursor=3)
    for _press in range(9):
        lobby = pressed(lobby, "right").lobby
    assert (lobby.draft.players, lobby.draft.bots) == (4, 3)
    lobby = replace(lobby, cursor=2)
    for _press in range(9):
        lobby = pressed(lobby, "left").lobby
    assert (lobby.draft.players, lobby.draft.bots) == (2, 1)


def test_escape_leads_back_page_by_page() -> None:
    """From a new table to the tables, and from these to where to, where the server is closed."""
    back = pressed(_page("new_table"), "escape")
    assert (back.lobby.page, back.effect) == (Page.TABLES, None)
    out = pressed(back.lobby, "escape")
    assert (out.lobby.page, out.effect) == (Page.SERVERS, Disconnect())


@pytest.mark.parametrize("page", ["servers", "tables", "new_table"])
def test_every_key_of_a_page_is_in_its_help(page: str) -> None:
    """? and F1 explain the keys of the page, and the next key closes the help and does nothing else."""
    for name in ("?", "f1"):
        there = pressed(_page(page), name).lobby
        text = "\n".join(text_of(each) for each in board(there))
        for key in KEYS:
            if there.page in key.pages:
                assert key.help[:30] in text
        closed = pressed(there, "enter")
        assert (closed.lobby.helping, closed.effect) == (False, None)


@pytest.mark.parametrize("page", ["servers", "tables", "new_table"])
def test_the_key_line_names_the_way_back_and_the_help(page: str) -> None:
    """On the usual terminal, whatever else has to be left out."""
    shown = text_of(last_line(_page(page)))
    assert " ? help " in shown
    assert (" Esc back " in shown) is (page != "servers")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_no_name_of_a_full_table_is_cut(language: str) -> None:
    """Those without room are counted, and what stands behind the names is still there."""
    names = ("Root", "Bea", "Bot 1", "日本太郎", "Zoë", "Finn")
    seats = [
        table_pb2.Seat(index=seat, occupant=table_pb2.OCCUPANT_PERSON, name=name, connected=seat > 1)
        for seat, name in enumerate(names)
    ]
    table = table_pb2.TableSummary(table="ABCDE", status=table_pb2.TABLE_STATUS_PLAYING, hand=2, hands=10, private=True)
    table.seats.extend(seats)
    with speaking(language):
        called = [name_text(name) for name in names]
        for columns in (76, 80, 84):
            rows = board(replace(_page("tables"), tables=(table,), cursor=0, columns=columns))
            row = next(text_of(line) for line in rows if "ABCDE" in text_of(line)).strip()
            shown = row.split(_(", "))
            assert "~" not in row
            assert shown[-1] == _("private")
            listed = [name for name in called if any(name in part for part in shown)]
            assert listed == called[: len(listed)]
            assert 0 < len(listed) < len(names)
            assert str(len(names) - len(listed)) in shown[-2]
        rows = board(replace(_page("tables"), tables=(table,), cursor=0, columns=140))
        assert all(any(name in text_of(line) for line in rows[:5]) for name in called)


def test_nothing_is_done_while_something_is_done() -> None:
    """A key that is pressed while the server is asked does nothing."""
    busy = replace(_page("tables"), busy=True)
    assert pressed(busy, "enter").effect is None


def test_below_the_smallest_size_no_key_does_anything() -> None:
    """It is said what is needed, and nothing that cannot be seen is begun, or made."""
    there = _page("new_table")
    small = replace(there, columns=39)
    assert [text_of(line).strip() for line in board(small)][:2] == [
        "The lobby needs 40 x 12 signs.",
        "Keys do nothing here; Ctrl-C twice",
    ]
    said = " ".join(text_of(line).strip() for line in board(replace(there, columns=20, rows=6)))
    assert said.strip() == "The lobby needs 40 x 12 signs. Keys do nothing here; Ctrl-C twice ends."
    assert not text_of(last_line(small)).strip()
    assert pressed(there, "m").effect is not None
    assert pressed(small, "m") == Step(small)
    assert pressed(small, "escape") == Step(small)


async def test_an_error_in_the_picture_or_in_a_key_ends_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is raised where the lobby is run, instead of a screen that stands still."""

    def fails(*_arguments: object) -> None:
        raise ZeroDivisionError

    empty = Lobby(columns=80, rows=24, look=Look(), name="Ann")
    for where, name, keys in ((LobbyDesk, "press", "x"), (app, "board", "")):
        with monkeypatch.context() as patched:
            patched.setattr(where, name, fails)
            with pytest.raises(ZeroDivisionError):
                await lobby_ended(empty, typed=keys)
