"""Whole games as somebody plays them: the command line, a server inside it, gRPC, and the record on disk."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from client_program import environment
from records import CARD_TEXTS

from shanghai_engine.verify import verify

SOAK_GAMES = 200
ENDS_WANTED = 0.9
"""The least share of hands that somebody wins by going out, among three to six players."""


def play(folder: Path, *, seed: str, players: int) -> list[str]:
    """Play a game with `play --auto` in a process of its own, and give the lines of its record."""
    record = folder / f"{seed}-{players}.jsonl"
    command = [sys.executable, "-m", "shanghai_client.cli", "play", "--auto", "--seed", seed]
    command += ["--players", str(players), "--record", str(record)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(folder), check=False, cwd=folder)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return record.read_text(encoding="utf-8").splitlines()


def ends(lines: list[str]) -> Counter[str]:
    """Count why the hands of a record ended."""
    events = [json.loads(line) for line in lines]
    return Counter(event["reason"] for event in events if event["event"] == "hand_end")


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 9))
def test_a_whole_game_is_played_over_grpc_and_verifies(tmp_path: Path, players: int) -> None:
    """Ten hands by bots at every number of seats: exit code 0, and a lawful record."""
    lines = play(tmp_path, seed="7", players=players)
    assert verify(lines).finding is None
    assert sum(ends(lines).values()) == 10


@pytest.mark.long
def test_a_seed_fixes_the_whole_game_to_the_byte(tmp_path: Path) -> None:
    """Two processes give the same record from the same seed, and another from another."""
    first, second = (tmp_path / "first", tmp_path / "second")
    first.mkdir()
    second.mkdir()
    record = play(second, seed="same", players=3)
    assert play(first, seed="same", players=3) == record
    assert play(first, seed="other", players=3)[1:] != record[1:]


@pytest.mark.soak
def test_soak_two_hundred_games_end_mostly_by_going_out_and_verify(tmp_path: Path) -> None:
    """Games by different seeds for every number of players are lawful; copies with one thing changed are not."""
    won: Counter[bool] = Counter()
    refused: Counter[str] = Counter()
    for number in range(SOAK_GAMES):
        players = 2 + number % 7
        lines = play(tmp_path, seed=f"soak {number}", players=players)
        assert verify(lines).finding is None, number
        if 3 <= players <= 6:
            for reason, count in ends(lines).items():
                won[reason == "out"] += count
        rng = random.Random(number)
        for kind, changed in damaged(lines, rng).items():
            assert verify(changed).finding is not None, (number, kind)
            refused[kind] += 1
    assert won[True] / won.total() >= ENDS_WANTED, won
    assert refused == dict.fromkeys(("card", "seat", "score", "order", "answer", "seed"), SOAK_GAMES)


def damaged(lines: list[str], rng: random.Random) -> dict[str, list[str]]:
    """Give copies of a record, each with one card, seat, score, order, answer or seed changed."""
    events = [json.loads(line) for line in lines]
    places: dict[str, list[int]] = {}
    for place, event in enumerate(events):
        places.setdefault(event["event"], []).append(place)

    def copy(place: int, change: dict[str, object]) -> list[str]:
        return [*lines[:place], json.dumps(events[place] | change), *lines[place + 1 :]]

    discard, draw = rng.choice(places["discard"]), rng.choice(places["draw"])
    deal, end = rng.choice(places["deal"]), rng.choice(places["hand_end"])
    offer = rng.choice([place for place in places["offer"] if events[place]["result"] == "none"])
    players = len(events[0]["players"])
    card, seat = events[discard]["card"], events[draw]["seat"]
    scores = list(events[end]["scores"])
    scores[rng.randrange(players)] += 5
    stock = list(events[deal]["stock"])
    first, second = rng.sample([place for place in range(len(stock)) if stock.count(stock[place]) == 1], 2)
    stock[first], stock[second] = stock[second], stock[first]
    answers = dict(events[offer]["answers"])
    answers[rng.choice(list(answers))] = "take"
    seed = events[deal]["seed"]
    return {
        "card": copy(discard, {"card": rng.choice([text for text in CARD_TEXTS if text != card])}),
        "seat": copy(draw, {"seat": (seat + rng.randrange(1, players)) % players}),
        "score": copy(end, {"scores": scores}),
        "order": copy(deal, {"stock": stock}),
        "answer": copy(offer, {"answers": answers}),
        "seed": copy(deal, {"seed": seed[:-1] + ("0" if seed[-1] != "0" else "1")}),
    }
