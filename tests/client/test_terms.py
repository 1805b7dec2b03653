"""Before a game everybody sees what holds at the table: its clocks, and what its host has left out."""

from __future__ import annotations

from dataclasses import replace

from prompt_toolkit.utils import get_cwidth
from scenes import scene

from shanghai.v1 import table_pb2
from shanghai_client.present.table import lobby_lines
from shanghai_client.present.terms import terms_lines
from shanghai_client.scene import Scene


def _with(**options: object) -> Scene:
    shown = scene("lobby")
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    usual = {"offer_ms": 20_000, "turn_ms": 90_000, "pause_ms": 30_000, "grace_ms": 60_000, "spectators": True}
    for name, value in (usual | options).items():
        setattr(table.options, name, value)
    return replace(shown, table=table)


def test_the_clocks_are_said() -> None:
    """In seconds, each clock by what it is for."""
    assert " ".join(line.strip() for line in terms_lines(_with())) == (
        "Time for an offer: 20 seconds; for a turn: 90 seconds; between hands: 30 seconds."
        " Whoever is away for 60 seconds is played for."
    )


def test_no_clock_and_what_is_left_out_are_said() -> None:
    """0 is no limit; a table that waits, that has no hints or no spectators says so."""
    text = " ".join(terms_lines(_with(offer_ms=0, wait_for_absent=True, no_hints=True, spectators=False)))
    assert "Time for an offer: no limit;" in text
    assert "Whoever is away is waited for." in text
    assert "No hints are shown." in text
    assert "Nobody looks on." in text
    assert "Whoever is away is waited for." in " ".join(terms_lines(_with(grace_ms=0)))


def test_they_stand_in_the_lobby_of_a_table() -> None:
    """Between the seats and what is waited for, within the terminal; a table that says nothing has no such line."""
    lines = lobby_lines(replace(_with(), width=60))
    assert any(line.lstrip().startswith("Time for an offer") for line in lines)
    assert "You are the host" in " ".join(lines[-2:])
    assert max(map(get_cwidth, lines)) <= 60
    assert terms_lines(scene("lobby")) == []
