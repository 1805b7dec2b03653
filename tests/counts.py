"""Counts as data: of lawful choices and lay-downs in named positions, and hashes of whole games by their seed.

`data/counts/positions.jsonl` and `data/counts/games.jsonl` say what was counted; a test compares. A change of the rules
or of what is chosen among equal lay-downs changes some of it on purpose: `python tests/counts.py` counts anew, and what
it has changed is read before it is kept.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from positions import lay_down, position
from records import record_of

from shanghai_engine.action import Action, Answer, Claim, Deal, Discard, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.bots import rng_for
from shanghai_engine.bots.levels import LEVELS
from shanghai_engine.card import Card
from shanghai_engine.contract import ONE_MELD
from shanghai_engine.game import Game
from shanghai_engine.meld import End
from shanghai_engine.rules import FEWEST_PLAYERS, MOST_PLAYERS, PRESETS, RuleSet
from shanghai_engine.solver import all_lay_downs
from shanghai_engine.state import Phase

FOLDER = Path(__file__).parent / "data" / "counts"
MANY = 20_000
"""Lay-downs are counted so far; whoever has more has many."""
SEEDS = (1, 2, 3)
BOTS_PLAY = 3
"""The seed of the games that the basic bot plays; chance plays the others."""
HOUSES = {
    "wild": RuleSet(
        wild="jokers_and_twos",
        aces="high_or_low",
        jokers_per_meld=2,
        go_out_with_discard=True,
        swap_in_sets=False,
        turn_may_buy="always",
        reshuffles=2,
        turn_limit=30,
    ),
    "strict": RuleSet(
        swapped_joker="play_this_turn",
        lay_off_when_laying_down=False,
        distinct_set_ranks=True,
        distinct_run_suits=True,
        buy_priority="turn_left",
        turn_limit=30,
    ),
    "generous": RuleSet(
        jokers_per_meld="any",
        extra_melds=True,
        buy_extra_cards=1,
        buys=(-1,) * 10,
        down_may_buy=True,
        joker_swap="down_only",
        turn_limit=30,
    ),
}
"""Tables that play nearly every house rule between them."""
TABLES = {**PRESETS, **HOUSES}
Entry = dict[str, Any]


def entries(name: str) -> list[Entry]:
    """Give the entries of a file, in order."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def position_of(entry: Entry) -> Game:
    """Give the position that an entry describes, after the plays that it names."""
    given = dict(entry["position"])
    given["hands"] = {int(seat): cards for seat, cards in given.get("hands", {}).items()}
    given["phase"] = Phase(given.get("phase", "play"))
    given["rules"] = RuleSet.from_mapping(entry.get("rules", {}))
    game = position(**given)
    for play in entry.get("after", []):
        game.apply(_play(game.state.turn, play))
    return game


def _play(turn: int, play: list[Any]) -> Action:
    match play:
        case ["swap", meld, index, card]:
            return Swap(turn, meld, index, Card.parse(card))
        case ["lay_off", meld, card, end]:
            return LayOff(turn, meld, Card.parse(card), End(end) if end else None)
        case ["lay_down", *melds]:
            return lay_down(turn, *melds)
        case ["answer", seat, claim]:
            return Answer(seat, Claim(claim))
        case _:
            raise AssertionError(play)


def counts(game: Game) -> dict[str, int]:
    """Count the lawful choices of all who owe something, by kind, and the canonical lay-downs that are accepted."""
    actions = [action for decision in game.decisions().values() for action in decision.actions()]
    found = {
        "answers": sum(isinstance(action, Answer) for action in actions),
        "lay_downs": lay_downs(game),
        "lay_offs": sum(isinstance(action, LayOff) for action in actions),
        "swaps": sum(isinstance(action, Swap) for action in actions),
        "discards": sum(isinstance(action, Discard) for action in actions),
    }
    return {kind: number for kind, number in found.items() if number}


def lay_downs(game: Game) -> int:
    """Count the lay-downs that may be made now, equal ones once; of further melds (R16) each by itself."""
    state = game.state
    if state.phase is not Phase.PLAY:
        return 0
    contracts = ONE_MELD if state.down[state.turn] else (state.contract,)
    return sum(
        game.can(LayDown(state.turn, drafts))
        for contract in contracts
        for drafts in islice(all_lay_downs(state.hands[state.turn], contract, state.rules), MANY)
    )


def played(entry: Entry) -> Game:
    """Play the whole game that an entry names: its table, players, seed and who plays."""
    number, players = entry["seed"], entry["players"]
    game = Game.new(
        seed=hashlib.sha256(f"game {number}".encode()).digest(),
        players=players,
        rules=TABLES[entry["table"]],
        nonces=[hashlib.sha256(f"nonce {number} {seat}".encode()).digest()[:16] for seat in range(players)],
    )
    rng = random.Random(f"{number} {players}")
    bot = LEVELS.get(entry["by"])
    while game.state.phase is not Phase.GAME_OVER:
        owed = game.decisions()
        if not owed:
            game.apply(Deal())
            continue
        seat = rng.choice(sorted(owed))
        decision = owed[seat]
        if bot is not None:
            game.apply(bot.decide(game.view(seat), decision, rng_for("counts", seat, decision.id)))
        elif rng.random() < 0.01:
            game.apply(TimeOut(seat))
        else:
            game.apply(_chosen(list(decision.actions()), rng))
    return game


def _chosen(actions: list[Action], rng: random.Random) -> Action:
    """Choose by chance, mostly what gets cards onto the table; the order of the list has no part in it."""
    wanted = [action for action in actions if isinstance(action, LayDown | LayOff | Swap)]
    among = wanted if wanted and rng.random() < 0.9 else actions
    return rng.choice(sorted(among, key=repr))


def game_name(entry: Entry) -> str:
    """Say which game an entry is about."""
    return f"{entry['table']}-{entry['players']}-{entry['seed']}-{entry['by']}"


def outcome(game: Game) -> Entry:
    """Give what is kept of a game: the SHA-256 of its record, the number of its lines, and the totals."""
    lines = record_of(game)
    text = "".join(f"{line}\n" for line in lines)
    return {
        "lines": len(lines),
        "totals": list(game.state.totals),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }


def all_games() -> list[Entry]:
    """Give every game whose outcome is kept: some seeds for each number of players and each preset or house."""
    return [
        {"table": table, "players": players, "seed": seed, "by": "basic" if seed == BOTS_PLAY else "chance"}
        for table in TABLES
        for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
        for seed in (SEEDS if table in PRESETS else SEEDS[:1])
    ]


def main() -> None:
    """Count everything anew, write it, and say what has changed."""
    for name, key in (("positions", "counts"), ("games", "outcome")):
        kept = entries(name)
        if name == "games":
            known = {game_name(entry): entry for entry in kept}
            kept = [known.get(game_name(entry), entry) for entry in all_games()]
        for entry in kept:
            new: Entry = dict(counts(position_of(entry))) if name == "positions" else outcome(played(entry))
            if entry.get(key) != new:
                label = entry["name"] if name == "positions" else game_name(entry)
                sys.stdout.write(f"{label}: {entry.get(key)} -> {new}\n")
            entry[key] = new
        text = "".join(f"{json.dumps(entry, ensure_ascii=False)}\n" for entry in kept)
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
