"""Events to record lines and back: the given records to the byte, and a sentence for every line that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from records import GIVEN, given_lines, random_game, record_of

from shanghai_engine.action import Answer, Claim
from shanghai_engine.event import Answered, GameStarted
from shanghai_engine.game import Game
from shanghai_engine.line import line_text, parse_line
from shanghai_engine.malformed import BadRecord, Malformed
from shanghai_engine.record import event_of, line_of
from shanghai_engine.rules import LITERAL, STANDARD
from shanghai_engine.state import Phase

PAIR = next(path for path in GIVEN if path.stem == "p2-1")


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_given_record_is_replayed_event_by_event_and_written_again_to_the_byte(path: Path) -> None:
    """Every line is read, taken in, and written as it stood."""
    lines = given_lines(path)
    game: Game | None = None
    for text in lines:
        event = event_of(parse_line(text), None if game is None else game.state)
        assert line_text(line_of(event)) == text
        if isinstance(event, GameStarted):
            game = Game(event)
        else:
            assert game is not None
            game.evolve(event)
    assert game is not None
    assert game.state.phase is Phase.GAME_OVER
    assert record_of(game) == lines


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_game_is_rebuilt_from_its_record(path: Path) -> None:
    """The rebuilt game stands where the record ends, and has the same record."""
    lines = given_lines(path)
    game = Game.from_record(map(parse_line, lines))
    last = json.loads(lines[-1])
    assert list(game.state.totals) == last["totals"]
    assert list(game.state.places) == last["places"]
    assert record_of(game) == lines


def test_a_journal_rebuilds_a_game_with_its_sealed_answers() -> None:
    """Lines of all events, answers too, rebuild the very state in the middle of an offer; a record has no answers."""
    game = Game.new(seed=bytes(32), players=4)
    game.apply(Answer(game.state.asked.order[-1], Claim.PASS))
    journal = [line_of(event) for event in game.events]
    assert journal[-1] == {"event": "x_answer", "seat": game.state.asked.order[-1], "answer": "pass"}
    twin = Game.from_record(parse_line(line_text(line)) for line in journal)
    assert twin.state == game.state
    assert twin.events == game.events
    assert isinstance(twin.events[-1], Answered)
    assert [line["event"] for line in game.record()] == ["game", "deal"]


@pytest.mark.parametrize("players", [2, 5, 8])
def test_every_event_of_a_game_is_read_back_as_it_was(players: int) -> None:
    """An event, written and read given the state before it, is equal to itself."""
    game = random_game(players, players=players, rules=LITERAL)
    twin = Game.replay(game.events[:1])
    assert event_of(line_of(game.events[0]), None) == game.events[0]
    for event in game.events[1:]:
        assert event_of(parse_line(line_text(line_of(event))), twin.state) == event
        twin.evolve(event)
    assert twin.state == game.state


def head() -> dict[str, Any]:
    """Give the first line of a given record."""
    line: dict[str, Any] = json.loads(given_lines(PAIR)[0])
    return line


def test_r16_a_field_that_the_rules_lack_has_its_standard_value() -> None:
    """Also within points and packs; an empty set of rules is the standard."""
    line = head()
    for rules in ({}, {"points": {}, "packs": {"2": 2}}, {"reshuffles": 1}):
        event = event_of({**line, "rules": rules}, None)
        assert isinstance(event, GameStarted)
        assert event.rules == STANDARD


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        ({"jokers": 2}, "'jokers'"),
        ({"aces": "low"}, "'aces'"),
        ({"reshuffles": 1.0}, "'reshuffles'"),
        ({"reshuffles": 256}, "'reshuffles'"),
        ({"points": {"1": 5}}, "'points'"),
        ({"points": []}, "'points'"),
        ({"contracts": [{"sets": [2]}]}, "'contracts'"),
        ({"contracts": 7}, "'contracts'"),
        ({"buys": [3]}, "'buys'"),
        ({"packs": {"2": True}}, "'packs'"),
    ],
)
def test_r16_rules_that_are_unknown_or_cannot_be_played_make_a_record_unreadable(rules: object, named: str) -> None:
    """The field is named, and what it could be."""
    with pytest.raises(BadRecord, match=named) as bad:
        event_of({**head(), "rules": rules}, None)
    assert bad.value.rule == "R16"


def test_free_keys_are_left_out_unread_wherever_they_stand() -> None:
    """A key that begins with x_ may stand in any object, and hold anything."""
    lines = [json.loads(line) for line in given_lines(PAIR)]
    deep: list[Any] = []
    for _ in range(60):
        deep = [deep]
    for line in lines:
        line["x_date"] = {"seat": deep, "x": None}
    lines[0]["rules"] = {**lines[0]["rules"], "x_house": 1}
    lines[0]["rules"]["points"]["x_note"] = "as ever"
    lines[0]["rules"]["contracts"][0]["x_note"] = []
    lines[1]["contract"]["x_note"] = 0
    lines[2]["answers"]["x_who"] = "bots"
    lay_down = next(line for line in lines if line["event"] == "lay_down")
    lay_down["melds"][0]["x_note"] = None
    for read in (lines, [parse_line(line_text(line)) for line in lines]):
        assert record_of(Game.from_record(read)) == given_lines(PAIR)


def altered(event: str, values: dict[str, object]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the first line of an event in a given record with other values, and the lines before it."""
    lines = [json.loads(line) for line in given_lines(PAIR)]
    index = next(index for index, line in enumerate(lines) if line["event"] == event)
    line = {**lines[index], **values}
    return {key: value for key, value in line.items() if value is not ...}, lines[:index]


