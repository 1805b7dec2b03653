"""The plain desk: shows what happens line by line, and runs what the player types."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from shanghai_client.commands.command import BadCommand, Leaving
from shanghai_client.commands.table import completions
from shanghai_client.failure import CannotConnect
from shanghai_client.language import _
from shanghai_client.plain.announcer import Announcer
from shanghai_client.plain.lines import Interrupted, Lines
from shanghai_client.plain.voice import Voice
from shanghai_client.present.cards import hand_line, hand_lines
from shanghai_client.present.choices import choice_lines
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_client.table_desk import Interrupt, OnOver, TableDesk, Watch, lost_text
from shanghai_client.watching import Back, LinkNews, Lost
from shanghai_wire.actions import SeatAction


class PlainDesk(TableDesk):
    """A desk of lines that are only ever added.

    `run` goes on until the player leaves, the game is over (for commands from a pipe), or the server ends the stream.
    """

    def __init__(self, *, seat: Seat | None, watch: Watch, voice: Voice, on_over: OnOver | None = None) -> None:
        """Take the seat, what opens its stream, where lines are printed, and what is done once the game is over.

        `attach` gives the source of commands.
        """
        super().__init__(seat=seat, watch=watch, on_over=on_over)
        self._voice = voice
        self._announcer = Announcer(voice.say)
        self._lines: Lines | None = None
        self._hand: tuple[object, ...] = ()
        self._is_lost = False
        self._link_news = LinkNews()

    @property
    def prompts(self) -> bool:
        """Whether a person is asked."""
        return self._lines is not None and self._lines.prompts

    @property
    def width(self) -> int:
        """How many cells a line has."""
        return self._voice.width

    def prompt(self) -> str:
        """Give what the prompt says: what is asked, in a word."""
        scene = self._scene
        if scene is None or not self._shown:
            return "> "
        if scene.offer is not None and scene.game is not None:
            return f"{scene.game.upcard}? > "
        return _("go? > ") if scene.going_on else _("play > ")

    def complete(self, line: str) -> list[str]:
        """Give what the last word of a line may become."""
        return completions(line, self._scene)

    def attach(self, lines: Lines) -> None:
        """Take the source of commands."""
        self._lines = lines

    def say(self, lines: Sequence[str]) -> None:
        """Print lines."""
        self._voice.say(lines)

    def note(self, sentence: str) -> None:
        """Print a message."""
        self._voice.note(sentence)

    async def run(self) -> None:
        """Play; raises `Ended`, `Refused` or `CannotConnect` where the stream ends for good."""
        lines = self._lines
        if lines is None:
            raise RuntimeError("a desk needs a source of commands before it runs")
        with lines.showing():
            watching = asyncio.create_task(self.watch())
            typing = asyncio.create_task(self._type(lines))
            try:
                done, _pending = await asyncio.wait({watching, typing}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (watching, typing):
                    task.cancel()
                await asyncio.gather(watching, typing, return_exceptions=True)
            for task in done:
                task.result()

    def tell(self, scene: Scene) -> None:
        """Print what is new in a scene."""
        self._announcer.show(scene)

    def tell_link(self, change: Lost | Back) -> None:
        """Print that the connection is lost, once, and what helps beside trying again, and that it is back."""
        self._is_lost = isinstance(change, Lost)
        told = self._link_news.told(change)
        if told:
            self._voice.note(told)

    def tell_over(self) -> None:
        """Print what can be done once the game is over, for a person."""
        if self.prompts:
            what = _("Look around with score, hands and log; rematch plays another, quit ends the program.")
            if self.seat is None:
                what = _("Look around with score, hands and log; quit ends the program.")
            self.say([_("The game is over. {what}").format(what=what)])

    def refresh(self) -> None:
        """Draw the prompt again."""
        refresh = getattr(self._lines, "refresh", None)
        if refresh is not None:
            refresh()

    def ask(self, scene: Scene) -> None:
        """Print what is asked, with the hand: whole on one's own turn or when it has changed, else in one line."""
        lines = [""]
        if not scene.going_on:
            changed = scene.hand != self._hand
            lines += hand_lines(scene) if changed or scene.play is not None else [hand_line(scene)]
            self._hand = scene.hand
        self.say([*lines, *choice_lines(scene)])

    async def act(self, action: SeatAction) -> None:
        """Answer the decision that was shown; a person is told at once where nobody can hear it."""
        if self._is_lost and self.prompts:
            raise BadCommand(lost_text())
        await super().act(action)

    async def _type(self, lines: Lines) -> None:
        warned = False
        # The first line may be there before the table has said anything: it waits for that.
        await self.wait_for_scene()
        while self.left is None:
            try:
                entered = await lines.next()
            except Interrupted:
                if warned:
                    raise Interrupt(_("interrupted")) from None
                warned = True
                self._voice.note(_("Ctrl-C again ends the program, and keeps your seat"))
                continue
            warned = False
            if entered is None:
                self.left = Leaving.QUIT if lines.prompts else Leaving.LEAVE
                return
            try:
                await self.enter(entered.text, entered.shown)
            except CannotConnect as lost:
                if not lines.prompts:
                    # Whoever wrote a script counts on each of its lines.
                    raise
                # The stream goes on trying, and says so: nothing has been played.
                self.note(str(lost))
