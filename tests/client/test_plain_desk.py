"""The plain desk at a real table: what a typed line may answer, and what is told."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from desk_terminal import Stream
from plain_room import Heard, Room, Typed, room
from scenes import played, scene_of

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import Leaving
from shanghai_client.commands.table import COMMANDS
from shanghai_client.plain.announcer import Announcer
from shanghai_client.plain.desk import PlainDesk
from shanghai_client.plain.lines import Entered, Interrupted
from shanghai_client.table_desk import Interrupt
from shanghai_engine.state import Phase
from shanghai_server.house.settings import Options

LOOKS = ("legal", "table", "hand", "melds", "discards", "score", "hands", "log", "hint", "who", "rules", "help")
"""The commands that only show something."""


async def to_ones_offer(made: Room) -> None:
    """Go on until Ann is asked about an upcard."""
    await made.until(lambda: bool(made.desk.shown))


async def test_a_line_begun_before_the_decision_appeared_never_answers_it() -> None:
    """A pass that was typed while nothing, or something else, was asked is refused with a sentence."""
    async with room() as made:
        await to_ones_offer(made)
        asked = made.desk.shown
        await made.type("pass", shown="")
        await made.until(lambda: made.said("that was typed before this decision was shown"))
        await made.type("pass", shown="1.0.0")
        await made.until(lambda: sum("typed before" in note for note in made.heard.notes) == 2)
        assert made.desk.shown == asked
        await made.type("pass")
        await made.other_passes()
        await made.until(lambda: made.desk.shown != asked)


async def test_r7_14_an_answer_that_waits_for_others_is_shown_as_given() -> None:
    """While the offer stays open the player sees his answer, which is final, and can go on typing at once."""
    async with room() as made:
        await to_ones_offer(made)
        await made.type("pass")
        await made.type("legal")
        await made.until(lambda: made.said("You have answered the offer of"))
        assert made.said("(pass); it is not closed yet.")
        await made.type("buy")
        await made.until(lambda: made.said("nothing is asked of you now. You have answered the offer of"))
        await made.type("say well")
        # A byte that is no UTF-8 comes as half a sign.
        await made.type("say a\udcffb")
        await made.until(lambda: made.said("Ann says: well") and made.said("Ann says: a?b"))
        assert made.desk.shown == ""
        await made.other_passes()
        await made.until(lambda: made.desk.scene.game is not None and made.desk.scene.game.phase is Phase.PLAY)


async def test_what_cannot_be_done_is_said_in_a_sentence() -> None:
    """Slips of the pen and unlawful moves are told, with the rule where there is one, and the game goes on."""
    async with room() as made:
        await to_ones_offer(made)
        for typed, told in {
            "fold": "'fold' is no command: help lists them",
            "off": "name the card to lay off",
            "off 9X": "'9X' is no card",
            "off 5C 3": "there is no meld 3 on the table: there are none yet (R9.1)",
            "discard": "name the one card to discard",
            "lay": "you lay down on your own turn, after drawing (R8.5)",
            "go": "one goes on between two hands",
            "start": "the game has begun",
            "bots 9": "9 bots are too many",
            "bots some": "say how many bots",
            "pass now": "pass stands alone: 'now' is too much",
            "rules R77": "there is no rule 'R77'",
            "help fold": "'fold' is no command",
            "back": "you are here, and play your seat yourself",
            "swap 5C": "there is no joker in any meld",
            "say": "there is nothing to say",
            "discard 5C": "(R",
        }.items():
            before = len(made.heard.notes)
            await made.type(typed)
            await made.until(lambda seen=before: len(made.heard.notes) > seen)  # type: ignore[misc]
            assert told in made.heard.notes[-1], typed
        assert not made.running.done()


async def test_a_word_too_many_is_never_swallowed() -> None:
    """A command that takes nothing says so, whichever it is, and does nothing: nobody waits, or goes, by a slip."""
    async with room() as made:
        await to_ones_offer(made)
        alone = [command.name for command in COMMANDS if not command.arguments]
        for typed, told in {f"{name} x": "'x' is too much" for name in alone}.items() | {
            ("leave x", "leave stands alone, or with yes behind it: 'x' is neither"),
            ("help wait x", "help takes one command: 'x' is too much"),
        }:
            before = len(made.heard.notes)
            await made.type(typed)
            await made.until(lambda seen=before: len(made.heard.notes) > seen)  # type: ignore[misc]
            assert told in made.heard.notes[-1], typed
        assert not made.running.done()


async def test_everything_can_be_looked_at_at_any_time() -> None:
    """The commands that show something answer with lines, and change nothing."""
    async with room() as made:
        await to_ones_offer(made)
        asked = made.desk.shown
        for word in LOOKS:
            before = len(made.heard.lines)
            await made.type(word)
            await made.until(lambda seen=before: len(made.heard.lines) > seen)  # type: ignore[misc]
        assert made.heard.notes == []
        assert made.desk.shown == asked


async def test_what_is_said_is_heard() -> None:
    """A line of talk is shown to everybody at the table, the speaker too, once."""
    async with room() as made:
        await made.type("say good luck")
        await made.until(lambda: made.said("Ann says: good luck"))
        await made.type("who")
        await made.until(lambda: made.said("Table "))
        assert sum("good luck" in line for line in made.heard.lines) == 1


async def test_r7_11_a_missing_answer_is_told() -> None:
    """When the clock of an offer has answered for the player, he learns that he has passed."""
    async with room(Options(offer_ms=10_000, turn_ms=0, grace_ms=0, pause_ms=0, bot_pace_ms=0)) as made:
        await to_ones_offer(made)
        assert made.said("10 seconds left.")
        told = len(made.heard.lines)
        made.clock.advance(11)
        over = "Your time was over: no answer is a pass (R7.11)."
        await made.until(lambda: made.said(over))
        await made.until(lambda: any("from the stock" in line for line in made.heard.lines[told:]))
        # The cause comes before what came of it, there and in the log.
        assert made.heard.lines[told] == over
        told = len(made.heard.lines)
        await made.type("log")
        await made.until(lambda: over in made.heard.lines[told:])


async def test_leaving_and_quitting_are_told_apart() -> None:
    """`quit` and the end of input at a prompt keep the seat, `leave` gives it up; each ends the desk."""
    for line, how in (
        (Entered("quit", ""), Leaving.QUIT),
        (Entered("leave yes", ""), Leaving.LEAVE),
        (None, Leaving.QUIT),
    ):
        async with room() as made:
            made.typed.queue.put_nowait(line)
            await asyncio.wait_for(asyncio.shield(made.running), 60)
            assert made.desk.left is how


async def test_r2_3_a_person_says_twice_that_a_seat_is_given_up() -> None:
    """`leave` alone changes nothing and says what would; `leave yes` says what happens."""
    async with room() as made:
        await made.type("leave")
        await made.until(lambda: made.said("write leave yes if you mean it, or quit to keep the seat"))
        assert made.desk.left is None
        await made.type("leave yes")
        await asyncio.wait_for(asyncio.shield(made.running), 60)
        assert made.heard.lines[-1] == "You give up your seat: a bot plays it to the end (R2.3)."


async def test_r2_3_a_person_says_twice_that_somebody_is_sent_away() -> None:
    """`kick` alone changes nothing and says what it does and what would; with yes behind it, it is done."""
    async with room() as made:
        await made.type("kick ben")
        question = "kick sends Ben away for good, and a bot plays the seat on (R2.3): write kick Ben yes if you mean it"
        await made.until(lambda: made.said(question))
        assert made.desk.scene.table.seats[1].occupant == table_pb2.OCCUPANT_PERSON
        await made.type("kick 1 yes")
        await made.until(lambda: made.said("Ben is played by a bot from now on."))
        await made.type("log")
        await made.until(lambda: made.heard.lines.count("Ben is played by a bot from now on.") > 1)


async def test_nothing_is_done_at_a_desk_whose_stream_has_failed() -> None:
    """What stands in the pipe when nobody reads the answers any more is neither played nor complained about."""
    async with room() as made:
        await made.until(lambda: bool(made.desk.shown))
        reading = made.desk._stream  # noqa: SLF001 (the task that reads)
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failed.set_exception(BrokenPipeError())
        made.desk._stream = failed  # type: ignore[assignment]  # noqa: SLF001 (as a print into a broken pipe ends it)
        for line in ("fold", "pass", "leave yes"):
            await made.desk.enter(line, "")
        assert made.heard.notes == []
        assert made.desk.left is None
        made.desk._stream = reading  # noqa: SLF001 (as it was)


async def test_the_end_of_a_pipe_leaves_the_seat() -> None:
    """Where nobody was prompted, the end of input gives the seat up."""
    async with room() as made:
        made.typed.prompts = False
        made.typed.queue.put_nowait(None)
        await asyncio.wait_for(asyncio.shield(made.running), 60)
        assert made.desk.left is Leaving.LEAVE


async def test_ctrl_c_asks_and_the_second_one_ends() -> None:
    """One Ctrl-C is a warning; two in a row are an interrupt."""
    async with room() as made:
        made.typed.queue.put_nowait(Interrupted())
        await made.until(lambda: made.said("Ctrl-C again ends the program"))
        await made.type("hand")
        await made.until(lambda: made.said("Your hand"))
        made.typed.queue.put_nowait(Interrupted())
        made.typed.queue.put_nowait(Interrupted())
        with pytest.raises(Interrupt):
            await asyncio.wait_for(asyncio.shield(made.running), 60)


async def test_wait_holds_the_next_line_until_something_is_asked() -> None:
    """After `wait`, a line that has long been there answers what is asked then: so scripts can play."""
    async with room() as made:
        for text in ("wait", "pass"):
            made.typed.queue.put_nowait(Entered(text, ""))
        await made.other_passes()
        # The offer is closed, which it is only once both have passed.
        await made.until(lambda: made.desk.scene.game is not None and made.desk.scene.game.phase is Phase.PLAY)
        assert made.heard.notes == []


async def test_what_looks_between_wait_and_an_answer_takes_nothing_away() -> None:
    """A script may look first; its answer, read before, is for what was waited for and for nothing later."""
    async with room() as made:
        for text in ("wait", "legal", "hint", "pass"):
            made.typed.queue.put_nowait(Entered(text, ""))
        await made.other_passes()
        await made.until(lambda: made.desk.scene.game is not None and made.desk.scene.game.phase is Phase.PLAY)
        assert made.heard.notes == []
        # Nonces are by chance, and with them who is on turn.
        if made.desk.scene.game is not None and made.desk.scene.game.turn != made.desk.scene.seat:
            await made.other_discards()
        await made.until(lambda: bool(made.desk.shown))
        text = "pass" if made.desk.scene.offer is not None else f"discard {made.desk.scene.hand[0]}"
        await made.type(text, shown="")
        await made.until(lambda: bool(made.heard.notes))
        assert "typed before this decision was shown" in made.heard.notes[0]


async def test_r14_2_a_player_takes_his_seat_back_from_the_stand_in() -> None:
    """Who has missed two turns is told that he counts as absent, and `back` takes the seat again."""
    async with room(Options(offer_ms=5_000, turn_ms=5_000, grace_ms=0, pause_ms=0, bot_pace_ms=60_000)) as made:
        for _ in range(60):
            if made.said("You count as absent"):
                break
            made.clock.advance(6)
            before = len(made.heard.lines)
            await made.until(lambda seen=before: len(made.heard.lines) > seen)  # type: ignore[misc]
        await made.until(lambda: made.said("a stand-in plays for you (R14.2): back takes your seat again."))
        await made.type("back")
        await made.until(lambda: made.said("You play your seat again."))


async def test_r14_2_a_stand_in_is_told_once_and_nothing_is_asked_while_it_plays() -> None:
    """While a stand-in plays no question and no time-out is told, and each hand's end with its score sheet is."""
    async with room(Options(offer_ms=5_000, turn_ms=5_000, grace_ms=0, pause_ms=0, bot_pace_ms=0)) as made:
        while not made.said("You count as absent"):
            made.clock.advance(6)
            before = len(made.heard.lines)
            await made.until(lambda seen=before: len(made.heard.lines) > seen)  # type: ignore[misc]
        since = next(n for n, line in enumerate(made.heard.lines) if "You count as absent" in line)
        await made.type("legal")
        await made.type("pass")
        await made.until(lambda: made.said("nothing is asked of you now. A stand-in plays for you (R14.2)"))
        while not made.desk.over:
            made.clock.advance(6)
            before = len(made.heard.lines)
            await made.until(lambda seen=before: len(made.heard.lines) > seen or made.desk.over)  # type: ignore[misc]
        told = made.heard.lines[since + 1 :]
        assert not [line for line in told if "You may" in line or "Your time was over" in line or "Your turn" in line]
        assert sum("You count as absent" in line for line in made.heard.lines) == 1
        assert [sum(f"hand {hand} is over" in line for line in made.heard.lines) for hand in (1, 2)] == [1, 1]
        assert sum(line.startswith("total") for line in told) == 2


