"""The queue of a table: the intents that wait to be done, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque

from shanghai_server.table.intent import Asked, Attached, Intent
from shanghai_server.table.watcher import Watcher

GATHERING = 0.002
"""For so many seconds a table waits for more, where it may: writing down what it has takes about as long."""


class IntentQueue:
    """The intents that wait. One task takes them, some at a time, and may wait a moment for more."""

    def __init__(self) -> None:
        """Begin with none."""
        self._waiting: deque[Intent] = deque()
        self._news: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        """Give how many wait."""
        return len(self._waiting)

    @property
    def calls(self) -> int:
        """How many calls wait; streams that come and go are none, however many they are."""
        return sum(isinstance(each, Asked) for each in self._waiting)

    @property
    def opening(self) -> list[Watcher]:
        """The streams that wait to be let in."""
        return [each.watcher for each in self._waiting if isinstance(each, Attached)]

    def put(self, intent: Intent) -> None:
        """Add an intent behind the others."""
        self._waiting.append(intent)
        _end(self._news)

    def take(self, most: int) -> list[Intent]:
        """Take the first ones, at most so many."""
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), most))]

    def clear(self) -> list[Intent]:
        """Take all."""
        return self.take(len(self._waiting))

    async def more(self, until: float) -> bool:
        """Wait until something waits, or until a moment of the event loop's clock; gives whether something does."""
        loop = asyncio.get_running_loop()
        if not self._waiting and loop.time() < until:
            self._news = loop.create_future()
            alarm = loop.call_at(until, _end, self._news)
            try:
                await self._news
            finally:
                self._news = None
                alarm.cancel()
        return bool(self._waiting)


def _end(news: asyncio.Future[None] | None) -> None:
    if news is not None and not news.done():
        news.set_result(None)
