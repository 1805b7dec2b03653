"""What a game, rules and contracts are made from: anything of another kind is refused with what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shanghai_engine import STANDARD, Contract, Game, Malformed, RuleSet

SEED = bytes(32)
new: Any = Game.new
"""Begins a game from values of any type, as the functions below take them."""
replay: Any = Game.replay
from_record: Any = Game.from_record
contract: Any = Contract
preset: Any = RuleSet.preset
view: Any = new(seed=SEED, players=3).view


@pytest.mark.parametrize(
    ("begin", "right"),
    [
        (lambda: new(seed="x" * 32), "a game seed is 32 bytes"),
        (lambda: new(seed=5), "a game seed is 32 bytes"),
        (lambda: new(seed=None), "a game seed is 32 bytes"),
        (lambda: new(seed=SEED, players="Ann"), "a list of their names"),
        (lambda: new(seed=SEED, players=b"Ann"), "a list of their names"),
        (lambda: new(seed=SEED, players=3.0), "a list of their names"),
        (lambda: new(seed=SEED, players=True), "a list of their names"),
        (lambda: new(seed=SEED, players=[1, 2, 3]), "a list of their names"),
        (lambda: new(seed=SEED, players=[None, None]), "a list of their names"),
        (lambda: new(seed=SEED, rules="classic"), "the rules are a RuleSet"),
        (lambda: new(seed=SEED, rules={}), "the rules are a RuleSet"),
        (lambda: new(seed=SEED, players=2, nonces=5), "one nonce of 16 bytes for each of 2"),
        (lambda: new(seed=SEED, players=2, nonces=["a" * 16] * 2), "one nonce of 16 bytes for each of 2"),
        (lambda: new(seed=SEED, players=2, nonces=[bytes(16)]), "one nonce of 16 bytes for each of 2"),
        (lambda: replay([]), "begins with the start of the game"),
        (lambda: replay([None]), "begins with the start of the game"),
        (lambda: from_record(["{}"]), "line 1: the line is '{}': a line is an object"),
        (lambda: from_record([1]), "line 1: the line is 1: a line is an object"),
        (lambda: view(-1), "the seats are 0 to 2"),
        (lambda: view(3), "the seats are 0 to 2"),
        (lambda: view("1"), "the seats are 0 to 2"),
        (lambda: view(seat=True), "the seats are 0 to 2"),
        (lambda: preset([]), "the presets are standard"),
        (lambda: preset(None), "the presets are standard"),
        (lambda: STANDARD.contract(0), "the hands are 1 to 10"),
        (lambda: STANDARD.contract(11), "the hands are 1 to 10"),
        (lambda: STANDARD.packs_for(1), "2 to 8 players"),
        (lambda: STANDARD.packs_for(9), "2 to 8 players"),
        (lambda: contract(sets=(3.5,)), "the size of a meld is a whole number"),
        (lambda: contract(sets=(True,)), "the size of a meld is a whole number"),
        (lambda: contract(sets=3), "a list of whole numbers"),
        (lambda: contract(runs="44"), "a list of whole numbers"),
    ],
)
def test_r15_1_what_is_of_another_kind_is_refused_with_what_would_be_right(
    begin: Callable[[], object], right: str
) -> None:
    """One sentence, and no error of Python's own."""
    with pytest.raises(Malformed, match=right):
        begin()
