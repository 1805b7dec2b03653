"""Copies of given records with one thing changed: each is refused at the first line that cannot be right.

What may be changed without harm is listed here, and nothing else may.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from records import CARD_TEXTS, GIVEN, Path_, at, changed, given_lines, mutants, places_in

from shanghai_engine.line import line_text
from shanghai_engine.malformed import BadRecord
from shanghai_engine.verify import Verification, verify

RULE = re.compile(r"record|R\d+(\.\d+)?")
RARE = {"game", "deal", "lay_down", "swap", "reshuffle", "hand_end", "game_end"}
"""The events of which every line is changed, however few lines are."""
PLAYED = {"lay_down", "lay_off", "swap"}
LONG = 24
"""Of a line with more places than this the own keys and half a dozen other places are changed."""
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(CARD_TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def first_fault(verification: Verification, lines: Iterable[str]) -> int | None:
    """Go on with a verification through these lines, and give the place, from 0, of its first finding."""
    found: BadRecord | None = None
    try:
        for line in lines:
            verification.take(line)
        verification.end()
    except BadRecord as bad:
        found = bad
    if found is None:
        return None
    assert RULE.fullmatch(found.rule)
    assert found.sentence.isprintable()
    assert len(found.sentence) < 400
    return verification.line - 1


def kinds_in(path: Path) -> set[str]:
    """Give the events that occur in a record."""
    return {json.loads(line)["event"] for line in given_lines(path)}


def next_hand_end(lines: list[str], index: int) -> int:
    """Give the place of the line that ends the hand, where all hands are shown."""
    return next(place for place in range(index, len(lines)) if '"event":"hand_end"' in lines[place])


def is_harmless(before: dict[str, Any], after: dict[str, Any], path: Path_) -> bool:
    """Say whether a change is one of those that make no difference to what a line says."""
    name = before["event"]
    if name == "game":
        # A name is a name; and a rule may have another value as long as the game never came to it.
        return path[0] in {"players", "rules"}
    old, new = _get(before, path), _get(after, path)
    if name == "offer" and path[0] == "answers":
        # Both pass; and a passing answer beyond the deciding one may be missing.
        return {old, new} == {"pass", "timeout"}
    if name == "hand_end" and path[0] == "hands":
        # A hand in hand has no order (R12.1).
        return [sorted(map(str, hand or ["?"])) for hand in after.get("hands") or []] == [
            sorted(map(str, hand or ["?"])) for hand in before["hands"]
        ]
    if name == "lay_down" and path[0] == "melds":
        # The order of a set means nothing (R8.4).
        return _melds(before) == _melds(after)
    if name == "deal" and path[0] == "contract" and old == []:
        # No sets, and nothing said of sets, are the same.
        return new is None and "contract" in after
    # Null and no key mean the same.
    return old is None and new is None


def _melds(line: dict[str, Any]) -> list[Any]:
    return [
        (meld["id"], meld["kind"], sorted(meld["cards"]) if meld["kind"] == "set" else meld["cards"])
        for meld in line["melds"]
    ]


def _get(line: dict[str, Any], path: Path_) -> Any:  # noqa: ANN401 whatever a line holds
    try:
        return at(line, path)
    except (LookupError, TypeError):
        return None


def shows_at_last(lines: list[str], index: int, path: Path_, after: dict[str, Any]) -> int:
    """Give the last line, by its place, at which a harmful change must have shown."""
    line = json.loads(lines[index])
    match line["event"]:
        case "game" if path[0] == "nonces":
            return index + 1
        case "discard" if after.get("seat") == line["seat"]:
            return index + 1
        case "lay_down":
            # Another of the cards in hand may fit as well, and the order of a set means nothing (R8.4).
            return next_hand_end(lines, index)
        case _:
            return index


def refuse_all(path: Path, *, share: float) -> tuple[Counter[str], Counter[str]]:
    """Change every field in a share of a record's lines, and count by event what is refused and what is harmless."""
    lines = given_lines(path)
    rng = random.Random(path.stem)
    verification = Verification()
    refused: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    for index, text in enumerate(lines):
        line = json.loads(text)
        if line["event"] in RARE or rng.random() < share:
            for place, mutant in mutants(line, some_places(line, rng)):
                found = first_fault(verification.copy(), chain([line_text(mutant)], islice(lines, index + 1, None)))
                if found is None:
                    assert is_harmless(line, mutant, place), (index + 1, place, mutant)
                    harmless[line["event"]] += 1
                    continue
                refused[line["event"]] += 1
                if line["event"] != "game" or place[0] != "rules":
                    assert index <= found <= shows_at_last(lines, index, place, mutant), (index + 1, place, mutant)
        verification.take(text)
    verification.end()
    return refused, harmless


