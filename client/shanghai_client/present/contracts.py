"""A contract in words."""

from __future__ import annotations

from shanghai_client.language import plural
from shanghai_client.present.cells import comma_list
from shanghai_engine.contract import Contract


def contract_words(contract: Contract) -> str:
    """Give the melds that a contract asks for, as in `2 sets of 3, 1 run of 4`."""
    parts = []
    for size in dict.fromkeys(contract.sets):
        number = contract.sets.count(size)
        text = plural("{count} set of {size}", "{count} sets of {size}", number)
        parts.append(text.format(count=number, size=size))
    for size in dict.fromkeys(contract.runs):
        number = contract.runs.count(size)
        text = plural("{count} run of {size}", "{count} runs of {size}", number)
        parts.append(text.format(count=number, size=size))
    return comma_list(parts)
