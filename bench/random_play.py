"""Random legal play: actions per second, each chosen uniformly from the complete legal list, against other engines.

The legal list of a play holds the best lay-down, every lay-off, every swap (R10.2 included) and every discard; that of
an offer every claim of the seat that answers. Deals count as time and not as actions, here and with the peers. A second
figure is for a policy that lays down, lays off and swaps whenever it can, so that tables fill and hands end.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count

from bench.race import Pace, Peer, race
from bench.target import Target
from shanghai_engine.action import Action, Deal
from shanghai_engine.decision import Decision
from shanghai_engine.game import Game
from shanghai_engine.state import GAME_OVER, HAND_OVER, Phase

PLAYERS = 4
SEEDS = count()
ACTIONS_BETWEEN = 256
"""Actions between two looks at the clock of the processor, which takes a microsecond to read."""

Choose = Callable[[Decision, random.Random], Action]


def uniform(decision: Decision, rng: random.Random) -> Action:
    """Choose any lawful action, each as likely as the others."""
    return rng.choice(decision.choices)


def eager(decision: Decision, rng: random.Random) -> Action:
    """Lay down, lay off or swap where that is possible, else choose as `uniform` does."""
    choices = decision.choices
    # The discards stand last in the list; the claims are all that there is where there are any.
    plays = 0 if decision.claims else len(choices) - len(decision.discards)
    return choices[rng.randrange(plays)] if plays else rng.choice(choices)


def our_play(choose: Choose, seconds: float) -> Mapping[str, Pace]:
    """Play games of four for so many seconds; OFFER and PLAY share the processor's time as they share the clock's."""
    rng = random.Random(next(SEEDS))
    spent = dict.fromkeys(Phase, 0.0)
    actions = dict.fromkeys(Phase, 0)
    game = Game.new(seed=rng.randbytes(32), players=PLAYERS)
    phase, since, done = game.state.phase, time.perf_counter(), 0
    begun = time.process_time()
    while done % ACTIONS_BETWEEN or time.process_time() - begun < seconds:
        if phase is GAME_OVER:
            game = Game.new(seed=rng.randbytes(32), players=PLAYERS)
        elif phase is HAND_OVER:
            game.apply(Deal())
        else:
            owed = list(game.decisions().values())
            game.apply(choose(rng.choice(owed) if len(owed) > 1 else owed[0], rng))
            done += 1
        if game.state.phase is not phase:
            now = time.perf_counter()
            spent[phase] += now - since
            actions[phase] += done - sum(actions.values())
            phase, since = game.state.phase, now
    passed = time.process_time() - begun
    whole = sum(spent.values())
    return {
        "all": Pace(done, passed),
        "OFFER": Pace(actions[Phase.OFFER], passed * spent[Phase.OFFER] / whole),
        "PLAY": Pace(actions[Phase.PLAY], passed * spent[Phase.PLAY] / whole),
    }


def gin_rummy(seconds: float) -> Mapping[str, Pace]:
    """Play OpenSpiel's gin rummy (C++, through pyspiel) for so many seconds; its chance nodes count as time only."""
    import pyspiel  # noqa: PLC0415 a peer need not be installed

    rng = random.Random(next(SEEDS))
    game = pyspiel.load_game("gin_rummy")
    actions = nodes = 0
    state = game.new_initial_state()
    begun = time.process_time()
    while nodes % ACTIONS_BETWEEN or time.process_time() - begun < seconds:
        if state.is_terminal():
            state = game.new_initial_state()
        actions += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
        nodes += 1
    passed = time.process_time() - begun
    return {"all": Pace(actions, passed), "with chance nodes": Pace(nodes, passed)}


def chess_play(seconds: float) -> Mapping[str, Pace]:
    """Play chess with python-chess (pure Python) for so many seconds; a game without progress ends after 75 moves."""
    import chess  # noqa: PLC0415 a peer need not be installed

    rng = random.Random(next(SEEDS))
    actions = 0
    board = chess.Board()
    begun = time.process_time()
    while actions % ACTIONS_BETWEEN or time.process_time() - begun < seconds:
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= 150:
            board = chess.Board()
            continue
        board.push(rng.choice(moves))
        actions += 1
    return {"all": Pace(actions, time.process_time() - begun)}


PEERS = (
    Peer("OpenSpiel gin_rummy", "pyspiel", gin_rummy),
    Peer("python-chess", "chess", chess_play),
)


def measure() -> Iterator[Target | str]:
    """Give a line for each policy and each peer, and the target; a peer that is not installed is named as missing."""
    runners = {
        "uniform": lambda seconds: our_play(uniform, seconds),
        "eager": lambda seconds: our_play(eager, seconds),
        **{peer.name: peer.run for peer in PEERS if peer.installed},
    }
    found = race(runners)
    for name in ("uniform", "eager"):
        paces = found[name]
        yield f"{name} choice of {PLAYERS} players: " + ", ".join(
            f"{pace.rate:,.0f} {'actions' if kind == 'all' else kind}/s" for kind, pace in paces.items()
        )
    for peer in PEERS:
        if not peer.installed:
            yield f"{peer.name}: not installed, so there is nothing to compare with (`make bench` installs it)"
            continue
        paces = found[peer.name]
        ratio = found["uniform"]["all"].rate / paces["all"].rate
        figures = ", ".join(
            f"{pace.rate:,.0f} {'actions' if kind == 'all' else kind}/s" for kind, pace in paces.items()
        )
        yield f"{ratio:.2f} times {peer.name}: {figures}"
        if peer.run is gin_rummy:
            yield Target(
                "uniform actions a second, in those of OpenSpiel's gin_rummy (2 is the wish),", ratio, 1, floor=True
            )
            ratio = found["eager"]["all"].rate / paces["all"].rate
            yield f"eager choice: {ratio:.2f} times {peer.name}"
