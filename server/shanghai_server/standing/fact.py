"""What happened at a table, as the journal keeps it: one JSON object per fact, from which the table is rebuilt.

A fact holds what was decided, chance included, never what was asked for; so reading facts back needs no judgement. What
happened in the game stands in it as the lines of the game record (`shanghai_engine.record`). Facts are full of secrets,
and only the journal and `Standing.take` ever see one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from shanghai_engine.line import Line
from shanghai_server.standing.seat import Seat


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The call that a fact answers.

    Whose it is (SHA-256 of the seat's token, in hex; empty for the maker of a table), its id, what two calls of the
    same content have alike (SHA-256), and the first answer, as the message it was.
    """

    token: str
    id: str
    likeness: bytes
    answer: bytes


class Fact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="fact"):
    """Something that happened.

    `shown` is the sequence of the update in which the viewers were shown it, 0 where there was none of its own; `at` is
    the time of day in seconds since 1970, 0 where the next fact of the same append has it; every fact that answers a
    call carries the `request`.
    """

    shown: int = 0
    at: int = 0
    request: Request | None = None


class Created(Fact, tag="created", frozen=True, kw_only=True):
    """The table was made. `rules` are in the form of the game record; seed and salts in hex.

    A private table has the salt of its passcode and the key that was made of both, in hex; they are empty else.
    """

    name: str
    seats: int
    rules: dict[str, Any]
    options: dict[str, Any]
    game_seed: str
    bot_salt: str
    passcode_salt: str = ""
    passcode_key: str = ""


class Joined(Fact, tag="joined", frozen=True, kw_only=True):
    """A person took a seat; `token` and `nonce_commitment` (empty for none) are SHA-256, in hex."""

    seat: int
    token: str
    name: str
    nonce_commitment: str


class Left(Fact, tag="left", frozen=True, kw_only=True):
    """A person gave his seat up: before the game it is free, later a bot of the level plays it on (R2.3)."""

    seat: int
    level: str


class BotAdded(Fact, tag="bot_added", frozen=True, kw_only=True):
    """A bot took a seat."""

    seat: int
    name: str
    level: str


class SeatsClosed(Fact, tag="seats_closed", frozen=True, kw_only=True):
    """Empty seats were taken away, and those behind them moved up."""

    seats: list[int]


class Starting(Fact, tag="starting", frozen=True, kw_only=True):
    """The host started the game; nonces are awaited."""


class NonceRevealed(Fact, tag="nonce_revealed", frozen=True, kw_only=True):
    """A seat showed its nonce, in hex."""

    seat: int
    nonce: str


class Started(Fact, tag="started", frozen=True, kw_only=True):
    """The game began; the lines are its start and its first deal."""

    lines: list[Line]


class Acted(Fact, tag="acted", frozen=True, kw_only=True):
    """A seat, its bot or its stand-in answered a decision, and what followed."""

    seat: int
    decision: str
    lines: list[Line]
    by_bot: bool = False


class TimedOut(Fact, tag="timed_out", frozen=True, kw_only=True):
    """A clock ran out for a seat, and what followed; `turn` says whether it was that of its turn (R14.2)."""

    seat: int
    turn: bool
    lines: list[Line]


class WentOn(Fact, tag="went_on", frozen=True, kw_only=True):
    """A seat looked at the score sheet long enough (R2.4)."""

    seat: int


class HandDealt(Fact, tag="hand_dealt", frozen=True, kw_only=True):
    """The next hand was dealt. `away` are the seats of those who waited for it and are not there: they wait on."""

    lines: list[Line]
    away: list[int] = []


class WentAbsent(Fact, tag="went_absent", frozen=True, kw_only=True):
    """A person is absent: its grace is over, or it missed a second turn in a row (R14.2)."""

    seat: int


class CameBack(Fact, tag="came_back", frozen=True, kw_only=True):
    """An absent person is back."""

    seat: int


class SatDown(Fact, tag="sat_down", frozen=True, kw_only=True):
    """A person's client began another sitting at his seat (its `gates.sitting_mark`; empty where it names none)."""

    seat: int
    sitting: str


