"""The people at a table while it plays: who comes and goes, who takes over, who wishes what, and pauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later
from shanghai_client.present.people import People, name_text
from shanghai_client.present.tables import pause_text
from shanghai_client.scene import Scene

_BACK = later("{name} is back.")
_AWAY = later("{name} is away.")
_BY_BOT = later("{name} is played by a bot from now on.")
_STAND_IN = later("{name} is away, and a stand-in plays.")
PRESENCES = (_BACK, _AWAY, _BY_BOT, _STAND_IN)
"""What is told of whether somebody is there."""


class _Sitting(NamedTuple):
    """Who has a seat."""

    occupant: table_pb2.Occupant.ValueType
    name: str
    waits: bool

    def is_other(self, now: _Sitting) -> bool:
        """Say whether somebody else has it now; a bot that goes on under a person's name is told of as a presence."""
        if now.occupant == table_pb2.OCCUPANT_PERSON or self.occupant == table_pb2.OCCUPANT_NOBODY:
            return self[:2] != now[:2] and now.occupant != table_pb2.OCCUPANT_NOBODY
        return self.waits and now.occupant == table_pb2.OCCUPANT_BOT


class Company:
    """Tells one viewer what is new with the people at his table, each thing once."""

    def __init__(self) -> None:
        """Begin with nobody seen."""
        self._presence: dict[int, str] = {}
        self._sitting: dict[int, _Sitting] = {}
        self._expected: set[int] = set()
        self._wishes: dict[int, table_pb2.Wish.ValueType] = {}
        self._pause: table_pb2.PauseReason.ValueType = table_pb2.PAUSE_REASON_UNSPECIFIED

    def news(self, scene: Scene) -> list[str]:
        """Give what is new in a scene, a sentence each; none before the game, whose own page tells it."""
        told = [*self._presences(scene), *self._pauses(scene)]
        return [] if scene.game is None else told

    def _presences(self, scene: Scene) -> Iterator[str]:
        """Tell who has gone away, who is back, and who takes over."""
        seats = scene.table.seats
        if len(seats) < len(self._sitting):
            # Empty seats were closed, and whoever sat behind them has moved up: nobody has come or gone.
            self._presence.clear()
            self._sitting.clear()
        for seat in seats:
            said, now = _presence(seat), _Sitting(seat.occupant, seat.name, seat.waits_for_deal)
            before, was = self._presence.get(seat.index), self._sitting.get(seat.index)
            is_other = was is not None and was.is_other(now)
            if is_other and seat.occupant == table_pb2.OCCUPANT_PERSON:
                self._expected.add(seat.index)
            if seat.index != scene.seat:
                if was is not None and is_other:
                    yield _change(seat, was)
                elif before is not None and said != before and not self._comes(seat):
                    yield _(said).format(name=name_text(seat.name))
            if seat.connected or _is_stood_in(seat):
                self._expected.discard(seat.index)
            self._presence[seat.index], self._sitting[seat.index] = said, now

    def _comes(self, seat: table_pb2.Seat) -> bool:
        """Say whether somebody has a seat whose stream he opens for the first time: he was never away."""
        return seat.index in self._expected and seat.occupant == table_pb2.OCCUPANT_PERSON and not _is_stood_in(seat)

    def _pauses(self, scene: Scene) -> Iterator[str]:
        """Tell who would like what, that the game is paused and why, and that it goes on."""
        for seat in scene.table.seats:
            if seat.wish and seat.wish != self._wishes.get(seat.index):
                yield _wish_text(seat, People.sitting(scene))
            self._wishes[seat.index] = seat.wish
        reason = scene.table.pause_reason
        if reason != self._pause:
            yield pause_text(reason, yours=scene.is_host()) or _("The game goes on.")
        self._pause = reason


def _change(seat: table_pb2.Seat, was: _Sitting) -> str:
    """Say who has a seat now that somebody else had before, or nobody."""
    name = name_text(seat.name)
    if seat.occupant == table_pb2.OCCUPANT_BOT and was.waits:
        return _("{name} has gone again before the deal, and the bot plays on.").format(name=name_text(was.name))
    if seat.waits_for_deal:
        return _("{name} sits down on seat {seat}, and plays from the next deal on.").format(name=name, seat=seat.index)
    if was.occupant == table_pb2.OCCUPANT_NOBODY:
        return _("{name} sits down on seat {seat}.").format(name=name, seat=seat.index)
    if was.name != seat.name:
        return _("{name} takes over the seat of {other}.").format(name=name, other=name_text(was.name))
    return _(_BACK).format(name=name)


def _wish_text(seat: table_pb2.Seat, people: People) -> str:
    """Say what somebody at the table would like, and what makes it so."""
    match seat.wish:
        case table_pb2.WISH_PAUSE:
            yours = _("You would like to pause the game: it is paused once everybody here says pause.")
            others = _("{name} would like to pause the game: it is paused once everybody here says pause.")
        case table_pb2.WISH_RESUME:
            yours = _("You would like the game to go on: it does once everybody here says resume.")
            others = _("{name} would like the game to go on: it does once everybody here says resume.")
        case _wish:
            yours = _("You would like another game: there is one once everybody here says rematch.")
            others = _("{name} would like another game: there is one once everybody here says rematch.")
    return people.told(seat.index, yours, others)


def _is_stood_in(seat: table_pb2.Seat) -> bool:
    """Say whether a bot plays for somebody who is away: not for who waits for the next deal."""
    return seat.stand_in and not seat.waits_for_deal


def _presence(seat: table_pb2.Seat) -> str:
    """Give the sentence about whether somebody is there, which is looked up when it is said."""
    if seat.occupant == table_pb2.OCCUPANT_BOT:
        return _BY_BOT
    if _is_stood_in(seat):
        return _STAND_IN
    return _BACK if seat.connected else _AWAY
