"""A copy of a game in its last hand, and the pickle of its state, against the bare copy of a list of its events."""

import pickle
from collections.abc import Iterator

from bench.bot_game import played
from bench.ratio import Ratio, measure_ratio
from shanghai_engine.event import Dealt
from shanghai_engine.game import Game


def measure() -> Iterator[Ratio | str]:
    """Play a game, and go back to the middle of its last hand."""
    events = played(1).events
    last_deal = max(place for place, event in enumerate(events) if isinstance(event, Dealt))
    game = Game.replay(events[: (last_deal + len(events)) // 2])
    game.view(0)
    past = f"the copy of a list of {len(events)} events"
    for work, run in (
        ("a copy of a game", game.copy),
        ("a state pickled and read back", lambda: pickle.loads(pickle.dumps(game.state))),  # noqa: S301 made here
    ):
        yield measure_ratio(work=work, run=run, bare=past, run_bare=events.copy)
    yield f"the pickle of the state has {len(pickle.dumps(game.state))} bytes"
