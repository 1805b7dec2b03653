"""What is printed when an update arrives: the news, and what is looked at between hands and after the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shanghai.v1 import table_pb2
from shanghai_client.present.news import news_lines
from shanghai_client.present.score_sheet import final_lines, hand_over_lines, hands_lines
from shanghai_client.present.table import lobby_lines, table_lines
from shanghai_client.scene import Scene
from shanghai_engine.state import Phase

Say = Callable[[Sequence[str]], None]


class Announcer:
    """Tells one viewer what happens, each thing once."""

    def __init__(self, say: Say) -> None:
        """Take where lines go."""
        self._say = say
        self._chat = 0
        self._lobby: list[str] = []
        self._told: int | None = None
        self._presence: dict[int, str] = {}
        self._over = False

    def show(self, scene: Scene) -> None:
        """Tell what is new in a scene."""
        self._show_chat(scene)
        game = scene.game
        if game is None:
            self._show_lobby(scene)
            return
        first = self._told is None
        finished = len(game.results)
        # The hand that has just been finished is told behind its last plays; one that is gone, before the new hand.
        gone = finished - (game.phase in {Phase.HAND_OVER, Phase.GAME_OVER})
        told = gone if self._told is None else self._told
        for hand in range(told + 1, gone + 1):
            self._say(["", *hand_over_lines(scene, hand), ""])
        if first or scene.skipped:
            self._say(table_lines(scene))
        if not first:
            self._say(news_lines(scene))
        self._show_presence(scene)
        if game.phase is Phase.HAND_OVER and max(told, gone) < finished:
            self._say(["", *hand_over_lines(scene)])
        self._told = finished
        if game.phase is Phase.GAME_OVER and not self._over:
            self._over = True
            self._say(["", *hands_lines(scene), "", *final_lines(scene)])

    def _show_chat(self, scene: Scene) -> None:
        for line in scene.table.chat:
            if line.number > self._chat:
                self._chat = line.number
                self._say([f"{line.name} says: {line.text}"])

    def _show_lobby(self, scene: Scene) -> None:
        lines = lobby_lines(scene)
        self._say([line for line in lines if line not in self._lobby])
        self._lobby = lines

    def _show_presence(self, scene: Scene) -> None:
        """Tell who has gone away and who is back."""
        for seat in scene.table.seats:
            said = _presence(seat)
            before = self._presence.get(seat.index)
            if before is not None and said != before and seat.index != scene.seat:
                self._say([f"{seat.name} {said}."])
            self._presence[seat.index] = said


def _presence(seat: table_pb2.Seat) -> str:
    if seat.occupant == table_pb2.OCCUPANT_BOT:
        return "is played by a bot from now on"
    if seat.stand_in:
        return "is away, and a stand-in plays"
    return "is back" if seat.connected else "is away"
