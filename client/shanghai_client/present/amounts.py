"""A number with its noun, as in `1 card` and `2 cards`, and a place, as in `1st`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shanghai_client.language import _, later, plural

_NOUNS: Mapping[str, Callable[[int], str]] = {
    "bot": lambda number: plural("{count} bot", "{count} bots", number),
    "buy": lambda number: plural("{count} buy", "{count} buys", number),
    "card": lambda number: plural("{count} card", "{count} cards", number),
    "day": lambda number: plural("{count} day", "{count} days", number),
    "free seat": lambda number: plural("{count} free seat", "{count} free seats", number),
    "guest": lambda number: plural("{count} person", "{count} people", number),
    "hour": lambda number: plural("{count} hour", "{count} hours", number),
    "line": lambda number: plural("{count} line", "{count} lines", number),
    "meld": lambda number: plural("{count} meld", "{count} melds", number),
    "minute": lambda number: plural("{count} minute", "{count} minutes", number),
    "person": lambda number: plural("{count} person", "{count} persons", number),
    "player": lambda number: plural("{count} player", "{count} players", number),
    "point": lambda number: plural("{count} point", "{count} points", number),
    "rule": lambda number: plural("{count} rule", "{count} rules", number),
    "second": lambda number: plural("{count} second", "{count} seconds", number),
    "stream": lambda number: plural("{count} stream", "{count} streams", number),
    "table": lambda number: plural("{count} table", "{count} tables", number),
    "turn": lambda number: plural("{count} turn", "{count} turns", number),
}
"""By the English noun for one: what is counted. Japanese counts each in its own way."""


def count(number: int, noun: str) -> str:
    """Give a number with its noun, which is one of those above."""
    return _NOUNS[noun](number).format(count=number)


_ORDINALS = (
    later("1st"),
    later("2nd"),
    later("3rd"),
    later("4th"),
    later("5th"),
    later("6th"),
    later("7th"),
    later("8th"),
)


def ordinal(place: int) -> str:
    """Give the word of a place in an order, from 0 for `1st`; there are as many as seats."""
    return _(_ORDINALS[place])
