"""Seats by name: the viewer is `you`, everybody else has the name that the table shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shanghai.v1 import table_pb2
from shanghai_client.language import _, later
from shanghai_client.present.cells import cells, clip_name
from shanghai_client.scene import Scene

_OF_A_BOT = re.compile(r"Bot (\d+)", re.ASCII)
_LEVELS = {"basic": later("basic")}
"""What each level of the bots is called; its name is typed as it is in every language."""


def level_text(level: str) -> str:
    """Give a level of the bots in words; one that is not known here by its name."""
    return _(_LEVELS[level]) if level in _LEVELS else level


def name_text(name: str) -> str:
    """Give a name as it is shown: those that a server gives its bots are words, all others are as they were given."""
    numbered = _OF_A_BOT.fullmatch(name)
    return _("Bot {n}").format(n=numbered[1]) if numbered else name


@dataclass(frozen=True, slots=True)
class People:
    """The names by seat, and the viewer's own seat; none for a spectator."""

    names: tuple[str, ...]
    you: int | None = None

    @classmethod
    def of(cls, scene: Scene) -> People:
        """Give the people who play the hand of a table: while a bot plays the viewer's seat, none of them is `you`."""
        return replace(cls.sitting(scene), you=scene.seat if scene.plays else None)

    @classmethod
    def sitting(cls, scene: Scene) -> People:
        """Give the people who sit at a table, whoever plays their seats."""
        named = (name_text(seat.name) or _("seat {seat}").format(seat=seat.index) for seat in scene.table.seats)
        return cls(tuple(named), scene.seat)

    def when(self, scene: Scene, index: int) -> People:
        """Give the people as they sat when the event at a place of this hand happened: before later takeovers."""
        return self.before([each for each in scene.table.takeovers if each.events > index])

    def before(self, takeovers: Sequence[table_pb2.Takeover]) -> People:
        """Give the people as they sat before the last takeovers of this hand, which are given in their order."""
        names, you = list(self.names), self.you
        for takeover in reversed(takeovers):
            if 0 <= takeover.seat < len(names):
                names[takeover.seat] = name_text(takeover.before)
                you = None if you == takeover.seat else you
        return People(tuple(names), you)

    @classmethod
    def called(cls, names: Sequence[str]) -> People:
        """Give people of whom only the names are known, as those of a record."""
        return cls(tuple(name_text(name) for name in names))

    def who(self, seat: int) -> str:
        """Give the name within a sentence, as in `before Ann` and `before you`."""
        return _("you") if seat == self.you else _("{name}").format(name=self.names[seat])

    def told(self, seat: int, yours: str, others: str, **values: object) -> str:
        """Give the one of two sentences that is about a seat: `You draw` and `{name} draws`, with their values."""
        return (yours if seat == self.you else others).format(name=self.names[seat], **values)

    def whose(self, seat: int) -> str:
        """Give `your` or `Ann's`."""
        return _("your") if seat == self.you else _("{name}'s").format(name=self.names[seat])

    def label(self, seat: int, *, width: int | None = None) -> str:
        """Give the name for a list, with a mark at the viewer's own; in so many cells the name is cut, not the mark."""
        marked = _("{name} (you)") if seat == self.you else "{name}"
        name = self.names[seat]
        if width is not None:
            name = clip_name(name, max(0, width - cells(marked.format(name=""))))
        return marked.format(name=name)
