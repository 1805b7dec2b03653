"""What the log tells of a table's facts: what happened and to which seat, and no name, card, token or seed."""

from __future__ import annotations

from collections.abc import Sequence

from structlog.typing import FilteringBoundLogger

from shanghai_server.standing.fact import (
    Acted,
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


def tell(log: FilteringBoundLogger, facts: Sequence[Fact], *, record: int, sequence: int) -> None:
    """Log the facts of a table that are on disk now.

    `record` is the sequence of the last one in the journal, `sequence` that of the table's last update. Each is told
    with the update that shows it, which it often shares with those behind it, or with the last where none does.
    """
    told: list[tuple[Fact, int]] = []
    for fact in reversed(facts):
        sequence = fact.shown or sequence
        # Most facts are acts, and of those nothing is told.
        if not isinstance(fact, Acted):
            told.append((fact, sequence))
    for fact, shown in reversed(told):
        event = _EVENTS.get(type(fact))
        if event is not None:
            seat = getattr(fact, "seat", None)
            log.info(event, sequence=shown, record=record, **({} if seat is None else {"seat": seat}))
        elif isinstance(fact, Closed):
            log.info("the table was closed", sequence=shown, record=record, reason=fact.reason)
        elif isinstance(fact, Snapshot):
            log.debug("a snapshot was written", sequence=shown, record=record)
