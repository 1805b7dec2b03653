"""What was counted once is counted again: lawful choices of named positions, and whole games by their seed."""

from __future__ import annotations

import pytest
from counts import MANY, TABLES, Entry, all_games, counts, entries, game_name, outcome, played, position_of
from laws import choices_are_those_of_the_referee, the_lay_down_is_listed_where_there_is_one
from records import record_of

from shanghai_engine.rules import PRESETS
from shanghai_engine.state import Phase
from shanghai_engine.verify import verify

POSITIONS = entries("positions")
GAMES = entries("games")


@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["name"])
def test_choices_and_lay_downs_are_as_many_as_they_were(entry: Entry) -> None:
    """The numbers are those of the file, and the referee knows no other choice than those that are listed."""
    game = position_of(entry)
    found = counts(game)
    assert found == entry["counts"]
    assert found.get("lay_downs", 0) < MANY
    choices_are_those_of_the_referee(game)
    the_lay_down_is_listed_where_there_is_one(game)
    if game.state.phase is Phase.PLAY:
        offered = game.decisions()[game.state.turn].lay_down
        assert (offered is not None) == ("lay_downs" in found)


def test_positions_have_names_of_their_own_and_are_many() -> None:
    """Some seventy positions, of every contract and of every house rule of a turn."""
    names = [entry["name"] for entry in POSITIONS]
    assert len(set(names)) == len(names) >= 60
    assert {entry["position"].get("hand", 1) for entry in POSITIONS} == set(range(1, 11))
    house = {field for entry in POSITIONS for field in entry.get("rules", {})}
    assert {"aces", "wild", "jokers_per_meld", "extra_melds", "swapped_joker", "joker_swap", "swap_in_sets"} <= house
    assert {"lay_off_when_laying_down", "distinct_set_ranks", "distinct_run_suits", "turn_may_buy"} <= house


@pytest.mark.parametrize("entry", GAMES, ids=game_name)
def test_a_game_of_a_seed_is_to_the_byte_what_it_was(entry: Entry) -> None:
    """Rules, deal and every choice are the same, so the record's SHA-256 is."""
    assert outcome(played(entry)) == entry["outcome"]


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_counted_game_is_lawful(table: str) -> None:
    """The record whose hash is kept verifies."""
    entry = next(entry for entry in GAMES if entry["table"] == table and entry["players"] == 3)
    assert verify(record_of(played(entry))).finding is None


def test_every_preset_and_number_of_players_has_its_games() -> None:
    """A preset that is new is played too: `python tests/counts.py` adds its games."""
    assert [game_name(entry) for entry in GAMES] == [game_name(entry) for entry in all_games()]
    assert set(PRESETS) <= {entry["table"] for entry in GAMES}
