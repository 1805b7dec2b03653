"""The table of every numbered rule with the tests that hold it, made from the names of the tests.

`test_r7_3_…` holds R7.3, `test_r1_1_r1_2_…` two rules, and `test_r16_aces_high_or_low_…` a value of a field of R16.
`python tests/rule_table.py` writes the table into its section of docs/engine.md; a test compares.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from shanghai_engine.rules import RuleSet

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "rules.md"
PAGE = ROOT / "docs" / "engine.md"
BEGIN = "<!-- The rules and their tests: made by tests/rule_table.py, not by hand. -->"
END = "<!-- The end of the rules and their tests. -->"
HOUSE = "R16"
"""The rule whose parts are fields and values and not numbers."""


@dataclass(frozen=True, slots=True)
class RuleTest:
    """A test whose name begins with rules: its file in the repository, its name, and the rules that it holds."""

    file: str
    name: str
    rules: tuple[str, ...]


def numbered_rules() -> list[str]:
    """Give every rule that has a number in docs/rules.md, in order; a rule without numbered parts stands by itself."""
    rules: list[str] = []
    chapter = ""
    for line in RULES.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (R\d+) ", line):
            chapter = heading[1]
            rules.append(chapter)
        elif chapter and (part := re.match(r"(\d+)\. ", line)):
            if rules[-1] == chapter:
                rules.pop()
            rules.append(f"{chapter}.{part[1]}")
    return rules


def house_rules() -> dict[str, tuple[str, ...]]:
    """Give the fields of R16 with the values that can be listed, as they stand in the names of tests."""
    hints = get_type_hints(RuleSet)
    return {field.name: tuple(_values(hints[field.name])) for field in fields(RuleSet) if field.init}


def _values(hint: object) -> Iterator[str]:
    if hint is bool:
        yield from ("false", "true")
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    elif get_origin(hint) in {Union, UnionType}:
        for part in get_args(hint):
            yield from ["number"] if part is int else _values(part)


def all_rules() -> list[str]:
    """Give every rule that must have a test, in order: the numbered ones, and each field and listed value of R16."""
    rules = [rule for rule in numbered_rules() if rule != HOUSE]
    for field, values in house_rules().items():
        rules += [f"{HOUSE} `{field}` {value}" for value in values] or [f"{HOUSE} `{field}`"]
    return rules


def rules_of(name: str) -> tuple[str, ...]:
    """Give the rules that the name of a test begins with."""
    rules: list[str] = []
    rest = name.removeprefix("test_")
    while found := re.match(r"r(\d+)(?:_(\d+))?_", rest):
        rest = rest[found.end() :]
        rule = f"R{found[1]}" + (f".{found[2]}" if found[2] else "")
        rules.append(_house_rule(rest) if rule == HOUSE else rule)
    return tuple(rules)


def _house_rule(rest: str) -> str:
    """Give the field, and the value if it has listed ones, that the rest of a test's name begins with."""
    for field, values in sorted(house_rules().items(), key=lambda entry: -len(entry[0])):
        if rest.startswith(f"{field}_"):
            after = rest.removeprefix(f"{field}_")
            value = next(
                (value for value in sorted(values, key=len, reverse=True) if after.startswith(f"{value}_")), ""
            )
            return f"{HOUSE} `{field}` {value}".rstrip()
    return HOUSE


def rule_tests() -> list[RuleTest]:
    """Give every test whose name begins with a rule, by file and place."""
    return [
        RuleTest(path.relative_to(ROOT).as_posix(), node.name, rules)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (rules := rules_of(node.name))
    ]


def untested() -> list[str]:
    """Give the rules that no test is named after."""
    held = {rule for test in rule_tests() for rule in test.rules}
    return [rule for rule in all_rules() if rule not in held]


def unknown() -> list[str]:
    """Give the tests that are named after a rule that there is not."""
    chapters = {rule.partition(".")[0] for rule in numbered_rules()}
    known = {*all_rules(), *chapters, *(f"{HOUSE} `{field}`" for field in house_rules())}
    return [f"{test.file}: {test.name}" for test in rule_tests() if not known.issuperset(test.rules)]


def table() -> str:
    """Give the section of the page: a row for every rule, with its tests."""
    lines = [BEGIN, "", "| rule | tests that hold it |", "|---|---|"]
    tests = rule_tests()
    for rule in all_rules():
        held = [f"`{test.name}` ({Path(test.file).stem})" for test in tests if rule in test.rules]
        lines.append(f"| {rule} | {', '.join(held) or 'none'} |")
    return "\n".join([*lines, "", END])


def page_with(section: str, page: str) -> str:
    """Give the page with its section replaced; with it at the end where the page has none yet."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        return f"{page.rstrip()}\n\n## The rules and their tests\n\n{section}\n"
    return before + section + after


def main() -> None:
    """Write the table into docs/engine.md."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else "# The engine\n"
    PAGE.write_text(page_with(table(), page), encoding="utf-8")
    for rule in untested():
        sys.stderr.write(f"no test is named after {rule}\n")
    for test in unknown():
        sys.stderr.write(f"named after no rule: {test}\n")


if __name__ == "__main__":
    main()
