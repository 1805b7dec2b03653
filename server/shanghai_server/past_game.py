"""The records of a table's games: of the one that is over, and of those before it, which only the journal holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shanghai.v1 import service_pb2
from shanghai_engine.line import Line, line_text
from shanghai_engine.record import JOURNAL_ANSWER, record_lines
from shanghai_server.fact import Acted, HandDealt, Started, TimedOut, read_fact
from shanghai_server.joining import check_passcode
from shanghai_server.journal import Entry
from shanghai_server.ledger import Ledger
from shanghai_server.refusal import CallRefused, TableRefusal
from shanghai_server.standing import Stage


def asked_game(ledger: Ledger, *, wanted: int | None, token: str, passcode: str, over: int) -> int:
    """Give the number of the game whose record is asked for, from 1; raises `CallRefused`.

    `wanted` is none for the last that is over; `token` (SHA-256 in hex) is empty for whoever holds no seat, for whom
    `over` games are over, which may be fewer than there are where spectators see everything late.
    """
    standing = ledger.standing
    if token:
        if standing.seat_of(token) is None:
            raise CallRefused(TableRefusal.BAD_TOKEN)
        over = standing.game_number - (standing.stage is not Stage.OVER)
    else:
        check_passcode(ledger, passcode)
    if wanted is not None and not 1 <= wanted <= standing.game_number:
        raise CallRefused(TableRefusal.NO_SUCH_GAME, game=wanted, last=standing.game_number)
    number = (over or standing.game_number) if wanted is None else wanted
    if number > over:
        has_begun = standing.game is not None or number < standing.game_number
        raise CallRefused(TableRefusal.GAME_NOT_OVER if has_begun else TableRefusal.GAME_NOT_STARTED)
    return number


def record_of_last(ledger: Ledger, number: int) -> service_pb2.GetRecordResponse:
    """Give the record of the table's present game, which is over; without any lines where another one is asked for."""
    game = ledger.standing.game
    lines = record_lines(game) if game is not None and number == ledger.standing.game_number else []
    return _response(lines, number)


def record_of_earlier(entries: Sequence[Entry], number: int) -> service_pb2.GetRecordResponse:
    """Give the record of a game that the table has played before, from all its facts."""
    games: list[list[Line]] = []
    for entry in entries:
        fact = read_fact(entry.record)
        if isinstance(fact, Started):
            games.append([])
        if isinstance(fact, Started | Acted | TimedOut | HandDealt):
            games[-1] += [line for line in fact.lines if line["event"] != JOURNAL_ANSWER]
    return _response(games[number - 1], number)


def _response(lines: Iterable[Line], number: int) -> service_pb2.GetRecordResponse:
    record = "".join(f"{line_text(line)}\n" for line in lines)
    return service_pb2.GetRecordResponse(record=record, game_number=number)
