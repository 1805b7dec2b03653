"""Game records for tests: the given ones, games played at random, and copies in which one thing is changed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from shanghai_engine.action import Action, Answer, Deal, LayDown, LayOff, Swap, TimeOut
from shanghai_engine.card import CARDS
from shanghai_engine.game import Game
from shanghai_engine.line import line_text
from shanghai_engine.rules import STANDARD, RuleSet
from shanghai_engine.state import Phase

GIVEN = sorted((Path(__file__).parent / "data" / "records").glob("*.jsonl"))
"""Whole games of 2, 3, 4, 6 and 8 players, as they were given with the rules."""

Path_ = tuple[str | int, ...]
"""The keys and places that lead to something in a line."""

CARD_TEXTS = tuple(card.text for card in CARDS)
WORDS = (
    ("take", "buy", "pass", "timeout"),
    ("taken", "bought", "none"),
    ("stock", "upcard"),
    ("set", "run"),
    ("low", "high"),
    ("out", "stock", "turns"),
)


def given_lines(path: Path) -> list[str]:
    """Give the lines of a given record."""
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def record_of(game: Game) -> list[str]:
    """Give the lines of a game's record as they are written."""
    return [line_text(line) for line in game.record()]


def random_game(
    number: int, *, players: int, rules: RuleSet = STANDARD, eager: float = 0.95, late: float = 0.02
) -> Game:
    """Play a whole game, mostly whatever gets cards onto the table; `late` is how often somebody's time runs out."""
    rng = random.Random(number)
    nonces = [rng.randbytes(16) for _ in range(players)]
    game = Game.new(seed=rng.randbytes(32), players=players, rules=rules, nonces=nonces)
    while game.state.phase is not Phase.GAME_OVER:
        owed = game.decisions()
        if not owed:
            game.apply(Deal())
            continue
        seat = rng.choice(sorted(owed))
        actions: list[Action] = list(owed[seat].actions())
        wanted: list[Action] = [action for action in actions if isinstance(action, LayDown | LayOff | Swap)]
        wanted = wanted or [action for action in actions if isinstance(action, Answer) and action.claim.wants]
        action = rng.choice(wanted if wanted and rng.random() < eager else actions)
        game.apply(TimeOut(seat) if rng.random() < late else action)
    return game


def places_in(value: Any, path: Path_ = ()) -> Iterator[Path_]:  # noqa: ANN401 whatever a line holds
    """Give the way to everything in a line, from the outside in."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from places_in(entry, (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from places_in(entry, (*path, index))


def at(line: Any, path: Path_) -> Any:  # noqa: ANN401 whatever a line holds
    """Give what a path leads to."""
    for step in path:
        line = line[step]
    return line


def changed(line: dict[str, Any], path: Path_, value: object) -> dict[str, Any]:
    """Give a copy of a line with another value in one place."""
    twin: dict[str, Any] = json.loads(json.dumps(line))
    at(twin, path[:-1])[path[-1]] = value
    return twin


def without(line: dict[str, Any], path: Path_) -> dict[str, Any]:
    """Give a copy of a line that lacks what stands in one place."""
    twin: dict[str, Any] = json.loads(json.dumps(line))
    del at(twin, path[:-1])[path[-1]]
    return twin


def other_values(value: Any) -> list[object]:  # noqa: ANN401 whatever a line holds
    """Give values that may stand in place of another: near ones of its kind, and one of another kind."""
    match value:
        case None:
            return [0, {}]
        case bool():
            return [not value, None]
        case int():
            return [value + 1, value - 1, str(value), None]
        case str():
            return [*_other_texts(value), None]
        case list():
            return [*_other_lists(value), None]
        case _:
            keys = list(value)
            return [{key: value[key] for key in (*keys[1:], *keys[:1])}, None]


def _other_texts(text: str) -> Iterator[str]:
    if text in CARD_TEXTS:
        number = CARD_TEXTS.index(text)
        yield from (CARD_TEXTS[number - 1], CARD_TEXTS[number - 13], "XX")
    elif len(text) in {32, 64}:
        yield from (text[:-1] + ("1" if text[-1] == "0" else "0"), text[2:])
    for words in WORDS:
        if text in words:
            yield from (word for word in words if word != text)


def _other_lists(entries: list[Any]) -> Iterator[list[Any]]:
    """Let two neighbours change places; have one there twice; leave one out."""
    for index, (first, second) in enumerate(pairwise(entries)):
        if first != second:
            yield [*entries[:index], second, first, *entries[index + 2 :]]
            break
    if entries:
        yield [*entries, entries[-1]]
        yield entries[:-1]


def mutants(line: dict[str, Any], paths: list[Path_]) -> Iterator[tuple[Path_, dict[str, Any]]]:
    """Give copies of a line in which one thing is changed or missing, with the way to it."""
    for path in paths:
        for value in other_values(at(line, path)):
            mutant = changed(line, path, value)
            # The order of an object's keys means nothing, but for the answers to an offer.
            if mutant != line or list(mutant.get("answers", ())) != list(line.get("answers", ())):
                yield path, mutant
        yield path, without(line, path)
