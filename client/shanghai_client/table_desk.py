"""A desk at a table, whatever kind of screen it has: it follows the stream, and answers what was shown there."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace

from shanghai.v1 import table_pb2
from shanghai_client.commands.command import BadCommand, Leaving
from shanghai_client.commands.table import find, split
from shanghai_client.failure import CannotConnect, ClientFailure, Refused
from shanghai_client.language import _
from shanghai_client.present.choices import choice_lines, stand_in_text, waits_for_deal_text
from shanghai_client.present.hand_log import HandLog
from shanghai_client.present.news import teller_of
from shanghai_client.present.refusal import refusal_text
from shanghai_client.quoted import whole_signs
from shanghai_client.receipt import INSIDE
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_client.watching import Back, Lost, Sight, StreamEnded
from shanghai_engine.action import Answer, Claim, Discard
from shanghai_engine.history import OfferSettled
from shanghai_wire.actions import SeatAction

_SHOWN_WITHIN = 5.0
"""Seconds within which an accepted answer is seen in an update; later the next command may be typed all the same."""
Watch = Callable[[], AsyncGenerator[Sight]]
"""What opens a seat's stream, or a spectator's."""
OnOver = Callable[[], Awaitable[None]]


def lost_text() -> str:
    """Say that nothing can be played while the connection is lost."""
    return _("the connection is lost: nothing can be played until it is back")


class Interrupt(ClientFailure):
    """The player pressed Ctrl-C and meant it."""


class TableDesk(ABC):
    """A player's desk, or a spectator's where there is no seat; what it looks like is left to each kind of screen."""

    back = "back"
    """The command, or on a screen of keys the key, by which a player takes his seat back from a stand-in."""

    def __init__(self, *, seat: Seat | None, watch: Watch, on_over: OnOver | None = None) -> None:
        """Take the seat, what opens its stream, and what is done once the game is over."""
        self.seat = seat
        self.left: Leaving | None = None
        self._open = watch
        self._on_over = on_over
        self._stream: asyncio.Task[None] | None = None
        self._opens_again = False
        self._scene: Scene | None = None
        self._shown = ""
        self._entered = ""
        self._waited_for = ""
        self._claimed: tuple[str, Claim] | None = None
        self._played_itself = ""
        self._told_float = ""
        self._begun_itself = 1
        self._floating: asyncio.Task[None] | None = None
        self._asked: Scene | None = None
        self._answered = ""
        self._absent = False
        self._waits = False
        self._hand_log = HandLog()
        self._changed = asyncio.Condition()

    @property
    @abstractmethod
    def prompts(self) -> bool:
        """Whether a person is asked."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many cells a line has."""

    def asks_back(self, question: str, line: str, *, about: int | None = None) -> bool:
        """Ask by one key whether a line shall be run; where lines are typed there are no such keys."""
        del question, line, about
        return False

    @abstractmethod
    def say(self, lines: Sequence[str]) -> None:
        """Show lines of text."""

    @abstractmethod
    def note(self, sentence: str) -> None:
        """Show a message: a refusal, what cannot be done."""

    @abstractmethod
    def tell(self, scene: Scene) -> None:
        """Show what is new in a scene."""

    @abstractmethod
    def ask(self, scene: Scene) -> None:
        """Show what is asked, which has just become something else."""

    @abstractmethod
    def tell_link(self, change: Lost | Back) -> None:
        """Show that the connection is lost, or back."""

    @abstractmethod
    def refresh(self) -> None:
        """Draw again what depends on the scene, after all of it has been told."""

    @property
    def scene(self) -> Scene:
        """What was shown last; raises `BadCommand` before anything was."""
        if self._scene is None:
            raise BadCommand(_("nothing has been heard from the table yet: wait a moment"))
        # A terminal may have changed its size since.
        return replace(self._scene, width=self.width)

    @property
    def shown(self) -> str:
        """The id of the decision that is on the screen, empty where there is none."""
        return self._shown

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._scene is not None and self._scene.table.status == table_pb2.TABLE_STATUS_OVER

    # What is seen

    async def watch(self) -> None:
        """Follow the stream to its end; raises `Ended`, `Refused` or `CannotConnect` where it ends for good."""
        while True:
            self._stream = asyncio.create_task(self._read_stream())
            try:
                await asyncio.wait({self._stream})
            finally:
                self._stream.cancel()
            if not self._opens_again:
                return self._stream.result()
            self._opens_again = False

    async def _read_stream(self) -> None:
        try:
            await self._read_sights()
        finally:
            if self._floating is not None:
                self._floating.cancel()

    async def _read_sights(self) -> None:
        async with aclosing(self._open()) as sights:
            async for sight in sights:
                match sight:
                    case Lost() | Back():
                        self.tell_link(sight)
                    case StreamEnded():
                        raise sight.ended
                    case _:
                        await self._see(Scene.of(sight))
                        if self.over and not self.prompts:
                            return

    async def _see(self, scene: Scene) -> None:
        if self._floating is not None and self._floating.done() and not self._floating.cancelled():
            # What is no failure of the table's or the network's is a fault, and not swallowed.
            self._floating.result()
        was_over = self.over
        if self._claimed is not None and self._claimed[0] == scene.decision_id == self._answered and not self._shown:
            scene = scene.answered(self._claimed[1])
        scene = replace(scene.owing_nothing() if scene.stood_in else scene, width=self.width)
        self._scene = scene
        # A cause is told before what came of it.
        self._tell_own(self._time_outs(scene))
        self._hand_log.take(scene)
        after = [*self._lost_claims(scene), *self._stand_ins(scene)]
        self._hand_log.note(after)
        self._scene = scene = replace(scene, told=self._hand_log.lines)
        self.tell(scene)
        if after:
            self.say(after)
        if scene.decision_id != self._shown:
            if scene.decision is not None and not self._plays_itself(scene):
                self.ask(scene)
            self._shown = scene.decision_id
        if self.over and not was_over:
            if self._on_over is not None:
                await self._on_over()
            self.tell_over()
        self.refresh()
        async with self._changed:
            self._changed.notify_all()
        if self._plays_itself(scene) and scene.decision_id != self._played_itself:
            self._play_itself(scene)
        if self.seat is not None and self._begins_itself(self.seat, scene):
            await self._begin_itself(self.seat, scene)

    def _begins_itself(self, seat: Seat, scene: Scene) -> bool:
        """Say whether another game of who plays alone can begin, as the first did: there is nobody to wait for."""
        table = scene.table
        if table.status != table_pb2.TABLE_STATUS_LOBBY or table.game_number <= self._begun_itself:
            return False
        alone = all(each.occupant != table_pb2.OCCUPANT_PERSON for each in table.seats if each.index != scene.seat)
        promised = scene.seat is not None and table.seats[scene.seat].nonce_promised
        return alone and promised and scene.is_host() and seat.receipt.server.startswith(INSIDE)

    async def _begin_itself(self, seat: Seat, scene: Scene) -> None:
        self._begun_itself = scene.table.game_number
        try:
            await seat.start()
        except (Refused, CannotConnect) as failure:
            # It is the player's own then, by the command or the key.
            self.note(str(failure))

    def tell_over(self) -> None:  # noqa: B027 (not every screen says so in words)
        """Show what can be done once the game is over."""

    def _tell_own(self, sentences: Sequence[str]) -> None:
        """Say what the viewer alone is told, and keep it in the log of the hand."""
        if sentences:
            self._hand_log.note(sentences)
            self.say(sentences)

    def _lost_claims(self, scene: Scene) -> Iterator[str]:
        """Say why a claim of one's own did not get the card: somebody came before in the claim order (R7.11)."""
        for event in scene.news:
            if not isinstance(event, OfferSettled) or self._claimed is None:
                continue
            (_decision, claim), self._claimed = self._claimed, None
            if event.seat is None or event.seat == scene.seat or not claim.wants:
                continue
            who = teller_of(scene).people.who(event.seat)
            sentence = _("You claimed {card} too, and {who} came before you in the claim order (R7.11).")
            yield sentence.format(card=event.card, who=who)

    def _time_outs(self, scene: Scene) -> list[str]:
        """Say that the table answered for this seat, where it did (R7.11, R14.2)."""
        if scene.table.pause_reason:
            # Nothing is asked while the game is paused, and it is asked again when that goes on.
            return []
        before = self._asked
        self._asked = scene
        if before is None or scene.decision_id == before.decision_id or before.decision_id in {"", self._answered}:
            return []
        told = [_("Your time was over, so the table ended your turn (R14.2).")] if before.play is not None else []
        for event in scene.news:
            if before.offer is None or not isinstance(event, OfferSettled):
                continue
            order, place = before.offer.claim_order, before.offer.place
            if event.seat is None or event.seat in order[place + 1 :]:
                told.append(_("Your time was over: no answer is a pass (R7.11)."))
        return told

    def _stand_ins(self, scene: Scene) -> Iterator[str]:
        """Say that somebody else plays this seat, and how to take it again, or from when on it is the viewer's."""
        if scene.waits and not self._waits and scene.game is not None:
            yield waits_for_deal_text()
        if self._waits and not scene.waits and not self.over:
            yield _("You play your seat from now on.")
        self._waits = scene.waits
        if scene.stood_in and not self._absent:
            text = _("You count as absent, and a stand-in plays for you (R14.2): {back} takes your seat again.")
            yield text.format(back=self.back)
        if self._absent and not scene.stood_in and not self.over:
            yield _("You play your seat again.")
        self._absent = scene.stood_in

    @staticmethod
    def _plays_itself(scene: Scene) -> bool:
        """Say whether this is a floating turn in which only one choice is legal (R11.3)."""
        play = scene.play
        floated = play is not None and scene.down and len(scene.hand) == 1 and play.id.step == 1
        return floated and play is not None and len(list(play.actions())) == 1

    def _play_itself(self, scene: Scene) -> None:
        """Play the one choice of a floating turn, while the table is heard on."""
        play = scene.play
        if play is None or self.seat is None:
            return
        action = next(play.actions())
        if isinstance(action, Discard):
            if self._told_float != scene.decision_id:
                sentence = _("You float, and {card} fits nowhere: it is discarded for you (R11.3).")
                self._tell_own([sentence.format(card=action.card)])
            self._played_itself = self._answered = self._told_float = scene.decision_id
            self._floating = asyncio.create_task(self._discard_itself(self.seat, scene, action))

    async def _discard_itself(self, seat: Seat, scene: Scene, action: Discard) -> None:
        try:
            await seat.act(scene.decision_id, action)
        except Refused as refusal:
            # It is the player's own then, like any other decision.
            self._answered = ""
            self.note(refusal_text(refusal, scene))
            self.ask(scene)
        except CannotConnect as lost:
            # It is tried again with the next that is heard of the table.
            self._played_itself = self._answered = ""
            self.note(str(lost))

    # What is done

    async def enter(self, text: str, shown: str) -> None:
        """Run one line, begun when that decision was shown; what cannot be done is said, and nothing has changed."""
        text = whole_signs(text).strip()
        if not text or text.startswith("#") or self._has_failed():
            return
        word, words = split(text)
        await self._do(lambda: find(word, words).run(self, words), shown)

    async def answer(self, action: SeatAction, shown: str) -> None:
        """Do one thing that was chosen when that decision was shown; what cannot be done is said."""
        await self._do(lambda: self.act(action), shown)

    def _has_failed(self) -> bool:
        """Say whether the stream has ended by an error, as where nobody reads what is printed: the desk ends."""
        stream = self._stream
        return stream is not None and stream.done() and not stream.cancelled() and stream.exception() is not None

    async def _do(self, what: Callable[[], Awaitable[None]], shown: str) -> None:
        self._entered = shown
        try:
            await what()
        except BadCommand as bad:
            self.note(str(bad))
        except Refused as refusal:
            self.note(refusal_text(refusal, self.scene))

    async def act(self, action: SeatAction) -> None:
        """Answer the decision that was shown when the command was begun; raises `BadCommand` for any other."""
        scene = self.scene
        if self.seat is None:
            raise BadCommand(_("you watch this table, and hold no seat: only players can do that"))
        if not scene.decision_id:
            what = stand_in_text(self.back) if scene.stood_in else choice_lines(scene)[0]
            raise BadCommand(_("nothing is asked of you now. {what}").format(what=what))
        if scene.decision_id not in {self._entered, self._waited_for}:
            raise BadCommand(
                _("that was typed before this decision was shown, so it has not been played: look, and type it again")
            )
        if isinstance(action, Answer):
            self._claimed = (scene.decision_id, action.claim)
        # Before the call: its effect may be seen before its answer is.
        self._answered = scene.decision_id
        try:
            await self.seat.act(scene.decision_id, action)
        except (Refused, CannotConnect):
            self._claimed, self._answered = None, ""
            raise
        if isinstance(action, Answer):
            self._take_note(scene.decision_id)
        else:
            await self._until(lambda: self.scene.decision_id != scene.decision_id, within=_SHOWN_WITHIN)

    def _take_note(self, decision_id: str) -> None:
        """Show one's own answer, which no update does while the offer stays open (R7.14)."""
        if self._claimed is not None and self._claimed[0] == decision_id == self.scene.decision_id:
            self._scene = self.scene.answered(self._claimed[1])
            self._shown = ""

    async def wait_for_decision(self) -> None:
        """Wait until something is asked of the seat, or the game is over.

        Whatever was typed behind it, also before that appeared, may answer this decision, and no other.
        """
        await self._until(lambda: bool(self._shown) or self.over)
        self._waited_for = self._shown

    async def wait_for_scene(self) -> None:
        """Wait until the table has said something."""
        await self._until(lambda: self._scene is not None)

    async def come_back(self) -> None:
        """Take one's seat back from a stand-in; raises `BadCommand` where none plays it."""
        if self.seat is None:
            raise BadCommand(_("you watch this table, and hold no seat: only players can do that"))
        if not self._absent or self._stream is None:
            raise BadCommand(_("you are here, and play your seat yourself"))
        # Whoever sits down at a seat is there (R14.2).
        self.seat.sit_down_again()
        self._opens_again = True
        self._stream.cancel()

    def leave(self, how: Leaving) -> None:
        """End the client once this command is done."""
        self.left = how

    async def _until(self, true: Callable[[], bool], *, within: float | None = None) -> None:
        async with self._changed:
            try:
                async with asyncio.timeout(within):
                    await self._changed.wait_for(true)
            except TimeoutError:
                return
