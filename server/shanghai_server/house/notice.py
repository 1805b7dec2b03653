"""The notice that a server's host shows to everybody at every table."""

from __future__ import annotations

from dataclasses import dataclass

from shanghai.v1 import table_pb2
from shanghai_server.house.wording import read_chat


@dataclass(slots=True)
class NoticeBoard:
    """Where the notice hangs: one at a time, and none after a restart.

    The `number` of each is a greater one than that of the last. None comes again after a restart: it is a time of day.
    """

    number: int = 0
    text: str = ""

    def put(self, text: str, *, limit: int, wall: float) -> None:
        """Hang a notice up in place of the last one, at a time of day in seconds since 1970; empty text takes it away.

        Raises `CallRefused` for more than `limit` characters.
        """
        said = read_chat(text, limit=limit) if text else ""
        if said:
            self.number = max(self.number + 1, int(wall * 1000))
        self.text = said

    @property
    def message(self) -> table_pb2.Notice | None:
        """The notice as everybody sees it; none for none."""
        return table_pb2.Notice(number=self.number, text=self.text) if self.text else None
