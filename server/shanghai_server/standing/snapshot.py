"""A snapshot of a table: all that its facts have told up to a place, in one fact, so that nobody reads them again.

It stands in the journal just before the fact of a deal, and where much happens before a game, also between the facts of
the lobby. Between two hands a game is little: its start and the results of its hands. A snapshot that cannot be read is
no harm, because all that it tells stands before it.
"""

from __future__ import annotations

from collections import deque

from shanghai_engine.event import GameStarted
from shanghai_engine.game import Game
from shanghai_engine.record import event_of, line_of
from shanghai_engine.results import result_line, results_of
from shanghai_server.house.settings import Settings
from shanghai_server.standing.fact import SNAPSHOT_VERSION, Created, Request, Snapshot
from shanghai_server.standing.option import options_mapping
from shanghai_server.standing.seating import Seating
from shanghai_server.standing.standing import PausedBy, Stage, Standing

LONG = 1000
"""Before a game a snapshot is due after so many records, and one more for each request that it will tell."""


def is_due(standing: Standing, *, behind: int) -> bool:
    """Say whether a snapshot is due before a game, `behind` records after the last one.

    Not by the number of records alone: then those that tell of many requests would be more than all the rest.
    """
    if standing.game is not None or behind < LONG:
        return False
    return behind >= LONG + sum(len(kept) for kept in standing.requests.values())


def snapshot_of(standing: Standing) -> Snapshot:
    """Give how a table stands before a deal, or before a game."""
    game = standing.game
    return Snapshot(
        version=SNAPSHOT_VERSION,
        created=Created(
            name=standing.name,
            seats=len(standing.seats),
            rules=standing.rules.to_mapping(),
            options=options_mapping(standing.options),
            game_seed=standing.game_seed.hex(),
            bot_salt=standing.bot_salt.hex(),
            passcode_salt="" if standing.passcode is None else standing.passcode.salt.hex(),
            passcode_key="" if standing.passcode is None else standing.passcode.key.hex(),
            request=standing.created,
        ),
        stage=standing.stage.value,
        seats=list(standing.seats),
        joined=standing.joined,
        start=None if game is None else line_of(game.events[0]),
        results=[] if game is None else [result_line(result) for result in game.state.results],
        chat=list(standing.chat),
        said=standing.said,
        requests={
            token: [(each.id, each.likeness, each.answer) for each in kept.values()]
            for token, kept in standing.requests.items()
        },
        sequence=standing.sequence,
        told=standing.told,
        mark=standing.mark,
        game_number=standing.game_number,
        pause="" if standing.pause is None else standing.pause.value,
        kicked=list(standing.kicked),
    )


def stand(table: str, snapshot: Snapshot, settings: Settings) -> Standing:
    """Give a table as a snapshot tells it; raises `BadSnapshot`, or what reading its rules and results raises."""
    if snapshot.version != SNAPSHOT_VERSION:
        raise BadSnapshot(f"the snapshot has version {snapshot.version}, and {SNAPSHOT_VERSION} is read here")
    standing = Standing(table, snapshot.created, settings)
    standing.stage = Stage(snapshot.stage)
    standing.seats = Seating(snapshot.seats)
    standing.joined = snapshot.joined
    standing.game_number = snapshot.game_number
    standing.pause = PausedBy(snapshot.pause) if snapshot.pause else None
    standing.kicked = dict.fromkeys(snapshot.kicked)
    if snapshot.start is not None:
        started = event_of(snapshot.start, None)
        if not isinstance(started, GameStarted):
            raise BadSnapshot("the snapshot's game does not begin with its start")
        standing.game = Game(started, results=results_of(snapshot.results, started))
    standing.chat = deque(snapshot.chat, maxlen=settings.chat_lines)
    standing.said = snapshot.said
    standing.requests = {
        token: {
            name: Request(token=token, id=name, likeness=likeness, answer=answer) for name, likeness, answer in kept
        }
        for token, kept in snapshot.requests.items()
    }
    standing.resume(sequence=snapshot.sequence, told=snapshot.told, mark=snapshot.mark)
    return standing


class BadSnapshot(ValueError):
    """A snapshot that this version does not read."""
