"""The table: which hand, which contract, whose turn, and every seat; before the game the lobby."""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth

from shanghai.v1 import table_pb2
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import left, wrap
from shanghai_client.present.people import People
from shanghai_client.present.tables import EMPTY, free_seats, status_text
from shanghai_client.scene import Scene
from shanghai_engine.rules import UNLIMITED
from shanghai_engine.state import Phase
from shanghai_engine.view import PublicView

_WIDEST_NAME, _NARROWEST_NAME = 20, 8
_BESIDES = 48
"""Cells of a seat's row beside its name, most notes among them."""


def contract_text(game: PublicView) -> str:
    """Give the hand and its contract, as in `Hand 2 of 10: 1 set of 3, 1 run of 4 (7 cards)`."""
    return f"Hand {game.hand} of {game.rules.hands}: {game.contract} ({count(game.contract.size, 'card')})"


def table_lines(scene: Scene) -> list[str]:
    """Give the table in a few lines: the contract, the stock and the upcard, and one line for each seat."""
    game = scene.game
    if game is None:
        return lobby_lines(scene)
    people = People.of(scene)
    upcard = f"the upcard is {game.upcard}" if game.upcard is not None else "no live upcard"
    width = max(_NARROWEST_NAME, min(_WIDEST_NAME, scene.width - _BESIDES))
    turn = f"{_turn_text(game, people)}; {upcard}; {count(game.stock, 'card')} in the stock."
    lines = wrap(f"{contract_text(game)}.", width=scene.width) + wrap(turn, width=scene.width)
    lines.append(f"   seat {left('name', width)} cards  buys  total")
    on_turn = game.turn if game.phase in {Phase.OFFER, Phase.PLAY} else None
    for seat, shown in enumerate(game.seats):
        mark = ">" if seat == on_turn else " "
        buys = "any" if shown.buys_left == UNLIMITED else str(shown.buys_left)
        name = left(people.label(seat), width)
        row = f" {mark} {seat:>4} {name} {shown.cards:>5} {buys:>5} {shown.total:>6}"
        notes = ", ".join(_notes(scene, game, seat))
        if get_cwidth(row) + 2 + get_cwidth(notes) > scene.width:
            lines += [row, *wrap(f"{' ' * 8}{notes}", width=scene.width, indent=" " * 8)]
        else:
            lines.append(f"{row}  {notes}".rstrip())
    return lines


def _turn_text(game: PublicView, people: People) -> str:
    if game.phase is Phase.HAND_OVER:
        return "The hand is over"
    if game.phase is Phase.GAME_OVER:
        return "The game is over"
    whose = "yours" if game.turn == people.you else people.whose(game.turn)
    return f"Turn {game.turn_number}, {whose}"


def _notes(scene: Scene, game: PublicView, seat: int) -> list[str]:
    shown, sitting = game.seats[seat], scene.table.seats[seat]
    notes = ["dealer"] if seat == game.dealer else []
    if shown.down:
        notes.append("down, floats" if shown.floats else "down")
    if sitting.occupant == table_pb2.OCCUPANT_BOT:
        return [*notes, "bot"]
    return notes + presence(sitting)


def presence(sitting: table_pb2.Seat) -> list[str]:
    """Say what is unusual about who sits on a seat: a bot, somebody away, a stand-in."""
    if sitting.occupant == table_pb2.OCCUPANT_BOT:
        return [f"bot {sitting.level}".rstrip()]
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and sitting.stand_in:
        return ["stand-in"]
    if sitting.occupant == table_pb2.OCCUPANT_PERSON and not sitting.connected:
        return ["away"]
    return []


def lobby_lines(scene: Scene) -> list[str]:
    """Give the table before its game: its code, who sits where, and what is waited for."""
    table = scene.table
    name = f" {table.name!r}" if table.name else ""
    kind = ", private" if table.private else ""
    game = f", game {table.game_number}" if table.game_number > 1 else ""
    lines = [f"Table {table.table}{name}{kind}{game}: {status_text(table.status)}."]
    lines += [_lobby_row(sitting, scene.seat) for sitting in table.seats]
    if table.status == table_pb2.TABLE_STATUS_LOBBY:
        lines.append(_waits(scene))
    return [part for line in lines for part in wrap(line, width=scene.width, indent="    ")]


def lobby_news_lines(before: Scene, now: Scene) -> list[str]:
    """Say what has changed in the lobby: who has come and gone, who is the host, whether the game begins."""
    lines: list[str] = []
    for old, new in zip(before.table.seats, now.table.seats, strict=False):
        if old.name != new.name and old.occupant not in EMPTY:
            lines.append(f"{old.name} has left seat {old.index}.")
        if old.name != new.name and new.occupant not in EMPTY and new.index != now.seat:
            lines.append(f"{new.name} sits down on seat {new.index}.")
    if now.is_host() and not before.is_host() and before.seat is not None:
        lines.append(_waits(now))
    if now.table.status != before.table.status:
        lines.append(f"The table is {status_text(now.table.status)}.")
    return lines


def _lobby_row(sitting: table_pb2.Seat, you: int | None) -> str:
    if sitting.occupant in EMPTY:
        return f"  seat {sitting.index}: free"
    notes = ["you"] if sitting.index == you else []
    notes += ["host"] if sitting.host else []
    notes += presence(sitting)
    said = f" ({', '.join(notes)})" if notes else ""
    return f"  seat {sitting.index}: {sitting.name}{said}"


def _waits(scene: Scene) -> str:
    free = free_seats(scene.table.seats)
    if scene.is_host():
        filled = f"; bots take the {count(free, 'free seat')}" if free else ""
        return f"You are the host: start begins the game{filled}."
    return "The host starts the game."
