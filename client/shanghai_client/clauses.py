"""Clauses of the engine, which speaks English: recognised by the templates that they are made from, and said again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from shanghai_client.language import _


def said_again(clause: str, templates: Iterable[str]) -> str:
    """Give a clause in the player's language, by the first template that it is made from; one that has none as it is.

    What stands in the braces of a template is different each time, and stays as it is.
    """
    for template in templates:
        values = values_in(clause, template)
        if values is not None:
            return _(template).format(**values)
    return clause


def values_in(clause: str, template: str) -> dict[str, str] | None:
    """Give what stands in a clause where its template has braces; none where it is not made from that template."""
    found = _pattern(template).fullmatch(clause)
    return None if found is None else found.groupdict()


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Give what recognises a clause that was made from a template; a value that is named twice is the same twice."""
    pattern, named = "", set[str]()
    for odd, part in enumerate(re.split(r"{(\w+)}", template)):
        if not odd % 2:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={part})" if part in named else f"(?P<{part}>.+?)"
            named.add(part)
    return re.compile(pattern)
