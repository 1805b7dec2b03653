"""What a command is, and the desk at which it works."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from shanghai_client.failure import ClientFailure
from shanghai_client.language import _, later
from shanghai_client.scene import Scene
from shanghai_client.seat import Seat
from shanghai_wire.actions import SeatAction


class BadCommand(ClientFailure):
    """What was typed cannot be done as it stands; the text says what would be right."""


class Leaving(Enum):
    """How a player goes: `QUIT` keeps the seat for coming back, `LEAVE` gives it up for good (R2.3)."""

    QUIT = "quit"
    LEAVE = "leave"


class Desk(Protocol):
    """Where a player sits: what is shown to him, and how he does something. Every kind of screen has one."""

    seat: Seat | None
    """The own seat; none for a spectator."""

    @property
    def scene(self) -> Scene:
        """What was shown last; raises `BadCommand` before anything was."""

    @property
    def width(self) -> int:
        """How many cells a line has."""

    @property
    def prompts(self) -> bool:
        """Whether a person is asked, who may have slipped."""

    def say(self, lines: Sequence[str]) -> None:
        """Show lines of text."""

    async def act(self, action: SeatAction) -> None:
        """Answer the decision that was shown when the command was entered; raises `BadCommand` for any other."""

    async def wait_for_decision(self) -> None:
        """Wait until something is asked of the seat, or the game is over."""

    async def come_back(self) -> None:
        """Take one's seat back from a stand-in; raises `BadCommand` where none plays it."""

    def asks_back(self, question: str, line: str, *, about: int | None = None) -> bool:
        """Ask by one key whether a line shall be run; say whether there are such keys here.

        `about` is the seat of the person whom that is about: the question falls when somebody else sits there.
        """

    def leave(self, how: Leaving) -> None:
        """End the client once this command is done."""


def check_alone(name: str, words: Sequence[str]) -> None:
    """Raise `BadCommand` where anything stands behind a command that takes nothing."""
    if words:
        raise BadCommand(_("{command} stands alone: {words!r} is too much").format(command=name, words=" ".join(words)))


Handler = Callable[[Desk, Sequence[str]], Awaitable[None]]
Completer = Callable[[Scene, Sequence[str]], Sequence[str]]
"""Give what the next word may be, after the words that stand before it."""


class Topic(Enum):
    """The headings under which help lists the commands."""

    PLAYING = later("Playing")
    LOOKING = later("Looking")
    SITTING = later("The table and the program")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name and aliases, what is written behind it, what it does in a sentence, and how.

    Names are the same in every language; `help` and `arguments` are looked up when they are shown.
    """

    name: str
    topic: Topic
    help: str
    run: Handler
    complete: Completer
    aliases: tuple[str, ...] = ()
    arguments: str = ""

    @property
    def usage(self) -> str:
        """How it is written, as in `off CARD [MELD] [low|high]`."""
        return f"{self.name} {_(self.arguments)}" if self.arguments else self.name

    @property
    def needs_words(self) -> bool:
        """Whether something has to stand behind it."""
        return bool(self.arguments) and not self.arguments.startswith("[")

    @property
    def shortest(self) -> str:
        """The shortest of its names."""
        return min((self.name, *self.aliases), key=len)


def nothing(_scene: Scene, _words: Sequence[str]) -> Sequence[str]:
    """Complete nothing: the command takes no words, or any."""
    return ()
