"""The results of finished hands as lines of JSON, from which a game can be resumed without the hands themselves.

A line tells what the deal and the end of its hand told together; the contract follows from the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shanghai_engine.card import Card
from shanghai_engine.event import EndReason, GameStarted
from shanghai_engine.line import Fields, Line
from shanghai_engine.malformed import BadRecord
from shanghai_engine.record import MOST_POINTS
from shanghai_engine.rules import RuleSet
from shanghai_engine.shuffle import COMMITMENT_BYTES, HAND_SEED_BYTES
from shanghai_engine.state import HandResult


def result_line(result: HandResult) -> Line:
    """Give a result as a line; `results_of` reads it back."""
    return {
        "hand": result.hand,
        "dealer": result.dealer,
        "reason": result.reason.value,
        "winner": result.winner,
        "hands": [_texts(hand) for hand in result.hands],
        "scores": list(result.scores),
        "totals": list(result.totals),
        "seed": result.seed.hex(),
        "commitment": result.commitment.hex(),
    }


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]


def results_of(lines: Iterable[Mapping[str, Any]], started: GameStarted) -> tuple[HandResult, ...]:
    """Read the results of the first hands of a game back; raises `BadRecord` for what is none."""
    results = tuple(_read(line, started.rules, len(started.players)) for line in lines)
    for number, result in enumerate(results, start=1):
        if result.hand != number:
            raise BadRecord(f"result {number} is that of hand {result.hand}", "results stand in the order of the hands")
    return results


def _read(line: Mapping[str, Any], rules: RuleSet, players: int) -> HandResult:
    fields = Fields(line, "the result of a hand")
    hand = fields.whole("hand", 1, rules.hands)
    result = HandResult(
        hand=hand,
        contract=rules.contract(hand),
        dealer=fields.whole("dealer", 0, players - 1),
        reason=fields.choice("reason", EndReason),
        winner=fields.whole_or_none("winner", 0, players - 1),
        hands=fields.hands("hands", players),
        scores=fields.whole_list("scores", 0, MOST_POINTS, length=players),
        totals=fields.whole_list("totals", 0, MOST_POINTS, length=players),
        seed=fields.secret("seed", fields.take("seed"), HAND_SEED_BYTES),
        commitment=fields.secret("commitment", fields.take("commitment"), COMMITMENT_BYTES),
    )
    fields.done()
    return result
