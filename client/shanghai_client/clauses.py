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
    template = template_of(clause, templates)
    return clause if template is None else _(template).format(**values_in(clause, template) or {})


def template_of(clause: str, templates: Iterable[str]) -> str | None:
    """Give the first template that a clause is made from; none where there is none."""
    return next((each for each in templates if values_in(clause, each) is not None), None)


def values_in(clause: str, template: str) -> dict[str, str] | None:
    """Give what stands in a clause where its template has braces; none where it is not made from that template."""
    found = _pattern(template).fullmatch(clause)
    return None if found is None else found.groupdict()


QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
"""A text in quotes, such as a path with blanks: first taken for one value."""


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Give what recognises a clause that was made from a template; a value that is named twice is the same twice."""
    pattern, named = "", set[str]()
    for odd, part in enumerate(re.split(r"{(\w+)}", template)):
        if not odd % 2:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={part})" if part in named else f"(?P<{part}>{QUOTED}|.+?)"
            named.add(part)
    return re.compile(pattern, re.DOTALL)
