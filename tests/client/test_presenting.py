"""What people read: every named scene as its text was looked at, and what has to hold of all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from positions import position
from prompt_toolkit.utils import get_cwidth
from scenes import SCENES, SCREENS, played, scene_of, screen, screen_file

from shanghai_client.holding import Holding, sort_by_use
from shanghai_client.language import LANGUAGES, speaking
from shanghai_client.pins import fingerprint_of
from shanghai_client.present.cells import cells, clip, left, right, wrap
from shanghai_client.present.choices import choice_lines
from shanghai_client.present.news import news_lines
from shanghai_client.present.people import People, level_text, name_text
from shanghai_client.present.score_sheet import places_of, score_lines
from shanghai_client.rulebook import UnknownRule, field_meaning, rule_lines, rule_numbers, rulebook_text
from shanghai_engine.bots import LEVELS
from shanghai_engine.card import CARDS, JOKER, Card, parse_cards
from shanghai_engine.contract import Contract
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import CLASSIC, PRESETS, STANDARD, RuleSet
from shanghai_engine.solver import distance
from shanghai_engine.state import Phase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_shown_as_it_was_looked_at(name: str, language: str) -> None:
    """The lines of a scene are those of its file (`python tests/scenes.py` writes it anew)."""
    assert screen(name, language) == screen_file(name, language).read_text(encoding="utf-8")


def test_no_screen_is_left_over() -> None:
    """Every file of a screen belongs to a scene."""
    assert set(SCREENS.glob("*.txt")) == {screen_file(name, language) for name in SCENES for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_no_line_is_wider_than_the_smallest_terminal(name: str, language: str) -> None:
    """Every line fits into 80 cells, with the widest names, eight players and 23 cards too."""
    assert [line for line in screen(name, language).splitlines() if get_cwidth(line) > 80] == []


def test_r13_1_the_warning_stands_only_where_passing_ends_the_hand() -> None:
    """The player on turn is warned with an empty stock that nothing renews, and not before."""
    warned = position(turn=0, phase=Phase.OFFER, stock="", discards="8S", discarder=3)
    renewed = position(turn=0, phase=Phase.OFFER, stock="", discards="2C 8S", discarder=3)
    assert any("CAREFUL" in line and "stock is empty" in line for line in choice_lines(scene_of(warned)))
    assert not any("CAREFUL" in line for line in choice_lines(scene_of(renewed)))


def test_a_spectators_screen_names_no_card_of_a_hand() -> None:
    """Nothing that a spectator is shown holds cards that lie in a hand alone."""
    game = position(hands={0: "2S"}, turn=0, phase=Phase.OFFER, discards="8S", discarder=3)
    scene = scene_of(game, None)
    assert scene.hand == ()
    assert "2S" not in "\n".join(choice_lines(scene))


@pytest.mark.parametrize("hand", range(1, 11))
@pytest.mark.parametrize(
    "cards",
    [
        "8C 8D KH KS 2C 3D 4D 5D 6D JK JK",
        "2C 3C 4C 5C 7D 8D 9D JD QS QS QD",
        "2C 4D 6H 8S TC QD AH 3S 5C 7D 9H",
        "2C 3C 4C 5C 6C 7C 8C 9C TC JC 4D 4H 4S",
        "JK JK JK JK 2C 2D 9S",
    ],
)
def test_sorting_by_use_keeps_every_card_and_says_the_distance(cards: str, hand: int) -> None:
    """The groups hold exactly the hand, and the cards missing are those that the solver counts."""
    held, contract = parse_cards(cards), STANDARD.contract(hand)
    holding = sort_by_use(held, contract, STANDARD)
    assert sorted(card for group in holding.groups for card in group.cards) == sorted(held)
    assert holding.missing == distance(held, contract, STANDARD)


@given(
    cards=st.lists(st.sampled_from([*CARDS, JOKER, JOKER, JOKER]), min_size=1, max_size=23),
    contract=st.sampled_from([*STANDARD.contracts, Contract(sets=(3,)), Contract(runs=(4,)), Contract(sets=(5, 3))]),
    rules=st.sampled_from([STANDARD, CLASSIC]),
)
def test_sorting_by_use_is_right_for_any_hand(cards: list[Card], contract: Contract, rules: RuleSet) -> None:
    """No hand, however odd, loses a card in its groups or gets another distance than the solver's."""
    holding = sort_by_use(cards, contract, rules)
    assert sorted(card for group in holding.groups for card in group.cards) == sorted(cards)
    assert holding.missing == distance(cards, contract, rules)


