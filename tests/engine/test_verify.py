"""Verification: lawful games under any rules, what a record may leave open, forgeries, and receipts."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from records import GIVEN, given_lines, random_game, record_of
from rule_table import house_rules

from shanghai_engine.contract import STANDARD_CONTRACTS, Contract
from shanghai_engine.event import EndReason
from shanghai_engine.line import line_text
from shanghai_engine.rules import CLASSIC, LITERAL, STANDARD, RuleSet
from shanghai_engine.shuffle import commitment
from shanghai_engine.verify import Finding, Receipt, verify

FOUR = next(path for path in GIVEN if path.stem == "p4-3")
PAIR = next(path for path in GIVEN if path.stem == "p2-1")


@pytest.mark.parametrize("path", GIVEN, ids=lambda path: path.stem)
def test_a_given_record_is_lawful_and_its_game_is_played_again_to_the_byte(path: Path) -> None:
    """From seed and plays alone the engine makes the very file; it may be read as bytes or as text."""
    verdict = verify(io.BytesIO(path.read_bytes()))
    assert verdict.finding is None
    assert verdict.lawful
    assert verdict.game is not None
    assert record_of(verdict.game) == given_lines(path)
    assert verify(given_lines(path)).lawful
    assert verify(line + "\r\n" for line in given_lines(path)).lawful


SHORT = tuple(STANDARD_CONTRACTS[index] for index in (0, 2, 7))
HOUSE_RULES: dict[str, RuleSet] = {
    "standard": STANDARD,
    "literal": LITERAL,
    "no buys": RuleSet(buys=(0,) * 3, contracts=SHORT, cards_dealt=(13,) * 3),
    "buys without limit, for nothing": RuleSet(
        buys=(-1,) * 3, buy_extra_cards=0, contracts=SHORT, cards_dealt=(11,) * 3
    ),
    "three extra cards": RuleSet(buy_extra_cards=3, buys=(2,) * 3, contracts=SHORT, cards_dealt=(10, 11, 12)),
    "one extra card": RuleSet(buy_extra_cards=1, turn_may_buy="always"),
    "turn left": RuleSet(buy_priority="turn_left", down_may_buy=True, turn_may_buy="always"),
    "turn never buys": RuleSet(turn_may_buy="never", contracts=SHORT[:2], buys=(3, 3), cards_dealt=(11, 11)),
    "swaps when down": RuleSet(joker_swap="down_only", swap_in_sets=False, reshuffles=3),
    "no swaps": RuleSet(joker_swap="nobody", points=(0,) * 13 + (100,)),
    "ten turns": RuleSet(turn_limit=10, reshuffles=5),
    "many packs": RuleSet(packs=(6,) * 7, contracts=(Contract(sets=(4, 3), runs=(4,)),), buys=(5,), cards_dealt=(15,)),
    "classic": replace(CLASSIC, contracts=SHORT, buys=(3,) * 3, cards_dealt=(11,) * 3),
    "any jokers": RuleSet(
        jokers_per_meld="any", swapped_joker="play_this_turn", contracts=SHORT, buys=(3,) * 3, cards_dealt=(11,) * 3
    ),
    "one joker, later lay-offs, further melds": RuleSet(
        jokers_per_meld=1,
        lay_off_when_laying_down=False,
        extra_melds=True,
        contracts=SHORT,
        buys=(3,) * 3,
        cards_dealt=(11,) * 3,
    ),
    "melds that differ": RuleSet(
        distinct_set_ranks=True, distinct_run_suits=True, contracts=SHORT, buys=(3,) * 3, cards_dealt=(11,) * 3
    ),
}


@pytest.mark.parametrize(
    ("name", "players"), [(name, players) for index, name in enumerate(HOUSE_RULES) for players in (2, 3 + index % 6)]
)
def test_r16_a_game_under_any_rules_is_lawful_and_fixed_to_the_byte(name: str, players: int) -> None:
    """Games that the engine has played verify under their own rules, and are played again to the byte."""
    game = random_game(players, players=players, rules=HOUSE_RULES[name], eager=0.9)
    lines = record_of(game)
    verdict = verify(lines)
    assert verdict.finding is None
    assert verdict.game is not None
    assert verdict.game.state == game.state
    assert record_of(verdict.game) == lines


def test_r16_every_value_is_among_the_rules_that_are_verified() -> None:
    """Each field has each of its listed values in one of these rule sets, and any other field at least two."""
    for field, values in house_rules().items():
        held = {getattr(rules, field) for rules in HOUSE_RULES.values()}
        named = {str(value).lower() if isinstance(value, bool) else value for value in held}
        named |= {"number"} if any(type(value) is int for value in held) else set()
        assert named.issuperset(values), field
        assert len(held) > 1, field


def test_hands_that_end_in_every_way_are_among_the_lawful_games() -> None:
    """Somebody goes out, the stock runs out, all turns are played, cards are reshuffled, seats run out of time."""
    reasons: Counter[EndReason] = Counter()
    events: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    ways = [(STANDARD, 1.0), (STANDARD, 0.3), (LITERAL, 0.3), (replace(STANDARD, turn_limit=10), 0.3)]
    for number, (rules, eager) in enumerate(ways):
        game = random_game(number, players=3, rules=rules, eager=eager, late=0.05)
        reasons.update(result.reason for result in game.state.results)
        lines = record_of(game)
        assert verify(lines).finding is None
        for line in map(json.loads, lines):
            events[line["event"]] += 1
            claims.update(line.get("answers", {}).values())
    assert set(reasons) == set(EndReason)
    assert {"swap", "reshuffle", "lay_off"} <= set(events)
    assert set(claims) == {"take", "buy", "pass", "timeout"}


def forged(path: Path, forge: Callable[[list[dict[str, Any]]], None]) -> Finding | None:
    """Verify a copy of a record in which the lines were changed in place."""
    lines = [json.loads(line) for line in given_lines(path)]
    forge(lines)
    return verify(map(line_text, lines)).finding


def first(lines: list[dict[str, Any]], **values: object) -> int:
    """Give the place of the first line that has these values."""
    return next(index for index, line in enumerate(lines) if {**line, **values} == line)


def test_r7_11_answers_beyond_the_deciding_one_are_accepted() -> None:
    """As far as the seat could have given them, in claim order."""

    def more(lines: list[dict[str, Any]]) -> None:
        for line in lines:
            if line["event"] == "offer":
                order = [str(seat) for seat in line["eligible"]]
                given = list(line["answers"])
                late = order[order.index(given[-1]) + 1 :] if given[-1] in order else order if len(given) == 1 else []
                line["answers"].update(dict.fromkeys([seat for seat in late if seat not in given], "buy"))

    assert forged(FOUR, more) is None


@pytest.mark.parametrize(
    ("answers", "rule", "words"),
    [
        ({"0": "pass", "1": "pass", "2": "buy", "3": "take"}, "R7.10", "seat 3 has no part in the offer of JD"),
        ({"0": "pass", "1": "take"}, "R7.5", "only the player on turn, seat 0, can take JD"),
        ({"0": "buy"}, "R7.9", "the player on turn does not buy"),
        ({"1": "pass", "0": "pass", "2": "buy"}, "R7.11", "the answer of seat 1 does not stand in its place"),
        ({"0": "pass", "2": "buy"}, "R7.11", "the answer of seat 2 does not stand in its place"),
        ({"0": "pass", "1": "pass"}, "R7.11", "the answers end before that of seat 2"),
        ({}, "R7.11", "the answers end before that of seat 0"),
        ({"0": "pass", "1": "buy", "2": "buy"}, "R7.4", "'seat' of the offer line is 2: it should be 1"),
        (
            {"0": "take", "1": "pass", "2": "buy"},
            "R7.5",
            "'result' of the offer line is 'bought': it should be 'taken'",
        ),
        ({"0": "pass", "1": "pass", "2": "pass"}, "R7.11", "'result' of the offer line is 'bought'"),
        ({"0": "take", "2": "buy", "1": "take"}, "R7.5", "only the player on turn"),
    ],
)
def test_r7_answers_that_cannot_be_right_are_named(answers: dict[str, str], rule: str, words: str) -> None:
    """The offer was bought by the last of three seats: any other answers contradict it or the rules."""
    place = 0

    def forge(lines: list[dict[str, Any]]) -> None:
        nonlocal place
        place = first(lines, event="offer", card="JD", turn=0)
        assert lines[place]["answers"] == {"0": "pass", "1": "pass", "2": "buy"}
        lines[place]["answers"] = answers
        if rule == "R7.5" and answers.get("1") == "pass":
            lines[place]["seat"] = 0

    finding = forged(FOUR, forge)
    assert finding is not None
    assert (finding.line, finding.rule) == (place + 1, rule)
    assert words in finding.sentence


FORGERIES: dict[str, tuple[str, str, dict[str, object]]] = {
    "another packs": ("game", "R1.2", {"packs": 3}),
    "another commitment": ("game", "R2.2", {"commitment": "00" * 32}),
    "another hand's number": ("deal", "R2.1", {"hand": 2}),
    "another contract": ("deal", "R6", {"contract": {"sets": [3], "runs": [4]}}),
    "another dealer": ("deal", "R2.2", {"dealer": 3}),
    "another hand seed": ("deal", "R12.2", {"seed": "00" * 32}),
    "another hand commitment": ("deal", "R12.2", {"commitment": "00" * 32}),
    "another upcard": ("deal", "R3.2", {"upcard": "JK"}),
    "a stock of one card": ("deal", "R3.2", {"stock": ["6H"]}),
    "another card offered": ("offer", "R5.1", {"card": "JK"}),
    "another on turn": ("offer", "R4.1", {"turn": 3}),
    "another claim order": ("offer", "R7.4", {"eligible": [3, 2, 0]}),
    "another penalty": ("offer", "R7.1", {"penalty": ["6H"]}),
    "another draws": ("draw", "R4.1", {"seat": 3}),
    "drawn from elsewhere": ("draw", "R7.13", {"from": "upcard"}),
    "another card drawn": ("draw", "R4.2", {"card": "JK"}),
    "another discards": ("discard", "R4.1", {"seat": 3}),
    "a card not held is discarded": ("discard", "R4.2", {"card": "2S"}),
    "a lay-off on another meld": ("lay_off", "R9.2", {"meld": 0}),
    "another end of the hand": ("hand_end", "R11.1", {"reason": "stock"}),
    "another winner": ("hand_end", "R11.1", {"winner": None}),
    "other scores": ("hand_end", "R12.1", {"scores": [0, 0, 0, 0]}),
    "other totals": ("hand_end", "R2.1", {"totals": [0, 0, 0, 0]}),
    "other places": ("game_end", "R2.1", {"places": [1, 1, 1, 1]}),
    "other last totals": ("game_end", "R2.1", {"totals": [0, 0, 0, 0]}),
    "another new stock": ("reshuffle", "R13.2", {"stock": []}),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_field_that_cannot_be_right_is_named_with_its_rule(name: str) -> None:
    """What stands there, what should, and the rule that says so."""
    event, rule, values = FORGERIES[name]
    place = 0

    def forge(lines: list[dict[str, Any]]) -> None:
        nonlocal place
        place = first(lines, event=event)
        lines[place].update(values)

    finding = forged(FOUR, forge)
    assert finding is not None
    assert finding.line == place + 1
    assert finding.rule == rule, finding
    assert ": " in finding.sentence


def test_a_game_with_another_seed_and_its_right_commitment_is_found_at_the_first_deal() -> None:
    """The hand's seed follows from the game's, so a changed commitment helps no forger."""

    def forge(lines: list[dict[str, Any]]) -> None:
        lines[0].update(game_seed=bytes(32).hex(), commitment=commitment(bytes(32)).hex())

    finding = forged(FOUR, forge)
    assert finding is not None
    assert (finding.line, finding.rule) == (2, "R2.2")


def test_r12_1_points_that_the_rules_change_show_at_the_first_hand_that_counts_them() -> None:
    """A rule set that was changed afterwards does not fit the scores."""

    def forge(lines: list[dict[str, Any]]) -> None:
        lines[0]["rules"]["points"]["A"] = 16

    finding = forged(FOUR, forge)
    assert finding is not None
    assert finding.rule == "R12.1"
    assert json.loads(given_lines(FOUR)[finding.line - 1])["event"] == "hand_end"


@pytest.mark.parametrize(
    ("rules", "rule"),
    [
        ({"packs": {"4": 1}}, "R1.2"),
        ({"packs": {"4": 1}, "cards_dealt": [15] * 10}, "R16"),
        ({"reshuffles": 0}, "R13.1"),
    ],
)
def test_r16_rules_that_do_not_fit_the_game_are_found(rules: dict[str, object], rule: str) -> None:
    """Rules that cannot be played by so many, or by which the game would have gone on in another way."""

    def forge(lines: list[dict[str, Any]]) -> None:
        lines[0]["rules"] = rules

    finding = forged(FOUR, forge)
    assert finding is not None
    assert finding.rule == rule


def test_r7_14_a_sealed_answer_has_no_line_in_a_record() -> None:
    """It is a journal's line, and the offer tells it."""

    def forge(lines: list[dict[str, Any]]) -> None:
        lines.insert(2, {"event": "x_answer", "seat": 1, "answer": "pass"})

    finding = forged(FOUR, forge)
    assert finding == Finding(3, "R7.10", "the event 'x_answer' stands here: offer comes next")


