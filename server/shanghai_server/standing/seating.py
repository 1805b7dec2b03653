"""The seating of a table: its seats at a moment, and what follows from who sits where.

It never changes; a change gives another one. So whoever has worked something out from one may keep it as long as the
table `is` at that one, and most of what happens in a game leaves it as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from shanghai_server.standing.seat import Occupant, Seat


class Seating(tuple[Seat, ...]):  # noqa: SLOT001 what follows from it is kept beside it
    """The seats of a table in their order, from seat 0."""

    @classmethod
    def empty(cls, seats: int) -> Self:
        """Give so many seats with nobody on them."""
        return cls([Seat()] * seats)

    def having(self, index: int, seat: Seat) -> Self:
        """Give the seating with another seat at a place."""
        return type(self)((*self[:index], seat, *self[index + 1 :]))

    def changed(self, index: int, **fields: Any) -> Self:  # noqa: ANN401 # the fields of a seat, of many types
        """Give the seating where a seat has other values in these fields."""
        return self.having(index, replace(self[index], **fields))

    def all_changed(self, **fields: Any) -> Self:  # noqa: ANN401 # as above
        """Give the seating where every seat has other values in these fields; itself where they are the same."""
        if all(getattr(seat, field) == value for seat in self for field, value in fields.items()):
            return self
        return type(self)(replace(seat, **fields) for seat in self)

    @cached_property
    def host(self) -> int | None:
        """The seat of the host: of the persons who are not absent the one who joined first, or else of all."""
        return self.host_if_back(None)

    def host_if_back(self, back: int | None) -> int | None:
        """Give the seat of the host, if the person of the seat `back` were not absent."""
        persons = [
            (seat.absent and index != back, seat.joined, index) for index, seat in enumerate(self) if seat.is_person
        ]
        return min(persons)[2] if persons else None

    @cached_property
    def holders(self) -> dict[str, int]:
        """The seats of the persons, by their tokens (SHA-256 in hex)."""
        return {seat.token: index for index, seat in enumerate(self) if seat.is_person}

    @cached_property
    def present(self) -> frozenset[int]:
        """The seats of the persons who are not absent, connected or not."""
        return frozenset(index for index, seat in enumerate(self) if seat.is_person and not seat.absent)

    @cached_property
    def bots(self) -> frozenset[int]:
        """The seats that bots play whoever is there: their own, and those of persons who wait for the next deal."""
        return frozenset(index for index, seat in enumerate(self) if seat.occupant is Occupant.BOT or seat.waits)

    @cached_property
    def bots_and_absent(self) -> frozenset[int]:
        """The seats that bots play, where one stands in for every absent person."""
        return self.bots | {index for index, seat in enumerate(self) if seat.absent}

    @cached_property
    def waiting(self) -> frozenset[int]:
        """The seats of persons that bots play until the next deal (R2.3)."""
        return frozenset(index for index, seat in enumerate(self) if seat.waits)

    def dealt_in(self, *, away: Collection[int] = ()) -> Self:
        """Give the seating where those who wait play themselves, but for who is away; itself where nobody does."""
        if self.waiting.issubset(away):
            return self
        return type(self)(seat if index in away else seat.dealt_in() for index, seat in enumerate(self))

    @cached_property
    def returning(self) -> bool:
        """Whether somebody who is absent has answered an open offer himself, and is back once it closes (R7.14)."""
        return any(seat.returning for seat in self)

    def brought_back(self) -> Self:
        """Give the seating where those who are returning are back; itself where nobody is."""
        return type(self)(seat.back() if seat.returning else seat for seat in self) if self.returning else self
