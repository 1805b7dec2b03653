"""How bots and stand-ins choose: outside the event loop, each from the view of its own seat and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from structlog.typing import FilteringBoundLogger

from shanghai_engine.action import Action
from shanghai_engine.bots import DEFAULT_LEVEL, LEVELS, rng_for
from shanghai_engine.decision import Decision
from shanghai_engine.view import View


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked: its level, its view, and what its seat owes, with its id as it travels (`name`)."""

    name: str
    level: str
    salt: bytes
    view: View
    decision: Decision


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot chose for a seat and a decision; none where it failed."""

    seat: int
    decision: str
    action: Action | None


async def think(questions: Sequence[Question], executor: Executor | None, log: FilteringBoundLogger) -> list[Choice]:
    """Give the choices of some bots, in the order asked. One that fails is logged, and chooses nothing."""
    return await asyncio.get_running_loop().run_in_executor(executor, _choose_all, questions, log)


class Thoughts:
    """What the bots of one table are thinking about; `done` is given what they have chosen."""

    def __init__(
        self, table: str, executor: Executor | None, log: FilteringBoundLogger, done: Callable[[list[Choice]], None]
    ) -> None:
        """Begin with no thought."""
        self._name = f"bots of {table}"
        self._executor = executor
        self._log = log
        self._done = done
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def are_open(self) -> bool:
        """Whether a bot is thinking."""
        return bool(self._tasks)

    def ask(self, questions: Sequence[Question]) -> None:
        """Let some bots think."""
        task = asyncio.get_running_loop().create_task(self._think(questions), name=self._name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """Let no bot think any more: nobody waits for it."""
        for task in self._tasks:
            task.cancel()

    async def _think(self, questions: Sequence[Question]) -> None:
        try:
            choices = await think(questions, self._executor, self._log)
        except Exception:  # noqa: BLE001 # the task's outermost line; it logs the traceback, and the game goes on
            self._log.exception("bots could not think")
            choices = [Choice(asked.decision.seat, asked.name, None) for asked in questions]
        self._done(choices)


def _choose_all(questions: Sequence[Question], log: FilteringBoundLogger) -> list[Choice]:
    return [_choose(question, log) for question in questions]


def _choose(question: Question, log: FilteringBoundLogger) -> Choice:
    decision = question.decision
    rng = rng_for(question.salt, decision.seat, decision.id)
    action: Action | None = None
    try:
        action = LEVELS[question.level or DEFAULT_LEVEL].decide(question.view, decision, rng)
    except Exception:
        # A bot is a guest: whatever it does, the table goes on with the least that is lawful.
        log.exception("bot failed", level=question.level, seat=decision.seat, decision=question.name)
    return Choice(decision.seat, question.name, action)
