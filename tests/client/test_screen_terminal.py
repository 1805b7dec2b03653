"""The full screen on its terminal: what is shown of a stream, what the mouse and the sizes do, and how it is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import click
import pytest
from desk_terminal import (
    RESTORED,
    Stream,
    Terminal,
    Written,
    four_melds,
    lobby,
    room,
    terminal,
)
from drawn import model_of
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from scenes import scene

from shanghai_client.cli.telling import tell, told
from shanghai_client.failure import Ended
from shanghai_client.language import speaking
from shanghai_client.screen.colours import colour_depth
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.model import Look, Model
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import linked, ticked
from shanghai_client.watching import Back, Lost, Sight


async def test_a_lost_connection_is_shown_with_its_time_and_what_was_begun_stays() -> None:
    """The title counts the seconds, the question says why, and the staged cards are there when it is back."""
    stream = Stream()
    desk = ScreenDesk(seat=None, watch=stream.watch, look=Look())
    async with terminal(desk) as made:
        stream.sights.put_nowait(lobby())
        await made.until_shown("Table ABCDE")
        staged = model_of(scene("turn_that_can_lay_down"))
        desk.model = replace(staged, staging=staged.staging, cursor=3)
        stream.sights.put_nowait(Lost("the server is shutting down", 2.0))
        await made.until_shown("The server is shutting down, for 0:00 now")
        assert made.shows("lost 0:00")
        assert desk.model.cursor == 3
        made.keys.send_text("day")
        await made.until_shown("nothing can be played until it is back")
        stream.sights.put_nowait(Back())
        await made.until(lambda: desk.model.link.whole)
        await made.until_shown("Your turn: you drew K♦.")


async def test_why_a_stream_was_closed_is_raised() -> None:
    """A seat that another client has taken over ends this one, with the reason, and the terminal is whole."""

    async def ends() -> AsyncGenerator[Sight]:
        yield lobby()
        raise Ended("another client has taken this seat over, so this one stops")

    with create_pipe_input() as keys:
        made = Terminal(ScreenDesk(seat=None, watch=ends, look=Look()), keys, Written())
        made.begin()
        with pytest.raises(Ended, match="another client has taken this seat over"):
            await made.ended()
        assert all(sign in made.written.getvalue()[-200:] for sign in RESTORED)


@pytest.mark.parametrize("staged", [False, True])
def test_what_helps_where_attempts_alone_do_not_stands_below_the_lost_connection(*, staged: bool) -> None:
    """As where the host has switched TLS on: one learns how to begin again, whole at the smallest table."""
    right = "ask the host, and if he has switched it off, begin again with --no-tls"
    model = model_of(scene("turn_that_can_lay_down"), *("ma" if staged else ""))
    lost = linked(model, Lost("the connection is lost (no TLS is spoken there any more)", 2.0, 3, right), now=1.0)
    said = [text_of(each).strip() for each in board(ticked(lost, now=70.0))[-2:]]
    assert said[0] == "The connection is lost (no TLS is spoken there any more), for 1:09 now."
    assert said[1] == "Ask the host, and if he has switched it off, begin again with --no-tls."
    with speaking("ja"):
        assert text_of(board(lost)[-1]).strip().endswith("。")


def test_why_the_connection_is_lost_is_whole_however_long_it_is() -> None:
    """The time is left out where both have no room: the title has it."""
    why = "the connection is lost (its certificate is not the one that is trusted)"
    right = "ask the host, and if it is new, begin again with --fingerprint and his"
    lost = linked(model_of(scene("turn_that_can_lay_down")), Lost(why, 2.0, 3, right), now=1.0)
    shown = [text_of(each) for each in board(ticked(lost, now=70.0))]
    assert shown[-2].strip() == "The connection is lost (its certificate is not the one that is trusted)."
    assert shown[-1].strip() == "Ask the host, and if it is new, begin again with --fingerprint and his."
    assert "1:09" in shown[0]


async def test_a_crash_leaves_the_terminal_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while a picture is made ends the client with it, once the terminal is whole."""
    desk = ScreenDesk(seat=None, watch=Stream().watch, look=Look())

    def broken(_model: Model) -> Model:
        raise ZeroDivisionError("in a picture")

    async with terminal(desk) as made:
        await made.until_shown("Waiting for the table.")
        monkeypatch.setattr("shanghai_client.screen.app.clamped", broken)
        desk.redraw()
        with pytest.raises(ZeroDivisionError, match="in a picture"):
            await made.ended()
        assert all(sign in made.written.getvalue()[-200:] for sign in RESTORED)


@pytest.mark.parametrize("garbage", [b"\x1b[M\xff\xfe\xfd", b"\x1b[<99999;1;1M", b"\x1b[9;9;9M", b"\x1b[M\x00\x00\x00"])
async def test_what_no_mouse_says_takes_no_keys_with_it(garbage: bytes) -> None:
    """A place of the mouse that cannot be is passed over; the key in the same read is pressed."""
    async with four_melds() as made:
        made.keys.send_bytes(garbage + b"?")
        await made.until_shown("Help")


