"""The desk of the full-screen client: it keeps the model, and does what the keys and the command line ask for."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from shanghai_client.commands.table import BY_NAME, completions, split
from shanghai_client.failure import CannotConnect
from shanghai_client.language import LANGUAGES, _, begun, has_signs, speak
from shanghai_client.language import choose as choose_language
from shanghai_client.scene import Scene
from shanghai_client.screen.adjusting import filled
from shanghai_client.screen.chronicle import Chronicle
from shanghai_client.screen.keys import pressed
from shanghai_client.screen.looking import output
from shanghai_client.screen.model import Confirming, Kind, Link, Look, Model, Told
from shanghai_client.screen.mouse import clicked
from shanghai_client.screen.ordering import Order
from shanghai_client.screen.passing import passes
from shanghai_client.screen.seeing import counts, linked, seen, ticked, told
from shanghai_client.screen.stepping import Act, Effect, Fill, Go, Keep, Open, Run, Step
from shanghai_client.seat import Seat
from shanghai_client.settings import BadSetting, Chosen, Setting, Value
from shanghai_client.table_desk import Interrupt, OnOver, TableDesk, Watch, lost_text
from shanghai_client.watching import Back, Lost
from shanghai_engine.action import Answer, Claim

SETTLE = 0.15
"""Seconds that a decision must have been on the screen before a key answers it: less is no answer, but a slip."""
_TICK = 1.0
MARGINS = 2
"""Cells of a row that text over the table leaves free."""
_NOTHING = object()


def _silent() -> None:
    """Do nothing: no terminal is there yet."""


def _closed(_text: str) -> None:
    """Open no command line: no terminal is there yet."""


class ScreenDesk(TableDesk):
    """A player's desk on a whole screen, or a spectator's where there is no seat.

    The terminal sets `redraw`, `ring`, `open_line` and `open_value`, tells by `drawn` that a picture is on the screen,
    and gives keys to `press`, clicks to `click` and finished lines to `line`.
    """

    back = "k"

    def __init__(
        self,
        *,
        seat: Seat | None,
        watch: Watch,
        look: Look,
        on_over: OnOver | None = None,
        chosen: Chosen | None = None,
    ) -> None:
        """Take the seat, what opens its stream, how the screen looks, and what is done once the game is over.

        `chosen` are the player's settings, where he can change them.
        """
        super().__init__(seat=seat, watch=watch, on_over=on_over)
        self.model = Model(look=look, chosen=chosen, order=Order(look.sort), unless=look.unless)
        self.redraw: Callable[[], None] = _silent
        self.ring: Callable[[], None] = _silent
        self.open_line: Callable[[str], None] = _closed
        self.open_value: Callable[[str], None] = _closed
        self._chronicle = Chronicle()
        self._begun: asyncio.Queue[tuple[Effect, str]] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None
        self._drawn = ""
        self._drawn_at = 0.0
        self._rung: object = _NOTHING
        self._passing = ""
        self._unpassed = ""
        self._output: list[str] = []
        self._line_shown = ""
        self._filling: Setting | None = None

    # What the terminal tells

    @property
    def prompts(self) -> bool:
        """Whether a person is asked: a screen has one."""
        return True

    @property
    def width(self) -> int:
        """How many cells a line of text over the table has."""
        return self.model.columns - MARGINS

    def resized(self, columns: int, rows: int) -> None:
        """Take in the size of the terminal."""
        if (columns, rows) != (self.model.columns, self.model.rows):
            self.model = replace(self.model, columns=columns, rows=rows)

    def drawn(self) -> None:
        """Take in that the model is on the screen: what it asks can be answered from now on."""
        scene = self.model.scene
        shown = "" if scene is None or not self.model.fits else scene.decision_id
        if shown != self._drawn:
            self._drawn, self._drawn_at = shown, self._now()

    def press(self, key: str) -> None:
        """Do what a key does."""
        self._take(pressed(self.model, key))

    def click(self, what: str) -> None:
        """Do what a click on a piece of the picture does."""
        self._take(clicked(self.model, what))

    def line(self, text: str) -> None:
        """Take in a line: a setting's, or a command, which answers what was on the screen when the line was opened."""
        filling, self._filling = self._filling, None
        if filling is not None:
            self._take(filled(self.model, filling, text))
        elif text.strip():
            self._begun.put_nowait((Run(text), self._line_shown))

    def prompt(self) -> str:
        """Give what stands before the line: the sign of the command line, or the setting that is typed."""
        return ":" if self._filling is None else f" {self._filling.key}: "

    def taken_back(self) -> None:
        """Take in that the line was left."""
        self._filling = None

    def complete(self, line: str) -> list[str]:
        """Give what the last word of a line may become."""
        return completions(line, self._scene) if self._filling is None else []

    def interrupted(self) -> None:
        """Take in Ctrl-C: the second one ends the client, and keeps the seat."""
        sentence = _("Ctrl-C again ends the program, and keeps your seat")
        if self.model.note == sentence:
            raise Interrupt("interrupted")
        self._show(replace(self.model, note=sentence))

    # What is done

    def _take(self, step: Step) -> None:
        self._show(step.model)
        if isinstance(step.effect, Open):
            self._line_shown = self._answerable()
            self.open_line(step.effect.text)
        elif isinstance(step.effect, Fill):
            self._filling = step.effect.setting
            self.open_value(step.effect.text)
        elif step.effect is not None:
            self._begin(step.effect)

    def _begin(self, effect: Effect) -> None:
        """Begin what a key does, unless it would be played behind something else, or while nobody can hear it."""
        if isinstance(effect, Act | Run) and self.model.sending:
            self._show(replace(self.model, note=_("what you did before is still on its way to the table")))
        elif isinstance(effect, Act | Run) and not self.model.link.whole:
            self._show(replace(self.model, note=lost_text()))
        else:
            self._begun.put_nowait((effect, self._answerable()))

    def _answerable(self) -> str:
        """Give the decision that a key may answer now: the one on the screen, once it could be seen.

        That is so within one's own turn too: after each draw and each card that is played the letters are others'.
        """
        return self._drawn if self._now() - self._drawn_at >= SETTLE else ""

    async def work(self) -> None:
        """Do what was begun, one thing after another, until the player leaves."""
        self._worker = asyncio.current_task()
        await self.wait_for_scene()
        while self.left is None:
            effect, shown = await self._begun.get()
            self._output.clear()
            self._show(replace(self.model, sending=True))
            try:
                await self._perform(effect, shown)
            except CannotConnect as lost:
                # The stream goes on trying, and says so: nothing has been played.
                self.note(str(lost))
                if shown == self._passing:
                    self._unpassed = shown
            finally:
                self._show(replace(self.model, sending=False, scene=self._scene))
            self._show_output(effect)

    async def _perform(self, effect: Effect, shown: str) -> None:
        match effect:
            case Act(action):
                await self.answer(action, shown)
            case Run(line):
                await self._run(line, shown)
            case Go(how):
                self.left = how
            case Keep(setting, value):
                await self._keep(setting, value)

    async def _run(self, line: str, shown: str) -> None:
        """Run a line; what somebody meant to say is his to change where the table refuses it, and not lost."""
        self._show(replace(self.model, note=""))
        await self.enter(line, shown)
        command = BY_NAME.get(split(line)[0].lower()) if line.strip() else None
        if self.model.note and command is not None and command.name == "say":
            self._line_shown = self._answerable()
            self.open_line(line.strip())

    async def _keep(self, setting: Setting, value: Value) -> None:
        """Write a changed setting down."""
        if setting.field == "lang":
            language = choose_language("" if value == "auto" else str(value), environment=os.environ)
            # What cannot be shown counts where it can.
            speak(language if has_signs(sys.stdout.encoding, language) else LANGUAGES[0])
        if self.model.chosen is not None:
            # Loaded here: few players change anything.
            from shanghai_client.settings_file import change_settings_file  # noqa: PLC0415

            try:
                await asyncio.to_thread(change_settings_file, self.model.chosen.file, setting, value)
            except BadSetting as bad:
                self.note(str(bad))

    def _show_output(self, effect: Effect) -> None:
        lines = list(self._output)
        title = effect.line if isinstance(effect, Run) else ""
        if len(lines) == 1:
            self._show(replace(self.model, note=lines[0].strip()))
        elif lines:
            self._show(replace(self.model, overlay=output(title, lines)))

    # What is shown

    def asks_back(self, question: str, line: str, *, about: int | None = None) -> bool:
        """Ask by one key whether a line shall be run; a question about a person falls when his seat is another's."""
        self._show(replace(self.model, mode=Confirming(question, line, about), note=""))
        return True

    def say(self, lines: Sequence[str]) -> None:
        """Show lines of text: those of a command when it is done, others with what has happened."""
        if asyncio.current_task() is self._worker:
            self._output += lines
        else:
            self._show(told(self.model, [Told(Kind.NOTE, line.strip()) for line in lines]))

    def note(self, sentence: str) -> None:
        """Show a message where the question stands, until the next key."""
        self._show(replace(self.model, note=sentence))

    def tell(self, scene: Scene) -> None:
        """Show a scene, and what is new in it."""
        model = seen(self.model, scene, now=self._now())
        self._show(told(model, self._chronicle.said(scene)))
        if self._unpassed == scene.decision_id != "":
            # What was to pass by itself could not be sent: it is tried again now that the table is heard.
            self._unpassed = ""
            self.ask(scene)

    def ask(self, scene: Scene) -> None:
        """Ring the bell on one's own turn; an offer that is passed by itself is."""
        if passes(scene, self.model.unless) and scene.offer is not None:
            self._passing = scene.decision_id
            self._begun.put_nowait((Act(Answer(scene.offer.seat, Claim.PASS)), scene.decision_id))
            return
        game = scene.game
        if game is None or game.turn != scene.seat or scene.going_on:
            return
        turn = (scene.table.game_number, game.hand, game.turn_number)
        if self.model.look.bell and turn != self._rung:
            self.ring()
        self._rung = turn

    def tell_link(self, change: Lost | Back) -> None:
        """Show that the connection is lost, since when, and when it is tried again; or that it is back."""
        was_whole = self.model.link.whole
        model = linked(self.model, change, now=self._now())
        if isinstance(change, Lost) and was_whole:
            model = told(model, [Told(Kind.NOTE, _("{sentence}.").format(sentence=begun(change.sentence)))])
        elif isinstance(change, Back):
            note = "" if model.note == lost_text() else model.note
            model = told(replace(model, link=Link(), note=note), [Told(Kind.NOTE, _("The connection is back."))])
        self._show(model)

    def refresh(self) -> None:
        """Draw again."""
        self.redraw()

    async def look_back(self) -> None:
        """Find the ends of the games that were played here before one came, for their score sheets; then wait on."""
        await self.wait_for_scene()
        if self.seat is not None and self.scene.table.game_number > 1:
            # Loaded here: most tables play one game.
            from shanghai_client.screen.earlier import earlier_games  # noqa: PLC0415

            before = await earlier_games(self.seat, self.scene)
            self._show(replace(self.model, finished=(*before, *self.model.finished)))
        await asyncio.Event().wait()

    async def tick(self) -> None:
        """Let the seconds go on, as long as anything on the screen counts them."""
        while True:
            await asyncio.sleep(_TICK)
            if counts(self.model):
                self._show(ticked(self.model, now=self._now()))

    def _show(self, model: Model) -> None:
        if model.note and model.note != self.model.note:
            model = replace(model, noted_at=self._now())
        self.model = model
        self.redraw()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