class Said(Fact, tag="said", frozen=True, kw_only=True):
    """Somebody said something; the text is clean."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Saying:
    """A line of chat: its number from 1, who said it, and what; `seat` is none where that seat was closed since."""

    number: int
    seat: int | None
    name: str
    text: str


class Snapshot(Fact, tag="snapshot", frozen=True, kw_only=True):
    """Nothing happened: all that has, up to this place (`snapshot.py`). Another fact follows.

    `created` is the table as it would be made now; `start` and `results` are its game so far (none before it began);
    `requests` are id, likeness and answer by token; `told`, `mark` and `sequence` count what was shown; `game_number`
    counts the games, `pause` is who paused this one (empty: nobody), `kicked` are tokens without a right to a seat;
    `size` is how many bytes the records before it have together (0 where an older version wrote it).
    Another `version` than ours is not read.
    """

    version: int
    created: Created
    stage: str
    seats: list[Seat]
    joined: int
    start: Line | None
    results: list[Line]
    chat: list[Saying]
    said: int
    requests: dict[str, list[tuple[str, bytes, bytes]]]
    sequence: int
    told: int
    mark: tuple[int, int]
    game_number: int = 1
    pause: str = ""
    kicked: list[str] = []
    size: int = 0


SNAPSHOT_VERSION = 1
"""The version of the snapshots that are written and read here."""


class Noted(Fact, tag="noted", frozen=True, kw_only=True):
    """Nothing but the sequence of updates, so that a restarted server goes on behind it."""


class Kicked(Fact, tag="kicked", frozen=True, kw_only=True):
    """The host took a seat from its person: before the game it is free, later a bot of the level plays it on (R2.3)."""

    seat: int
    level: str


class SeatOffered(Fact, tag="seat_offered", frozen=True, kw_only=True):
    """A person offers his seat to whoever joins with a code: its SHA-256 in hex, good until so many seconds after 1970.

    An empty code takes an offer back.
    """

    seat: int
    code: str
    until: int


class HandedOver(Fact, tag="handed_over", frozen=True, kw_only=True):
    """Another person took the seat that was offered; the fields are those of `Joined`."""

    seat: int
    token: str
    name: str
    nonce_commitment: str


class BotRemoved(Fact, tag="bot_removed", frozen=True, kw_only=True):
    """A bot's seat is free again."""

    seat: int


class BotLevelSet(Fact, tag="bot_level_set", frozen=True, kw_only=True):
    """The bot of a seat plays at another level."""

    seat: int
    level: str


class NonceCommitted(Fact, tag="nonce_committed", frozen=True, kw_only=True):
    """A seat promised a nonce for the game that comes; its SHA-256, in hex."""

    seat: int
    nonce_commitment: str


class Wished(Fact, tag="wished", frozen=True, kw_only=True):
    """A person would like something to happen (the values of `seat.Wish`), or nothing any more."""

    seat: int
    wish: str


class Paused(Fact, tag="paused", frozen=True, kw_only=True):
    """The game was paused; `by` is one of the values of `standing.PausedBy`."""

    by: str


class Resumed(Fact, tag="resumed", frozen=True, kw_only=True):
    """The paused game goes on."""


class Rematched(Fact, tag="rematched", frozen=True, kw_only=True):
    """Another game is prepared: the table is in its lobby again, with a new seed and salt, in hex.

    `bots` are the new names, by seat, of the bots that played on for persons.
    """

    game_seed: str
    bot_salt: str
    bots: dict[int, str]


class Closed(Fact, tag="closed", frozen=True, kw_only=True):
    """The table was closed for good, and why; it is the last fact."""

    reason: str


AnyFact = (
    Created
    | Joined
    | Left
    | BotAdded
    | SeatsClosed
    | Starting
    | NonceRevealed
    | Started
    | Acted
    | TimedOut
    | WentOn
    | HandDealt
    | WentAbsent
    | CameBack
    | SatDown
    | Said
    | Noted
    | Snapshot
    | Kicked
    | SeatOffered
    | HandedOver
    | BotRemoved
    | BotLevelSet
    | NonceCommitted
    | Wished
    | Paused
    | Resumed
    | Rematched
    | Closed
)

SEALED = (NonceRevealed, Noted, Snapshot, SeatOffered, SatDown, Closed)
"""Facts that change nothing that anybody sees."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyFact] = msgspec.json.Decoder(AnyFact)


def fact_bytes(fact: Fact) -> bytes:
    """Give a fact as a record of the journal."""
    return _encoder.encode(fact)


_SNAPSHOT_START = b'{"fact":"snapshot",'


def is_snapshot(record: bytes) -> bool:
    """Say whether a record is a snapshot, of whatever version."""
    return record.startswith(_SNAPSHOT_START)


def read_fact(record: bytes) -> AnyFact:
    """Give the fact of a record; raises `msgspec.ValidationError` or `msgspec.DecodeError` where it is none."""
    return _decoder.decode(record)
