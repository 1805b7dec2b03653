"""Between two hands: who is ready to go on, and who is still looking at the score sheet (R2.4)."""

from __future__ import annotations

from shanghai.v1 import table_pb2
from shanghai_client.language import _
from shanghai_client.present.cells import and_list, wrap
from shanghai_client.present.people import People
from shanghai_client.scene import Scene
from shanghai_engine.state import Phase


def ready_lines(scene: Scene) -> list[str]:
    """Say who is ready to go on and who is waited for; nothing where nobody else is, and outside of the score sheet."""
    game = scene.game
    if game is None or game.phase is not Phase.HAND_OVER:
        return []
    people, asked = People.sitting(scene), [seat for seat in scene.table.seats if _is_asked(seat)]
    if len(asked) <= 1:
        return []
    ready = and_list([people.who(seat.index) for seat in asked if seat.ready]) or _("nobody yet")
    waits = and_list([people.who(seat.index) for seat in asked if not seat.ready]) or _("nobody")
    text = _("Ready for the next hand: {ready}. Waited for: {waits}.").format(ready=ready, waits=waits)
    return wrap(text, width=scene.width, indent="  ")


def ready_news_lines(before: Scene, now: Scene) -> list[str]:
    """Say who else has become ready since a scene of the same pause between two hands."""
    game, earlier = now.game, before.game
    if game is None or earlier is None or (game.hand, game.phase) != (earlier.hand, Phase.HAND_OVER):
        return []
    return [
        _("{name} is ready for the next hand.").format(name=People.of(now).names[seat.index])
        for seat, was in zip(now.table.seats, before.table.seats, strict=False)
        if seat.ready and not was.ready and seat.index != now.seat and _is_asked(seat)
    ]


def _is_asked(seat: table_pb2.Seat) -> bool:
    # Who waits for the next deal is asked when he is there, though a bot has played for him.
    is_there = seat.connected if seat.waits_for_deal else not seat.stand_in
    return seat.occupant == table_pb2.OCCUPANT_PERSON and is_there
