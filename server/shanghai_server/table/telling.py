"""What the log tells of a table's facts: what happened and to which seat, and no name, card, token or seed."""

from __future__ import annotations

from collections.abc import Iterable

from structlog.typing import FilteringBoundLogger

from shanghai_server.standing.fact import (
    BotAdded,
    BotLevelSet,
    BotRemoved,
    CameBack,
    Closed,
    Fact,
    HandDealt,
    HandedOver,
    Joined,
    Kicked,
    Left,
    Paused,
    Rematched,
    Resumed,
    SeatsClosed,
    Snapshot,
    Started,
    Starting,
    TimedOut,
    WentAbsent,
)

_EVENTS: dict[type[Fact], str] = {
    BotAdded: "a bot was seated",
    BotLevelSet: "a bot has another level",
    BotRemoved: "a bot was taken away",
    CameBack: "a person is back",
    HandDealt: "a hand was dealt",
    HandedOver: "a seat was handed over",
    Joined: "a person sat down",
    Kicked: "a person was sent away",
    Left: "a person left",
    Paused: "the game was paused",
    Rematched: "another game is prepared",
    Resumed: "the game goes on",
    SeatsClosed: "empty seats were closed",
    Started: "a game was started",
    Starting: "the lobby was closed",
    TimedOut: "a seat's time was over",
    WentAbsent: "a person is absent",
}
"""What is told of the facts of each kind; of an act, a line of chat, a nonce or a wish, which are many, nothing is."""


def tell(log: FilteringBoundLogger, facts: Iterable[Fact], record: int) -> None:
    """Log the facts of a table that are on disk now; `record` is the sequence of the last one in the journal."""
    for fact in facts:
        event = _EVENTS.get(type(fact))
        if event is not None:
            _tell_one(log, event, fact, record)
        elif isinstance(fact, Closed):
            log.info("the table was closed", sequence=fact.shown, record=record, reason=fact.reason)
        elif isinstance(fact, Snapshot):
            log.debug("a snapshot was written", record=record)


def _tell_one(log: FilteringBoundLogger, event: str, fact: Fact, record: int) -> None:
    seat = getattr(fact, "seat", None)
    if seat is None:
        log.info(event, sequence=fact.shown, record=record)
    else:
        log.info(event, sequence=fact.shown, record=record, seat=seat)
