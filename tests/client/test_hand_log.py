"""The log of a hand, and what is told of the people at the table while it is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from positions import all_pass, position
from scenes import scene_of

from shanghai.v1 import table_pb2
from shanghai_client.present.company import Company
from shanghai_client.present.hand_log import HandLog
from shanghai_client.present.news import log_lines
from shanghai_client.scene import Scene
from shanghai_client.screen import looking
from shanghai_client.screen.model import Model
from shanghai_engine.action import Discard
from shanghai_engine.game import Game
from shanghai_engine.state import Phase


def offered() -> Game:
    """Give a hand that has just been dealt, with seat 1 on turn."""
    return position(hand=1, turn=1, phase=Phase.OFFER, discards="8S")


def changed(shown: Scene, seat: int, **fields: object) -> Scene:
    """Give a scene in which something of a seat's sitting is otherwise."""
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    for name, value in fields.items():
        setattr(table.seats[seat], name, value)
    return replace(shown, table=table)


PERSON = table_pb2.OCCUPANT_PERSON
BOT = table_pb2.OCCUPANT_BOT


def test_r2_3_who_takes_a_seat_over_was_never_away() -> None:
    """He is told once, whether or not his stream is open yet; from then on he goes and comes as others do."""
    company, bot = Company(), scene_of(offered())
    assert company.news(bot) == []
    root = changed(bot, 1, occupant=PERSON, name="Root", connected=False)
    assert company.news(root) == ["Root takes over the seat of Bot 1."]
    assert company.news(root) == []
    there = changed(root, 1, connected=True)
    assert company.news(there) == []
    assert company.news(root) == ["Root is away."]
    assert company.news(there) == ["Root is back."]


def test_r14_2_who_takes_a_seat_over_and_does_not_come_is_stood_in_for() -> None:
    """The stand-in is told, and that he is there once he comes after it."""
    company, bot = Company(), scene_of(offered())
    company.news(bot)
    root = changed(bot, 1, occupant=PERSON, name="Root", connected=False)
    company.news(root)
    assert company.news(changed(root, 1, stand_in=True)) == ["Root is away, and a stand-in plays."]
    assert company.news(changed(root, 1, connected=True)) == ["Root is back."]


def test_r2_3_who_takes_a_seat_over_that_had_his_name_is_back() -> None:
    """A seat that was given up keeps its name under a bot: nobody takes over his own seat."""
    company, shown = Company(), scene_of(offered())
    company.news(shown)
    assert company.news(changed(shown, 2, occupant=BOT)) == ["日本太郎 is played by a bot from now on."]
    assert company.news(changed(shown, 2, occupant=PERSON)) == ["日本太郎 is back."]


def test_who_changes_seats_before_the_game_is_no_news_of_the_game() -> None:
    """The waiting table tells it; the first update of the game does not tell it again."""
    company, shown = Company(), scene_of(offered())
    lobby = replace(shown, view=None)
    assert company.news(lobby) == []
    assert company.news(changed(lobby, 2, name="Cat", connected=False)) == []
    assert company.news(changed(shown, 2, name="Cat")) == []


def test_the_log_keeps_the_names_under_which_it_was_told() -> None:
    """What a bot played stays the bot's when somebody takes its seat, and that he did stands between."""
    log, game = HandLog(), offered()
    before = scene_of(game)
    log.take(before)
    all_pass(game)
    log.take(scene_of(game))
    played = log.lines
    assert played[-1] == "Bot 1 draws from the stock."
    root = changed(scene_of(game), 1, occupant=PERSON, name="Root")
    log.take(root)
    assert log.lines == (*played, "Root takes over the seat of Bot 1.")
    log.note(["Your time was over: no answer is a pass (R7.11)."])
    shown = log_lines(replace(root, told=log.lines))
    assert shown[-3:] == [
        "Bot 1 draws from the stock.",
        "Root takes over the seat of Bot 1.",
        "Your time was over: no answer is a pass (R7.11).",
    ]