def test_sorting_by_use_shows_the_melds_that_the_distance_means() -> None:
    """The natural cards shown for the contract and the jokers leave just the missing cards open."""
    held, contract = parse_cards("4H 5H 7H 8C 8D TC TS AS KD 3C"), STANDARD.contract(2)
    holding = sort_by_use(held, contract, STANDARD)
    assert _groups(holding) == {"run": "4H 5H 7H", "set": "8C 8D", "pairs": "TC TS", "rest": "AS KD 3C"}
    assert holding.missing == contract.size - 5


def _groups(holding: Holding) -> dict[str, str]:
    return {group.name: " ".join(card.text for card in group.cards) for group in holding.groups}


def test_equal_totals_share_a_place() -> None:
    """Places count from 1, and the place behind a shared one is left out (R2.1)."""
    assert places_of((30, 10, 30, 50)) == (2, 1, 2, 4)


def test_the_score_sheet_adds_up() -> None:
    """The row of the totals is the sum of the rows above it, for every player."""
    lines = score_lines(scene_of(played(10, players=5)))
    rows = [[int(word.rstrip("*")) for word in line.split()[-5:]] for line in lines if line[:2].strip().isdigit()]
    totals = next([int(word) for word in line.split()[1:]] for line in lines if line.startswith("total"))
    assert len(rows) == 10
    assert [sum(column) for column in zip(*rows, strict=True)] == totals


def test_missed_events_are_said_to_be_missed() -> None:
    """An update that skipped events says so before its news."""
    scene = replace(scene_of(played(1)), skipped=True)
    assert news_lines(scene)[0] == "Some events were missed; the table is whole again."


@pytest.mark.parametrize("text", ["", "Ann", "日本太郎", "日本", "ABCDEFGH", "日a本b太c郎d", "👩‍👧 mum"])
@pytest.mark.parametrize("width", [1, 4, 7, 12])
def test_columns_have_their_width_in_cells(text: str, width: int) -> None:
    """Padding and cutting go by the cells that a terminal uses, for names in any script."""
    assert get_cwidth(left(text, width)) == width
    assert get_cwidth(right(text, width)) == width
    assert get_cwidth(clip(text, width)) <= width


def test_a_fingerprint_is_whole_where_a_line_is_narrower() -> None:
    """It is there to be compared: it goes on in the next line behind a colon; other words stay as they are."""
    fingerprint = fingerprint_of(b"a certificate")
    for width in (40, 57, 79):
        lines = wrap(f"its fingerprint is {fingerprint}; compare it", width=width, indent="  ")
        assert all(cells(line) <= width for line in lines)
        assert fingerprint in "".join(line.strip() for line in lines)
        assert [line[-1] for line in lines[1:-2]] == [":"] * len(lines[1:-2])
    assert wrap("x:" * 30, width=40) == ["x:" * 30]


def test_wrapping_keeps_the_words_and_the_indent() -> None:
    """A long line is broken at spaces, keeps its beginning, and goes on with the indent."""
    lines = wrap("  2  run  " + " ".join(["5H"] * 40), width=40, indent="      ")
    assert lines[0].startswith("  2  run  5H")
    assert all(line.startswith("      5H") for line in lines[1:])
    assert all(get_cwidth(line) <= 40 for line in lines)
    assert " ".join(lines).split() == ["2", "run", *["5H"] * 40]


