"""The one table of commands: that it is whole, and what it makes of what people type."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from scenes import SCENES, scene

from shanghai_client.commands.command import BadCommand, Topic
from shanghai_client.commands.table import COMMANDS, completions, find, help_lines, split
from shanghai_client.commands.words import read_card, read_melds
from shanghai_client.scene import Scene
from shanghai_engine.card import cards_text
from shanghai_engine.meld import MeldKind

DOCS = Path(__file__).parents[2] / "docs" / "commands.md"


@pytest.fixture
def melds() -> Scene:
    """Give a turn with melds on the table."""
    return scene("turn_with_melds")


def test_no_two_commands_share_a_name() -> None:
    """Every name and alias belongs to one command."""
    names = Counter(name for command in COMMANDS for name in (command.name, *command.aliases))
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_is_in_the_help(command: object) -> None:
    """The help of all commands and of each one names its usage and says what it does."""
    found = next(each for each in COMMANDS if each is command)
    assert found.help
    assert any(found.usage in line for line in help_lines())
    assert help_lines(found.name)[0].startswith(f"  {found.usage}")
    assert find(found.shortest) is found


@pytest.mark.checkout
def test_every_command_is_in_the_documentation() -> None:
    """docs/commands.md lists every command with its usage and its help, as the table has them."""
    text = DOCS.read_text(encoding="utf-8")
    rows = [f"| `{command.usage.replace('|', chr(92) + '|')}` |" for command in COMMANDS]
    assert [row for row in rows if row not in text] == []
    assert [command.name for command in COMMANDS if command.help not in text] == []


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
@pytest.mark.parametrize("name", SCENES)
def test_completion_answers_in_every_scene(command: object, name: str) -> None:
    """What a command may be followed by is found wherever the game stands, and never fails."""
    found = next(each for each in COMMANDS if each is command)
    shown = scene(name)
    assert all(isinstance(word, str) for word in completions(f"{found.name} ", shown))


def test_completion_gives_what_is_legal(melds: Scene) -> None:
    """Cards and places are those of the decision, and narrowed by what is typed."""
    assert completions("off ", melds) == ["4H", "QH", "3S", "8S", "JK"]
    assert completions("off j", melds) == ["JK"]
    assert completions("off JK ", melds) == ["0", "1", "2", "3"]
    assert completions("off JK 1 ", melds) == ["low", "high"]
    assert completions("swap ", melds) == ["6H", "3S"]
    assert completions("discard 8", melds) == ["8S"]
    assert completions("disc", melds) == ["discard ", "discards"]
    assert completions("rul", melds) == ["rules "]
    assert completions("tab", melds) == ["table"]
    assert completions("lay 8", None) == []


@pytest.mark.parametrize(
    ("name", "playing"),
    [
        ("offer_on_turn", ["take", "pass"]),
        ("offer_to_a_buyer", ["pass", "buy"]),
        ("turn_that_can_lay_down", ["lay", "discard"]),
        ("turn_with_melds", ["off", "swap", "discard"]),
        ("between_hands", ["go"]),
        ("floating", []),
        ("spectator", []),
    ],
)
def test_completion_of_nothing_names_what_answers_now(name: str, playing: list[str]) -> None:
    """An empty line completes to the commands that show something, and of those that answer to the legal ones."""
    names = [each.strip() for each in completions("", scene(name))]
    assert [each for each in names if find(each).topic is Topic.PLAYING] == playing
    assert [each for each in names if find(each).topic is not Topic.PLAYING] == [
        command.name for command in COMMANDS if command.topic is not Topic.PLAYING
    ]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        *[("8h", "8H"), ("10d", "TD"), ("TD", "TD"), ("jk", "JK"), ("joker", "JK"), ("qS", "QS"), ("aC", "AC")],
        *[
            ("K♠", "KS"),
            ("5♣", "5C"),
            ("10♦", "TD"),
            ("8♥", "8H"),
            ("a♤", "AS"),
            ("4♧", "4C"),
            ("3♢", "3D"),
            ("2♡", "2H"),
        ],
        *[("8♥\ufe0f", "8H"), ("🃏", "JK"), ("🃟", "JK"), ("🂿", "JK"), ("\uff18\uff28", "8H"), ("\uff11\uff10♠", "TS")],
    ],
)
def test_cards_are_read_as_people_type_them(typed: str, found: str) -> None:
    """Small letters, 10 for T, joker for JK, the signs that the screen shows and wide letters are understood."""
    assert read_card(typed).text == found


@pytest.mark.parametrize("typed", ["", "1H", "11H", "8", "H8", "8X", "JK2", "½H", "♥8", "♥", "8♥♥", "🂡"])
def test_what_is_no_card_is_named(typed: str) -> None:
    """A word that is no card is refused with the word and what a card is."""
    with pytest.raises(BadCommand, match="is no card: a card is a rank"):
        read_card(typed)


def test_the_kind_of_a_meld_is_plain_from_its_cards(melds: Scene) -> None:
    """Sets and runs are told apart, and a run without jokers may be typed in any order."""
    drafts = read_melds(["8c", "8d", "JK", "/", "7h", "5h", "4h", "6h"], melds)
    assert [(draft.kind, cards_text(draft.cards)) for draft in drafts] == [
        (MeldKind.SET, "8C 8D JK"),
        (MeldKind.RUN, "4H 5H 6H 7H"),
    ]
    assert read_melds(["run", "8C", "8D", "8H"], melds)[0].kind is MeldKind.RUN


@pytest.mark.parametrize("typed", ["/", "8C 8D 8H /", "set", "8C 8D 8H / run"])
def test_a_missing_meld_is_said_to_be_missing(typed: str, melds: Scene) -> None:
    """A stroke without a meld before or behind it is a slip, not a lay-down."""
    with pytest.raises(BadCommand, match="a meld is missing"):
        read_melds(typed.split(), melds)


def test_commands_are_found_by_their_beginnings() -> None:
    """A name may be cut where no other begins so; else the choices are named."""
    assert find("sco").name == "score"
    assert find("TAKE").name == "take"
    with pytest.raises(BadCommand, match="is no command: help lists them"):
        find("fold")
    with pytest.raises(BadCommand, match="can be legal, leave: write one more letter"):
        find("le")


@pytest.mark.parametrize(
    ("line", "name"),
    [("di KS", "discard"), ("dis", "discards"), ("di", "discards"), ("re 2", "remove"), ("le yes", "leave")],
)
def test_what_stands_behind_a_beginning_says_which_command_it_can_be(line: str, name: str) -> None:
    """A command that stands alone is not meant with a word behind it, nor one that needs a word without any."""
    word, *words = line.split()
    assert find(word, words).name == name


@pytest.mark.parametrize(("line", "names"), [("le", "legal, leave"), ("bo 2", "bots, bot"), ("re", "resume, rematch")])
def test_a_beginning_that_stays_unclear_is_asked_about(line: str, names: str) -> None:
    """Where several commands can be meant none of them is run."""
    word, *words = line.split()
    with pytest.raises(BadCommand, match=f"can be {names}: write one more letter"):
        find(word, words)


def test_a_beginning_is_completed_as_its_command_is() -> None:
    """Behind `di` stand the cards that `discard` takes, and behind what stays unclear nothing."""
    shown = scene("turn_with_melds")
    assert completions("di ", shown) == completions("discard ", shown) != []
    assert completions("bo ", shown) == completions("fold ", shown) == []


def test_cards_are_completed_whatever_signs_they_are_begun_with() -> None:
    """A card that is begun in signs or small letters becomes its text form, and the words behind it know it."""
    shown = scene("turn_with_melds")
    card = shown.hand[0]
    sign = card.text[0] + "♣♦♥♠"["CDHS".index(card.text[1])]
    assert completions(f"discard {sign}", shown) == completions(f"discard {card.text.lower()}", shown) == [card.text]
    assert shown.play is not None
    fits = next(each.card.text for each in shown.play.lay_offs if each.card.suit is not None)
    signed = fits[0] + "♣♦♥♠"["CDHS".index(fits[1])]
    assert completions(f"off {signed} ", shown) == completions(f"off {fits} ", shown) != []


def test_talk_may_follow_the_apostrophe_at_once() -> None:
    """'hello is say hello, and apostrophes within words mean nothing."""
    assert split("'hello all") == ("'", ["hello", "all"])
    assert split("say it's late") == ("say", ["it's", "late"])


def test_what_a_choice_names_as_its_command_is_a_command() -> None:
    """Every command that a decision's lines name can be typed."""
    for claims in ("take (t)", "buy (b)", "pass (p)", "go (g)", "lay (l)"):
        word, short = claims.split()
        assert find(word) is find(short.strip("()"))
