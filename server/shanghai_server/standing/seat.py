"""A seat of a table: who sits there, and what the table remembers of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

KEPT_SITTINGS = 64
"""So many sittings of a seat are remembered: a client that comes back after more is taken for a new one."""


class Occupant(Enum):
    """Who sits on a seat."""

    NOBODY = "nobody"
    PERSON = "person"
    BOT = "bot"


class Wish(Enum):
    """What a person would like to happen, once everybody there would."""

    NONE = ""
    PAUSE = "pause"
    RESUME = "resume"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One seat, as it is at a moment.

    `token` is the SHA-256 of the person's token in hex, empty for anybody else; `joined` counts the persons in the
    order in which they joined; `level` is the bot's. `nonce_commitment` is empty where none was given, `nonce` none
    until it was revealed. `missed` counts the turns missed in a row (R14.2), `absent` says whether the person is
    absent, `ready` whether he has gone on to the next hand (R2.4). `offered` is the SHA-256, in hex, of the code with
    which another person gets the seat, until `offered_until` (seconds since 1970). `returning` says that an absent
    person has answered an open offer himself, which nobody may see before it closes (R7.14), and is back then.
    `inherited` says that the bot plays on for a person who has gone, under that person's name. `waits` says that the
    person has the seat from the next deal on: until then a bot of the seat's `level`, whose own name is `bot_name`,
    plays it, and he sees none of its cards (R2.3). `sittings` are the marks (`gates.sitting_mark`) of the person's last
    sittings, the present one at the end; the empty one is that of all clients which name none.
    """

    occupant: Occupant = Occupant.NOBODY
    name: str = ""
    level: str = ""
    token: str = ""
    joined: int = 0
    nonce_commitment: bytes = b""
    nonce: bytes | None = None
    missed: int = 0
    absent: bool = False
    returning: bool = False
    ready: bool = False
    wish: Wish = Wish.NONE
    offered: str = ""
    offered_until: int = 0
    inherited: bool = False
    waits: bool = False
    bot_name: str = ""
    sittings: tuple[str, ...] = ()

    @property
    def sitting(self) -> str:
        """The mark of the present sitting; empty where its client names none, or nobody has sat down yet."""
        return self.sittings[-1] if self.sittings else ""

    def sat_down(self, sitting: str) -> Seat:
        """Give it with another sitting: the one before has lost the seat to it."""
        before = tuple(each for each in self.sittings if each != sitting)
        return replace(self, sittings=(*before, sitting)[-KEPT_SITTINGS:])

    def back(self) -> Seat:
        """Give it with its person present, who has missed nothing."""
        return replace(self, missed=0, absent=False, returning=False)

    def dealt_in(self) -> Seat:
        """Give it with its person playing it himself, where he has waited for that."""
        return replace(self, waits=False, level="", bot_name="", inherited=False) if self.waits else self

    @property
    def is_person(self) -> bool:
        """Whether a person holds the seat, present or not."""
        return self.occupant is Occupant.PERSON

    @property
    def owes_nonce(self) -> bool:
        """Whether the person promised a nonce and has not shown it."""
        return self.is_person and bool(self.nonce_commitment) and self.nonce is None
