"""Values that are made quickly are still the frozen dataclasses that they were."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace

import pytest

from shanghai_engine.value import made_quickly


@dataclass(frozen=True, slots=True)
class Plain:
    """As it is by itself."""

    name: str
    size: int = 3
    parts: tuple[int, ...] = ()


@made_quickly
@dataclass(frozen=True, slots=True)
class Quick:
    """The same, made quickly."""

    name: str
    size: int = 3
    parts: tuple[int, ...] = ()


@pytest.mark.parametrize("arguments", [("a",), ("a", 5), ("a", 5, (1, 2))])
def test_a_value_made_quickly_has_the_fields_given_and_the_usual_ones(arguments: tuple[object, ...]) -> None:
    """By place and by name, copied, pickled and replaced."""
    plain, quick = Plain(*arguments), Quick(*arguments)  # type: ignore[arg-type]
    named = dict(zip(("name", "size", "parts"), arguments, strict=False))
    assert [getattr(quick, f.name) for f in fields(quick)] == [getattr(plain, f.name) for f in fields(plain)]
    assert quick == Quick(**named) == copy.deepcopy(quick) == pickle.loads(pickle.dumps(quick))  # type: ignore[arg-type]  # noqa: S301
    assert replace(quick, size=9).size == 9
    assert repr(quick) == repr(plain).replace("Plain", "Quick")
    assert hash(quick) == hash(plain)


def test_a_value_made_quickly_is_frozen_and_asks_for_its_fields() -> None:
    """It is not changed, and is not made of too few or too many values."""
    with pytest.raises(FrozenInstanceError):
        Quick("a").size = 4  # type: ignore[misc]
    for wrong in ((), ("a", 1, (), 2)):
        with pytest.raises(TypeError):
            Quick(*wrong)
    assert inspect.signature(Quick) == inspect.signature(Plain)
