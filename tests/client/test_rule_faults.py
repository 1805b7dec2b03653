"""What is wrong with house rules is said in Japanese too: every clause of the engine is recognised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from client_program import run_program
from latin import latin_words

from shanghai_client.language import speaking
from shanghai_client.rule_faults import CLAUSES, clause_text, rule_fault_text
from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import RuleSet

WRONG: tuple[tuple[dict[str, object], int | None], ...] = (
    ({"aces": "low"}, None),
    ({"turn_may_buy": "sometimes"}, None),
    ({"jokers_per_meld": "some"}, None),
    ({"swap_in_sets": 1}, None),
    ({"buy_extra_cards": 9}, None),
    ({"buys": 3}, None),
    ({"buys": [3, 3]}, None),
    ({"buys": [-2] * 10}, None),
    ({"buys": [3], "cards_dealt": [11]}, None),
    ({"cards_dealt": [99] * 10}, None),
    ({"contracts": "long"}, None),
    ({"contracts": []}, None),
    ({"contracts": [{}]}, None),
    ({"contracts": [{"sets": [2]}]}, None),
    ({"contracts": [{"runs": [14]}]}, None),
    ({"contracts": [{"set": [3]}]}, None),
    ({"contracts": [{"sets": 3}]}, None),
    ({"contracts": [{"sets": ["three"]}]}, None),
    ({"contracts": [{"sets": [3]}]}, None),
    ({"contracts": [{"sets": [3]}], "buys": [3]}, None),
    ({"points": 5}, None),
    ({"points": {"1": 5}}, None),
    ({"points": {"2": 500}}, None),
    ({"packs": {"2": 9}}, None),
    ({"house": True}, None),
    ({}, 9),
    ({"packs": {"8": 1}}, 8),
    ({"contracts": [{"runs": [13, 13, 13]}], "buys": [0], "cards_dealt": [11]}, 4),
    ({"contracts": [{"runs": [4] * 5}], "buys": [-1], "cards_dealt": [11], "distinct_run_suits": True}, 4),
    ({"contracts": [{"sets": [3] * 14}], "buys": [-1], "cards_dealt": [11], "distinct_set_ranks": True}, 4),
    ({"contracts": [{"sets": [3] * 6}], "buys": [-1], "cards_dealt": [11]}, 4),
    ({"contracts": [{"runs": [7] * 3}], "buys": [-1], "cards_dealt": [11]}, 4),
    ({"contracts": [{"sets": [30]}], "buys": [-1], "cards_dealt": [11]}, 4),
)
"""House rules that cannot be, by themselves or for so many players."""


def _fault(fields: dict[str, object], players: int | None) -> BadRules:
    with pytest.raises(BadRules) as refused:
        RuleSet.from_mapping(fields).check_players(players or 4)
    return refused.value


@pytest.mark.parametrize(("fields", "players"), WRONG, ids=str)
def test_every_fault_of_rules_is_said_in_japanese(fields: dict[str, object], players: int | None) -> None:
    """The sentence names the field and R16, and beside what stands in such a file no English is left."""
    bad = _fault(fields, players)
    assert rule_fault_text(bad) == str(bad)
    with speaking("ja"):
        said = rule_fault_text(bad)
    assert bad.field.partition(" ")[0] in said
    assert said.endswith("(R16)")
    written = set(re.findall("[A-Za-z_]+", f"{bad.field} {bad.value} {bad.value!r}"))
    assert latin_words(said) - written - {"contracts"} == set()


def test_every_clause_is_one_that_the_engine_says() -> None:
    """No clause is kept that is never said, and each recognises its own and no earlier one's."""
    clauses = [_fault(*each).right for each in WRONG]
    with speaking("ja"):
        known = {clause: clause_text(clause) for clause in clauses}
    assert [clause for clause, said in known.items() if said == clause] == []
    templates = {re.sub(r"\\{\w+\\}", ".+", re.escape(template)) for template in CLAUSES}
    never = {template for template in templates if not any(re.fullmatch(template, clause) for clause in clauses)}
    # For one hand the engine speaks of it in the singular; presets are looked up before they are asked for.
    assert {template for template in never if "presets" not in template} == set()


async def test_a_file_of_rules_is_refused_in_japanese(tmp_path: Path) -> None:
    """The command line names the file, and says what would be right."""
    rules = tmp_path / "house.toml"
    rules.write_text('aces = "low"\n', encoding="utf-8")
    ran = await run_program("rules", "--rules", str(rules), "--lang", "ja", home=tmp_path)
    assert ran.code == 2
    assert "ルールの aces = 'low' は使えません: 値は 'high' か 'high_or_low' です (R16)" in ran.err
