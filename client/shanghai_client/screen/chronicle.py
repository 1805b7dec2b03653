"""What is told on the screen as it happens: events, talk, who comes and goes; not what stands there anyway."""

from __future__ import annotations

from collections.abc import Sequence

from shanghai_client.plain.announcer import Announcer
from shanghai_client.present.news import log_lines, news_lines
from shanghai_client.present.table import lobby_news_lines
from shanghai_client.scene import Scene


class Chronicle(Announcer):
    """Tells one viewer what happens, each thing once; `said` takes what was told since it was asked last."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self._lines: list[str] = []
        super().__init__(self._lines.extend)
        self._before: Scene | None = None

    def said(self, scene: Scene) -> list[str]:
        """Give what is new in a scene, as lines."""
        self._lines.clear()
        before, self._before = self._before, scene
        self._show_chat(scene)
        if scene.game is None:
            if before is not None and before.game is None:
                self._lines += lobby_news_lines(before, scene)
        elif before is None or before.game is None or scene.skipped:
            self._lines += log_lines(scene)
        else:
            self._lines += _news(scene)
        if scene.game is not None:
            self._show_presence(scene)
            self._show_pause(scene)
        return list(self._lines)


def _news(scene: Scene) -> Sequence[str]:
    return news_lines(scene)
