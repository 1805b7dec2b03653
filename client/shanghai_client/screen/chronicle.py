"""What is told on the screen as it happens: events, talk, who comes and goes; not what stands there anyway."""

from __future__ import annotations

from dataclasses import replace

from shanghai_client.plain.announcer import Announcer
from shanghai_client.present.news import hand_told, news_lines
from shanghai_client.present.table import lobby_news_lines
from shanghai_client.scene import Scene
from shanghai_client.screen.model import Kind, Told
from shanghai_engine.history import HandDealt

_WHOLE = 1 << 16
"""Cells of a line in which everything has room."""


class Chronicle(Announcer):
    """Tells one viewer what happens, each thing once."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._lines: list[str] = []
        super().__init__(self._lines.extend)
        self._before: Scene | None = None

    def said(self, scene: Scene) -> list[Told]:
        """Give what is new in a scene, each thing in a line: it is broken where it is drawn."""
        scene = replace(scene, width=_WHOLE)
        before, self._before = self._before, scene
        self._show_notice(scene)
        notices = self._taken(Kind.NOTE)
        self._show_chat(scene)
        talk = self._taken(Kind.TALK)
        if scene.game is None:
            if before is not None and before.game is None:
                self._lines += lobby_news_lines(before, scene)
        elif before is None or before.game is None or scene.skipped:
            self._lines += hand_told(scene)
        else:
            self._lines += news_lines(scene)
        self._show_company(scene)
        return [*_headed(self._taken(Kind.EVENT), scene), *talk, *notices]

    def _taken(self, kind: Kind) -> list[Told]:
        """Give what was told meanwhile."""
        lines = [Told(kind, line.strip()) for line in self._lines if line.strip()]
        self._lines.clear()
        return lines


def _headed(lines: list[Told], scene: Scene) -> list[Told]:
    """Give the lines with that of a new deal as a heading."""
    if not lines or not any(isinstance(event, HandDealt) for event in scene.news):
        return lines
    dealt = next(hand_told(scene))
    return [replace(line, kind=Kind.HAND) if line.text == dealt else line for line in lines]
