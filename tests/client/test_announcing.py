"""What is told when an update arrives, in the lobby and around the game, each thing once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from prompt_toolkit.utils import get_cwidth
from scenes import SCENES, played, scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.failure import Refused
from shanghai_client.plain.announcer import Announcer
from shanghai_client.present.house_rules import change_lines, table_rules_lines
from shanghai_client.present.refusal import SENTENCES, refusal_text
from shanghai_client.present.talk import talk_lines
from shanghai_client.rulebook import rule_lines
from shanghai_client.scene import Scene
from shanghai_client.watching import Lost
from shanghai_engine.refusal import Refusal
from shanghai_engine.rules import CLASSIC, PRESETS, QUICK, RuleSet
from shanghai_wire.rules import rules_message


class Told:
    """An announcer, and what it has said since it was last asked."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.announcer = Announcer(self.lines.extend)

    def by(self, scene: Scene) -> list[str]:
        """Give what a scene makes it say."""
        self.lines.clear()
        self.announcer.show(scene)
        return list(self.lines)


def lobby(names: Sequence[str], *, connected: bool = True, host: int = 0, rules: RuleSet | None = None) -> Scene:
    """Give a lobby with persons of these names on the first seats of four, as the first of them sees it."""
    seats = [
        table_pb2.Seat(
            index=index,
            occupant=table_pb2.OCCUPANT_PERSON if name else table_pb2.OCCUPANT_NOBODY,
            name=name,
            connected=connected,
            host=index == host,
        )
        for index, name in enumerate([*names, *[""] * (4 - len(names))])
    ]
    table = table_pb2.TableView(table="ABCDE", status=table_pb2.TABLE_STATUS_LOBBY, seats=seats)
    if rules is not None:
        table.rules.CopyFrom(rules_message(rules))
    return Scene(table=table, seat=0)


def test_the_lobby_is_shown_once_and_then_what_changes() -> None:
    """A newcomer is one line, whether or not his stream is open yet, and so is whoever goes."""
    told = Told()
    assert told.by(lobby(["Ann"]))[0] == "Table ABCDE: waiting for players."
    assert told.by(lobby(["Ann", "Ben"], connected=False)) == ["Ben sits down on seat 1."]
    assert told.by(lobby(["Ann", "Ben"])) == []
    assert told.by(lobby(["Ann", "Cat"])) == ["Ben has left seat 1.", "Cat sits down on seat 1."]
    assert told.by(lobby(["Ann"])) == ["Cat has left seat 1."]


def test_who_becomes_the_host_is_told_so() -> None:
    """When the host has gone, the next one learns that the start is his."""
    told = Told()
    told.by(lobby(["Ann", "Ben"], host=1))
    assert told.by(lobby(["Ann"])) == [
        "Ben has left seat 1.",
        "You are the host: start begins the game; bots take the 3 free seats.",
    ]


def test_talk_is_told_once_and_not_again_to_who_comes_back() -> None:
    """Each line is told when it is said; what came before one's own coming is counted, and `talk` shows it."""
    first = table_pb2.ChatLine(number=1, seat=0, name="Ann", text="hello")
    second = table_pb2.ChatLine(number=2, seat=1, name="Ben", text="hi")
    before, after = lobby(["Ann", "Ben"]), lobby(["Ann", "Ben"])
    before.table.chat.append(first)
    after.table.chat.extend([first, second])
    told = Told()
    assert told.by(before)[0] == "1 line of talk came before: talk shows it."
    assert told.by(after) == ["Ben says: hi"]
    assert told.by(after) == []
    assert talk_lines(after) == ["Ann says: hello", "Ben says: hi"]


@pytest.mark.parametrize("rules", [CLASSIC, QUICK, RuleSet(points=(1, *(5,) * 12, 25)), RuleSet(reshuffles=3)])
def test_r16_house_rules_are_noticed_when_one_comes(rules: RuleSet) -> None:
    """The lobby names what the table changes, once, and the table's rules tell each change and every contract."""
    told = Told()
    shown = lobby(["Ann"], rules=rules)
    notice = " ".join(told.by(shown))
    assert "House rules (R16): here" in notice
    assert all(field in notice for field in rules.changes())
    assert told.by(shown) == []
    said = "\n".join(table_rules_lines(shown))
    assert all(field in said for field in rules.changes())
    assert all(str(contract) in said for contract in rules.contracts)


