"""The bot kit: a function that decides plays a seat over the network, through the same door as people."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import aclosing

from shanghai.v1 import table_pb2
from shanghai_client.failure import CannotConnect, ClientFailure, Ended, Refused
from shanghai_client.language import _
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost, StreamEnded
from shanghai_engine.action import Answer, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.bots import Decide, rng_for
from shanghai_engine.decision import Decision
from shanghai_wire.actions import GoOn, SeatAction

STALE = "STALE_DECISION"
"""The reason of a refusal that only means that the table was faster."""
PAUSED = "PAUSED"
"""The reason of a refusal that only means that the answer is to be given again when the game goes on."""


class BadChoice(ClientFailure):
    """A bot chose something that no seat can do."""


async def play_seat(
    seat: Seat,
    decide: Decide,
    *,
    salt: str | bytes = "",
    patience: float | None = None,
    starts: bool = False,
    on_scene: Callable[[Scene], None] | None = None,
    on_link: Callable[[Lost | Back], None] | None = None,
) -> Scene:
    """Play a seat to the end of its game, and give the last scene.

    `decide` gets the view, the decision and chance that is made from `salt`, seat and decision. `on_scene` is told
    everything that the seat sees, before it answers, `on_link` when the connection is lost and is back. With `starts`
    the bot starts the game if its seat is the host's, once every seat is taken. Raises
    `Refused` for an unlawful choice, `Ended` where the server closes the stream for good, and `CannotConnect` once
    `patience` is over.
    """
    while True:
        try:
            return await _follow(seat, decide, salt, patience, starts=starts, on_scene=on_scene, on_link=on_link)
        except _Unsent:
            # The stream is opened anew, which says whether anybody is there, and shows what is still to be answered.
            continue


class _Unsent(Exception):
    """A call did not get through."""


async def _follow(
    seat: Seat,
    decide: Decide,
    salt: str | bytes,
    patience: float | None,
    *,
    starts: bool,
    on_scene: Callable[[Scene], None] | None,
    on_link: Callable[[Lost | Back], None] | None,
) -> Scene:
    """Play a seat as `play_seat` does; raises `_Unsent` too."""
    answered = ""
    started = False
    async with aclosing(seat.watch(patience=patience)) as sights:
        async for sight in sights:
            match sight:
                case StreamEnded():
                    raise sight.ended
                case Lost() | Back():
                    if on_link is not None:
                        on_link(sight)
                    continue
            scene = Scene.of(sight)
            if on_scene is not None:
                on_scene(scene)
            if scene.table.status == table_pb2.TABLE_STATUS_OVER:
                return scene
            try:
                if starts and not started and scene.is_host() and _is_full(scene):
                    started = True
                    await seat.start()
                if scene.decision is not None and scene.decision_id != answered:
                    answered = scene.decision_id if await _answer(seat, scene, decide, salt) else ""
            except CannotConnect as lost:
                raise _Unsent from lost
    raise Ended(_("the server ended the stream without a reason"))


def _is_full(scene: Scene) -> bool:
    """Say whether the game could begin with nobody missing."""
    seats = scene.table.seats
    nobody = table_pb2.OCCUPANT_NOBODY
    return scene.table.status == table_pb2.TABLE_STATUS_LOBBY and all(seat.occupant != nobody for seat in seats)


async def _answer(seat: Seat, scene: Scene, decide: Decide, salt: str | bytes) -> bool:
    """Answer what is asked; gives whether that is done with, or is to be done again once the game goes on."""
    decision, view = scene.decision, scene.view
    action: SeatAction
    if isinstance(decision, Decision) and view is not None:
        rng: random.Random = rng_for(salt, decision.seat, decision.id)
        chosen = decide(view, decision, rng)
        if isinstance(chosen, Deal | TimeOut) or not isinstance(chosen, Answer | LayDown | LayOff | Swap | Discard):
            text = _("{choice!r} is no action of a seat: answer, lay down, lay off, swap or discard")
            raise BadChoice(text.format(choice=chosen))
        action = chosen
    else:
        action = GoOn(seat.index)
    try:
        await seat.act(scene.decision_id, action)
    except Refused as refusal:
        if refusal.reason not in {STALE, PAUSED}:
            raise
        return refusal.reason == STALE
    return True
