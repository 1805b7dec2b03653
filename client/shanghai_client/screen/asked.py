"""A question that fills the screen, asked before there is a table."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from shanghai_client.language import _
from shanghai_client.present.cells import wrap
from shanghai_client.screen.desk import SETTLE
from shanghai_client.screen.keys import shown_name
from shanghai_client.screen.model import Look
from shanghai_client.screen.pieces import Line, Piece, block, fitted, line
from shanghai_client.screen.terminal import Terminal
from shanghai_client.table_desk import Interrupt


async def ask(
    sentences: Sequence[str],
    answers: Mapping[str, str],
    *,
    look: Look,
    input: Input | None = None,  # noqa: A002 (the library's name)
    output: Output | None = None,
) -> str:
    """Ask by sentences on the whole screen, and give the key that answers.

    `answers` are the keys with a word for each. Raises `Interrupt` after Ctrl-C, and where the terminal has gone.
    """
    asked = _Asked(sentences, answers, look, input, output)
    await asked.run(asked.answered())
    return await asked.answered()


class _Asked(Terminal):
    """A terminal that shows a question, until a key answers it."""

    def __init__(
        self,
        sentences: Sequence[str],
        answers: Mapping[str, str],
        look: Look,
        input: Input | None,  # noqa: A002
        output: Output | None,
    ) -> None:
        self._sentences = sentences
        self._answers = answers
        self._look = look
        self._answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._seen: float | None = None
        super().__init__(input=input, output=output)

    async def answered(self) -> str:
        """Wait for the key that answers."""
        return await self._answer

    @property
    def look(self) -> Look:
        """How the player likes his screen."""
        return self._look

    def board(self, columns: int, rows: int) -> list[Line]:
        """Give the question below the name of the game."""
        title = fitted([Piece("class:title", _(" Shanghai Rum "))], columns, style="class:title.part")
        lines = [part for each in self._sentences for part in wrap(each, width=columns - 2)]
        asked = [line(), *(line(Piece("class:question", f" {part}")) for part in lines)]
        return [title, *block(asked, width=columns, height=max(1, rows - 2))]

    def last_line(self) -> Line:
        """Give the keys that answer."""
        pieces: list[Piece] = []
        for key, word in self._answers.items():
            pieces += [Piece("class:key", f" {shown_name(key)}", key), Piece("", f" {word} ", key)]
        return line(*pieces)

    def prompt(self) -> str:
        """Give nothing: no line is typed here."""
        return ""

    def drawn(self) -> None:
        """Remember when the question was seen first."""
        if self._seen is None:
            self._seen = asyncio.get_running_loop().time()

    def press(self, key: str) -> None:
        """Answer, unless the key was pressed before anybody could have read the question."""
        early = self._seen is None or asyncio.get_running_loop().time() < self._seen + SETTLE
        if key in self._answers and not early and not self._answer.done():
            self._answer.set_result(key)

    def click(self, what: str) -> None:
        """Answer by the mouse."""
        self.press(what)

    def interrupted(self) -> None:
        """End the program."""
        raise Interrupt("interrupted")

    def typed(self, text: str) -> None:
        """Take in nothing: no line is typed here."""
