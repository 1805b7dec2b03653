"""What is wrong with a record is said in Japanese too: the engine's sentences are recognised, and said again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from client_program import run_program
from latin import latin_words
from records import GIVEN, given_lines

from shanghai_client.language import speaking
from shanghai_client.record_faults import record_fault_text
from shanghai_engine.verify import Finding, Receipt, verify

Lines = list[str]
EVENTS = {"game", "deal", "offer", "draw", "swap", "discard", "reshuffle"}
"""Names of lines, as they stand in a record in every language."""


def _lines() -> Lines:
    return list(given_lines(GIVEN[0]))


def _with(event: str, key: str, change: Callable[[object], object]) -> Lines:
    """Give a record with one field of its first line of an event changed."""
    lines = _lines()
    place = next(number for number, line in enumerate(lines) if json.loads(line)["event"] == event)
    fields = json.loads(lines[place])
    fields[key] = change(fields.get(key))
    lines[place] = json.dumps(fields)
    return lines


def _turned(cards: object) -> object:
    assert isinstance(cards, list)
    return [*cards[:-2], cards[-1], cards[-2]] if cards[-1] != cards[-2] else [*cards[1:], cards[0]]


def _swapped(first: int, second: int) -> Lines:
    lines = _lines()
    lines[first], lines[second] = lines[second], lines[first]
    return lines


DAMAGED: dict[str, Callable[[], Lines]] = {
    "stock": lambda: _with("deal", "stock", _turned),
    "commitment": lambda: _with("game", "commitment", lambda _old: "00" * 32),
    "totals": lambda: _with("hand_end", "totals", lambda old: [old[0] + 5, *old[1:]] if isinstance(old, list) else old),
    "unknown": lambda: _with("deal", "colour", lambda _old: 1),
    "broken_off": lambda: _lines()[:-3],
    "empty": list,
    "goes_on": lambda: [*_lines(), _lines()[-1]],
    "order": lambda: _swapped(1, 2),
    "no_game": lambda: _lines()[1:],
    "blank": lambda: ["", *_lines()[1:]],
    "event": lambda: [_lines()[0], '{"event": "dance"}'],
    "list": lambda: [_lines()[0], "[]"],
}


def _finding(lines: Lines) -> Finding:
    finding = verify(lines).finding
    assert finding is not None
    return finding


@pytest.mark.parametrize("damage", DAMAGED)
def test_every_fault_of_a_record_is_said_in_japanese(damage: str) -> None:
    """Beside what stands in such a file no English is left; in English the sentence is the engine's own."""
    sentence = _finding(DAMAGED[damage]()).sentence
    assert record_fault_text(sentence) == sentence
    with speaking("ja"):
        said = record_fault_text(sentence)
    assert re.search("[ぁ-ん]", said)
    bare = re.sub("'[^']*'|[0-9a-f]{64}|[a-z]+_[a-z]+|SHA-256|UTF-8|JSON", " ", said)
    assert latin_words(bare) - EVENTS == set()


@pytest.mark.parametrize("seat", [None, 0, 99])
def test_what_a_receipt_holds_against_a_record_is_said_in_japanese(seat: int | None) -> None:
    """That its nonce is not there, at its seat or at any, and that the game has no such seat."""
    given = bytes.fromhex(json.loads(_lines()[0])["commitment"])
    finding = verify(_lines(), receipt=Receipt(commitment=given, nonce=b"m" * 16, seat=seat)).finding
    assert finding is not None
    with speaking("ja"):
        said = record_fault_text(finding.sentence)
    assert re.search("[ぁ-ん]", said)
    assert latin_words(re.sub("[0-9a-f]{32}", " ", said)) == set()


def test_a_rule_that_a_record_breaks_is_said_as_a_refusal_is() -> None:
    """What the engine refuses in a game it finds in a record with the same sentence, which the catalogues have."""
    with speaking("ja"):
        assert record_fault_text("8C 8D is too short: a set has 3 cards or more").startswith("8C 8D は短すぎ")
        assert record_fault_text("something new: nobody knows") == "something new。nobody knows"


async def test_verify_says_it_in_the_language_of_the_player(tmp_path: Path) -> None:
    """The line, what stands there and what would be right, with the rule."""
    record = tmp_path / "g.jsonl"
    record.write_text("\n".join(DAMAGED["broken_off"]()), encoding="utf-8")
    ran = await run_program("verify", str(record), "--lang", "ja", home=tmp_path)
    assert ran.code == 1
    assert "記録がハンド" in ran.out
    assert "R2.1" in ran.out
    assert "lay_down、lay_off、swap、discard" in ran.out
