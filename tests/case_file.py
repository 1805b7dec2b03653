"""The case files in data/cases, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shanghai_engine.card import Card

FOLDER = Path(__file__).parent / "data" / "cases"


def read_cases(name: str) -> list[dict[str, Any]]:
    """Give the objects of a file of cases, in order."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def cards_of(texts: Sequence[str]) -> tuple[Card, ...]:
    """Give the cards of a case from their text forms."""
    return tuple(map(Card.parse, texts))
