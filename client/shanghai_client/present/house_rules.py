"""House rules in words: what a table changes in the standard (R16)."""

from __future__ import annotations

from shanghai_client.language import _, plural
from shanghai_client.present.amounts import count
from shanghai_client.present.cells import and_list, comma_list, wrap
from shanghai_client.present.contracts import contract_words
from shanghai_client.rulebook import field_meaning
from shanghai_client.scene import USUAL_WIDTH, Scene
from shanghai_engine.rules import STANDARD, RuleSet

_OF_HANDS = ("contracts", "buys", "cards_dealt")
"""The rules that have an entry for each hand."""


def changes_text(rules: RuleSet) -> str:
    """Give how many rules differ from the standard, as in `1 rule differs from the standard`."""
    number = len(rules.changes())
    text = plural("{count} rule differs from the standard", "{count} rules differ from the standard", number)
    return text.format(count=number)


def change_lines(rules: RuleSet, *, width: int = USUAL_WIDTH) -> list[str]:
    """Say for each rule that differs from the standard what it is, what it usually is, and what it is about.

    What is said hand by hand comes last, as the hands that are played.
    """
    standard = STANDARD.to_mapping()
    lines: list[str] = []
    for field, changed in rules.changes().items():
        if field in _OF_HANDS:
            continue
        value, usual = changed, standard[field]
        if isinstance(value, dict) and isinstance(usual, dict):
            # Of a table only the entries that differ.
            value = {key: entry for key, entry in value.items() if usual.get(key) != entry}
            usual = {key: usual.get(key) for key in value}
        text = _("  {field} is {value} instead of {usual}: {meaning}").format(
            field=field, value=_words(value), usual=_words(usual), meaning=field_meaning(field)
        )
        lines += wrap(text, width=width, indent="    ")
    of_hands = _changed_hands(rules)
    if of_hands:
        text = _("  {fields}: these are the hands").format(fields=and_list(of_hands))
        lines += wrap(text, width=width, indent="    ")
        lines += contract_lines(rules, width=width)
    return lines


def _changed_hands(rules: RuleSet) -> list[str]:
    return [field for field in _OF_HANDS if field in rules.changes()]


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
    if not _changed_hands(rules):
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


def _words(value: object) -> str:
    """Give a value as it is read: `true`, `high_or_low`, `JK 50, A 20`."""
    if isinstance(value, dict):
        return comma_list([f"{key} {entry}" for key, entry in value.items()])
    return str(value).lower() if isinstance(value, bool) else str(value)
