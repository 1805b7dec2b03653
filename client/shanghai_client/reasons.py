"""The sentence of a refusal by its reason, in the player's language.

The server's sentences are in English. The catalogues of the other languages hold a sentence for every reason of the
contract, under the reason itself, with the values that travel with the refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter

from shanghai_client.language import _


def sentence_by_reason(reason: str, values: Mapping[str, str]) -> str:
    """Give the sentence of a reason with its values.

    Empty where there is none, as in English, and where a value is missing, as from another version of the server.
    """
    template = _(reason) if reason else ""
    if template in {"", reason} or not fields_of(template) <= set(values):
        return ""
    return template.format_map(values)


def fields_of(template: str) -> set[str]:
    """Give the names of the values in a sentence."""
    return {name for _text, name, _form, _conversion in Formatter().parse(template) if name is not None}