@pytest.mark.parametrize("ends", [2, 3, 10])
def test_r12_2_the_end_of_a_hand_that_was_missed_is_told(ends: int) -> None:
    """Hands that ended between two updates are told by their results, each once, before the hand that is on."""
    lines: list[str] = []
    announcer = Announcer(lines.extend)
    announcer.show(scene_of(played(1)))
    lines.clear()
    announcer.show(replace(scene_of(played(ends)), skipped=True))
    assert [sum(f"hand {hand} is over" in line for line in lines) for hand in range(1, 11)] == [
        int(1 < hand <= ends) for hand in range(1, 11)
    ]
    before = len(lines)
    announcer.show(replace(scene_of(played(ends)), new_from=len(played(ends).view(0).public.events)))
    assert len(lines) == before


def test_a_spectator_is_not_offered_another_game() -> None:
    """Only who holds a seat can wish for a rematch."""
    for seat, offered in ((None, False), (object(), True)):
        heard, typed = Heard(), Typed()
        desk = PlainDesk(seat=seat, watch=Stream().watch, voice=heard)  # type: ignore[arg-type]
        desk.attach(typed)
        desk.tell_over()
        assert ("rematch" in " ".join(heard.lines)) == offered
        assert "quit ends the program" in " ".join(heard.lines)
