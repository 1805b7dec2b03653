"""The full screen at a real table: what a key may answer, what is told, and how the terminal is left."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from desk_terminal import (
    RESTORED,
    Stream,
    answer_of,
    discard_of,
    game_of,
    lobby,
    play_of,
    room,
    sight_of,
)
from drawn import model_of
from positions import position
from scenes import scene, scene_of

from shanghai.v1 import service_pb2, table_pb2
from shanghai_client.commands.command import BadCommand
from shanghai_client.failure import CannotConnect, Refused
from shanghai_client.language import speaking
from shanghai_client.present.choices import choice_lines
from shanghai_client.receipt import INSIDE, Receipt
from shanghai_client.scene import Scene
from shanghai_client.screen.desk import ScreenDesk
from shanghai_client.screen.model import Building, Look
from shanghai_client.screen.panes.board import board
from shanghai_client.screen.passing import Unless
from shanghai_client.screen.pieces import text_of
from shanghai_client.screen.stepping import Keep
from shanghai_client.seat import Seat
from shanghai_client.settings import BY_KEY
from shanghai_client.table_desk import Interrupt
from shanghai_engine.action import Answer, Claim, Discard
from shanghai_engine.game import Game
from shanghai_engine.state import Phase
from shanghai_wire.actions import SeatAction


async def test_one_key_answers_an_offer() -> None:
    """The key of the answer gives it, and while others are waited for it is shown as given."""
    async with room() as made:
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("p")
        await made.terminal.until_shown("You have answered the offer of")
        await made.other_passes()
        await made.terminal.until_shown("from the stock.")


async def test_a_key_typed_before_the_decision_could_be_seen_never_answers_it() -> None:
    """A key that comes sooner after the picture than anybody could see it is refused with a sentence."""
    async with room(settle=1000.0) as made:
        asked = made.desk.shown
        await made.terminal.until_shown("p pass")
        made.terminal.keys.send_text("p")
        await made.terminal.until_shown("That was typed before this decision was shown")
        assert made.desk.shown == asked
        assert answer_of(made.desk) is None


async def test_r14_2_the_screen_names_the_key_that_takes_a_seat_back() -> None:
    """Whatever is said of a stand-in names `k` where keys are pressed; at lines it names the command."""
    shown = scene("offer_to_a_buyer")
    table = table_pb2.TableView()
    table.CopyFrom(shown.table)
    table.seats[shown.seat or 0].stand_in = True
    absent = replace(shown, table=table).owing_nothing()
    desk = ScreenDesk(seat=_Losing(), watch=Stream().watch, look=Look())
    desk._scene = absent  # noqa: SLF001 (as an update gives it)
    said = list(desk._stand_ins(absent))  # noqa: SLF001 (as an update does it)
    assert [line for line in said if "k takes your seat again" in line] == said != []
    with pytest.raises(BadCommand, match=r"\(R14\.2\): k takes your seat again"):
        await desk.act(Answer(shown.seat or 0, Claim.PASS))
    assert text_of(board(model_of(absent))[-2]).strip().endswith("(R14.2): k takes your seat again.")
    assert choice_lines(absent) == ["A stand-in plays for you (R14.2): back takes your seat again."]


async def test_a_key_typed_before_ones_own_draw_could_be_seen_plays_no_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """After one's own answer, too: the draw is sorted in, and the letters below the cards are others'."""
    now = 10.0
    seat = _Losing()
    desk = ScreenDesk(seat=seat, watch=Stream().watch, look=Look(guard=False))
    monkeypatch.setattr(desk, "_now", lambda: now)
    shown = scene("turn_with_melds")
    hand, turn, step = shown.decision_id.rsplit(".", 2)
    # The offer of the same turn was answered just now.
    desk._answered = f"{hand}.{turn}.{int(step) - 1}"  # noqa: SLF001 (what an answer leaves)
    await desk._see(shown)  # noqa: SLF001 (what the stream does)
    working = asyncio.create_task(desk.work())
    for pause, acts, note in ((0.02, 0, "typed before this decision was shown"), (1.0, 1, "")):
        desk.drawn()
        now += pause
        for key in "da":
            desk.press(key)
        for _time in range(20):
            await asyncio.sleep(0)
        assert len(seat.acts) == acts
        assert note in desk.model.note
    working.cancel()
    await asyncio.wait({working})


class _Losing(Seat):
    """A seat whose first acts fail."""

    def __init__(self, *fails: Exception) -> None:
        self.fails = list(fails)
        self.acts: list[tuple[str, SeatAction]] = []

    async def act(self, decision_id: str, action: SeatAction) -> None:
        """Fail, or take note."""
        self.acts.append((decision_id, action))
        if self.fails:
            raise self.fails.pop(0)


def _floats_with_one_choice() -> Scene:
    melds = [(0, "8C 8D 8H"), (0, "KC KD KH")]
    return scene_of(position(hand=1, turn=0, melds=melds, hands={0: "5C"}, drawn="5C"), 0)


async def test_r11_3_a_turn_that_plays_itself_and_cannot_be_sent_is_played_once_the_table_is_heard_again() -> None:
    """The client goes on, says why, and tries once more with the next that it hears; it is told once."""
    seat = _Losing(CannotConnect("127.0.0.1:1", "no answer"))
    desk = ScreenDesk(seat=seat, watch=Stream().watch, look=Look())
    floating = _floats_with_one_choice()
    for _time in range(3):
        await desk._see(floating)  # noqa: SLF001 (what the stream does)
        while (task := desk._floating) is not None and not task.done():  # noqa: SLF001
            await task
    assert [each[0] for each in seat.acts] == [floating.decision_id] * 2
    assert [line.text for line in desk.model.told if "You float" in line.text] != []
    assert sum("it is discarded for you" in line.text for line in desk.model.told) == 1


async def test_r11_3_a_turn_that_plays_itself_and_is_refused_is_the_players() -> None:
    """He is called by the bell, as to any other decision."""
    rung: list[str] = []
    desk = ScreenDesk(
        seat=_Losing(Refused(reason="PAUSED", sentence="the game is paused")), watch=Stream().watch, look=Look()
    )
    desk.ring = lambda: rung.append("bell")
    await desk._see(_floats_with_one_choice())  # noqa: SLF001 (as above)
    task = desk._floating  # noqa: SLF001
    assert task is not None
    await task
    assert rung == ["bell"]
    assert desk.model.note == "the game is paused"


async def test_a_pass_by_itself_that_cannot_be_sent_is_made_once_the_table_is_heard_again() -> None:
    """Nobody is asked again for what he has said already."""
    seat = _Losing(CannotConnect("127.0.0.1:1", "no answer"))
    desk = ScreenDesk(seat=seat, watch=Stream().watch, look=Look(unless=Unless.JOKER))
    offer = scene("offer_to_a_buyer")
    working = asyncio.create_task(desk.work())
    for acts in (1, 2):
        await desk._see(offer)  # noqa: SLF001 (what the stream does)
        for _time in range(20):
            await asyncio.sleep(0)
        assert len(seat.acts) == acts
    working.cancel()
    await asyncio.wait({working})


async def test_a_key_for_a_decision_that_is_gone_is_refused() -> None:
    """What was begun for one decision is not given to the next one."""
    async with room() as made:
        desk = made.desk
        await desk.answer(Answer(desk.scene.seat or 0, Claim.PASS), "1.1.0.9")
        assert "typed before this decision was shown" in desk.model.note


async def test_offers_are_passed_by_themselves() -> None:
    """With the key for it, the next offers of the hand are passed without a question."""
    async with room() as made:
        desk = made.desk
        desk.model = replace(desk.model, unless=Unless.JOKER)
        made.terminal.keys.send_text("p")
        await made.other_passes()
        if game_of(desk).turn != made.other.seat:
            await made.terminal.until(lambda: play_of(desk) is not None)
            await desk.answer(discard_of(desk.scene), desk.shown)
            await made.other.until(lambda: sight_of(made.other).offer is not None)
            await made.other.act(Answer(made.other.seat, Claim.TAKE))
        await made.other.until(lambda: sight_of(made.other).play is not None)
        await made.other.act(discard_of(sight_of(made.other)))
        # What is offered now is passed without a key, and Ann draws: who has discarded a card is not asked about it.
        await made.terminal.until(lambda: play_of(desk) is not None)


async def test_the_bell_rings_once_on_ones_turn_unless_it_is_off() -> None:
    """One bell for a turn; none where the player has switched it off."""
    for bell in (True, False):
        async with room(look=Look(bell=bell)) as made:
            game = made.desk.scene.game
            assert game is not None
            mine = game.turn == made.desk.scene.seat
            assert made.terminal.written.getvalue().count("\a") == (1 if mine and bell else 0)


async def test_the_bell_rings_while_one_builds() -> None:
    """Who builds melds while others play is called to his own turn like anybody else."""
    rung: list[str] = []
    desk = ScreenDesk(seat=_Losing(), watch=Stream().watch, look=Look())
    desk.ring = lambda: rung.append("bell")
    await desk._see(scene_of(position(hand=2, turn=2, hands={0: "8C 8D 4H 5H"})))  # noqa: SLF001 (what the stream does)
    desk.press("m")
    assert isinstance(desk.model.mode, Building)
    assert not rung
    offer = position(hand=2, turn=0, phase=Phase.OFFER, hands={0: "8C 8D 4H 5H"}, discards="3C", discarder=3)
    await desk._see(scene_of(offer))  # noqa: SLF001 (as above)
    assert isinstance(desk.model.mode, Building)
    assert rung == ["bell"]


async def test_a_spectator_has_no_seat_to_come_back_to() -> None:
    """`k` says so, as the keys that play a card do."""
    desk = ScreenDesk(seat=None, watch=Stream().watch, look=Look())
    await desk._see(scene("spectator"))  # noqa: SLF001 (what the stream does)
    await desk.enter("back", "")
    assert desk.model.note == "you watch this table, and hold no seat: only players can do that"


async def test_a_note_that_nobody_is_asked_about_goes_with_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spectator's note is there for some seconds, and does not stand below all that follows."""
    now = 10.0
    desk = ScreenDesk(seat=None, watch=Stream().watch, look=Look())
    monkeypatch.setattr(desk, "_now", lambda: now)
    game = Game.new(seed=bytes(32), players=2)
    await desk._see(scene_of(game, None))  # noqa: SLF001 (what the stream does)
    await desk.enter("back", "")
    for seconds, there in ((1.0, True), (5.0, False)):
        now += seconds
        while game.state.phase is Phase.OFFER:
            game.apply(Answer(min(game.decisions()), Claim.PASS))
        game.apply(Discard(game.state.turn, game.state.hands[game.state.turn][0]))
        await desk._see(scene_of(game, None))  # noqa: SLF001 (as above)
        assert bool(desk.model.note) is there


