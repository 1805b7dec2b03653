"""Every numbered rule has a test that is named after it, and docs/engine.md says which."""

from __future__ import annotations

import pytest
from rule_table import BEGIN, END, PAGE, ROOT, all_rules, numbered_rules, page_with, rules_of, table, unknown, untested

from shanghai_engine.refusal import Refusal

pytestmark = pytest.mark.checkout


def test_every_rule_has_a_test_that_is_named_after_it() -> None:
    """No rule of docs/rules.md, and no field or listed value of R16, is without one."""
    assert untested() == []


def test_no_test_is_named_after_a_rule_that_there_is_not() -> None:
    """A rule in a test's name is one of docs/rules.md."""
    assert unknown() == []


def test_the_table_of_docs_engine_is_that_of_the_tests() -> None:
    """The section is what `python tests/rule_table.py` writes."""
    page = PAGE.read_text(encoding="utf-8")
    assert page_with(table(), page) == page, "run python tests/rule_table.py"


def test_every_refusal_names_a_rule_that_there_is_and_is_provoked_by_a_test() -> None:
    """The rule's number stands in docs/rules.md, and a test of the engine asks for just this refusal."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "engine").glob("test_*.py"))]
    for refusal in Refusal:
        assert refusal.rule in numbered_rules()
        assert any(f"Refusal.{refusal.name}" in text for text in texts), refusal


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("test_r7_3_who_is_down", ("R7.3",)),
        ("test_r1_1_r1_2_packs", ("R1.1", "R1.2")),
        ("test_r6_contracts", ("R6",)),
        ("test_r16_aces_high_keeps", ("R16 `aces` high",)),
        ("test_r16_aces_high_or_low_lets", ("R16 `aces` high_or_low",)),
        ("test_r16_jokers_per_meld_number_is", ("R16 `jokers_per_meld` number",)),
        ("test_r16_buys_are_counted", ("R16 `buys`",)),
        ("test_r16_an_unknown_preset", ("R16",)),
        ("test_r14_2_r16_swapped_joker_keep_is", ("R14.2", "R16 `swapped_joker` keep")),
        ("test_the_table", ()),
    ],
)
def test_a_name_says_which_rules_it_holds(name: str, rules: tuple[str, ...]) -> None:
    """Rules stand at the beginning of a name, a field of R16 with its value."""
    assert rules_of(name) == rules


def test_the_rules_are_read_from_their_page() -> None:
    """The first and the last numbered rule are there, R6 and R16 stand by themselves, fields come with their values."""
    rules = all_rules()
    assert rules[:2] == ["R1.1", "R1.2"]
    assert {"R2.4", "R6", "R7.14", "R15.1", "R16 `wild` jokers_and_twos", "R16 `packs`"} <= set(rules)
    assert len(set(rules)) == len(rules)


def test_a_page_without_the_section_gets_it_at_its_end() -> None:
    """What else stands on the page stays as it is."""
    section = f"{BEGIN}\nnew\n{END}"
    assert page_with(section, "# Page\n\ntext\n") == f"# Page\n\ntext\n\n## The rules and their tests\n\n{section}\n"
    assert page_with(section, f"before\n{BEGIN}\nold\n{END}\nafter\n") == f"before\n{section}\nafter\n"
