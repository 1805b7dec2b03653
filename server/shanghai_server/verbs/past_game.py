"""Which game of a table is asked for, where somebody asks for its record, and whether he may have it."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import Self

from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import Stage, Standing


@dataclass(frozen=True, slots=True)
class PastGames:
    """What is to be known of a table's games, as it is on disk, to find the one whose record is asked for.

    With it nobody who asks waits for the table: how long that takes would tell that a sealed answer is just being
    written down (R7.14). `seats` are those of the table, `last` is the number of the last game, from 1, `over` how many
    are over, and `has_begun` says whether the last one has begun.
    """

    seats: Seating
    last: int
    over: int
    has_begun: bool

    @classmethod
    def of(cls, standing: Standing) -> Self:
        """Give those of a table, of which everything is on disk."""
        over = standing.game_number - (standing.stage is not Stage.OVER)
        return cls(standing.seats, standing.game_number, over, standing.game is not None)

    def check_holder(self, token: str) -> None:
        """Refuse whose token holds no seat; the comparison takes as long for every token."""
        if sum(hmac.compare_digest(each, token) for each in self.seats.holders) == 0:
            raise CallRefused(TableRefusal.BAD_TOKEN)

    def asked_game(self, wanted: int | None, over: int) -> int:
        """Give the number of the game whose record is asked for, from 1; raises `CallRefused`.

        `wanted` is none for the last that is over; for who asks, `over` games are over, which may be fewer than there
        are where spectators see everything late.
        """
        if wanted is not None and not 1 <= wanted <= self.last:
            raise CallRefused(TableRefusal.NO_SUCH_GAME, game=wanted, last=self.last)
        number = (over or self.last) if wanted is None else wanted
        if number > over:
            has_begun = self.has_begun or number < self.last
            raise CallRefused(TableRefusal.GAME_NOT_OVER if has_begun else TableRefusal.GAME_NOT_STARTED)
        return number