def test_a_line_that_is_no_text_is_said_in_few_words() -> None:
    """As who gives the dicts of `Game.record` reads it: what was given is cut, what would be right is whole."""
    verdict = verify(random_game(7, players=2).record())  # type: ignore[arg-type]
    assert verdict.finding is not None
    assert verdict.finding.rule == "record"
    assert "and no text: a line of a record is one JSON object in UTF-8" in verdict.finding.sentence
    assert len(verdict.finding.sentence) < 250


def test_no_lines_are_no_record() -> None:
    """An empty file is refused at its first line."""
    assert verify([]).finding == Finding(1, "record", "the record is empty: its first line is a game line")


def receipt_of(path: Path, seat: int) -> Receipt:
    """Give what the player at a seat kept of a given game."""
    line = json.loads(given_lines(path)[0])
    return Receipt(commitment=bytes.fromhex(line["commitment"]), nonce=bytes.fromhex(line["nonces"][seat]), seat=seat)


def test_a_record_is_compared_with_the_receipt_of_its_game() -> None:
    """A lawful record of another game, or one dealt without this player's nonce, is refused."""
    lines = given_lines(FOUR)
    receipt = receipt_of(FOUR, 2)
    for right in (receipt, replace(receipt, seat=None), replace(receipt, seat=None, nonce=None)):
        assert verify(lines, receipt=right).lawful
    for other, words in (
        (receipt_of(PAIR, 1), "the game's commitment is"),
        (replace(receipt, nonce=bytes(16)), "the nonce of seat 2 is"),
        (replace(receipt, seat=1), "the nonce of seat 1 is"),
        (replace(receipt, seat=4), "the game has the seats 0 to 3: the receipt is that of seat 4"),
        (replace(receipt, seat=None, nonce=b"m" * 16), "the nonces of the game are"),
    ):
        finding = verify(lines, receipt=other).finding
        assert finding is not None
        assert (finding.line, finding.rule) == (1, "R2.2")
        assert words in finding.sentence
        assert str(finding) == f"line 1: {finding.sentence} (R2.2)"
