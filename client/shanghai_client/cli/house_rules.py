"""`--rules`: the name of a preset, or a TOML file with the fields of R16."""

from __future__ import annotations

import tomllib
from pathlib import Path

from shanghai_client.cli.input_file import read_input
from shanghai_client.cli.wrong import WrongInput
from shanghai_client.language import _, plural
from shanghai_client.rule_faults import rule_fault_text
from shanghai_client.toml_faults import toml_fault_text
from shanghai_engine.malformed import BadRules
from shanghai_engine.rules import FEWEST_PLAYERS, MOST_PLAYERS, PRESETS, RuleSet

MOST_BYTES = 1 << 20
"""The bytes of a file that can be rules."""


def read_rules(text: str, *, waits: bool = True) -> RuleSet:
    """Give the rules of a preset or a file; raises `WrongInput` for what is neither, and for rules that cannot be.

    The file may be a pipe, unless the program has to go on and `waits` for none.
    """
    if text in PRESETS:
        return PRESETS[text]
    path = Path(text)
    if path.suffix == ".toml" or path.is_file():
        return _read_file(path, waits=waits)
    sentence = _("{text!r} is no preset and no file: the presets are {presets}; a file is TOML (R16)")
    raise WrongInput(sentence.format(text=text, presets=", ".join(PRESETS)))


def _read_file(path: Path, *, waits: bool) -> RuleSet:
    try:
        fields = tomllib.loads(read_input(path, what=_("the rules"), most=MOST_BYTES, waits=waits).decode("utf-8-sig"))
        return RuleSet.from_mapping(fields)
    except UnicodeDecodeError as error:
        text = _("the rules {path!r} cannot be read: they are not UTF-8 text")
        raise WrongInput(text.format(path=str(path))) from error
    except tomllib.TOMLDecodeError as error:
        text = _("the rules {path!r} cannot be read as TOML: {why}")
        raise WrongInput(text.format(path=str(path), why=toml_fault_text(error))) from error
    except RecursionError as error:
        text = _("the rules {path!r} cannot be read: their brackets lie too deep in each other")
        raise WrongInput(text.format(path=str(path))) from error
    except BadRules as error:
        raise WrongInput(f"{str(path)!r}: {rule_fault_text(error)}") from error


def check_players(players: int, rules: RuleSet) -> None:
    """Raise `WrongInput` where so many cannot play these rules (R1.2, R16)."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        text = plural(
            "{players} player cannot play: a game has {fewest} to {most} players (R1.2)",
            "{players} players cannot play: a game has {fewest} to {most} players (R1.2)",
            players,
        )
        raise WrongInput(text.format(players=players, fewest=FEWEST_PLAYERS, most=MOST_PLAYERS))
    try:
        rules.check_players(players)
    except BadRules as error:
        raise WrongInput(rule_fault_text(error)) from error
