"""The games that a table has played before one came: their ends, for the score sheets, out of their records."""

from __future__ import annotations

import asyncio
import json

from shanghai.v1 import table_pb2
from shanghai_client.failure import ClientFailure
from shanghai_client.foreign_text import made_fit
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_engine.game import Game
from shanghai_engine.malformed import BadRecord

MOST = 20
"""Games whose sheets are read at most, the last ones: a server may say that it has played any number of them."""


async def earlier_games(seat: Seat, scene: Scene) -> tuple[Scene, ...]:
    """Give the ends of the last games before that of a scene, in order; none of one that cannot be had or read."""
    number = scene.table.game_number
    ends = [await _end(seat, scene, each) for each in range(max(1, number - MOST), number)]
    return tuple(end for end in ends if end is not None)


async def _end(seat: Seat, scene: Scene, number: int) -> Scene | None:
    try:
        record = await seat.record(number)
        # A whole game is read: the screen goes on meanwhile.
        game = await asyncio.to_thread(_game_of, record)
    except (ClientFailure, BadRecord, ValueError, RecursionError):
        # A sheet that cannot be had costs the sheet, and never the game that is on.
        return None
    return ended(game, scene, number)


def _game_of(record: str) -> Game:
    """Read a record; raises `BadRecord`, `ValueError` for a line that is no JSON, `RecursionError` for one too deep."""
    return Game.from_record([json.loads(line) for line in record.splitlines()])


def ended(game: Game, scene: Scene, number: int) -> Scene | None:
    """Give a finished game of a table as a scene of it; none where it was not finished, or by others in number.

    It is the viewer's own where he sat on his seat then.
    """
    names, seat = game.state.names, scene.seat
    if not game.state.places or len(names) != len(scene.table.seats):
        return None
    table = table_pb2.TableView()
    table.CopyFrom(scene.table)
    table.status, table.game_number = table_pb2.TABLE_STATUS_OVER, number
    del table.takeovers[:]
    for sitting, name in zip(table.seats, names, strict=True):
        sitting.name = name
    own = seat if seat is not None and names[seat] == scene.name(seat) else None
    return Scene(table=made_fit(table), view=game.view(own), seat=own, recorded=True)
