"""Rule sets and contracts as messages, and back."""

from __future__ import annotations

import re

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from shanghai.v1 import rules_pb2
from shanghai_engine.contract import Contract
from shanghai_engine.malformed import BadRules, Malformed
from shanghai_engine.rules import FEWEST_PLAYERS, POINT_KEYS, RuleSet
from shanghai_wire.bad_message import BadMessage

_NUMBER = re.compile(r"[0-9]{1,9}")
_LISTS = ("buys", "cards_dealt")
_MAPS = ("points", "packs")


def contract_message(contract: Contract) -> rules_pb2.Contract:
    """Give the contract of a hand as a message."""
    return rules_pb2.Contract(sets=contract.sets, runs=contract.runs)


def read_contract(message: rules_pb2.Contract, field: str) -> Contract:
    """Give the contract of a hand; raises `BadMessage` where it asks for nothing, or for melds that do not exist."""
    try:
        return Contract(sets=tuple(message.sets), runs=tuple(message.runs))
    except Malformed as bad:
        raise BadMessage(field, {"sets": list(message.sets), "runs": list(message.runs)}, bad.right) from bad


def rules_message(rules: RuleSet) -> rules_pb2.Rules:
    """Give a rule set as a message, with every field."""
    return rules_pb2.Rules(
        aces=rules.aces,
        wild=rules.wild,
        jokers_per_meld=str(rules.jokers_per_meld),
        go_out_with_discard=rules.go_out_with_discard,
        buy_extra_cards=rules.buy_extra_cards,
        buys=rules.buys,
        buy_priority=rules.buy_priority,
        down_may_buy=rules.down_may_buy,
        turn_may_buy=rules.turn_may_buy,
        joker_swap=rules.joker_swap,
        swap_in_sets=rules.swap_in_sets,
        swapped_joker=rules.swapped_joker,
        lay_off_when_laying_down=rules.lay_off_when_laying_down,
        extra_melds=rules.extra_melds,
        distinct_set_ranks=rules.distinct_set_ranks,
        distinct_run_suits=rules.distinct_run_suits,
        reshuffles=rules.reshuffles,
        turn_limit=rules.turn_limit,
        contracts=[contract_message(contract) for contract in rules.contracts],
        cards_dealt=rules.cards_dealt,
        points=dict(zip(POINT_KEYS, rules.points, strict=True)),
        packs={str(players): packs for players, packs in enumerate(rules.packs, start=FEWEST_PLAYERS)},
    )


def read_rules(message: rules_pb2.Rules) -> RuleSet:
    """Give a rule set; what is absent or empty has its standard value.

    Raises the engine's `BadRules` for what it does not play, a field of a later contract among it: a house rule that is
    not understood must not be ignored.
    """
    _refuse_unknown(message)
    given: dict[str, object] = {}
    for field, value in message.ListFields():
        if field.name == "contracts":
            for contract in message.contracts:
                _refuse_unknown(contract)
            given[field.name] = [{"sets": list(each.sets), "runs": list(each.runs)} for each in message.contracts]
        elif field.name in _LISTS:
            given[field.name] = list(value)
        elif field.name in _MAPS:
            given[field.name] = dict(value)
        else:
            given[field.name] = value
    jokers = message.jokers_per_meld
    if _NUMBER.fullmatch(jokers):
        given["jokers_per_meld"] = int(jokers)
    return RuleSet.from_mapping(given)


def _refuse_unknown(message: Message) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        name = f"field {unknown[0].field_number} of {message.DESCRIPTOR.name}"
        raise BadRules(name, unknown[0].data, "this version does not know that rule")