def test_a_joker_shows_what_it_stands_for_in_a_run_alone() -> None:
    """In a run a joker is shown with its card; in a set it is only a joker (R8.4)."""
    shown = screen("turn_with_melds")
    assert "5H JK=6H 7H 8H" in shown
    assert "3C 3D JK " in shown
    assert JOKER.text == "JK"


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Speak each language."""
    with speaking(request.param):
        yield request.param


@pytest.mark.checkout
def test_the_rules_of_the_program_are_those_of_the_documentation(language: str) -> None:
    """`shanghai-rum rules` and docs/rules.md are one text, with every number from R1 to R16."""
    page = {"en": "rules.md"}.get(language, f"rules.{language}.md")
    documented = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    assert rulebook_text(language) == documented
    assert rule_numbers() == [f"R{number}" for number in range(1, 17)]


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize(
    ("chapter", "rules"),
    [
        (1, 3),
        (2, 4),
        (3, 2),
        (4, 4),
        (5, 3),
        (7, 14),
        (8, 6),
        (9, 2),
        (10, 3),
        (11, 3),
        (12, 2),
        (13, 2),
        (14, 2),
        (15, 1),
    ],
)
def test_every_rule_has_its_number(chapter: int, rules: int) -> None:
    """Each rule that an error may name can be asked for, and none beyond."""
    for number in range(1, rules + 1):
        assert rule_lines(f"R{chapter}.{number}")[0].startswith(f"R{chapter}.{number} ")
    with pytest.raises(UnknownRule):
        rule_lines(f"{chapter}.{rules + 1}")


@pytest.mark.usefixtures("language")
def test_every_refusal_names_a_rule_that_can_be_read() -> None:
    """The rule behind each refusal of the engine is in the rules, as a rule or as a chapter."""
    for refusal in Refusal:
        assert rule_lines(refusal.rule)


def test_every_house_rule_is_explained(language: str) -> None:
    """Each field of a rule set has its row in R16, with the same values in every language."""
    for field in STANDARD.to_mapping():
        assert field_meaning(field)
    assert [name for name in PRESETS if f"`{name}`" not in rulebook_text(language)] == []


def test_the_end_of_a_sentence_without_spaces_does_not_stand_alone() -> None:
    """A number stays with what it counts, and the last line has more than an ending, if it was broken within words."""
    text = "ハンド1: 3枚セット2つ。ディーラーはあなたです。アップカードはA♦、山札は63枚です。"
    for width in range(20, get_cwidth(text)):
        lines = wrap(text, width=width, indent="  ")
        assert all(get_cwidth(line) <= width for line in lines)
        assert "".join(line.strip() for line in lines).replace(" ", "") == text.replace(" ", "")
        assert get_cwidth(lines[-1].strip()) >= 8
        assert not any(line[-1].isdecimal() for line in lines)
    assert wrap("a b", width=2, indent="") == ["a", "b"]


def test_a_level_of_the_bots_is_told_in_ones_own_language() -> None:
    """Every level of this program has a name in every language; one of another program keeps its own."""
    for level in LEVELS:
        with speaking("ja"):
            assert not level_text(level).isascii()
        assert level_text(level) == level
    with speaking("ja"):
        assert level_text("divine") == "divine"
        assert level_text("") == ""


def test_the_names_of_bots_are_words_and_all_others_are_names() -> None:
    """They are shown in the player's language, in a record too; a person's name stays as he gave it."""
    assert name_text("Bot 1") == "Bot 1"
    with speaking("ja"):
        assert [name_text(name) for name in ("Bot 1", "Bot 12", "Botho", "Bot x", "")] == [
            "ボット1",
            "ボット12",
            "Botho",
            "Bot x",
            "",
        ]
        assert People.called(["Ann", "Bot 3"]).names == ("Ann", "ボット3")
        assert "ボット1" in score_lines(scene_of(played(1)))[0]
