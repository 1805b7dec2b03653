"""The score sheet on the whole screen: all ten hands on F2, and the chart once the game is over."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from desk_terminal import Stream
from drawn import SIZES, model_of, twenty_melds
from key_steps import after
from prompt_toolkit.utils import get_cwidth
from scenes import played, scene, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.failure import Refused
from shanghai_client.present.score_sheet import whole_sheet_lines
from shanghai_client.scene import Scene
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.earlier import MOST, earlier_games
from shanghai_client.screen.keyboard import use
from shanghai_client.screen.keys import named_keys, pressed
from shanghai_client.screen.model import Kind, Look, Model, Told
from shanghai_client.screen.panes.board import board, clamped
from shanghai_client.screen.panes.story import story_lines
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.seeing import seen
from shanghai_client.screen.signs import LETTERS
from shanghai_client.screen.stepping import Run
from shanghai_client.seat import Seat


def _shown(model: Model) -> list[str]:
    return [text_of(line).rstrip() for line in board(model)]


@pytest.mark.parametrize("hands", [1, 2, 9, 10])
def test_f2_has_all_ten_hands(hands: int) -> None:
    """A finished hand has its scores, one that comes its contract and no scores yet."""
    lines = whole_sheet_lines(scene_of(played(hands), 0))
    rows = {int(line[:2]): line for line in lines if line[:2].strip().isdigit()}
    assert sorted(rows) == list(range(1, 11))
    assert [hand for hand, row in rows.items() if row.rstrip().endswith("-")] == list(range(hands + 1, 11))


def test_f2_before_the_first_hand_is_finished_shows_what_comes() -> None:
    """Ten contracts, and nobody has a point."""
    shown = _shown(pressed(Model(scene=scene("offer_on_turn")), "f2").model)
    assert any("10  3 runs of 5" in line for line in shown)


@pytest.mark.parametrize("only_ascii", [True, False])
def test_after_the_game_there_is_a_chart(only_ascii: bool) -> None:  # noqa: FBT001 (data)
    """It stands below the places where there is room, in the signs of the terminal."""
    look = Look(signs=LETTERS) if only_ascii else Look()
    shown = _shown(Model(scene=scene_of(played(10), 0), columns=100, rows=45, look=look))
    assert " The totals after each hand: the lowest is the best." in shown
    totals = [seat.total for seat in played(10).view(None).public.seats]
    assert any(line.rstrip().endswith(f"D {'Zoe' if only_ascii else 'Zoë'} {totals[3]}") for line in shown)
    assert any(f"{max(totals)}+" in line for line in shown) is only_ascii
    assert {
        get_cwidth(text_of(line)) for line in board(Model(scene=scene_of(played(10), 0), columns=100, rows=45))
    } == {100}


def test_a_small_terminal_scrolls_to_the_chart() -> None:
    """PgDn and Down lead to what is below, and under it stands which lines are shown."""
    model = Model(scene=scene_of(played(10), 0))
    shown = _shown(model)
    told = next(place for place, line in enumerate(shown) if "What has happened" in line)
    assert shown[told - 1].strip() == "▼ lines 1-17 of 35, a chart last: Up, Down, PgUp, PgDn"
    for key in ("pagedown", "pagedown", *["down"] * 40):
        model = clamped(pressed(model, key).model)
    assert any(line.strip().endswith("9    10") for line in _shown(model))
    assert any("▲  lines 19-35 of 35" in line for line in _shown(model))
    # It does not go beyond the end, so it is left at once.
    assert any("18-34 of 35" in line for line in _shown(pressed(model, "up").model))


def test_melds_are_not_scrolled_beyond_their_end() -> None:
    """Where all melds are shown nothing is scrolled, and the next ones that come are seen from the first on."""
    for size in SIZES[:3]:
        model = model_of(scene("turn_with_melds"), size=size)
        assert clamped(after(model, "down", "pagedown").model).meld_scroll == 0
    full = replace(model_of(twenty_melds()), meld_scroll=100)
    last = clamped(full).meld_scroll
    assert _shown(replace(full, meld_scroll=last)) == _shown(full)
    assert last == 0 or _shown(replace(full, meld_scroll=last - 1)) != _shown(full)


def _of_game(number: int, scene: Scene) -> Scene:
    table = table_pb2.TableView()
    table.CopyFrom(scene.table)
    table.game_number = number
    return replace(scene, table=table)


def test_the_sheet_of_the_game_before_stays_to_be_seen() -> None:
    """After a rematch F2 shows the end of the game before, and, once there is a new one, behind that of the new one."""
    model = seen(Model(), _of_game(1, scene_of(played(10), 0)), now=1.0)
    model = seen(model, _of_game(2, scene("lobby")), now=2.0)
    assert ("f2", "sheets") in list(named_keys(model))
    shown = after(model, "f2").model
    assert shown.overlay is not None
    assert shown.overlay.title == "The score sheet of game 1"
    totals = [str(seat.total) for seat in played(10).view(None).public.seats]
    assert any(line.split()[1:] == totals for line in _shown(shown) if line.startswith(" total"))
    assert after(shown, "f2").model.overlay is None
    model = seen(model, _of_game(2, scene("offer_on_turn")), now=3.0)
    titles = []
    for _time in range(3):
        model = after(model, "f2").model
        titles.append("" if model.overlay is None else model.overlay.title)
    assert titles == ["The score sheet", "The score sheet of game 1", ""]
    assert ("f2", "sheets") in list(named_keys(after(model, "f2").model))


class _Kept(Seat):
    """A seat at a table whose first game can be had, and whose second is no record at all."""

    def __init__(self, record: str) -> None:
        self.records = {1: record, 2: "{}"}

    async def record(self, game: int | None = None) -> str:
        """Give a record; there is none of the third game."""
        if game not in self.records:
            raise Refused(reason="NO_SUCH_GAME", sentence="there is no such game")
        return self.records[game]


async def test_who_comes_after_a_rematch_has_the_sheets_of_the_games_before() -> None:
    """They are read out of the records, those that there are; where he did not sit then, no column is his."""
    game = played(10)
    record = "\n".join(json.dumps(line) for line in game.record())
    for name, seat in ((game.state.names[0], 0), ("Somebody", None)):
        comes = _of_game(4, scene_of(played(1), 0))
        comes.table.seats[0].name = name
        desk = ScreenDesk(seat=_Kept(record), watch=Stream().watch, look=Look())
        desk._scene = comes  # noqa: SLF001 (as an update gives it)
        desk.tell(comes)
        found = asyncio.Event()
        desk.redraw = found.set
        looking = asyncio.create_task(desk.look_back())
        await asyncio.wait_for(found.wait(), 60)
        looking.cancel()
        await asyncio.wait({looking})
        (end,) = desk.model.finished
        assert (end.table.game_number, end.seat) == (1, seat)
        assert end.game is not None
        assert end.game.results == game.state.results
        titles = [after(desk.model, *["f2"] * times).model.overlay for times in (1, 2)]
        assert [each.title for each in titles if each] == ["The score sheet", "The score sheet of game 1"]
        # Who has taken a seat over in that game is in no record.
        said = "The names are those with which this game began."
        assert [said in each.present(comes) for each in titles if each] == [False, True]


class _Asked(_Kept):
    """The same, which notes the games that are asked for."""

    def __init__(self, record: str) -> None:
        super().__init__(record)
        self.asked: list[int | None] = []

    async def record(self, game: int | None = None) -> str:
        """Give a record."""
        self.asked.append(game)
        return await super().record(game)


async def test_the_last_sheets_alone_are_asked_for() -> None:
    """One sheet after the other; no game that a server only says was played is asked for without end."""
    record = "\n".join(json.dumps(line) for line in played(10).record())
    seat = _Asked(record)
    (end,) = await earlier_games(seat, _of_game(3, scene_of(played(1), 0)))
    assert end.table.game_number == 1
    assert seat.asked == [1, 2]
    seat.asked.clear()
    assert await earlier_games(seat, _of_game(2**31 - 1, scene_of(played(1), 0))) == ()
    assert len(seat.asked) == MOST


def test_an_open_sheet_stays_that_of_its_game() -> None:
    """A rematch puts no other sheet under the eyes of who reads one, nor another page; F2 goes on from there."""
    model = after(seen(Model(), _of_game(1, scene_of(played(10), 0)), now=1.0), "f2", "down").model
    before, overlay = _shown(model), model.overlay
    assert overlay is not None
    for scene_then in ("lobby", "offer_on_turn"):
        later = seen(model, _of_game(2, scene(scene_then)), now=2.0)
        assert later.overlay is not None
        assert (later.overlay.title, later.overlay.scroll) == ("The score sheet of game 1", overlay.scroll)
        assert _shown(later)[2:12] == before[2:12]
        assert ("f2", "sheets") in list(named_keys(later))
    helping = after(seen(Model(), _of_game(1, scene_of(played(10), 0)), now=1.0), "?").model
    assert seen(helping, _of_game(2, scene("lobby")), now=2.0).overlay == helping.overlay


def test_who_only_watches_is_asked_for_no_rematch() -> None:
    """No key of it is named, and he is told why at once; that goes with the next game."""
    model = seen(Model(), _of_game(1, scene_of(played(10), None)), now=1.0)
    assert "r" not in dict(named_keys(model))
    assert "r" in dict(named_keys(seen(Model(), _of_game(1, scene_of(played(10), 0)), now=1.0)))
    assert pressed(model, "r").effect == Run("rematch")
    told = replace(model, note="you watch this table", noted_at=1.5)
    assert seen(told, _of_game(1, scene_of(played(10), None)), now=2.0).note == "you watch this table"
    assert not seen(told, _of_game(2, replace(scene("lobby"), seat=None)), now=2.0).note


@pytest.mark.parametrize("seat", [0, None])
def test_only_who_plays_is_named_the_key_that_lets_a_game_go_on(seat: int | None) -> None:
    """A spectator cannot."""
    shown = scene_of(played(1), seat) if seat is None else scene("turn_with_melds")
    paused = _of_game(1, shown)
    paused.table.pause_reason = table_pb2.PAUSE_REASON_EVERYBODY
    assert use.paused(Model(scene=paused)) is (seat is not None)


def test_what_was_played_before_the_last_deal_is_dim() -> None:
    """The lines of the hand before are told from those of the present one; talk is not."""
    lines = [Told(Kind.HAND, "Hand 1"), Told(Kind.EVENT, "Kai lays off 8D"), Told(Kind.TALK, "Kai says: hello")]
    lines += [Told(Kind.HAND, "Hand 2"), Told(Kind.EVENT, "Ann buys 3C")]
    model = replace(model_of(scene("offer_on_turn")), told=tuple(lines))
    styles = [{piece.style for piece in line[1:]} for line in story_lines(model, width=80, height=9)]
    assert styles[:4] == [{"class:dim"}, {"class:dim"}, {"class:talk"}, {"class:heading"}]
    assert "class:dim" not in styles[4]
