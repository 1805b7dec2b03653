"""What becomes of a table by the facts about its people: who sits where, who goes, who would like what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shanghai_server.standing.fact import (
    BotAdded,
    BotLevelSet,
    BotRemoved,
    Closed,
    Fact,
    HandedOver,
    Joined,
    Kicked,
    Left,
    NonceCommitted,
    Rematched,
    SatDown,
    SeatOffered,
    SeatsClosed,
    Wished,
)
from shanghai_server.standing.seat import Occupant, Seat, Wish
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import Standing


def _joined(standing: Standing, fact: Joined, _events: object) -> None:
    standing.join(fact)


def _left(standing: Standing, fact: Left, _events: object) -> None:
    standing.vacate(fact.seat, fact.level)


def _bot_added(standing: Standing, fact: BotAdded, _events: object) -> None:
    bot = Seat(occupant=Occupant.BOT, name=fact.name, level=fact.level)
    standing.seats = standing.seats.having(fact.seat, bot)


def _seats_closed(standing: Standing, fact: SeatsClosed, _events: object) -> None:
    stay = [index for index in range(len(standing.seats)) if index not in fact.seats]
    standing.seats = Seating(standing.seats[index] for index in stay)
    moved = {before: now for now, before in enumerate(stay)}
    for place, line in enumerate(standing.chat):
        seat = None if line.seat is None else moved.get(line.seat)
        standing.chat[place] = replace(line, seat=seat)


def _kicked(standing: Standing, fact: Kicked, _events: object) -> None:
    token = standing.seats[fact.seat].token
    standing.vacate(fact.seat, fact.level)
    standing.kicked[token] = None
    if len(standing.kicked) > standing.most_kicked:
        del standing.kicked[next(iter(standing.kicked))]


def _seat_offered(standing: Standing, fact: SeatOffered, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, offered=fact.code, offered_until=fact.until)


def _sat_down(standing: Standing, fact: SatDown, _events: object) -> None:
    standing.sit_down(fact.seat, fact.sitting)


def _handed_over(standing: Standing, fact: HandedOver, _events: object) -> None:
    if not standing.seats[fact.seat].waits:
        standing.note_takeover(fact.seat)
    seat = replace(
        standing.seats[fact.seat],
        token=fact.token,
        name=fact.name,
        sittings=(),
        nonce_commitment=standing.promised(fact.nonce_commitment),
        offered="",
        offered_until=0,
        wish=Wish.NONE,
    )
    standing.seats = standing.seats.having(fact.seat, seat.back())
    standing.requests.setdefault(fact.token, {})
    standing.forget_tokens()


def _bot_removed(standing: Standing, fact: BotRemoved, _events: object) -> None:
    standing.seats = standing.seats.having(fact.seat, Seat())


def _bot_level_set(standing: Standing, fact: BotLevelSet, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, level=fact.level)


def _nonce_committed(standing: Standing, fact: NonceCommitted, _events: object) -> None:
    promised = standing.promised(fact.nonce_commitment)
    standing.seats = standing.seats.changed(fact.seat, nonce_commitment=promised)


def _wished(standing: Standing, fact: Wished, _events: object) -> None:
    standing.seats = standing.seats.changed(fact.seat, wish=Wish(fact.wish))


def _rematched(standing: Standing, fact: Rematched, _events: object) -> None:
    standing.rematch(bytes.fromhex(fact.game_seed), bytes.fromhex(fact.bot_salt))
    for index, name in fact.bots.items():
        standing.seats = standing.seats.changed(index, name=name, inherited=False)


def _closed(standing: Standing, fact: Closed, _events: object) -> None:
    standing.closed = fact.reason


ARRANGED: dict[type[Fact], Callable[[Standing, Any, Any], None]] = {
    Joined: _joined,
    Left: _left,
    BotAdded: _bot_added,
    SeatsClosed: _seats_closed,
    Kicked: _kicked,
    SeatOffered: _seat_offered,
    SatDown: _sat_down,
    HandedOver: _handed_over,
    BotRemoved: _bot_removed,
    BotLevelSet: _bot_level_set,
    NonceCommitted: _nonce_committed,
    Wished: _wished,
    Rematched: _rematched,
    Closed: _closed,
}
"""How each of these facts changes a standing, as `taking.take` needs it."""
