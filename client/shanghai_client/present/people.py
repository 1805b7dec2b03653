"""Seats by name: the viewer is `you`, everybody else has the name that the table shows."""

from __future__ import annotations

from dataclasses import dataclass

from shanghai_client.scene import Scene


@dataclass(frozen=True, slots=True)
class People:
    """The names by seat, and the viewer's own seat; none for a spectator."""

    names: tuple[str, ...]
    you: int | None = None

    @classmethod
    def of(cls, scene: Scene) -> People:
        """Give the people at a table."""
        return cls(tuple(seat.name or f"seat {seat.index}" for seat in scene.table.seats), scene.seat)

    def who(self, seat: int) -> str:
        """Give the name within a sentence, as in `before Ann` and `before you`."""
        return "you" if seat == self.you else self.names[seat]

    def does(self, seat: int, verb: str, verbs: str = "") -> str:
        """Begin a sentence: `You draw` and `Ann draws`; `verbs` is the form for others where it is not verb + s."""
        return f"You {verb}" if seat == self.you else f"{self.names[seat]} {verbs or verb + 's'}"

    def whose(self, seat: int) -> str:
        """Give `your` or `Ann's`."""
        return "your" if seat == self.you else f"{self.names[seat]}'s"

    def label(self, seat: int) -> str:
        """Give the name for a list, with a mark at the viewer's own."""
        return f"{self.names[seat]} (you)" if seat == self.you else self.names[seat]
