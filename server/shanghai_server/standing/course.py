"""What becomes of a table by the facts of its game: deals, acts, time-outs, pauses, and what is said meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shanghai_engine.event import Event
from shanghai_server.standing.fact import (
    Acted,
    CameBack,
    Fact,
    HandDealt,
    NonceRevealed,
    Noted,
    Paused,
    Resumed,
    Said,
    Saying,
    Snapshot,
    Started,
    Starting,
    TimedOut,
    WentAbsent,
    WentOn,
)
from shanghai_server.standing.standing import PausedBy, Stage, Standing


def _starting(standing: Standing, _fact: Starting, _events: object) -> None:
    standing.stage = Stage.STARTING


def _nonce_revealed(standing: Standing, fact: NonceRevealed, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, nonce=bytes.fromhex(fact.nonce))


def _started(standing: Standing, fact: Started, events: Sequence[Event] | None) -> None:
    standing.play(fact.lines, events)


def _hand_dealt(standing: Standing, fact: HandDealt, events: Sequence[Event] | None) -> None:
    standing.play(fact.lines, events, away=fact.away)


def _acted(standing: Standing, fact: Acted, events: Sequence[Event] | None) -> None:
    # A turn that its player ended himself breaks the row of missed ones (R14.2); a mere answer to an offer does not.
    seat = standing.seats[fact.seat]
    if not fact.by_bot and seat.missed and any(line["event"] in {"discard", "hand_end"} for line in fact.lines):
        standing.seats = standing.seats.changed(fact.seat, missed=0)
    if not fact.by_bot and seat.absent:
        standing.seats = standing.seats.changed(fact.seat, returning=True)
    standing.play(fact.lines, events)


def _timed_out(standing: Standing, fact: TimedOut, events: Sequence[Event] | None) -> None:
    if fact.turn:
        standing.seats = standing.seats.changed(fact.seat, missed=standing.seats[fact.seat].missed + 1)
    standing.play(fact.lines, events)


def _went_on(standing: Standing, fact: WentOn, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, ready=True)
    if standing.seats[fact.seat].absent:
        _back(standing, fact.seat)


def _went_absent(standing: Standing, fact: WentAbsent, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, absent=True)


def _came_back(standing: Standing, fact: CameBack, _events: object) -> None:
    _back(standing, fact.seat)


def _back(standing: Standing, index: int) -> None:
    standing.seats = standing.seats.having(index, standing.seats[index].back())


def _said(standing: Standing, fact: Said, _events: object) -> None:
    standing.said += 1
    standing.chat.append(Saying(standing.said, fact.seat, standing.seats[fact.seat].name, fact.text))


def _noted(_standing: Standing, _fact: Noted | Snapshot, _events: object) -> None:
    pass


def _paused(standing: Standing, fact: Paused, _events: object) -> None:
    standing.pause = PausedBy(fact.by)
    standing.forget_wishes()


def _resumed(standing: Standing, _fact: Resumed, _events: object) -> None:
    standing.pause = None
    standing.forget_wishes()


COURSE: dict[type[Fact], Callable[[Standing, Any, Any], None]] = {
    Starting: _starting,
    NonceRevealed: _nonce_revealed,
    Started: _started,
    HandDealt: _hand_dealt,
    Acted: _acted,
    TimedOut: _timed_out,
    WentOn: _went_on,
    WentAbsent: _went_absent,
    CameBack: _came_back,
    Said: _said,
    Noted: _noted,
    Snapshot: _noted,
    Paused: _paused,
    Resumed: _resumed,
}
"""How each of these facts changes a standing, as `taking.take` needs it."""
