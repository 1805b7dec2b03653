"""The list of tables: who sits there, and who is away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from client_program import run_program
from scripted_service import Context, serving

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.cli.joining import running_table
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.present.tables import table_list_lines

ANN = table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, name="Ann", connected=True)
BEN = table_pb2.Seat(index=1, occupant=table_pb2.OCCUPANT_PERSON, name="Ben")
BOT = table_pb2.Seat(index=2, occupant=table_pb2.OCCUPANT_BOT, name="Bot 1", level="basic")


def _line(status: table_pb2.TableStatus.ValueType) -> str:
    table = table_pb2.TableSummary(table="ABCDE", status=status, seats=[ANN, BEN, BOT], hand=3, hands=10)
    (line,) = table_list_lines([table])
    return line


def test_who_is_away_is_marked() -> None:
    """A person whose stream is not open is away, at a table that waits and in a game; a bot never is."""
    assert _line(table_pb2.TABLE_STATUS_PLAYING) == "ABCDE  playing, hand 3 of 10       Ann, Ben (away), Bot 1"
    assert "Ann, Ben (away), Bot 1" in _line(table_pb2.TABLE_STATUS_LOBBY)


def test_after_a_game_nobody_is_away() -> None:
    """Whoever has gone from a game that is over has gone home."""
    assert _line(table_pb2.TABLE_STATUS_OVER).endswith("  Ann, Ben, Bot 1")


def test_a_seat_that_was_left_at_a_private_table_is_no_person() -> None:
    """A bot plays on there under a name that is not told; where nobody else has stayed, bots are counted."""
    hidden = table_pb2.Seat(index=0, occupant=table_pb2.OCCUPANT_PERSON, connected=True)
    left = table_pb2.Seat(index=1, occupant=table_pb2.OCCUPANT_BOT, level="basic")
    for seats, told in (
        ([hidden, left, BOT], "1 person, private"),
        ([hidden, hidden, BOT], "2 persons, private"),
        ([left, BOT], "2 bots, private"),
    ):
        table = table_pb2.TableSummary(table="ABCDE", status=table_pb2.TABLE_STATUS_PLAYING, seats=seats, private=True)
        (line,) = table_list_lines([table])
        assert line.endswith(f"  {told}")


async def test_a_list_that_is_followed_tells_a_notice_once(tmp_path: Path) -> None:
    """The tables are printed again where they have changed, the notice of the server's host where that has."""
    table = table_pb2.TableSummary(table="ABCDE", status=table_pb2.TABLE_STATUS_LOBBY, seats=[ANN])
    ten, soon = table_pb2.Notice(number=1, text="Restart at ten"), table_pb2.Notice(number=2, text="In a minute")

    async def lists(
        _request: service_pb2.WatchTablesRequest, _: Context
    ) -> AsyncIterator[service_pb2.WatchTablesResponse]:
        for tables, notice in (([], None), ([], ten), ([table], ten), ([table], soon), ([table], None)):
            yield service_pb2.WatchTablesResponse(tables=tables, notice=notice)

    async with serving(WatchTables=lists) as connection:
        ran = await run_program("tables", connection.address, "--follow", home=tmp_path)
    assert ran.code == 0
    assert ran.out == "No tables.\n\nABCDE  waiting for players         Ann\n\n"
    assert ran.err == "The server's host says: Restart at ten\nThe server's host says: In a minute\n"


def test_a_game_that_is_over_is_watched_where_there_is_no_other() -> None:
    """Whoever names no table sees the one that goes on, else the one last sheet that there is."""
    over = table_pb2.TableSummary(table="ENDED", status=table_pb2.TABLE_STATUS_OVER)
    other = table_pb2.TableSummary(table="OTHER", status=table_pb2.TABLE_STATUS_OVER)
    playing = table_pb2.TableSummary(table="GAMES", status=table_pb2.TABLE_STATUS_PLAYING)
    assert running_table([over, playing, other]) == "GAMES"
    assert running_table([over]) == "ENDED"
    with pytest.raises(WrongInput, match="2 tables can be watched: name one by --table ENDED, OTHER"):
        running_table([over, other])
    with pytest.raises(WrongInput, match="there is no table to watch"):
        running_table([])
