"""Why a file is no TOML, in the player's language: what the library says in English is recognised, and said again."""

from __future__ import annotations

import re

from shanghai_client.clauses import said_again, template_of
from shanghai_client.language import LANGUAGES, _, later, spoken

CLAUSES = (
    later("Invalid statement"),
    later("Expected newline or end of document after a statement"),
    later("Expected '=' after a key in a key/value pair"),
    later("Expected ']' at the end of a table declaration"),
    later("Expected ']]' at the end of an array declaration"),
    later("Expected {sign}"),
    later("Found invalid character {sign}"),
    later("Illegal character {sign}"),
    later("Invalid initial character for a key part"),
    later("Invalid value"),
    later("Invalid hex value"),
    later("Invalid date or datetime"),
    later("Cannot declare {key} twice"),
    later("Cannot overwrite a value"),
    later("Cannot mutate immutable namespace {key}"),
    later("Cannot redefine namespace {key}"),
    later("Duplicate inline table key {key}"),
    later("Unclosed array"),
    later("Unclosed inline table"),
    later("Unterminated string"),
    later("Unescaped '\\' in a string"),
    later("Escaped character is not a Unicode scalar value"),
)
"""What `tomllib` says, the more definite first."""
_PLACED = re.compile(r"(?P<clause>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


def toml_fault_text(error: ValueError) -> str:
    """Give why a file is no TOML: in English as the library says it, and else the same, said again, with the place.

    What the library has not said before stays in its words, in quotes.
    """
    said = str(error)
    if spoken() == LANGUAGES[0]:
        return said
    placed = _PLACED.fullmatch(said)
    clause = said if placed is None else placed["clause"]
    clause = said_again(clause, CLAUSES) if template_of(clause, CLAUSES) else f'"{clause}"'
    if placed is None:
        return clause
    if placed["line"] is None:
        return _("{clause}, at the end of the file").format(clause=clause)
    text = _("{clause}, in line {line} at column {column}")
    return text.format(clause=clause, line=placed["line"], column=placed["column"])
