"""What is wrong with a record, in the player's language: the engine's sentences are recognised, and said again."""

from __future__ import annotations

import re

from shanghai_client.clauses import QUOTED, said_again, template_of, values_in
from shanghai_client.language import LANGUAGES, _, later, spoken
from shanghai_client.reasons import sentence_by_reason
from shanghai_client.rule_faults import CLAUSES
from shanghai_engine.malformed import BadRecord
from shanghai_engine.refusal import Refusal

FOUND = (
    later("{key} of the {event} line at {place} is {value}"),
    later("{key} of the {event} line is {value}"),
    later("{key} of the rules is {value}"),
    later("the {event} line has no {key}"),
    later("the {event} line has a key {key}"),
    later("the key {key} stands twice in one object"),
    later("the game's commitment is {value}"),
    later("the nonce of seat {seat} is {value}"),
    later("the nonces of the game are {values}"),
    later("the game has the seats 0 to {last}"),
    later("the record is empty"),
    later("the record breaks off in hand {hand}"),
    later("the record breaks off before its first deal"),
    later("the event {event} stands here"),
    later("a line of the event {event} stands after the game's end"),
    later("the first line is of the event {event}"),
    later("the line is of the event {event}"),
    later("the line is blank"),
    later("the line holds {value}"),
    later("{line} is not JSON ({why} at character {place})"),
    later("the answer of seat {seat} does not stand in its place"),
    later("the answers end before that of seat {seat}"),
    later("the number of packs for {players} players is {packs}"),
)
"""What the engine says that stands in a record, the more definite first."""
NO_JSON = (
    later("Expecting value"),
    later("Expecting property name enclosed in double quotes"),
    later("Expecting ':' delimiter"),
    later("Expecting ',' delimiter"),
    later("Extra data"),
    later("Unterminated string starting at"),
    later("Invalid control character at"),
    later("Invalid \\escape"),
    later("Invalid \\uXXXX escape"),
)
"""What the library says of what is not JSON."""
RIGHT = (
    later("it should be {value}"),
    later("the SHA-256 of its seed is {value}"),
    later("the receipt holds {value}"),
    later("the receipt is that of seat {seat}"),
    later("{events} comes next, and a complete record ends with game_end"),
    later("{events} comes next"),
    later("game_end is the last line"),
    later("its first line is a game line"),
    later("a record begins with a game line"),
    later("after the game line the events are {events}"),
    later("every key stands once"),
    later("it has none of that name, and free keys begin with {prefix}"),
    later("the claim order is {order}"),
    later("the offer is open until its outcome is certain"),
    later("by its rules it is {packs}"),
    later("a line of a record is one JSON object in UTF-8"),
    later("every {what} has one"),
)
"""What the engine says would be right."""


_HALVES = re.compile(rf"((?:{QUOTED}|.)+?): (.*)", re.DOTALL)
"""What stands there and what would be right; a colon in quotes parts nothing."""


def record_fault_text(sentence: str) -> str:
    """Give the sentence of a finding: the engine's own in English; else each half that is known is said again."""
    if spoken() == LANGUAGES[0]:
        return sentence
    for refusal in Refusal:
        values = values_in(sentence, refusal.sentence)
        said = "" if values is None else sentence_by_reason(refusal.name, values)
        if said:
            return said
    halves = _HALVES.fullmatch(sentence)
    if halves is None:
        return _found_text(sentence)
    found, right = halves.groups()
    said = said_again(right, (*RIGHT, *CLAUSES))
    # The engine lists the events that may come next.
    said = said.replace(" or ", _(" or ")) if said != right else right
    return _("{found}: {right}").format(found=_found_text(found), right=said)


def _found_text(found: str) -> str:
    """Give what stands in a record; what the library says of a line that is not JSON is said again too, or quoted."""
    template = template_of(found, FOUND)
    values = {} if template is None else values_in(found, template) or {}
    if template is None or "why" not in values:
        return said_again(found, FOUND)
    why = values["why"]
    values["why"] = said_again(why, NO_JSON) if template_of(why, NO_JSON) else f'"{why}"'
    return _(template).format(**values)


def bad_record_text(bad: BadRecord) -> str:
    """Give what is wrong with a record that cannot be read: its line, where that is known, and the rule."""
    if bad.line is None:
        return _("{sentence} ({rule})").format(sentence=record_fault_text(bad.sentence), rule=bad.rule)
    text = _("line {line}: {sentence} ({rule})")
    return text.format(line=bad.line, sentence=record_fault_text(bad.sentence), rule=bad.rule)
