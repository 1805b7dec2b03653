"""What is said of rules that cannot be used: in the words of the file where they stand, and all at once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import RuleSet


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"aces": True}, "aces = true cannot be used: it is 'high' or 'high_or_low' (R16)"),
        ({"points": {"2": 200}}, "points = {2 = 200} cannot be used: a card counts 0 to 100 points (R16)"),
        ({"packs": {"3": 9, "4": 2}}, "packs = {3 = 9} cannot be used: a game has 1 to 6 packs (R16)"),
        ({"buys": [3, False]}, "buys = [3, false] cannot be used: each is a whole number from 0, or -1"),
        ({"reshuffles": {"a": 1}}, "reshuffles = {a = 1} cannot be used: it is a whole number"),
        (
            {"contracts": [{"sets": [3]}]},
            "contracts has 1 hand, and both have one entry for each (R7.2, R3.1, R16)",
        ),
        (
            {"contracts": [{"sets": [3]}, {"runs": [4]}], "buys": [3, 3]},
            "contracts has 2 hands, and it has one entry for each (R3.1, R16)",
        ),
    ],
)
def test_r16_a_rule_that_cannot_be_used_is_quoted_as_it_was_written(fields: Mapping[str, object], said: str) -> None:
    """The sentence shows the value as TOML has it, only the entries that are wrong, and everything that is missing."""
    with pytest.raises(BadRules) as bad:
        RuleSet.from_mapping(fields)
    assert said in str(bad.value)
