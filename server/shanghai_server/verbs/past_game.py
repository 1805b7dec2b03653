"""Which game of a table is asked for, where somebody asks for its record, and whether he may have it."""

from __future__ import annotations

from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.ledger import Ledger
from shanghai_server.standing.standing import Stage
from shanghai_server.verbs.joining import check_passcode


def asked_game(ledger: Ledger, *, wanted: int | None, token: str, passcode: str, peer: str, over: int) -> int:
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
        check_passcode(ledger, passcode, peer)
    if wanted is not None and not 1 <= wanted <= standing.game_number:
        raise CallRefused(TableRefusal.NO_SUCH_GAME, game=wanted, last=standing.game_number)
    number = (over or standing.game_number) if wanted is None else wanted
    if number > over:
        has_begun = standing.game is not None or number < standing.game_number
        raise CallRefused(TableRefusal.GAME_NOT_OVER if has_begun else TableRefusal.GAME_NOT_STARTED)
    return number
