"""Random legal play: actions per second, each chosen uniformly from the complete legal list, against other engines.

The legal list of a play holds the best lay-down, every lay-off, every swap (R10.2 included) and every discard; that of
an offer every claim of the seat that answers. Deals count as time and not as actions, here and with the peers. A second
figure is for a policy that lays down, lays off and swaps whenever it can, so that tables fill and hands end.
"""

import random
import time
from collections.abc import Iterator, Mapping
from itertools import count

from bench.race import Pace, Peer, race
from shanghai_engine.action import Action, Answer, Deal, Discard
from shanghai_engine.decision import Decision
from shanghai_engine.game import Game
from shanghai_engine.state import Phase

PLAYERS = 4
SEEDS = count()


def uniform(decision: Decision, rng: random.Random) -> Action:
    """Choose any lawful action, each as likely as the others."""
    return rng.choice(decision.choices)


def eager(decision: Decision, rng: random.Random) -> Action:
    """Lay down, lay off or swap where that is possible, else choose as `uniform` does."""
    choices = decision.choices
    played = [action for action in choices if not isinstance(action, Answer | Discard)]
    return rng.choice(played or choices)


def our_play(choose: object, seconds: float) -> Mapping[str, Pace]:
    """Play games of four for so many seconds."""
    assert callable(choose)
    rng = random.Random(next(SEEDS))
    spent = [0.0, 0.0]
    actions = [0, 0]
    clock = time.perf_counter
    start = clock()
    stop = start + seconds
    game = Game.new(seed=rng.randbytes(32), players=PLAYERS)
    now = clock()
    while now < stop:
        phase = game.state.phase
        if phase is Phase.GAME_OVER:
            game = Game.new(seed=rng.randbytes(32), players=PLAYERS)
        elif phase is Phase.HAND_OVER:
            game.apply(Deal())
        else:
            began = now
            decision = rng.choice(list(game.decisions().values()))
            game.apply(choose(decision, rng))
            now = clock()
            offer = phase is Phase.OFFER
            spent[offer] += now - began
            actions[offer] += 1
            continue
        now = clock()
    return {
        "all": Pace(sum(actions), now - start),
        "OFFER": Pace(actions[True], spent[True]),
        "PLAY": Pace(actions[False], spent[False]),
    }


def gin_rummy(seconds: float) -> Mapping[str, Pace]:
    """Play OpenSpiel's gin rummy (C++, through pyspiel) for so many seconds; its chance nodes count as time only."""
    import pyspiel  # noqa: PLC0415 a peer need not be installed

    rng = random.Random(next(SEEDS))
    game = pyspiel.load_game("gin_rummy")
    actions = nodes = 0
    clock = time.perf_counter
    start = clock()
    stop = start + seconds
    state = game.new_initial_state()
    now = start
    while now < stop:
        if state.is_terminal():
            state = game.new_initial_state()
        chance = state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
        nodes += 1
        actions += not chance
        now = clock()
    return {"all": Pace(actions, now - start), "with chance nodes": Pace(nodes, now - start)}


def chess_play(seconds: float) -> Mapping[str, Pace]:
    """Play chess with python-chess (pure Python) for so many seconds; a game without progress ends after 150 plies."""
    import chess  # noqa: PLC0415 a peer need not be installed

    rng = random.Random(next(SEEDS))
    actions = 0
    clock = time.perf_counter
    start = clock()
    stop = start + seconds
    board = chess.Board()
    now = start
    while now < stop:
        moves = list(board.legal_moves)
        if not moves or board.halfmove_clock >= 150:
            board = chess.Board()
            continue
        board.push(rng.choice(moves))
        actions += 1
        now = clock()
    return {"all": Pace(actions, now - start)}


PEERS = (
    Peer("OpenSpiel gin_rummy", "pyspiel", gin_rummy),
    Peer("python-chess", "chess", chess_play),
)


def measure() -> Iterator[str]:
    """Give a line for each policy and each peer; a peer that is not installed is named as missing."""
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
