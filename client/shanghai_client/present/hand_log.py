"""The log of a hand as it was told: who had another name, or another seat, is not renamed in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shanghai_client.present.company import Company
from shanghai_client.present.news import hand_told, told_events
from shanghai_client.scene import Scene


class HandLog:
    """Keeps what one viewer was told of the present hand: plays, what became of people, and what was said to him alone.

    What happened before he came, or while updates were lost, is told without what became of people then, but for those
    who took seats over.
    """

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._company = Company()
        self._lines: list[str] = []
        self._hand: tuple[int, int] | None = None
        self._events = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """What was told, a sentence each."""
        return tuple(self._lines)

    def take(self, scene: Scene) -> None:
        """Add what is new in a scene."""
        game = scene.game
        people = self._company.news(scene)
        hand = None if game is None else (scene.table.game_number, game.hand)
        if hand != self._hand or scene.skipped:
            self._hand, self._lines = hand, list(hand_told(scene))
            # Who has taken a seat over stands there already.
            people = [line for line in people if line not in self._lines]
        else:
            self._lines += told_events(scene, self._events)
        self._events = 0 if game is None else len(game.events)
        self._lines += people

    def note(self, sentences: Sequence[str]) -> None:
        """Add what is said to the viewer alone."""
        self._lines += sentences

    def tell_again(self, words: Mapping[str, str]) -> None:
        """Let what was told be what it is in other words, where there are any for it."""
        self._lines = [words.get(line, line) for line in self._lines]