async def test_what_was_told_already_is_told_in_the_language_that_is_chosen_now() -> None:
    """The panel and the log of the hand follow, there and back again, and the talk stays as it was said."""
    with speaking("en"):
        async with room() as made:
            made.terminal.keys.send_text(":say hello\rp")
            await made.other_passes()
            await made.terminal.until_shown("from the stock.")
            await made.terminal.until(lambda: any("hello" in line.text for line in made.desk.model.told))
            before = [line.text for line in made.desk.model.told]
            made.desk._begun.put_nowait((Keep(BY_KEY["lang"], "ja"), ""))  # noqa: SLF001 (as F4 does it)
            await made.terminal.until_shown("山札")
            after = [line.text for line in made.desk.model.told]
            assert made.desk.scene.told == made.desk.model.scene.told if made.desk.model.scene else ()
            plays = [text for text in before if "hello" not in text]
            assert not [text for text in plays if text in after or text in made.desk.scene.told]
            assert len(after) == len(before)
            assert any("hello" in text for text in after)
            made.desk._begun.put_nowait((Keep(BY_KEY["lang"], "en"), ""))  # noqa: SLF001
            await made.terminal.until(lambda: plays[-1] in [line.text for line in made.desk.model.told])
            assert [line.text for line in made.desk.model.told][: len(before)] == before


