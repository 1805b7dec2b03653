"""House rules in words: what a table changes in the standard (R16)."""

from __future__ import annotations

import json

from shanghai_client.language import _, plural
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import and_list, wrap
from shanghai_client.present.contracts import contract_words
from shanghai_client.rulebook import field_meaning
from shanghai_client.scene import USUAL_WIDTH, Scene
from shanghai_engine.rules import STANDARD, RuleSet


def changes_text(rules: RuleSet) -> str:
    """Give how many rules differ from the standard, as in `1 rule differs from the standard`."""
    number = len(rules.changes())
    text = plural("{count} rule differs from the standard", "{count} rules differ from the standard", number)
    return text.format(count=number)


def change_lines(rules: RuleSet, *, width: int = USUAL_WIDTH) -> list[str]:
    """Say for each rule that differs from the standard what it is, what it usually is, and what it is about."""
    standard = STANDARD.to_mapping()
    lines: list[str] = []
    for field, changed in rules.changes().items():
        value, usual = changed, standard[field]
        if isinstance(value, dict) and isinstance(usual, dict):
            # Of a table only the entries that differ.
            value = {key: entry for key, entry in value.items() if usual.get(key) != entry}
            usual = {key: usual.get(key) for key in value}
        if field == "contracts":
            lines += wrap(f"  contracts: {field_meaning(field)}", width=width, indent="    ")
            lines += contract_lines(rules, width=width)
            continue
        text = _("  {field} is {value} instead of {usual}: {meaning}").format(
            field=field, value=_json(value), usual=_json(usual), meaning=field_meaning(field)
        )
        lines += wrap(text, width=width, indent="    ")
    return lines


def contract_lines(rules: RuleSet, *, width: int = USUAL_WIDTH) -> list[str]:
    """Give the contract of every hand, with the cards dealt and the buys."""
    lines: list[str] = []
    for hand, contract in enumerate(rules.contracts, start=1):
        buys = rules.buys[hand - 1]
        allowed = _("buys without limit") if buys < 0 else _("{buys} at most").format(buys=count(buys, "buy"))
        text = _("  {hand:>4}  {contract}; {cards} dealt, {buys}").format(
            hand=hand,
            contract=contract_words(contract),
            cards=count(rules.cards_dealt[hand - 1], "card"),
            buys=allowed,
        )
        lines += wrap(text, width=width, indent=" " * 8)
    return lines


def table_rules_lines(scene: Scene) -> list[str]:
    """Give what this table changes in the standard, and its contracts."""
    rules = scene.rules
    said = _("At this table {changes}.").format(changes=changes_text(rules))
    lines = wrap(said if rules.changes() else _("This table plays the standard rules."), width=scene.width)
    lines += change_lines(rules, width=scene.width)
    if "contracts" not in rules.changes():
        lines += [_("Its hands:"), *contract_lines(rules, width=scene.width)]
    return lines


def house_notice_lines(scene: Scene) -> list[str]:
    """Give the notice for who sits down at a table with house rules; nothing where the standard is played."""
    rules = scene.rules
    if not rules.changes():
        return []
    names = and_list(list(rules.changes()))
    text = _("House rules (R16): here {changes}, {names}. rules table shows them.")
    return wrap(text.format(changes=changes_text(rules), names=names), width=scene.width)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
