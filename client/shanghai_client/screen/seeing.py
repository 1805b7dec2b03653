"""What becomes of the model when something arrives: a scene, news of the connection, a second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shanghai_client.scene import Scene
from shanghai_client.screen.looking import ended_sheet
from shanghai_client.screen.model import MOST_TOLD, Building, Confirming, Kind, Link, Looking, Model, Told
from shanghai_client.screen.ordering import kept
from shanghai_client.screen.staging import Staging
from shanghai_client.screen.stepping import at
from shanghai_client.watching import Back, Lost
from shanghai_engine.state import Phase

NOTED = 5.0
"""Seconds that a note is there at least for who is asked nothing; who is asked keeps it until a key, or the answer."""


def seen(model: Model, scene: Scene, *, now: float) -> Model:
    """Take in a scene: what was begun for another decision is given up, what was staged and ordered stays."""
    before = model.scene
    other_hand = before is None or _hand_of(before) != _hand_of(scene)
    other_decision = before is None or before.decision_id != scene.decision_id
    is_over = scene.game is not None and scene.game.phase in {Phase.HAND_OVER, Phase.GAME_OVER}
    # What one built is for nothing then, and its keys would lie over those of the score sheet.
    is_void = other_hand or is_over or (scene.down and not _was_down(before))
    staging = Staging() if is_void else model.staging.kept(scene.hand)
    ended = before if before is not None and _ends(before, scene) else None
    after = replace(
        model if ended is None else replace(model, overlay=ended_sheet(model, ended)),
        scene=scene,
        finished=model.finished if ended is None else (*model.finished, ended),
        now=now,
        seen_at=now,
        staging=staging,
        order=replace(model.order, own=kept(model.order.own, scene.hand)) if model.order.own else model.order,
        unless=model.look.unless if other_hand else model.unless,
        link=Link(),
        note="" if other_decision or other_hand or _is_read(model, scene, now) else model.note,
        told=_of_game(model.told) if before is not None and _game_of(before) != _game_of(scene) else model.told,
    )
    if (other_decision and not isinstance(model.mode, Building)) or _is_about_another(model, scene):
        after = replace(after, mode=Looking())
    if not staging.slots and isinstance(after.mode, Building):
        after = replace(after, mode=Looking())
    return replace(after, cursor=at(after.hand, _cursor(model, after)))


def _hand_of(scene: Scene) -> tuple[int, int]:
    return (scene.table.game_number, 0 if scene.game is None else scene.game.hand)


def _game_of(scene: Scene) -> int:
    return scene.table.game_number


def _of_game(told: Sequence[Told]) -> tuple[Told, ...]:
    """Give of what was told what stays when another game comes: the talk, and not what was played in the last one."""
    return tuple(line for line in told if line.kind is Kind.TALK)


def _is_read(model: Model, scene: Scene, now: float) -> bool:
    """Say whether a note has been there long enough, where something happens and nothing is asked that it is about."""
    return not scene.decision_id and bool(scene.news) and now - model.noted_at >= NOTED


def _ends(before: Scene, scene: Scene) -> bool:
    """Say whether a finished game has given way to another one."""
    is_over = before.game is not None and before.game.phase is Phase.GAME_OVER
    return is_over and before.table.game_number != scene.table.game_number


def _is_about_another(model: Model, scene: Scene) -> bool:
    """Say whether a question is open about a person whose seat is somebody else's now, or nobody's."""
    mode, before = model.mode, model.scene
    if not isinstance(mode, Confirming) or mode.about is None or before is None:
        return False
    was, sits = before.table.seats[mode.about], scene.table.seats[mode.about : mode.about + 1]
    return [(was.occupant, was.name)] != [(seat.occupant, seat.name) for seat in sits]


def _was_down(before: Scene | None) -> bool:
    return before is not None and before.down


def _cursor(before: Model, after: Model) -> int:
    """Give the place of the card that the cursor was on, where it still is one; else the same place."""
    card, hand = before.under_cursor, after.hand
    if card is None or card not in hand or (before.cursor < len(hand) and hand[before.cursor] == card):
        return before.cursor
    places = [place for place, each in enumerate(hand) if each == card]
    return min(places, key=lambda place: abs(place - before.cursor))


def told(model: Model, lines: Sequence[Told]) -> Model:
    """Add lines to what has happened."""
    return replace(model, told=(*model.told, *lines)[-MOST_TOLD:])


def linked(model: Model, change: Lost | Back, *, now: float) -> Model:
    """Take in that the connection is lost, or back; the time counts from when it was lost first."""
    if isinstance(change, Back):
        return replace(model, link=Link())
    since = now if model.link.lost_at is None else model.link.lost_at
    note = "" if model.link.whole else model.note
    return replace(model, now=now, link=Link(since, now + change.retry_in, change.sentence, change.right), note=note)


def ticked(model: Model, *, now: float) -> Model:
    """Let time go on."""
    return replace(model, now=now)


def counts(model: Model) -> bool:
    """Say whether anything on the screen changes with the seconds."""
    return model.left is not None or not model.link.whole
