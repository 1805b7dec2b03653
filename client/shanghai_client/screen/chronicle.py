"""What is told on the screen as it happens: events, talk, who comes and goes; not what stands there anyway."""

from __future__ import annotations

from shanghai_client.plain.announcer import Announcer
from shanghai_client.present.news import log_lines, news_lines
from shanghai_client.present.table import lobby_news_lines
from shanghai_client.scene import Scene
from shanghai_client.screen.model import Kind, Told


class Chronicle(Announcer):
    """Tells one viewer what happens, each thing once."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._lines: list[str] = []
        super().__init__(self._lines.extend)
        self._before: Scene | None = None

    def said(self, scene: Scene) -> list[Told]:
        """Give what is new in a scene, as lines."""
        before, self._before = self._before, scene
        self._show_notice(scene)
        notices = self._taken(Kind.NOTE)
        self._show_chat(scene)
        talk = self._taken(Kind.TALK)
        if scene.game is None:
            if before is not None and before.game is None:
                self._lines += lobby_news_lines(before, scene)
        elif before is None or before.game is None or scene.skipped:
            self._lines += log_lines(scene)
        else:
            self._lines += news_lines(scene)
        if scene.game is not None:
            self._show_presence(scene)
            self._show_pause(scene)
        return [*self._taken(Kind.EVENT), *talk, *notices]

    def _taken(self, kind: Kind) -> list[Told]:
        """Give what was told meanwhile."""
        lines = [Told(kind, line.strip()) for line in self._lines if line.strip()]
        self._lines.clear()
        return lines
