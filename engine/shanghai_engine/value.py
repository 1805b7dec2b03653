"""Values that are made often: frozen dataclasses with slots that are made more quickly.

A frozen dataclass sets its own fields through `object.__setattr__`, which looks each of them up by its name. Here they
are set while the value still is of an open class with the same slots, and then it is given its own.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import update_wrapper
from operator import attrgetter
from typing import Any, TypeVar

V = TypeVar("V")


def made_quickly(kind: type[V]) -> type[V]:
    """Give a frozen dataclass of two fields or more, with slots, a quicker way to be made, with the same parameters."""
    changed: Any = kind
    names = [field.name for field in fields(changed)]
    used: dict[str, Any] = {"new": object.__new__, "Open": type(f"_Open{kind.__name__}", (), {"__slots__": names})}
    parameters = []
    for field in fields(changed):
        if field.default is MISSING:
            parameters.append(field.name)
        else:
            used[f"usual_{field.name}"] = field.default
            parameters.append(f"{field.name}=usual_{field.name}")
    lines = [
        f"def __new__(cls, {', '.join(parameters)}):",
        "    made = new(Open)",
        *(f"    made.{name} = {name}" for name in names),
        "    made.__class__ = cls",
        "    return made",
    ]
    exec("\n".join(lines), used)  # noqa: S102 as dataclasses do
    changed.__new__ = update_wrapper(used["__new__"], changed.__init__)
    del changed.__init__
    values = attrgetter(*names)
    changed.__reduce__ = lambda value: (kind, values(value))
    return kind