@pytest.mark.parametrize(
    ("event", "values", "sentence"),
    [
        ("game", {"version": 2}, "'version' of the game line is 2: it is a whole number from 1 to 1"),
        ("game", {"version": True}, "'version' of the game line is true"),
        ("game", {"version": ...}, "the game line has no 'version'"),
        ("game", {"players": ["Ann"]}, "the number of players in the game line is 1: a game has 2 to 8 players"),
        ("game", {"players": ["Ann", "\ud800"]}, "'players' of the game line is '\\\\ud800': it is text"),
        ("game", {"nonces": ["00" * 16]}, "it has 2 entries, one for each seat"),
        ("game", {"game_seed": "0" * 63}, "it is 32 bytes as 64 lower-case hexadecimal digits"),
        ("game", {"game_seed": "AB" * 32}, "it is 32 bytes as 64 lower-case hexadecimal digits"),
        ("game", {"date": "today"}, "the game line has a key 'date'.*free keys begin with x_"),
        ("game", {"event": "deal"}, "the first line is of the event 'deal': a record begins with a game line"),
        ("deal", {"hand": 11}, "it is a whole number from 1 to 10"),
        ("deal", {"upcard": "10H"}, "'upcard' of the deal line is '10H': a card is a rank"),
        ("deal", {"upcard": 8}, "'upcard' of the deal line is 8: a card is a rank"),
        ("deal", {"hands": [[]]}, "it has 2 entries"),
        (
            "deal",
            {"event": "shuffle"},
            "after the game line the events are deal, offer",
        ),
        ("deal", {"event": []}, "the line is of the event \\[\\]"),
        ("deal", {"event": ...}, "the line is of the event null"),
        ("offer", {"answers": []}, "\\[\\] stands for the answers: the answers is an object"),
        ("offer", {"answers": {"00": "pass"}}, "the answers have a key '00': each is a seat from 0 to 1"),
        ("offer", {"answers": {"0": "maybe"}}, "'maybe': it is 'take' or 'buy' or 'pass' or 'timeout'"),
        ("draw", {"from": "dead"}, "'from' of the draw line is 'dead': it is 'stock' or 'upcard'"),
        ("draw", {"seat": 2}, "'seat' of the draw line is 2: it is a whole number from 0 to 1"),
        ("lay_down", {"melds": [7]}, "7 stands for a meld: a meld is an object"),
        ("lay_down", {"melds": [{"id": 0, "kind": "set", "cards": ["8H", "9H", "8D"]}]}, "8H 9H 8D is no set"),
        ("lay_off", {"meld": 9}, "the lay_off line names meld 9 on the table: the first is 0, and the last"),
        ("swap", {"cards": ["JK"]}, "gives meld 3 the size 1: it is 4"),
        ("hand_end", {"scores": [-5, 0]}, "it is a whole number from 0"),
        ("game_end", {"places": [0, 1]}, "it is a whole number from 1 to 2"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_would_be_right(
    event: str, values: dict[str, object], sentence: str
) -> None:
    """Whatever is wrong with a line is one sentence, and never another exception."""
    line, before = altered(event, values)
    with pytest.raises(BadRecord, match=sentence) as bad:
        event_of(line, Game.from_record(before).state if before else None)
    assert isinstance(bad.value, Malformed)
    with pytest.raises(BadRecord, match=f"^line {len(before) + 1}: ") as numbered:
        Game.from_record([*before, line])
    assert numbered.value.rule == bad.value.rule


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the line is blank"),
        (" \r\n", "the line is blank"),
        ("[]", "the line holds \\[\\]: a line of a record is one JSON object"),
        ("7", "the line holds 7"),
        ('{"event":', "is not JSON \\(Expecting value at character 10\\)"),
        ('{"event":"game"}}', "is not JSON \\(Extra data"),
        ('{"a":1,"a":1}', "the key 'a' stands twice in one object"),
        ('{"a":NaN}', "NaN stands in the line: JSON has no such number"),
        ('{"a":-Infinity}', "-Infinity stands in the line"),
        ('{"a":' + "9" * 5000 + "}", "a number of thousands of digits"),
        ('{"a":' + "[" * 100_000, "stand too deep within each other"),
        ('{"a":' + "[" * 200 + "]" * 200 + "}", "stand too deep within each other"),
        ("\ufeff{}", "is not JSON"),
        (b"\xff\xfe{}", "the line is not UTF-8 at its byte 1"),
        (b"\x00\x01", "is not JSON"),
    ],
    ids=range(15),
)
def test_text_that_is_no_line_is_refused_in_one_sentence(text: str | bytes, sentence: str) -> None:
    """Also what would exhaust the parser."""
    with pytest.raises(BadRecord, match=sentence) as bad:
        parse_line(text)
    assert str(bad.value).isprintable()
    assert len(str(bad.value)) < 300


@pytest.mark.parametrize(
    ("order", "last"),
    [
        ([], None),
        ([0, 0], None),
        ([0, 3], None),
        ([0, 2, 3], None),
        ([0, 1], {"event": "discard", "seat": 0, "card": "AS"}),
        ([0, 1], {"event": "swap", "seat": 0, "meld": 0, "index": 0, "card": "AS", "cards": ["AS", "AS", "AS"]}),
    ],
)
def test_lines_that_cannot_be_taken_in_are_refused(order: list[int], last: dict[str, Any] | None) -> None:
    """Rebuilding a game from lines in another order, or of another game, is refused and never breaks."""
    lines = [json.loads(line) for line in given_lines(PAIR)]
    spoilt = [lines[index] for index in order] + ([] if last is None else [last])
    with pytest.raises(BadRecord):
        Game.from_record(spoilt)
