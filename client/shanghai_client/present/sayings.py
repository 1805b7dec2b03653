"""What can have been told of a hand, so that it can be told again in another language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shanghai_client.language import _, speaking
from shanghai_client.present.company import PRESENCES
from shanghai_client.present.news import hand_told
from shanghai_client.present.people import name_text
from shanghai_client.present.tables import STATUS, pause_text, status_text
from shanghai_client.scene import Scene


def in_other_words(scene: Scene, *, before: str, after: str) -> Mapping[str, str]:
    """Give the sentences of a hand in one language, each with what it is in another.

    Those are all plays, who sits down, who is there and who is not, pauses, and what the table has answered for the
    viewer; of all else, as what was played in hands before, nothing is kept from which it could be told again.
    """
    with speaking(before):
        said = list(_sayings(scene))
    with speaking(after):
        return dict(zip(said, _sayings(scene), strict=True))


def _sayings(scene: Scene) -> Iterator[str]:
    yield from hand_told(scene)
    for seat in scene.table.seats:
        for presence in PRESENCES:
            yield _(presence).format(name=name_text(seat.name))
        yield _("{name} sits down on seat {seat}.").format(name=name_text(seat.name), seat=seat.index)
        yield _("{name} has left seat {seat}.").format(name=name_text(seat.name), seat=seat.index)
    for status in STATUS:
        yield _("The table is {status}.").format(status=status_text(status))
    yield pause_text(scene.table.pause_reason, yours=scene.is_host())
    yield _("The game goes on.")
    yield _("The connection is back.")
    yield _("You play your seat again.")
    yield _("Your time was over, so the table ended your turn (R14.2).")
    yield _("Your time was over: no answer is a pass (R7.11).")
