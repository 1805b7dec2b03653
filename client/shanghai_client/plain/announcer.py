"""What is printed when an update arrives: the news, and what is looked at between hands and after the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shanghai.v1 import table_pb2
from shanghai_client.language import plural
from shanghai_client.present.company import Company
from shanghai_client.present.house_rules import house_notice_lines
from shanghai_client.present.news import news_lines
from shanghai_client.present.ready import ready_news_lines
from shanghai_client.present.score_sheet import final_lines, hand_over_lines, hands_lines
from shanghai_client.present.table import lobby_lines, lobby_news_lines, table_lines
from shanghai_client.present.talk import notice_text, talk_text
from shanghai_client.scene import Scene
from shanghai_engine.state import Phase

Say = Callable[[Sequence[str]], None]


class Announcer:
    """Tells one viewer what happens, each thing once."""

    def __init__(self, say: Say) -> None:
        """Take where lines go."""
        self._say = say
        self._chat: int | None = None
        self._notice = table_pb2.Notice()
        self._lobby: Scene | None = None
        self._before: Scene | None = None
        self._told: int | None = None
        self._company = Company()
        self._over = False

    def show(self, scene: Scene) -> None:
        """Tell what is new in a scene."""
        self._show_chat(scene)
        self._show_notice(scene)
        game = scene.game
        if game is None:
            self._show_lobby(scene)
            self._show_company(scene)
            # After a rematch the next game is told from its beginning.
            self._told, self._over = None, False
            return
        first = self._told is None
        finished = len(game.results)
        # The hand that has just been finished is told behind its last plays; one that is gone, before the new hand.
        gone = finished - (game.phase in {Phase.HAND_OVER, Phase.GAME_OVER})
        told = gone if self._told is None else self._told
        for hand in range(told + 1, gone + 1):
            self._say(["", *hand_over_lines(scene, hand), ""])
        if first and self._lobby is None:
            self._say(house_notice_lines(scene))
        # After a rematch the lobby is shown whole again.
        self._lobby = None
        if first or scene.skipped:
            self._say(table_lines(scene))
        if not first:
            self._say(news_lines(scene))
        self._show_company(scene)
        if self._before is not None:
            self._say(ready_news_lines(self._before, scene))
        self._before = scene
        if game.phase is Phase.HAND_OVER and max(told, gone) < finished:
            self._say(["", *hand_over_lines(scene)])
        self._told = finished
        if game.phase is Phase.GAME_OVER and not self._over:
            self._over = True
            self._say(["", *hands_lines(scene), "", *final_lines(scene)])

    def _show_chat(self, scene: Scene) -> None:
        """Tell what is said; what was said before one came is counted only, for who comes back has heard it."""
        chat = scene.table.chat
        if self._chat is None:
            self._chat = chat[-1].number if chat else 0
            if chat:
                text = plural(
                    "{count} line of talk came before: talk shows it.",
                    "{count} lines of talk came before: talk shows them.",
                    len(chat),
                )
                self._say([text.format(count=len(chat))])
            return
        for line in chat:
            if line.number > self._chat:
                self._chat = line.number
                self._say([talk_text(line)])

    def _show_notice(self, scene: Scene) -> None:
        """Tell what the server's host says, once; after a restart of the server its notices are counted anew."""
        notice = scene.table.notice
        if notice != self._notice:
            self._notice = notice
            if notice.text:
                self._say([notice_text(notice)])

    def _show_lobby(self, scene: Scene) -> None:
        """Show the lobby whole once, and then what changes: who comes, who goes, and who is the host."""
        before, self._lobby = self._lobby, scene
        if before is None:
            self._say([*lobby_lines(scene), *house_notice_lines(scene)])
            return
        self._say(lobby_news_lines(before, scene))

    def _show_company(self, scene: Scene) -> None:
        """Tell what is new with the people at the table."""
        self._say(self._company.news(scene))