def test_r16_changes_are_told_in_words() -> None:
    """What is set hand by hand is told as the hands, once, and no value is written as programs write lists."""
    rules = replace(QUICK, points=(1, *(5,) * 12, 25), aces="high_or_low", go_out_with_discard=True)
    lines = table_rules_lines(lobby(["Ann"], rules=rules))
    said = "\n".join(lines)
    assert not set('[]{}"') & set(said)
    assert "  contracts, buys and cards_dealt: these are the hands" in lines
    assert "  aces is high_or_low instead of high: " in said
    assert "  go_out_with_discard is true instead of false: " in said
    assert "points is 2 1," in said
    assert sum(line.endswith("11 cards dealt, 4 buys at most") for line in lines) == 1
    buys = RuleSet(buys=(0, *(3,) * 9))
    assert sum("2 sets of 3; 11 cards dealt" in line for line in table_rules_lines(lobby(["Ann"], rules=buys))) == 1


def test_r16_the_standard_needs_no_notice() -> None:
    """At a table that changes nothing, nothing is said of house rules."""
    assert not any("House" in line for line in Told().by(lobby(["Ann"], rules=RuleSet())))
    assert not any("House" in line for line in Told().by(scene_of(played(1))))


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "standard"])
def test_r16_no_line_of_the_changes_is_too_wide(name: str) -> None:
    """What a preset changes fits into 80 cells."""
    assert [line for line in change_lines(PRESETS[name]) if get_cwidth(line) > 80] == []


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("name", SCENES)
def test_every_screen_fits_the_terminal_it_is_shown_on(name: str, width: int) -> None:
    """No line of a scene is wider than the terminal, but for what happened, which is broken when it is printed."""
    shown = replace(scene(name), width=width)
    lines = [line for present in SCENES[name][1] if name != "log" for line in present(shown)]
    assert [line for line in lines if get_cwidth(line) > width] == []


def test_a_narrow_score_sheet_goes_on_below() -> None:
    """Where eight players do not fit beside each other, all of their scores are there, in two parts, apart."""
    shown = replace(scene("eight_players_over"), width=40)
    lines = [line for present in SCENES["eight_players_over"][1] for line in present(shown)]
    totals = [int(word) for line in lines if line.startswith("total") for word in line.split()[1:]]
    assert totals == [seat.total for seat in shown.game.seats] if shown.game is not None else False
    assert sum(line.startswith("hand") for line in lines) == 2


def test_a_lost_connection_is_told_without_a_wait_of_no_time() -> None:
    """A pause of less than a second is no number."""
    assert Lost("the connection is lost", 0.2).text == "the connection is lost: trying again, until the server answers"
    assert "again in 3 s" in Lost("the server is shutting down", 3.0).text


NAMING_SEATS = [refusal for refusal in Refusal if "seat {" in refusal.sentence or "{order}" in refusal.sentence]


@pytest.mark.parametrize("refusal", [each for each in NAMING_SEATS if each is not Refusal.NO_SUCH_SEAT])
def test_a_refusal_is_told_to_its_player_without_numbers_of_seats(refusal: Refusal) -> None:
    """Each refusal that speaks of seats by number is said with `you` and names, and keeps its rule."""
    values = {"seat": "0", "turn": "2", "order": "1, 2", "card": "TH", "melds": "8C 8D", "missing": "8D"}
    values |= {"contract": "2 sets of 3", "jokers": "JK"}
    refused = Refused(
        reason=refusal.name, sentence=refusal.sentence.format_map(values), rule=refusal.rule, values=values
    )
    said = refusal_text(refused, scene("turn_with_melds"))
    assert refusal.name in SENTENCES
    assert "seat" not in said
    assert said.endswith(f"({refusal.rule})")
    assert "you" in said or "日本太郎" in said


def test_a_refusal_that_is_not_known_stands_as_it_was_said() -> None:
    """What another server says of a value that is missing, or of another seat, is left alone."""
    shown = scene("turn_with_melds")
    for values in ({}, {"seat": "3", "turn": "2"}):
        refused = Refused(reason="NOT_YOUR_TURN", sentence="seat 3 is not on turn", rule="R4.1", values=values)
        assert refusal_text(refused, shown) == "seat 3 is not on turn (R4.1)"


def test_every_rule_can_be_read_on_a_narrow_terminal() -> None:
    """The whole rules fit into 60 cells."""
    assert [line for line in rule_lines(width=60) if get_cwidth(line) > 60] == []
