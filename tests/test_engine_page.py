"""docs/engine.md says what the engine does: its examples run, one after the other."""

from __future__ import annotations

import re
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import shanghai_engine
from shanghai_engine import (
    Answer,
    Discard,
    LayDown,
    LayOff,
    Meld,
    OfferDecision,
    OwnView,
    PlayDecision,
    PublicView,
    SeatView,
    Swap,
    TimeOut,
    all_lay_downs,
)

pytestmark = pytest.mark.checkout

PAGE = Path(__file__).parents[1] / "docs" / "engine.md"
_EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_examples_of_the_page_run() -> None:
    """Each example does what it says, with the names that those before it made."""
    page = PAGE.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    examples = list(_EXAMPLE.finditer(page))
    assert len(examples) > 10
    for example in examples:
        # Blank lines before it, so that a failure names the line of the page.
        before = "\n" * page.count("\n", 0, example.start(1))
        exec(compile(before + example[1], str(PAGE), "exec"), names)  # noqa: S102 the page is ours


def test_the_first_example_is_a_game_in_five_lines() -> None:
    """It has five lines of code, and a blank one."""
    first = _EXAMPLE.search(PAGE.read_text(encoding="utf-8"))
    assert first is not None
    assert len([line for line in first[1].splitlines() if line]) == 5


def test_all_that_the_package_names_is_there() -> None:
    """Every name in `__all__` is there, and stands in it once."""
    names = shanghai_engine.__all__
    assert len(set(names)) == len(names)
    assert [name for name in names if not hasattr(shanghai_engine, name)] == []


def test_the_page_names_all_that_a_bot_is_given() -> None:
    """Every field of a view, of a decision and of an action stands in the part on writing a bot."""
    part = PAGE.read_text(encoding="utf-8").split("## A bot of one's own")[1].split("\n## ")[0]
    given = {"id", "kind", "choices", "can_lay_down", *OfferDecision._fields, *PlayDecision._fields}
    for kind in (PublicView, OwnView, SeatView, Meld, Answer, LayDown, LayOff, Swap, Discard, TimeOut):
        given |= {field.name for field in fields(kind)}
    words = set(re.findall(r"\w+", part))
    assert sorted(given - words) == []
    for kind in (Answer, LayDown, LayOff, Swap, Discard, TimeOut):
        said = re.search(rf"`{kind.__name__}\((.*?)\)`", part)
        assert said is not None
        assert [name.partition("=")[0].strip() for name in said[1].split(",")] == [field.name for field in fields(kind)]
    assert f"all_lay_downs({', '.join(signature(all_lay_downs).parameters)})" in part
