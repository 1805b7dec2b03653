"""`shanghai-rum rules`: the rules as a player reads them, and what a preset or a file of house rules changes."""

from __future__ import annotations

import json

import click

from shanghai_client.cli.house_rules import read_rules
from shanghai_client.cli.option_types import RULES, RulesName
from shanghai_client.cli.worded import command, option
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, later
from shanghai_client.present.cells import wrap
from shanghai_client.present.house_rules import change_lines
from shanghai_client.rulebook import UnknownRule, rule_lines, rule_numbers
from shanghai_engine.rules import RuleSet


@command(
    help=later(
        "Print the rules; a PRESET or --rules FILE adds what it changes, a NUMBER such as R7.4 prints that rule alone."
    )
)
@click.argument("what", type=RulesName(others=rule_numbers), default="", metavar="[PRESET|NUMBER]")
@option(
    "--rules",
    "house",
    type=RULES,
    metavar="PRESET|FILE",
    help=later("House rules, of which the changes are told."),
)
@option("--json", "as_json", is_flag=True, help=later("Print every field of the rule set instead (R16)."))
def rules(what: str, house: str | None, *, as_json: bool) -> None:
    """Print the rules, one of them, or what a preset or a file changes."""
    if what and house is not None:
        raise WrongInput(
            _("name the rules once: {what!r} and --rules {house!r} are two").format(what=what, house=house)
        )
    if (what[:1] in {"R", "r"} and what[1:2].isdigit()) or what[:1].isdigit():
        if as_json:
            text = _("--json prints a rule set, and {what!r} is a rule: name a preset or a file")
            raise WrongInput(text.format(what=what))
        try:
            click.echo("\n".join(rule_lines(what)))
        except UnknownRule as unknown:
            raise WrongInput(str(unknown)) from unknown
        return
    rule_set = read_rules(house or what or "standard")
    if as_json:
        click.echo(json.dumps(rule_set.to_mapping(), ensure_ascii=False, indent=1))
        return
    click.echo("\n".join(rule_lines()))
    click.echo()
    click.echo("\n".join(_difference_lines(house or what or "standard", rule_set)))


def _difference_lines(name: str, rule_set: RuleSet) -> list[str]:
    if not rule_set.changes():
        return [_("{name!r} is the standard: every rule is played as it stands above.").format(name=name)]
    text = _("{name!r} differs from the standard in {count}:")
    return [
        *wrap(text.format(name=name, count=len(rule_set.changes())), width=80),
        *change_lines(rule_set),
    ]