class _Beginning(Seat):
    """A seat of a game that is played inside this program, or elsewhere, and counts its starts."""

    def __init__(self, server: str) -> None:
        self.receipt = Receipt.new(server=server, table="ABCDE", name="Ann")
        self.index = 0
        self.starts = 0

    async def start(self, empty_seats: service_pb2.EmptySeats.ValueType = service_pb2.EMPTY_SEATS_BOTS) -> None:
        """Take note."""
        del empty_seats
        self.starts += 1


@pytest.mark.parametrize(
    ("server", "other", "game", "starts"),
    [
        (f"{INSIDE}a", table_pb2.OCCUPANT_BOT, 2, 1),
        (f"{INSIDE}a", table_pb2.OCCUPANT_BOT, 1, 0),
        (f"{INSIDE}a", table_pb2.OCCUPANT_PERSON, 2, 0),
        ("127.0.0.1:7410", table_pb2.OCCUPANT_BOT, 2, 0),
    ],
)
async def test_who_plays_alone_waits_for_nobody_before_another_game(
    server: str, other: table_pb2.Occupant.ValueType, game: int, starts: int
) -> None:
    """It begins once the nonce is promised, by itself and once; where others may be it waits for the host's word."""
    seat = _Beginning(server)
    desk = ScreenDesk(seat=seat, watch=Stream().watch, look=Look())
    update = lobby()
    table = update.public.table
    table.game_number = game
    table.seats.add(index=1, occupant=other, name="Bot 1")
    update.private.own.seat = 0
    for promised in (False, True, True):
        table.seats[0].nonce_promised = promised
        await desk._see(Scene.of(update))  # noqa: SLF001 (as an update does it)
        assert seat.starts == (starts if promised else 0)


async def test_control_c_twice_ends_the_client() -> None:
    """One Ctrl-C only says what another would do."""
    async with room() as made:
        made.terminal.keys.send_text("\x03")
        await made.terminal.until_shown("Ctrl-C again ends the program")
        made.terminal.keys.send_text("\x03")
        with pytest.raises(Interrupt):
            await made.terminal.ended()
        assert all(sign in made.terminal.written.getvalue()[-200:] for sign in RESTORED)
