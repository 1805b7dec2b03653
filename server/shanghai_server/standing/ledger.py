"""The facts that a table has taken in and not yet written down, and the cases that make them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import msgspec
from google.protobuf.message import Message

from shanghai.v1 import table_pb2
from shanghai_engine.action import Action
from shanghai_engine.decide import decide
from shanghai_engine.event import Event
from shanghai_engine.game import Game
from shanghai_engine.line import Line
from shanghai_engine.record import JOURNAL_ANSWER, line_of
from shanghai_server.house.rate import Allowances
from shanghai_server.house.refusal import CallRefused, TableRefusal
from shanghai_server.house.secret import Secrets
from shanghai_server.house.settings import Settings
from shanghai_server.standing.fact import SEALED as SEALED_FACTS
from shanghai_server.standing.fact import Acted, Fact, Request, TimedOut
from shanghai_server.standing.snapshot import is_due, snapshot_of
from shanghai_server.standing.standing import Standing
from shanghai_server.standing.taking import take


class EvolveFailed(Exception):
    """A fact could not be taken in: the table cannot go on, and nobody may see or keep that fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that changes something, as it reached a table.

    `verb` is the name of the method, `token` the SHA-256 of the seat's token in hex, `likeness` what makes two calls
    under one id the same, and `peer` where it comes from (`peers.peer_of`).
    """

    verb: str
    request: Message
    token: str
    request_id: str
    likeness: bytes
    peer: str = ""

    def answered(self, answer: Message) -> Request:
        """Give what is kept of the call, so that a repeat gets the first answer."""
        return Request(token=self.token, id=self.request_id, likeness=self.likeness, answer=answer.SerializeToString())


@dataclass(slots=True)
class Ledger:
    """The facts of a batch: each is taken in at once, and written down with the others.

    `now` is the clock's time and `wall` the time of day, both in seconds; `allowances` is how often what has been done
    at this table. `closings` are the streams that end once the facts are on disk: whose (SHA-256 of the token), and
    why. `behind` is how many records stand behind the last snapshot; where another is due (`snapshot.is_due`), it
    stands before the first fact. Where the table `is_full`, nothing is taken in any more but what a game needs;
    `barred` is what refuses a call that would take anything else in.
    """

    standing: Standing
    settings: Settings
    secrets: Secrets
    now: float
    wall: float
    allowances: Allowances
    behind: int = 0
    is_full: bool = False
    barred: CallRefused | None = None
    facts: list[Fact] = field(default_factory=list)
    seen: bool = False
    """Whether something that viewers see has changed since the last `show`."""
    may_agree: bool = False
    """Whether somebody has wished for something, or has gone, so that all who are left may have the same wish now."""
    closings: list[tuple[str, table_pb2.CloseReason.ValueType]] = field(default_factory=list)

    def take(self, fact: Fact, events: Sequence[Event] | None = None) -> None:
        """Take a fact in; raises `EvolveFailed` and `CallRefused`, and then the fact is not kept."""
        if self.barred is not None:
            raise self.barred
        if not self.facts and is_due(self.standing, behind=self.behind):
            self.facts.append(snapshot_of(self.standing))
        try:
            take(self.standing, fact, events)
        except Exception as error:
            raise EvolveFailed(f"a fact of the kind {type(fact).__name__!r} could not be taken in") from error
        self.facts.append(fact)
        self.seen = self.seen or is_seen(fact)

    def show(self) -> bool:
        """Number the update that shows what has changed; gives whether there is any."""
        if not self.seen:
            return False
        self.seen = False
        sequence = self.standing.sequence + 1
        self.facts[-1] = msgspec.structs.replace(self.facts[-1], shown=sequence)
        self.standing.showed(sequence)
        return True

    @property
    def is_sealed(self) -> bool:
        """Whether something has happened, and nobody sees anything of it, as of answers to an open offer (R7.14)."""
        return bool(self.facts) and not (self.seen or any(fact.shown for fact in self.facts))

    @property
    def game(self) -> Game:
        """The game; raises `CallRefused` before it has begun."""
        if self.standing.game is None:
            raise CallRefused(TableRefusal.GAME_NOT_STARTED)
        return self.standing.game

    def dated(self) -> list[Fact]:
        """Give the facts as they are written down, with the time of day."""
        if self.facts:
            self.facts[-1] = msgspec.structs.replace(self.facts[-1], at=int(self.wall))
        return self.facts

    def follow(self, action: Action) -> tuple[list[Line], tuple[Event, ...]]:
        """Give what follows from an action in the game; raises `RuleViolation`, and nothing has changed in any case."""
        game = self.game
        events = decide(game.state, action, game.chance)
        return [line_of(event) for event in events], events


def is_seen(fact: Fact) -> bool:
    """Say whether anybody sees what happened: a nonce and an answer to an open offer nobody does (R7.14)."""
    if isinstance(fact, Acted | TimedOut):
        return any(line["event"] != JOURNAL_ANSWER for line in fact.lines)
    return not isinstance(fact, SEALED_FACTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A call before the table: the seat that makes it (none: no seat yet), and whose persons are connected."""

    ledger: Ledger
    call: Call
    seat: int | None
    connected: Collection[int]

    @property
    def standing(self) -> Standing:
        """How the table stands."""
        return self.ledger.standing

    @property
    def settings(self) -> Settings:
        """The server's limits."""
        return self.ledger.settings

    @property
    def host(self) -> int | None:
        """The host's seat, where a person who is absent counts as present: by the call he is back."""
        return self.standing.seats.host_if_back(self.seat)

    @property
    def holder(self) -> int:
        """The seat that makes the call; raises `CallRefused` where the token holds none."""
        if self.seat is None:
            raise CallRefused(TableRefusal.BAD_TOKEN)
        return self.seat
