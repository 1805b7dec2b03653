"""A copy of a game in its last hand, and the pickle of its state, against the bare copy of a list of its events."""

import pickle
from collections.abc import Iterator, Sequence

from bench.bot_game import played
from bench.ratio import Ratio, measure_ratio
from bench.target import Target
from shanghai_engine.event import Dealt, Event, GameStarted
from shanghai_engine.game import Game

MOST_MICROSECONDS = 20
MOST_BYTES = 4095
"""Of a pickle: under 4 KiB."""


def measure() -> Iterator[Ratio | Target]:
    """Play a game, and go back to the middle of its last hand."""
    events = played(1).events
    last_deal = max(place for place, event in enumerate(events) if isinstance(event, Dealt))
    game = Game.replay(events[: (last_deal + len(events)) // 2])
    game.view(0)
    past = f"the copy of a list of {len(events)} events"
    copied = measure_ratio(work="a copy of a game", run=game.copy, bare=past, run_bare=events.copy)
    yield copied
    yield measure_ratio(
        work="a state pickled and read back",
        run=lambda: pickle.loads(pickle.dumps(game.state)),  # noqa: S301 made here
        bare=past,
        run_bare=events.copy,
    )
    yield Target("microseconds of a copy", 1e6 * copied.work_seconds, MOST_MICROSECONDS)
    largest = max(len(pickle.dumps(moment.state)) for moment in moments(events))
    yield Target("bytes of the largest pickle of a state in a whole game", largest, MOST_BYTES)


def moments(events: Sequence[Event]) -> Iterator[Game]:
    """Give a game as it was after each of its events."""
    started = events[0]
    assert isinstance(started, GameStarted)
    game = Game(started)
    for event in events[1:]:
        game.evolve(event)
        yield game