def some_places(line: dict[str, Any], rng: random.Random) -> list[Path_]:
    """Give every place in a line; of a long line its own keys and half a dozen other places."""
    places = list(places_in(line))
    if len(places) > LONG:
        return [place for place in places if len(place) == 1] + rng.sample(places, 6)
    return places


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_whatever_is_changed_in_a_line_is_found_there_or_where_it_first_shows(path: Path) -> None:
    """Every field of lines throughout a game: refused, with a rule, no later than it can show."""
    refused, _ = refuse_all(path, share=0.03)
    assert set(refused) == kinds_in(path)
    assert sum(refused.values()) > 1000


@pytest.mark.soak
@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_whatever_is_changed_in_any_line_is_found(path: Path, record_property: Callable[[str, object], None]) -> None:
    """Every field of every line of a game, but for the longest lines."""
    refused, harmless = refuse_all(path, share=1)
    assert sum(refused.values()) > 10_000
    assert sum(harmless.values()) < sum(refused.values()) // 10
    record_property("refused", sum(refused.values()))
    record_property("harmless", sum(harmless.values()))


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_line_that_is_missing_doubled_or_out_of_place_is_found(path: Path) -> None:
    """Of lines throughout a game: refused where the gap, the double or the exchange shows at the latest."""
    lines = given_lines(path)
    rng = random.Random(path.stem)
    verification = Verification()
    refused: Counter[str] = Counter()
    for index, text in enumerate(lines):
        name = json.loads(text)["event"]
        if index and (name in RARE or rng.random() < 0.2):
            rest = lines[index + 1 :]
            found = first_fault(verification.copy(), rest)
            # A play may be left out: what it played then still lies in the hand that is shown in the end.
            assert found is not None
            assert index <= found <= (next_hand_end(lines, index) if name in PLAYED else index), index + 1
            found = first_fault(verification.copy(), [text, text, *rest])
            assert found == index + 1
            if rest and rest[0] != text:
                follower = json.loads(rest[0])["event"]
                found = first_fault(verification.copy(), [rest[0], text, *rest[1:]])
                # Two plays of one turn may come in either order.
                assert found is not None or {name, follower} <= PLAYED, index + 1
                if not {name, follower} <= PLAYED:
                    assert found is not None
                    assert index <= found <= index + 1, index + 1
            refused[name] += 1
        verification.take(text)
    assert set(refused) == kinds_in(path) - {"game"}


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_record_that_breaks_off_is_refused_where_it_does(path: Path) -> None:
    """Wherever a file is cut, the line that would come next is named; and so is what comes after the end."""
    lines = given_lines(path)
    verification = Verification()
    for index, text in enumerate(lines):
        if index % 7 == 0 or index > len(lines) - 5:
            with pytest.raises(BadRecord, match=r"breaks off|is empty"):
                verification.copy().end()
        verification.take(text)
    for more in ("", "{}", lines[-1], lines[0]):
        finding = verify([*lines, more]).finding
        assert finding is not None
        assert finding.line == len(lines) + 1
    cut = verify([*lines[:-1], lines[-1][:-1]]).finding
    assert cut is not None
    assert (cut.line, cut.rule) == (len(lines), "record")


@given(st.sampled_from(GIVEN), st.data())
def test_any_value_in_any_place_is_refused_or_harmless(path: Path, data: st.DataObject) -> None:
    """Whatever JSON can hold, put anywhere: one finding, never another exception."""
    lines = given_lines(path)
    index = data.draw(st.integers(0, len(lines) - 1))
    line = json.loads(lines[index])
    place = data.draw(st.sampled_from(list(places_in(line))))
    value = data.draw(ANY_JSON)
    assume(value != at(line, place) or type(value) is not type(at(line, place)))
    mutant = changed(line, place, value)
    found = first_fault(Verification(), [*lines[:index], line_text(mutant), *lines[index + 1 :]])
    if found is None:
        assert is_harmless(line, mutant, place)
    else:
        assert found >= index


@given(st.sampled_from(GIVEN), st.data())
def test_bytes_changed_anywhere_never_raise(path: Path, data: st.DataObject) -> None:
    """A file that was damaged as bytes, or joined from others, gets its verdict."""
    whole = path.read_bytes()
    at_byte = data.draw(st.integers(0, len(whole)))
    damaged = whole[:at_byte] + data.draw(st.binary(max_size=8)) + whole[at_byte + data.draw(st.integers(0, 3)) :]
    finding = verify(io.BytesIO(damaged)).finding
    assert finding is None or finding.line >= 1


@given(st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=40), ANY_JSON.map(json.dumps))))
def test_no_record_at_all_is_refused_in_one_sentence(lines: list[str | bytes]) -> None:
    """Lines of anything: the first is named."""
    finding = verify(lines).finding
    assert finding is not None
    assert finding.line == 1
    assert finding.rule == "record"
    assert str(finding).isprintable()
