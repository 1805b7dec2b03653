"""Between two hands everybody sees who is ready to go on, and who is waited for."""

from __future__ import annotations

from dataclasses import replace

from scenes import played, scene, scene_of

from shanghai_client.plain.announcer import Announcer
from shanghai_client.present.ready import ready_lines, ready_news_lines
from shanghai_client.present.score_sheet import hand_over_lines
from shanghai_client.scene import Scene


def _sheet(*ready: int, away: int | None = None) -> Scene:
    shown = scene_of(played(2), 0, away=away)
    for seat in ready:
        shown.table.seats[seat].ready = True
    return shown


def test_who_is_ready_and_who_is_waited_for() -> None:
    """Persons are named, bots and stand-ins wait for nobody and are waited for by nobody."""
    assert ready_lines(_sheet()) == ["Ready for the next hand: nobody yet. Waited for: you, 日本太郎 and Zoë."]
    assert ready_lines(_sheet(0, 3)) == ["Ready for the next hand: you and Zoë. Waited for: 日本太郎."]
    assert ready_lines(_sheet(0, away=2)) == ["Ready for the next hand: you. Waited for: Zoë."]


def test_who_plays_alone_is_told_nothing() -> None:
    """Where nobody else decides, and while a hand is played, there is nothing to say."""
    alone = _sheet()
    for seat in (2, 3):
        alone.table.seats[seat].CopyFrom(alone.table.seats[1])
    assert ready_lines(alone) == []
    assert ready_lines(scene("offer_on_turn")) == []


def test_the_sheet_of_the_last_hand_says_it_and_no_other() -> None:
    """The sheet of a hand that was finished before says nothing about the next one."""
    line = ready_lines(_sheet(3))[0]
    assert hand_over_lines(_sheet(3))[-1] == line
    assert hand_over_lines(_sheet(3), 2)[-1] == line
    assert line not in hand_over_lines(_sheet(3), 1)


def test_others_are_told_to_be_ready_once() -> None:
    """Whoever goes on is told to the others, not to himself, and not again."""
    lines: list[str] = []
    announcer = Announcer(lines.extend)
    for shown in (_sheet(), _sheet(3), _sheet(3), _sheet(0, 3)):
        announcer.show(shown)
    assert [line for line in lines if line.endswith("is ready for the next hand.")] == [
        "Zoë is ready for the next hand."
    ]
    later = replace(_sheet(3), view=scene_of(played(3), 0).view)
    assert ready_news_lines(_sheet(), later) == []