async def test_a_byte_that_is_no_text_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that holds one is run with a sign that can be sent and shown."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    async with four_melds() as made:
        monkeypatch.setattr(made.desk, "line", lines.put_nowait)
        made.keys.send_text(":")
        made.keys.send_bytes(b"discard \xff\r")
        assert await asyncio.wait_for(lines.get(), 60) == "discard ?"


async def test_a_terminal_that_is_made_smaller_says_so_and_comes_back() -> None:
    """Below 80x24 it says what is needed; a storm of sizes ends with a whole picture of the last one."""
    async with four_melds() as made:
        made.resize(40, 15)
        await made.until_shown("The table needs 80 x 24.")
        for size in ((200, 60), (81, 24), (20, 3), (1, 1), (140, 45), (100, 30)):
            made.resize(*size)
            await made.until(lambda size=size: (made.desk.model.columns, made.desk.model.rows) == size)  # type: ignore[misc]
        await made.until_shown("What has happened")
        assert len(made.lines()) == 30


async def test_below_the_smallest_size_a_line_that_is_open_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key is typed into it, Enter runs nothing, no list lies over what is said; with room it is there again."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    async with four_melds() as made:
        monkeypatch.setattr(made.desk, "line", lines.put_nowait)
        made.keys.send_text(":dis")
        await made.until_shown(" discards ")
        made.resize(70, 20)
        await made.until_shown("Keys do nothing here")
        assert not made.shows(" discards ")
        made.keys.send_text("card\r\x7f\x15\x1b[200~more\x1b[201~\x03")
        await made.until(lambda: "Ctrl-C again" in made.desk.model.note)
        assert lines.empty()
        made.resize(80, 24)
        await made.until_shown("4 melds")
        assert made.lines()[-1] == ":dis"
        made.keys.send_text("\r")
        assert await asyncio.wait_for(lines.get(), 60) == "dis"


def test_the_colours_are_those_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """An old terminal has none, NO_COLOR wants none, COLORTERM says when all are there; the setting is stronger."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("PROMPT_TOOLKIT_COLOR_DEPTH", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert colour_depth() is None
    monkeypatch.setenv("TERM", "vt100")
    assert colour_depth() is ColorDepth.MONOCHROME
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert colour_depth() is ColorDepth.TRUE_COLOR
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour_depth() is ColorDepth.MONOCHROME
    assert colour_depth("16") is ColorDepth.DEPTH_4_BIT


async def test_what_is_told_before_the_screen_is_told_there_again(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence printed before the screen, as on a certificate that was met first, is among what has happened."""
    stream = Stream()
    desk = ScreenDesk(seat=None, watch=stream.watch, look=Look())
    assert told() == ()
    with click.Context(click.Command("join")):
        tell("127.0.0.1:1 was met for the first time")
        desk.say(told())
    assert "met for the first time" in capsys.readouterr().err
    async with terminal(desk) as made:
        stream.sights.put_nowait(lobby())
        await made.until_shown("127.0.0.1:1 was met for the first time")


async def test_a_click_goes_to_a_card_and_presses_a_key_of_the_key_line() -> None:
    """What a terminal sends for a click reaches the card, or the word, that stands there."""

    def click(made: Terminal, text: str) -> None:
        row = next(number for number, line in enumerate(made.lines()) if text in line)
        column = made.lines()[row].index(text)
        for end in "Mm":
            made.keys.send_text(f"\x1b[<0;{column + 1};{row + 1}{end}")

    async with four_melds() as made:
        click(made, "3♠ JK  6♥")
        await made.until(lambda: made.desk.model.cursor == 3)
        click(made, "d discard")
        await made.until_shown("Discard which card?")


@pytest.mark.parametrize(
    ("presses", "hits"),
    [
        ("0M@ 0m@", True),
        ("0M- 0m@", False),
        ("0M@ 0m-", False),
        ("0M@ 32M- 0m-", False),
        ("0m@", False),
        ("1M@ 1m@", False),
        ("2M@ 2m@", False),
        ("4M@ 4m@", False),
        ("8M@ 8m@", False),
        ("16M@ 16m@", False),
        ("0M@ 2M@ 2m@", False),
    ],
)
async def test_a_click_is_the_left_button_down_and_up_on_one_piece(presses: str, *, hits: bool) -> None:
    """No other button clicks, none with a key held, and none that goes down somewhere else than it comes up."""
    async with four_melds() as made:
        row = next(number for number, line in enumerate(made.lines(), 1) if "3♠ JK  6♥" in line)
        column = made.lines()[row - 1].index("3♠ JK  6♥") + 1
        for each in presses.split():
            x, y = (column, row) if each[-1] == "@" else (1, 1)
            made.keys.send_text(f"\x1b[<{each[:-2]};{x};{y}{each[-2]}")
        made.keys.send_text("?")
        await made.until_shown("Help")
        assert (made.desk.model.cursor == 3) is hits


async def test_what_was_too_long_to_say_comes_back_to_be_changed() -> None:
    """A line of chat that the table refuses stands in the command line again, with the reason above it."""
    async with room() as made:
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("'" + "word " * 50 + "END\r")
        await made.terminal.until_shown("One says at most 200 characters at a time")
        await made.terminal.until_shown("END")
        made.terminal.keys.send_text("\x15say short\r")
        await made.terminal.until_shown("Ann says: short")
        assert not made.terminal.shows("END")
