"""The people at a table while it plays: who comes and goes, who takes over, who wishes what, and pauses."""

from __future__ import annotations

from collections.abc import Iterator

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


class Company:
    """Tells one viewer what is new with the people at his table, each thing once."""

    def __init__(self) -> None:
        """Begin with nobody seen."""
        self._presence: dict[int, str] = {}
        self._sitting: dict[int, tuple[table_pb2.Occupant.ValueType, str]] = {}
        self._expected: set[int] = set()
        self._wishes: dict[int, table_pb2.Wish.ValueType] = {}
        self._pause: table_pb2.PauseReason.ValueType = table_pb2.PAUSE_REASON_UNSPECIFIED

    def news(self, scene: Scene) -> list[str]:
        """Give what is new in a scene, a sentence each; none before the game, whose own page tells it."""
        told = [*self._presences(scene), *self._pauses(scene)]
        return [] if scene.game is None else told

    def _presences(self, scene: Scene) -> Iterator[str]:
        """Tell who has gone away, who is back, and who takes over."""
        for seat in scene.table.seats:
            said, now = _presence(seat), (seat.occupant, seat.name)
            before, was = self._presence.get(seat.index), self._sitting.get(seat.index)
            is_other = was is not None and was != now and seat.occupant == table_pb2.OCCUPANT_PERSON
            if is_other:
                self._expected.add(seat.index)
            if seat.index != scene.seat:
                if is_other and seat.waits_for_deal:
                    text = _("{name} sits down on seat {seat}, and plays from the next deal on.")
                    yield text.format(name=name_text(seat.name), seat=seat.index)
                elif is_other and was is not None and was[1] != seat.name:
                    yield _("{name} takes over the seat of {other}.").format(
                        name=name_text(seat.name), other=name_text(was[1])
                    )
                elif is_other:
                    yield _(_BACK).format(name=name_text(seat.name))
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