@pytest.mark.parametrize("gone", [lambda shown: replace(shown, skipped=True), None])
def test_the_log_begins_anew_with_a_hand_and_where_updates_were_lost(gone: Callable[[Scene], Scene] | None) -> None:
    """Then it is told whole, each thing once, by the names of now."""
    log, game = HandLog(), offered()
    log.take(scene_of(game))
    log.note(["A note."])
    if gone is None:
        other = scene_of(position(hand=2, turn=1, phase=Phase.OFFER, discards="8S"))
    else:
        other = gone(scene_of(game))
    log.take(other)
    assert list(log.lines) == log_lines(replace(other, width=1000))


@pytest.mark.parametrize("seat", [1, 0])
def test_r2_3_who_has_taken_a_seat_over_reads_what_was_played_there_before_as_who_played_it(seat: int) -> None:
    """He has not drawn himself what the bot drew before he came; that he came stands where he did."""
    game = offered()
    all_pass(game)
    shown = scene_of(game, seat)
    count = len(game.history.public)
    root = changed(shown, 1, occupant=PERSON, name="Root")
    root.table.takeovers.append(table_pb2.Takeover(seat=1, before="Bot 1", events=count))
    game.apply(Discard(1, next(iter(game.state.hands[1]))))
    after = replace(scene_of(game, seat), table=root.table)
    comes = "You take over the seat of Bot 1." if seat == 1 else "Root takes over the seat of Bot 1."
    plays = "You discard" if seat == 1 else "Root discards"
    for log in (log_lines(after), [*taken(after)]):
        assert log[-3:-1] == ["Bot 1 draws from the stock.", comes]
        assert log[-1].startswith(plays)


@pytest.mark.parametrize("seat", [1, 0])
def test_r2_3_two_takeovers_of_one_seat_are_told_each_of_who_came(seat: int) -> None:
    """Nothing was played between them, and yet the first one did not take the seat over from himself."""
    shown = scene_of(offered(), seat)
    yui = changed(shown, 1, occupant=PERSON, name="Yui")
    events = 0 if shown.game is None else len(shown.game.events)
    for before in ("Bot 1", "Zoe"):
        yui.table.takeovers.append(table_pb2.Takeover(seat=1, before=before, events=events))
    comes = "You take over the seat of Zoe." if seat == 1 else "Yui takes over the seat of Zoe."
    for log in (log_lines(yui), [*taken(yui)]):
        assert log[-2:] == ["Zoe takes over the seat of Bot 1.", comes]


def taken(shown: Scene) -> tuple[str, ...]:
    """Give the log of somebody who has just come."""
    log = HandLog()
    log.take(shown)
    return log.lines


def test_r2_3_a_takeover_that_is_seen_as_it_happens_stands_once_in_the_log() -> None:
    """The update that brings it is told as all others are, also where updates were lost before it."""
    log, game = HandLog(), offered()
    log.take(scene_of(game))
    root = changed(scene_of(game), 1, occupant=PERSON, name="Root")
    root.table.takeovers.append(table_pb2.Takeover(seat=1, before="Bot 1", events=len(game.history.public)))
    for lost in (False, True):
        log.take(replace(root, skipped=lost))
        assert log.lines.count("Root takes over the seat of Bot 1.") == 1


def test_a_log_that_nobody_kept_is_told_by_the_events() -> None:
    """So it is for who looks at a scene alone, and before anything has happened."""
    shown = scene_of(offered())
    assert log_lines(shown)[0].startswith("Hand 1: 2 sets of 3")
    assert log_lines(replace(shown, view=None)) == ["Nothing has happened yet."]


def test_a_log_that_lies_over_the_table_is_broken_into_lines_once() -> None:
    """It may be of thousands of events: a picture of the same scene takes what is there, another its own."""
    scene, present = scene_of(offered()), looking.log(Model()).present
    lines = present(scene)
    again = [id(line) for line in lines]
    assert [id(line) for line in present(scene)] == again
    assert present(replace(scene, told=("Ann passes.",)))[0] == "Ann passes."
    assert present(replace(scene, told=("Zoe passes.",)))[0] == "Zoe passes."
